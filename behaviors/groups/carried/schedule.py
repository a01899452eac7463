"""When each body sets out, so that no two ever come near: found and proved before the run."""

import numpy as np

from rmp3d.behaviors.groups.carried.motion import travels
from rmp3d.behaviors.groups.carried.resting_places import keeps_apart
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.meshpair import MeshPair

# Time between two departures that are tried [s], and other orders tried.
DELAY, ORDERS = 0.2, 20


class NoOrderError(InputError):
    """In no order that was tried do the members get past one another."""


class DepartureSchedule:
    """Motions of bodies of one shape, and which of them can go together.

    Between two frames a point of a body moves by its travel at most, so bodies that are ``gap``
    and half of both travels apart at the frames are ``gap`` apart in between.

    Args:
        pair: The body against itself.
        motions: (T_i, 7) poses of each body, a time step apart.
        gap: That bodies keep [m].
        dt: Time step [s].
    """

    def __init__(self, pair: MeshPair, motions: list[Float], gap: float, dt: float) -> None:
        self._pair = pair
        self._motions = motions
        self._gap = gap
        self._step = max(1, round(DELAY / dt))
        self._travel = [travels(poses, pair.reach) for poses in motions]

    def departures(self, rng: np.random.Generator) -> Index:
        """Return the frame (n,) at which each body sets out.

        Bodies wait where they start and stay where they arrive, and both block
        others. In an order that respects which body blocks which (the shortest motion first),
        each sets out as soon as it can; if one never can, other orders are tried.

        Raises:
            NoOrderError: None was found.
        """
        count = len(self._motions)
        before = self._precedence()
        duration = np.array([len(poses) for poses in self._motions], np.float64)
        for _ in range(ORDERS):
            order = _topological(before, duration)
            departure = None if order is None else self._in_order(order)
            if departure is not None:
                return departure
            if order is None:
                break
            duration = rng.random(count)
        raise NoOrderError(
            f"{count} members stand in one another's way in every order that was tried; take "
            "fewer members, larger regions, or a smaller `gap`"
        )

    def _precedence(self) -> Bool:
        """Return which body (n, n) must go before which: [i, j] is i before j."""
        count = len(self._motions)
        before = np.zeros((count, count), np.bool_)
        for i in range(count):
            for j in range(count):
                if i != j:
                    before[j, i] |= self._touches(i, self._motions[j][0])
                    before[i, j] |= self._touches(i, self._motions[j][-1])
        return before

    def _touches(self, i: int, pose: Float) -> bool:
        gap = self._gap + 0.5 * self._travel[i]
        return not self._apart(self._motions[i], np.tile(pose, (len(gap), 1)), gap)

    def _apart(self, first: Float, second: Float, gap: Float) -> bool:
        """Return whether bodies at (M, 7) and (M, 7) keep ``gap`` (M,) in all rows."""
        away = np.linalg.norm(first[:, :3] - second[:, :3], axis=1)
        near = np.flatnonzero(away <= 2.0 * self._pair.reach + gap)
        near = near[np.argsort(away[near], kind="stable")]
        for part in np.array_split(near, max(1, len(near) // 64)):
            if not keeps_apart(self._pair, first[part], second[part], gap[part]).all():
                return False
        return True

    def _in_order(self, order: Index) -> Index | None:
        """Return the departures (n,) in an order, or None if one body never can go."""
        departure = np.zeros(len(order), np.intp)
        latest = sum(len(poses) for poses in self._motions)
        done: list[int] = []
        for i in order.tolist():
            for delay in range(0, latest + 1, self._step):
                if all(self._together(i, j, delay - int(departure[j])) for j in reversed(done)):
                    departure[i] = delay
                    break
            else:
                return None
            done.append(i)
        return departure

    def _together(self, i: int, j: int, later: int) -> bool:
        """Return whether i can set out ``later`` frames after j."""
        length_i, length_j = len(self._motions[i]), len(self._motions[j])
        clock = np.arange(min(0, later), max(length_j, length_i + later))
        a = np.clip(clock - later, 0, length_i - 1)
        b = np.clip(clock, 0, length_j - 1)
        gap = self._gap + 0.5 * (self._travel[i][a] + self._travel[j][b])
        return self._apart(self._motions[i][a], self._motions[j][b], gap)


def _topological(before: Bool, duration: Float) -> Index | None:
    """Return an order (n,) that respects ``before`` (n, n), least haste first, or None."""
    left, order = list(range(len(duration))), []
    while left:
        ready = [i for i in left if not before[left, i].any()]
        if not ready:
            return None
        order.append(min(ready, key=lambda i: (duration[i], i)))
        left.remove(order[-1])
    return np.array(order, np.intp)
