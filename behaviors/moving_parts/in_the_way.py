"""Which members are in the way of a moving part, and where that leads out."""

import numpy as np

from rmp3d.behaviors.safety.covered import Covered
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery

CLEAR = 4e-4
"""Clearance [m] that a part leaves to members, more than an arc's `SAGITTA`, less than members keep
from the scene."""
NEARER = 1e-6
"""A part comes nearer to a member if it does so by this in a step [m]."""
AWAY_FROM_BOUNDS = 1.0
"""Members that are in the way of what is to appear go to no side so near to the bounds [m]."""


def query_of(space: Float) -> MeshQuery:
    """Return what answers queries about triangles (K, 3, 3)."""
    return MeshQuery(TriangleMesh(space.reshape(-1, 3), np.arange(3 * len(space)).reshape(-1, 3)))


def comes_nearer(before: Float, after: Float, points: Float) -> Bool:
    """Return to which points (M, 3) triangles (K, 3, 3) come nearer in a step."""
    if len(points) == 0:
        return np.zeros(0, np.bool_)
    first, last = (query_of(each).closest_point(points)[0] for each in (before, after))
    nearer: Bool = last < first - NEARER
    return nearer


def out_of(box: Float, points: Float, bounds: Float | None) -> Float:
    """Return the directions (M, 3) by which points leave a box (2, 3) in plan; zero outside it.

    They lead to the nearest side that is `AWAY_FROM_BOUNDS` from those of the scene (2, 3) [m].
    """
    room = np.concatenate([points[:, :2] - box[0, :2], box[1, :2] - points[:, :2]], axis=1)
    sides = np.array([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    inside = room.min(axis=1) > 0.0
    if bounds is not None:
        beyond = np.concatenate([box[0, :2] - bounds[0, :2], bounds[1, :2] - box[1, :2]])
        room = np.where(beyond < AWAY_FROM_BOUNDS, np.inf, room)
    return np.where(inside[:, None], sides[room.argmin(axis=1)], 0.0)


def clear_of(query: MeshQuery, covered: Covered, by: float = CLEAR) -> Bool:
    """Return which members (N,) keep clear of a mesh by so much [m], and on their way to a stop."""
    clear = np.ones(len(covered.start), np.bool_)
    sizes = np.column_stack([covered.low, covered.high, covered.radius])
    kinds, kind = np.unique(sizes, axis=0, return_inverse=True)
    for row, (low, high, radius) in enumerate(kinds.tolist()):
        own = np.flatnonzero(kind.reshape(-1) == row)
        clear[own] = query.sweep_capsule(
            covered.start[own], covered.end[own], (low, high), radius, by
        )[0]
    return clear
