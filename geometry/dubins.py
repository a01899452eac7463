"""Shortest forward paths of a vehicle with a turn radius (Dubins).

Poses, curvatures and lengths are those of `rmp3d.geometry.curves`.
"""

import numpy as np

from rmp3d.geometry.arrays import Float

# The four paths of Dubins with two turns and a line between them: signs of the turns, left is +1.
SAME = 1e-9  # share of a radius by which the distances of circles may be off by rounding
WORDS = ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0))


def dubins_paths(start: Float, end: Float, radius: float) -> tuple[Float, Float]:
    r"""Return curvatures and lengths (M, 6, 3) of the forward paths of three pieces.

    Four of them are a turn, a line and a turn; two are three turns. The shortest path is among
    them.

    With the centers of the first and the last circle a distance D apart in the direction
    :math:`\phi`, the line between turns to the same side is D long and points to :math:`\phi`;
    between turns to different sides it is :math:`\sqrt{D^2 - 4 R^2}` long and points to
    :math:`\phi \pm \arcsin(2 R / D)` (Dubins 1957, "On curves of minimal length"; Shkel and
    Lumelsky 2001). Circles that overlap have no such line: the lengths are infinite. Between turns
    to the same side that are nearer than 4 R a third circle fits, which touches both.

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
    exists = apart >= (1.0 - SAME) * crosses  # circles that touch have a line of no length
    share = np.divide(crosses, apart, out=np.zeros_like(apart), where=exists & (apart > 0.0))
    course = np.arctan2(dy, dx) + first * np.arcsin(np.minimum(share, 1.0))
    # Two turns on one circle are one turn: any line between them has no length.
    course = np.where((first == last) & (apart < SAME * radius), begin[..., 2], course)
    line = np.sqrt(np.maximum(apart**2 - crosses**2, 0.0))
    turn = 2.0 * np.pi
    into = np.mod(first * (course - begin[..., 2]), turn)
    out = np.mod(last * (finish[..., 2] - course), turn)
    # A whole turn is the rounding error of no turn.
    into, out = (np.where(turn - angle < 1e-9, 0.0, angle) for angle in (into, out))
    length = np.stack([radius * into, line, radius * out], axis=-1)
    length[~exists] = np.inf
    sides = np.stack([first, 0.0 * first, last], axis=-1) / radius
    bends, turns = _three_turns(start, end, radius)
    lines = np.broadcast_to(sides, length.shape)
    return np.concatenate([lines, bends], axis=1), np.concatenate([length, turns], axis=1)


def _three_turns(start: Float, end: Float, radius: float) -> tuple[Float, Float]:
    """Return curvatures and lengths (M, 2, 3) of the paths left, right, left and its mirror image.

    The middle turn is longer than half a circle: the shorter one is never part of a shortest path.
    """
    side = np.array([1.0, -1.0])
    begin, finish = start[:, None, :], end[:, None, :]
    dx = finish[..., 0] - begin[..., 0]
    dy = finish[..., 1] - begin[..., 1]
    dx = dx + radius * side * (np.sin(begin[..., 2]) - np.sin(finish[..., 2]))
    dy = dy - radius * side * (np.cos(begin[..., 2]) - np.cos(finish[..., 2]))
    apart = np.hypot(dx, dy)
    exists = apart <= 4.0 * radius
    # Half the angle of the middle turn that is left out, seen from the middle circle's center.
    half = np.arcsin(np.minimum(apart / (4.0 * radius), 1.0))
    middle = 2.0 * np.pi - 2.0 * half
    into = np.mod(side * (np.arctan2(dy, dx) - begin[..., 2]) + np.pi - half, 2.0 * np.pi)
    out = np.mod(side * (finish[..., 2] - begin[..., 2]) - into + middle, 2.0 * np.pi)
    into, out = (np.where(2.0 * np.pi - turn < 1e-9, 0.0, turn) for turn in (into, out))
    length = radius * np.stack([into, middle, out], axis=-1)
    length[~exists] = np.inf
    bends = np.stack([side, -side, side], axis=-1) / radius
    return np.broadcast_to(bends, length.shape), length
