"""What is measured of certified edges: their length, and how near they come to something."""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.paths.polyline import densified_together
from rmp3d.planner.spaces import Space

CLEARANCE_CAP = 10.0  # times the body's radius; more room than that is all the same


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
    world = space.world
    points, first = densified_together(polylines, world.body.radius, space)
    clearance = world.clearance(points, CLEARANCE_CAP * world.body.radius)
    gap = space.distance(points[:-1], points[1:])
    bound = 0.5 * (clearance[:-1] + clearance[1:] - gap)
    bound[first[1:-1] - 1] = np.inf  # from the end of one polyline to the start of the next
    # The proof of the edge gives half the tolerance, whatever the samples allow.
    return np.maximum(np.minimum.reduceat(bound, first[:-1]), 0.5 * world.tolerance)
