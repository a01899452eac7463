"""How near members come to the scene and to one another."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.behaviors.proximity.gaps import clearances
from rmp3d.behaviors.proximity.kept_pairs import LOOKED_THROUGH
from rmp3d.behaviors.safety.pairs import vertical_gap
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.borrowing import borrowed
from rmp3d.geometry.compiled import released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import MANY, length, unit

# Clearances are measured up to this [m]: a walker goes on for some steps until it is asked again.
LOOK = 0.5


def least_clearance(obstacles: MeshQuery | None, flock: Flock, rows: Index, cap: float) -> float:
    """Return the least clearance [m] of some rows, at most ``cap``; infinite without obstacles."""
    if obstacles is None or len(rows) == 0:
        return np.inf
    _, position, radius, axis = _capsules(flock, rows)
    return float(clearances(obstacles, position, radius, axis, cap).min())


class KeptClearances:
    """The least clearances of some rows, of which only those near to the scene are measured.

    Who had a clearance c, and has moved by s since, has at least c - s.

    Args:
        obstacles: What they must not touch, or None.
        rows: (n,) of the flock, the same at every moment.
    """

    def __init__(self, obstacles: MeshQuery | None, rows: Index) -> None:
        self._obstacles, self._rows = obstacles, rows
        self._place: Float | None = None
        self._clearance = np.zeros(len(rows))
        self._is_first = True

    def least(self, flock: Flock, cap: float) -> float:
        """Return `least_clearance` of the rows."""
        stays = type(self._obstacles) is MeshQuery and len(self._rows) >= MANY
        first, self._is_first = self._is_first, False
        if first or not stays or flock.bodies.elongated[self._rows].any():
            return least_clearance(self._obstacles, flock, self._rows, cap)
        assert self._obstacles is not None
        every = len(self._rows) == len(flock)
        place = flock.position if every else flock.position.take(self._rows, axis=0)
        if self._place is None:
            self._place, self._clearance = place.copy(), np.full(len(place), -np.inf)
        bound = self._clearance - (1.0 + 1e-9) * length(place - self._place) - 1e-9
        near = np.flatnonzero(bound < cap)
        if len(near) == 0:
            return cap
        _, own, radius, axis = _capsules(flock, self._rows[near])
        found = clearances(self._obstacles, own, radius, axis, max(cap, LOOK))
        self._place[near], self._clearance[near] = own, found
        return min(cap, float(found.min()))


def pairs_for_gaps(flock: Flock) -> Index | None:
    """Return pairs (P, 2) of which `least_gap` looks at all; None: it searches for them."""
    bodies = flock.bodies
    if len(flock) == 0 or bodies.elongated.any():
        return None
    reach = np.full(len(flock), float(bodies.radius.max()) + 0.5)
    return flock.nearby.candidates(flock.position, reach)


def least_gap(flock: Flock, pairs: Index | None = None) -> float:
    """Return the smallest gap [m] between two bodies, at most 1; infinite for a single one.

    Args:
        flock: The bodies.
        pairs: As `pairs_for_gaps` returns them.
    """
    if len(flock) == 0:
        return np.inf
    member, position, radius, axis = _capsules(flock, np.arange(len(flock)))
    half_reach = np.full(len(position), float(radius.max()) + 0.5)
    if pairs is None:
        pairs = near_pairs(position, half_reach)
    reach = float(2.0 * half_reach[0])

    def some(rows: slice) -> float:
        least: float = _least_gap(pairs[rows], member, position, radius, axis, reach)
        return least

    return min(in_blocks(some, len(pairs), LOOKED_THROUGH), default=np.inf)


def _capsules(flock: Flock, rows: Index) -> tuple[Index, Float, Float, Float]:
    """Return the upright capsules of some rows: one of a round body, those along a longer one.

    Whose they are (C,), where (C, 3), radius (C,) and heights of the ends of the axes (C, 2) [m].
    """
    bodies = flock.bodies
    if len(rows) == len(flock) and not bodies.elongated.any():  # rows are in ascending order
        return rows, flock.position, bodies.radius, bodies.capsule_axis
    round_rows, long_rows = rows[~bodies.elongated[rows]], rows[bodies.elongated[rows]]
    if len(long_rows) == 0:
        position, axis = (
            array.take(rows, axis=0) for array in (flock.position, bodies.capsule_axis)
        )
        return rows, position, bodies.radius[rows], axis
    own = np.repeat(long_rows, bodies.row_count[long_rows])
    which = np.concatenate([np.arange(count) for count in bodies.row_count[long_rows]])
    capsule = bodies.row[own, which]
    heading = flock.heading[own] * [1.0, 1.0, 0.0]
    along = flock.position[own] + capsule[:, :1] * unit(heading)
    return (
        np.concatenate([round_rows, own]),
        np.concatenate([flock.position[round_rows], along]),
        np.concatenate([bodies.radius[round_rows], capsule[:, 1]]),
        np.concatenate([bodies.capsule_axis[round_rows], capsule[:, 2:]]),
    )


@released
def _least_gap(pairs, member, position, radius, axis, reach):
    """Return the smallest gap between the upright capsules of pairs (P, 2) of other members.

    Pairs that are farther apart than ``reach`` [m] do not count.
    """
    pairs, member, position, radius, axis = borrowed((pairs, member, position, radius, axis))
    least = np.inf
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        z = position[j, 2] - position[i, 2]
        if x * x + y * y + z * z > reach * reach or member[i] == member[j]:
            continue
        z = vertical_gap(z, axis[i, 0], axis[i, 1], axis[j, 0], axis[j, 1])
        least = min(least, np.sqrt(x * x + y * y + z * z) - (radius[i] + radius[j]))
    return least
