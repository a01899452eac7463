"""Pairs of near bodies, searched for anew only when the bodies have moved.

Everything that asks in a step which bodies are near to one another (steering, traffic rules, the
safety constraint, the figures of a run) asks the same `KeptPairs`. It keeps the pairs within a
reach that is larger by `SKIN` than the largest that was asked for. While no body has moved out of
its skin, the pairs of every smaller reach are among them (Verlet 1967, "Computer experiments on
classical fluids", neighbor lists).
"""

from typing import Any

import numpy as np

from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.geometry.arrays import Bool, Float, Index, read_only
from rmp3d.geometry.borrowing import borrowed
from rmp3d.geometry.compiled import compiled, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.place_order import FEW as SORTED
from rmp3d.geometry.place_order import by_place

SKIN = 0.4
"""What is added to half a reach [m]."""
SOON = 0.05
"""How much farther may be asked about in the steps that follow without a search [m]."""
FEW = 200
"""The pairs of so many bodies are searched for whenever they are asked for."""
LOOKED_THROUGH = 8192
"""Kept pairs that a thread looks through at a time, at least."""


class KeptPairs:
    """The pairs of one flock, from step to step."""

    def __init__(self) -> None:
        self._position, self._reach = np.zeros((0, 3)), np.zeros(0)
        self._pairs = np.zeros((0, 2), np.int64)
        self._order: Index | None = None
        self._ordered = self._pairs
        self._is_ordered = False
        self._asked, self._asked_before = np.zeros(0), np.zeros(0)
        self._left: tuple[object, Float] | None = None  # of positions, how much of each reach
        self._resting: Bool | None = None
        self._known: Index | None = None  # of the pairs, those that are told

    def leave_out(self, resting: Bool | None) -> None:
        """Tell no more of pairs of which both rest, of (N,) members; None: of all again.

        What is between two that stay where they are stays as it was.
        """
        self._resting, self._known = resting, None

    def within(self, position: Float, half_reach: Float, height: Float | None = None) -> Index:
        """Return all pairs of rows (P, 2), i < j, sorted, whose distance is at most h_i + h_j.

        The answer is that of `near_pairs`, whatever was asked before.

        Args:
            position: (N, 3) of the flock, finite [m].
            half_reach: (N,) h, not negative [m].
            height: (N,) of what is asked about over the positions [m]; None: the positions
                themselves.
        """
        place, needed = _asked_about(position, half_reach, height)
        if len(place) <= FEW:
            return self._told(near_pairs(place, half_reach), len(place))
        self._cover(position, needed)
        return _those_near(self._told_of(), place, half_reach)

    def order(self, position: Float) -> Index | None:
        """Return the rows (N,) so that near ones are near in memory; None: there are few.

        It stays the same until it is asked for after a search.
        """
        if len(position) < SORTED:
            return None
        if not self._is_ordered or self._order is None or len(self._order) != len(position):
            self._order = by_place(position)
            self._is_ordered, self._ordered = True, np.zeros((0, 2), np.int64)
        return self._order

    def within_in_order(
        self, position: Float, half_reach: Float, height: Float | None = None
    ) -> Index:
        """Return the same pairs by numbers in the order (P, 2), sorted by the first.

        The first one of a pair is the lower row. Arguments as those of `within`.
        """
        pairs = self.candidates_in_order(position, half_reach, height)
        place, _ = _asked_about(position, half_reach, height)
        assert self._order is not None
        return _those_near(pairs, place.take(self._order, axis=0), half_reach[self._order])

    def candidates(self, position: Float, half_reach: Float, height: Float | None = None) -> Index:
        """Return pairs of rows (P, 2), i < j, sorted, among them all that `within` returns.

        For those that look at each pair anyway: nothing is copied. Arguments as those of `within`.
        """
        place, needed = _asked_about(position, half_reach, height)
        if len(place) <= FEW:
            return self._told(near_pairs(place, half_reach), len(place))
        self._cover(position, needed)
        return self._told_of()

    def candidates_in_order(
        self, position: Float, half_reach: Float, height: Float | None = None
    ) -> Index:
        """Return `candidates` by numbers in the order (P, 2), sorted by the first."""
        _, needed = _asked_about(position, half_reach, height)
        self._cover(position, needed)
        assert self._order is not None
        if len(self._ordered) != len(self._pairs):
            self._ordered = _in_order(self._pairs, self._order)
        return self._ordered

    def renew(self, position: Float, half_reach: Float, moving: Bool) -> Index:
        """Return `candidates` for what is asked about now, and what was of late.

        Only then are the pairs searched for, if they have to be: later in a step they stay. A
        search costs as much for many that stand as for those ``moving`` (N,): where these are few
        it is made for longer.
        """
        if FEW < len(position) == len(self._asked):
            soon = np.maximum(half_reach, self._asked) + SOON
            if not self._covers(position, soon):
                few = 4 * np.count_nonzero(moving) < len(position)
                self._search(position, half_reach, SKIN * (moving & few))
        return self.candidates(position, half_reach)

    def part(self, rows: Index) -> "PairsOfPart":
        """Return the pairs of some rows (n,), in ascending order, of more than `FEW`."""
        return PairsOfPart(self, rows, _renumbered(self._told_of(), rows, len(self._reach)))

    def _told_of(self) -> Index:
        """Return the pairs that are kept without those that are left out."""
        if self._known is None:
            self._known = self._told(self._pairs, len(self._reach))
        return self._known

    def _told(self, pairs: Index, count: int) -> Index:
        resting = self._resting
        if resting is None or len(resting) != count:  # members have come or left
            return pairs
        found: Index = _with_one_awake(pairs, resting)
        return found

    def _cover(self, position: Float, needed: Float) -> None:
        """See to it that all pairs are kept that can be within reaches (N,) [m]."""
        if len(position) != len(self._reach) or not self._covers(position, needed):
            self._search(position, needed)
        self._asked = np.maximum(self._asked, needed)

    def _covers(self, position: Float, needed: Float) -> bool:
        """Return whether what is ``needed`` (N,) around all bodies lies in what was searched."""
        if self._left is None or self._left[0] is not position or position.flags.writeable:
            place = read_only(np.ascontiguousarray(position, dtype=np.float64).view())
            self._left = position, _left_of(place, self._position, self._reach)
        return bool((needed <= self._left[1]).all())

    def _search(self, position: Float, needed: Float, more: Any = 0.0) -> None:
        """Find the pairs within all reaches asked for since the search before the last one.

        Args:
            position: (N, 3) [m].
            needed: (N,) that is asked for now [m].
            more: What is added to these besides `SKIN`, (N,) or for all [m].
        """
        if len(position) != len(self._asked):
            self._asked = self._asked_before = needed
        reach = np.maximum(np.maximum(self._asked, self._asked_before), needed)
        self._asked_before, self._asked = self._asked, needed
        self._position, self._reach, self._left = position.copy(), reach + SKIN + more, None
        self._pairs, self._known = near_pairs(position, self._reach), None
        self._is_ordered, self._ordered = False, np.zeros((0, 2), np.int64)


