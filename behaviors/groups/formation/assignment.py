"""Assignment: which member takes which slot, so that no path to a slot crosses another one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.options import Option
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.assignment import least_cost_assignment

# Where slots are equally far, members in front take the outer ones and clear the way for the rest.
OUTWARD = 1e-2
# A column is entered at a point this far along the path ahead of the foremost member [m].
AHEAD = 2.0

FileOrder = Literal["nearest", "left", "right", "middle"]
"""Who is first in a file: the nearest to the entrance, the leftmost, the rightmost, or the one in
the middle, and then the others by their distance from the middle."""
OrderBehind = Literal["nearest", "kept", "reversed"]
"""Who takes which slot when a formation is taken again behind a passage: each the nearest, each its
own of before, or its own with left and right exchanged."""


class SlotAssignment(Protocol):
    """A rule that gives out the slots of a formation."""

    @property
    def from_one_side(self) -> bool:
        """Whether the first of a column comes from one side, across the others."""
        ...

    def assigned(
        self, option: Option, frame: FormationFrame, station: Float, aside: Float, position: Float
    ) -> Index:
        """Return the slot (n,) of each member.

        Args:
            option: The formation that the members take.
            frame: Of the path, with the members' places.
            station: (n,) arc lengths [m] from which members take their slots.
            aside: (n, 2) left and up [m], likewise.
            position: (n, 3) of the members [m].
        """
        ...

    def measures(self, option: Option) -> Mapping[str, ArrayLike]:
        """Return further numbers to follow, always of the same names, while in a formation."""
        ...

    def turn_over(self, members: Turnover) -> None:
        """Forget the slots of before: there are more members now, or fewer."""
        ...


@dataclass(eq=False)
class NearestSlots:
    """Every member takes a near slot; a column is lined up by an order.

    Attributes:
        order: Of the file before a passage; see `FileOrder`.
        behind: The slots behind a passage; see `OrderBehind`.
    """

    order: FileOrder = "nearest"
    behind: OrderBehind = "nearest"
    # Formation and slots before the last column. Members that exchange slots exchange them here.
    _before: tuple[str, Index] | None = field(default=None, init=False)

    @property
    def from_one_side(self) -> bool:
        """Whether the first of a column comes from one side, across the others."""
        return self.order in ("left", "right")

    def assigned(
        self, option: Option, frame: FormationFrame, station: Float, aside: Float, position: Float
    ) -> Index:
        """Return the slot (n,) of each member; see `SlotAssignment`."""
        if option.is_column:
            ahead = frame.path.at(np.array([frame.station.max() + AHEAD]))[0]
            return in_files(position, frame.aside[:, 0], ahead, option.slots, self.order)
        slot = self._slots_again(option)
        if slot is None:
            slot = nearest_slots(station, aside, option.slots)
        self._before = option.formation, slot
        return slot

    def _slots_again(self, option: Option) -> Index | None:
        """Return the slots (n,) by those that members had in this formation before a passage."""
        if self.behind == "nearest" or self._before is None or self._before[0] != option.formation:
            return None
        slot = self._before[1]
        return slot if self.behind == "kept" else mirrored(option.slots)[slot]

    def measures(self, option: Option) -> Mapping[str, ArrayLike]:
        """Return nothing further."""
        return {}

    def turn_over(self, members: Turnover) -> None:
        """Forget who had which slot before a passage."""
        self._before = None


def mirrored(slots: Float) -> Index:
    """Return for each slot (n, 3) the one nearest to its place on the other side; a permutation."""
    image = slots * [1.0, -1.0, 1.0]
    cost = ((image[:, None] - slots[None]) ** 2).sum(axis=2)
    return least_cost_assignment(cost)[1]


def in_files(
    position: Float, left: Float, ahead: Float, slots: Float, order: FileOrder = "nearest"
) -> Index:
    """Return the slot (n,) of each member of a column; the order says who leads in each file.

    Members to the left of others take a file to the left, so that no two paths cross.

    Args:
        position: (n, 3) [m].
        left: (n,) of the path [m].
        ahead: (3,) where the column goes to [m].
        slots: (n, 3) lag, left, up behind the leader [m].
        order: Of the members of a file.
    """
    slot = np.empty(len(slots), np.intp)
    far = np.linalg.norm(position - ahead, axis=1)
    middle = 0.5 * (left.min() + left.max()) if len(left) else 0.0
    keys = {"nearest": far, "left": -left, "right": left, "middle": np.abs(left - middle)}
    members = np.argsort(-left, kind="stable")
    files, size = np.unique(np.round(-slots[:, 1], 9), return_counts=True)
    for file, own in zip(files, np.split(members, np.cumsum(size)[:-1]), strict=True):
        places = np.flatnonzero(np.round(-slots[:, 1], 9) == file)
        places = places[np.argsort(slots[places, 0], kind="stable")]
        slot[own[np.lexsort([far[own], keys[order][own]])]] = places
    return slot


def nearest_slots(station: Float, aside: Float, slots: Float) -> Index:
    """Return the slot (n,) of each member, by the least sum of squared distances.

    No two straight paths cross: if two members exchanged the slots of crossing paths, the sum
    would be less.

    Args:
        station: (n,) arc lengths of the members [m].
        aside: (n, 2) left and up [m].
        slots: (n, 3) lag, left, up behind the foremost member [m].
    """
    along = (station.max() - slots[:, 0])[None] - station[:, None]
    left, up = (slots[:, axis][None] - aside[:, axis - 1][:, None] for axis in (1, 2))
    rank = np.argsort(np.argsort(-station, kind="stable"))
    outward = np.hypot(slots[:, 1], slots[:, 2])[None]
    cost = along**2 + left**2 + up**2 + OUTWARD * rank[:, None] * outward
    rows, columns = least_cost_assignment(cost)
    slot = np.empty(len(rows), np.intp)
    slot[rows] = columns
    return slot
