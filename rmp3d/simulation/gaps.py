"""How near members come to the scene and to one another."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.behaviors.proximity.gaps import clearances
from rmp3d.behaviors.safety.pairs import vertical_gap
from rmp3d.geometry.arrays import Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.query import MeshQuery


def least_clearance(obstacles: MeshQuery | None, flock: Flock, rows: Index, cap: float) -> float:
    """Return the least clearance [m] of some rows, at most ``cap``; infinite without obstacles."""
    if obstacles is None or len(rows) == 0:
        return np.inf
    position, radius, capsule_axis = (
        flock.position[rows],
        flock.bodies.radius[rows],
        flock.bodies.capsule_axis[rows],
    )
    return float(clearances(obstacles, position, radius, capsule_axis, cap).min())


def least_gap(flock: Flock) -> float:
    """Return the smallest gap [m] between two bodies, at most 1; infinite for a single one."""
    if len(flock) == 0:
        return np.inf
    bodies = flock.bodies
    reach = 2.0 * float(bodies.radius.max()) + 1.0
    pairs = near_pairs(flock.position, np.full(len(flock), 0.5 * reach))
    return float(_least_gap(pairs, flock.position, bodies.radius, bodies.capsule_axis))


@compiled
def _least_gap(pairs, position, radius, axis):
    """Return the smallest gap between the upright capsules of pairs (P, 2)."""
    least = np.inf
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        z = position[j, 2] - position[i, 2]
        z = vertical_gap(z, axis[i, 0], axis[i, 1], axis[j, 0], axis[j, 1])
        least = min(least, np.sqrt(x * x + y * y + z * z) - (radius[i] + radius[j]))
    return least