class PairsInOrder(KeptPairs):
    """The pairs of a flock whose rows are in the order that `KeptPairs.order` told.

    Args:
        kept: Of the flock.
        order: (N,) rows in it.
    """

    def __init__(self, kept: KeptPairs, order: Index) -> None:
        super().__init__()
        self._kept, self._rows = kept, order

    def order(self, position: Float) -> None:
        """Return that the rows need no other order."""

    def within(self, position: Float, half_reach: Float, height: Float | None = None) -> Index:
        """Return the pairs (P, 2) as `KeptPairs.within` does, sorted by the first one only."""
        return self._kept.within_in_order(
            self._back(position), self._back(half_reach),
            None if height is None else self._back(height),
        )  # fmt: skip

    def candidates(self, position: Float, half_reach: Float, height: Float | None = None) -> Index:
        """Return candidates (P, 2) as `KeptPairs.candidates` does, sorted by the first one only."""
        return self._kept.candidates_in_order(
            self._back(position), self._back(half_reach),
            None if height is None else self._back(height),
        )  # fmt: skip

    def _back(self, values: Float) -> Float:
        found = np.empty_like(values)
        found[self._rows] = values
        return found


class PairsAround(KeptPairs):
    """What some rows of a flock have around them; of pairs it has those that are searched for.

    Attributes:
        kept: The pairs of the flock.
        position: (N, 3) of the flock [m].
        half_width: (N,) of its bodies [m].
        rows: (n,) in it, in ascending order.
    """

    def __init__(self, kept: KeptPairs, position: Float, half_width: Float, rows: Index) -> None:
        super().__init__()
        self.kept, self.position, self.half_width, self.rows = kept, position, half_width, rows


class PartTooSmallError(Exception):
    """Somebody who is no part of it could be within the reach that is asked about."""


