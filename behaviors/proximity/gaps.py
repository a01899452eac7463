"""How far apart upright bodies are, and how far from obstacles."""

import numpy as np

from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length


def smallest_gap(
    position: Float,
    radius: Float,
    capsule_axis: Float,
    reach: float = 1.0,
    owner: Index | None = None,
) -> float:
    """Return the smallest gap [m] between two upright capsules, infinite for gaps over ``reach``.

    Args:
        position: (N, 3) reference points [m].
        radius: (N,) [m].
        capsule_axis: (N, 2) heights of the ends of each segment over its reference point [m].
        reach: [m].
        owner: (N,) the body that each is of; two of one body have no gap. By default each is one.
    """
    if len(position) < 2:
        return np.inf
    tallest = float(np.ptp(capsule_axis, axis=1).max())
    near = Neighbors.within(position, 2.0 * float(radius.max()) + tallest + reach, radius)
    if len(near.i) == 0:
        return np.inf
    offset = near.offset.copy()
    below = offset[:, 2] + capsule_axis[near.j, 0] - capsule_axis[near.i, 1]
    above = offset[:, 2] + capsule_axis[near.j, 1] - capsule_axis[near.i, 0]
    offset[:, 2] = np.where(below > 0.0, below, np.where(above < 0.0, above, 0.0))
    gaps = length(offset) - near.contact
    if owner is not None:
        gaps = gaps[owner[near.i] != owner[near.j]]
    gap = float(gaps.min(initial=np.inf))
    return gap if gap <= reach else np.inf


def clearances(
    obstacles: MeshQuery, position: Float, radius: Float, capsule_axis: Float, cap: float
) -> Float:
    """Return the clearance (N,) [m] of upright capsules, of which few are of different size.

    Args:
        obstacles: What they are to be clear of.
        position: (N, 3) reference points [m].
        radius: (N,) [m].
        capsule_axis: (N, 2) heights of the ends of each segment over its reference point [m].
        cap: Larger clearances are given as that [m].
    """
    clearance = np.empty(len(position))
    bodies = np.column_stack([capsule_axis, radius])
    if len(bodies) and (bodies == bodies[0]).all():  # the usual case, without sorting
        sizes, size_of = bodies[:1], np.zeros(len(bodies), np.intp)
    else:
        sizes, size_of = np.unique(bodies, axis=0, return_inverse=True)
    for row, (low, high, wide) in enumerate(sizes.tolist()):
        same = np.flatnonzero(size_of == row)
        clearance[same], face = obstacles.capsule_clearance(position[same], (low, high), wide, cap)
        clearance[same[face < 0]] = cap
    return clearance
