"""How near members come to the scene and to one another."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.gaps import clearances
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.query import MeshQuery


def least_clearance(obstacles: MeshQuery | None, flock: Flock, rows: Index) -> float:
    """Return the least clearance [m] of some rows, at most 1; infinite without obstacles."""
    if obstacles is None or len(rows) == 0:
        return np.inf
    position, radius, capsule_axis = (
        flock.position[rows],
        flock.bodies.radius[rows],
        flock.bodies.capsule_axis[rows],
    )
    return float(clearances(obstacles, position, radius, capsule_axis, 1.0).min())


def least_gap(flock: Flock) -> float:
    """Return the smallest gap [m] between two bodies, at most 1; infinite for a single one."""
    if len(flock) == 0:
        return np.inf
    near = Neighbors.within(
        flock.position, 2.0 * float(flock.bodies.radius.max()) + 1.0, flock.bodies.radius
    )
    if len(near.i) == 0:
        return np.inf
    offset = near.offset.copy()
    i, j = near.i, near.j
    below = offset[:, 2] + flock.bodies.capsule_axis[j, 0] - flock.bodies.capsule_axis[i, 1]
    above = offset[:, 2] + flock.bodies.capsule_axis[j, 1] - flock.bodies.capsule_axis[i, 0]
    offset[:, 2] = np.where(below > 0.0, below, np.where(above < 0.0, above, 0.0))
    return float((np.linalg.norm(offset, axis=1) - near.contact).min())
