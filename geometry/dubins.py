"""Paths of arcs and straight lines in the plane, driven forward and backward (Dubins, Reeds-Shepp).

A pose is (x, y, angle of the heading). A piece of a path is a curvature and a signed length: with
the curvature k, driving a length s turns the heading by k s. With a negative s the vehicle drives
backward on the same circle, and its body still faces along its heading.
"""

import numpy as np

from rmp3d.geometry.arrays import Float

# The four paths of Dubins with two turns and a line between them: signs of the turns, left is +1.
WORDS = ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0))


def drive(pose: Float, curvature: Float, distance: Float) -> Float:
    """Return the poses (..., 3) after a signed ``distance`` [m] at a curvature [1/m]."""
    x, y, angle = np.moveaxis(np.asarray(pose, np.float64), -1, 0)
    half = 0.5 * curvature * distance
    # sin(half) / half, so that a straight line needs no case of its own.
    chord = distance * np.sinc(half / np.pi)
    return np.stack(
        [x + chord * np.cos(angle + half), y + chord * np.sin(angle + half), angle + 2.0 * half],
        axis=-1,
    )


def dubins_paths(start: Float, end: Float, radius: float) -> tuple[Float, Float]:
    r"""Return curvatures and lengths (M, 4, 3) of the forward paths of turn, line and turn.

    With the centers of the first and the last circle a distance D apart in the direction
    :math:`\phi`, the line between turns to the same side is D long and points to :math:`\phi`;
    between turns to different sides it is :math:`\sqrt{D^2 - 4 R^2}` long and points to
    :math:`\phi \pm \arcsin(2 R / D)` (Dubins 1957, "On curves of minimal length"; Shkel and
    Lumelsky 2001). Circles that overlap have no such line: the lengths are infinite.

    Args:
        start: (M, 3) poses [m, rad].
        end: (M, 3) poses.
        radius: R of all turns [m].
    """
    first, last = np.array(WORDS).T  # (4,)
    begin, finish = start[:, None, :], end[:, None, :]
    dx = finish[..., 0] - begin[..., 0]
    dy = finish[..., 1] - begin[..., 1]
    dx = dx + radius * (first * np.sin(begin[..., 2]) - last * np.sin(finish[..., 2]))
    dy = dy - radius * (first * np.cos(begin[..., 2]) - last * np.cos(finish[..., 2]))
    apart = np.hypot(dx, dy)
    crosses = np.where(first == last, 0.0, 2.0 * radius)
    exists = apart >= crosses
    share = np.divide(crosses, apart, out=np.zeros_like(apart), where=exists & (apart > 0.0))
    course = np.arctan2(dy, dx) + first * np.arcsin(share)
    line = np.sqrt(np.maximum(apart**2 - crosses**2, 0.0))
    turn = 2.0 * np.pi
    into = np.mod(first * (course - begin[..., 2]), turn)
    out = np.mod(last * (finish[..., 2] - course), turn)
    # A whole turn is the rounding error of no turn.
    into, out = (np.where(turn - angle < 1e-9, 0.0, angle) for angle in (into, out))
    length = np.stack([radius * into, line, radius * out], axis=-1)
    length[~exists] = np.inf
    sides = np.stack([first, 0.0 * first, last], axis=-1) / radius
    return np.broadcast_to(sides, length.shape).copy(), length


def sample_path(pose: Float, curvature: Float, length: Float, step: float) -> tuple[Float, Float]:
    """Return poses (M, K, 3) every ``step`` [m] along paths, and their arc lengths (K,) [m].

    Args:
        pose: (M, 3) at the start.
        curvature: (M, P) of the pieces [1/m].
        length: (M, P) of the pieces [m], negative if they are driven backward.
        step: Between samples [m]; samples behind the end of a path are its end.
    """
    size = np.abs(length)
    total = float(size.sum(axis=1).max(initial=0.0))
    along = np.linspace(0.0, total, int(np.ceil(total / step)) + 1)
    done = np.cumsum(size, axis=1) - size  # (M, P) before each piece
    result = np.repeat(pose[:, None, :], len(along), axis=1)
    for piece in range(length.shape[1]):
        distance = np.clip(along - done[:, piece, None], 0.0, size[:, piece, None])
        signed = np.sign(length[:, piece, None]) * distance
        result = drive(result, curvature[:, piece, None], signed)
    return result, along
