"""Curves of arcs and straight lines in the plane, driven forward and backward.

A pose is (x, y, angle of the heading). A piece of a curve is a curvature and a signed length: with
the curvature k, driving a length s turns the heading by k s. With a negative s the vehicle drives
backward on the same circle, and its body still faces along its heading.
"""

import numpy as np

from rmp3d.geometry.arrays import Float, Index


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


def sampled_curves(
    start: Float, curvature: Float, length: Float, step: float, turn: float
) -> tuple[Float, Index]:
    """Return poses along M curves, the start and the ends of all pieces among them.

    Args:
        start: (M, 3) poses.
        curvature: (M, P) of the pieces [1/m].
        length: (M, P) of the pieces [m], negative if they are driven backward, finite.
        step: Between poses at most [m].
        turn: Of the heading between poses at most [rad].

    Returns:
        Poses (T, 3), and where each curve begins in them (M + 1,).
    """
    count, pieces = length.shape
    begin = np.empty((count, pieces, 3))
    pose = start
    for piece in range(pieces):
        begin[:, piece] = pose
        pose = drive(pose, curvature[:, piece], length[:, piece])
    parts = np.maximum(np.abs(length) / step, np.abs(length * curvature) / turn)
    # A piece without length has no pose but that of the next one.
    parts = np.where(np.abs(length) < 1e-12, 0, np.ceil(parts - 1e-9)).astype(np.intp)
    parts[parts.sum(axis=1) == 0, -1] = 1
    which = np.repeat(np.arange(count * pieces), parts.reshape(-1))
    before = np.cumsum(parts.reshape(-1)) - parts.reshape(-1)
    share = (np.arange(len(which)) - before[which] + 1) / parts.reshape(-1)[which]
    poses = drive(
        begin.reshape(-1, 3)[which],
        curvature.reshape(-1)[which],
        share * length.reshape(-1)[which],
    )
    first = np.concatenate([[0], np.cumsum(parts.sum(axis=1) + 1)])
    result = np.empty((first[-1], 3))
    result[first[:-1]] = start
    result[np.setdiff1d(np.arange(first[-1]), first[:-1], assume_unique=True)] = poses
    return result, first.astype(np.intp)
