"""What is measured of certified edges: their length, and how near they come to something."""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.paths.polyline import densified_together
from rmp3d.planner.spaces import Space

CLEARANCE_CAP = 10.0  # times the body's radius; more room than that is all the same
# Clearance is asked for at every radius of the body along an edge, but at no more points than this,
# and at so many points of all edges at a time.
MOST, TOGETHER = 2000, 1_000_000


def proved(pairs: Index, found: list[Float | None]) -> tuple[Index, list[Float]]:
    """Return those pairs (P, 2) of nodes, and their polylines, for which there is one."""
    polylines = [points for points in found if points is not None]
    return pairs[[points is not None for points in found]], polylines


def least_clearance(space: Space, polylines: list[Float]) -> Float:
    """Return a lower bound (P,) [m] of the least clearance along certified polylines.

    Clearance changes no faster than the configuration. So between two points at distance d with
    clearances a and b it is nowhere below (a + b - d) / 2.
    """
    if not polylines:
        return np.zeros(0)
    radius = space.world.body.radius
    size = np.array([float(space.distance(each[:-1], each[1:]).sum()) for each in polylines])
    spacing = np.maximum(radius, size / MOST)
    points = np.cumsum(size / spacing + [len(each) for each in polylines])
    part = (points // TOGETHER).astype(np.intp)
    parts = np.split(np.arange(len(polylines)), np.flatnonzero(np.diff(part)) + 1)
    return np.concatenate(
        [_least_clearance(space, [polylines[row] for row in rows], spacing[rows]) for rows in parts]
    )


def _least_clearance(space: Space, polylines: list[Float], spacing: Float) -> Float:
    """Return the same of polylines with at most so far (P,) [m] between two points."""
    world = space.world
    points, first = densified_together(polylines, spacing, space)
    clearance = world.clearance(points, CLEARANCE_CAP * world.body.radius)
    gap = space.distance(points[:-1], points[1:])
    bound = 0.5 * (clearance[:-1] + clearance[1:] - gap)
    bound[first[1:-1] - 1] = np.inf  # from the end of one polyline to the start of the next
    # The proof of the edge gives half the tolerance, whatever the samples allow.
    return np.maximum(np.minimum.reduceat(bound, first[:-1]), 0.5 * world.tolerance)