class PairsOfPart(KeptPairs):
    """The pairs of some rows of a flock, numbered by these.

    Args:
        kept: Of the flock.
        rows: (n,) in it.
        pairs: (P, 2) numbers in these.
    """

    def __init__(self, kept: KeptPairs, rows: Index, pairs: Index) -> None:
        super().__init__()
        self._kept, self._rows, self._pairs, self._of = kept, rows, pairs, kept._pairs
        self._position, self._reach = kept._position.take(rows, axis=0), kept._reach[rows]
        self._asked = kept._asked[rows]

    def order(self, position: Float) -> None:
        """Return that the rows need no other order: they are few."""

    def within(self, position: Float, half_reach: Float, height: Float | None = None) -> Index:
        """Return the pairs (P, 2) as `KeptPairs.within` does; raises what `candidates` does."""
        pairs = self.candidates(position, half_reach, height)
        return _those_near(pairs, _asked_about(position, half_reach, height)[0], half_reach)

    def candidates(self, position: Float, half_reach: Float, height: Float | None = None) -> Index:
        """Return candidates (P, 2) as `KeptPairs.candidates` does.

        Raises:
            PartTooSmallError: Not all pairs in this reach are kept.
        """
        _, needed = _asked_about(position, half_reach, height)
        self._asked = np.maximum(self._asked, needed)
        stays = self._kept._pairs is self._of
        if stays:
            self._kept._asked[self._rows] = self._asked
        if not (stays and self._covers(position, needed)):
            raise PartTooSmallError
        return self._pairs


def _asked_about(position: Float, half_reach: Float, height: Float | None) -> tuple[Float, Float]:
    """Return the places (N, 3) that are asked about, and which reaches around the bodies do."""
    place = np.asarray(position, np.float64).reshape(-1, 3)
    if height is None or len(place) == 0:
        return place, half_reach
    place = place.copy()
    place[:, 2] += height
    return place, half_reach + np.abs(height - height[0])


def _those_near(pairs: Index, place: Float, half_reach: Float) -> Index:
    """Return those of the pairs (P, 2) whose places are at most h_i + h_j apart, in their order."""
    half_reach = np.ascontiguousarray(half_reach, dtype=np.float64)

    def some(rows: slice) -> Index:
        near: Index = _nearer(pairs[rows], place, half_reach)
        return near

    return np.concatenate(in_blocks(some, len(pairs), LOOKED_THROUGH))


@compiled
def _with_one_awake(pairs, resting):
    """Return the pairs (P, 2) of which not both rest."""
    found, count = np.empty(pairs.shape, np.int64), 0
    for k in range(pairs.shape[0]):
        found[count, 0], found[count, 1] = pairs[k, 0], pairs[k, 1]
        count += not (resting[pairs[k, 0]] and resting[pairs[k, 1]])
    return found[:count]


@compiled
def _renumbered(pairs, rows, every):
    """Return the pairs (P, 2), of ``every`` row, of which both are in rows (n,), by numbers."""
    number = np.full(every, -1)
    for k in range(rows.shape[0]):
        number[rows[k]] = k
    found, count = np.empty(pairs.shape, np.int64), 0
    for k in range(pairs.shape[0]):
        i, j = number[pairs[k, 0]], number[pairs[k, 1]]
        found[count, 0], found[count, 1] = i, j
        count += i >= 0 and j >= 0
    return found[:count]


@compiled
def _in_order(pairs, order):
    """Return sorted pairs (P, 2) by numbers in an order (N,), those of each first row together."""
    count = order.shape[0]
    number, begin = np.empty(count, np.int64), np.zeros(count + 1, np.int64)
    for a in range(count):
        number[order[a]] = a
    for k in range(pairs.shape[0]):
        begin[pairs[k, 0] + 1] += 1
    for i in range(count):
        begin[i + 1] += begin[i]
    found, row = np.empty((pairs.shape[0], 2), np.int64), 0
    for a in range(count):
        for k in range(begin[order[a]], begin[order[a] + 1]):
            found[row, 0], found[row, 1] = a, number[pairs[k, 1]]
            row += 1
    return found


@compiled
def _left_of(position, kept, reach):
    """Return how far (N,) around bodies lies in what was searched around where they were."""
    left = np.empty(position.shape[0])
    for i in range(position.shape[0]):
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        dx, dy, dz = x - kept[i, 0], y - kept[i, 1], z - kept[i, 2]
        rounding = 1e-9 + 1e-14 * (abs(x) + abs(y) + abs(z) + reach[i])
        left[i] = reach[i] - np.sqrt(dx * dx + dy * dy + dz * dz) - rounding
    return left


@released
def _nearer(pairs, place, half_reach):
    """Return those of the pairs (P, 2) whose places are at most h_i + h_j apart."""
    pairs, place, half_reach = borrowed((pairs, place, half_reach))
    found = np.empty(pairs.shape, np.int64)
    count = 0
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        dx, dy, dz = place[j, 0] - place[i, 0], place[j, 1] - place[i, 1], place[j, 2] - place[i, 2]
        reach = half_reach[i] + half_reach[j]
        # Written first and kept if near: without a branch.
        found[count, 0], found[count, 1] = i, j
        count += dx * dx + dy * dy + dz * dz <= reach * reach
    return found[:count]
