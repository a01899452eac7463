"""Assignment: which member takes which slot, so that no path to a slot crosses another one."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.options import Option
from rmp3d.geometry.arrays import Float, Index

# Where slots are equally far, members in front take the outer ones and clear the way for the rest.
OUTWARD = 1e-2
# A column is entered at a point this far along the path ahead of the foremost member [m].
AHEAD = 2.0


class SlotAssignment(Protocol):
    """A rule that gives out the slots of a formation."""

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


class NearestSlots:
    """Every member takes a near slot; in a column the nearest to the entrance leads its file."""

    def assigned(
        self, option: Option, frame: FormationFrame, station: Float, aside: Float, position: Float
    ) -> Index:
        """Return the slot (n,) of each member; see `SlotAssignment`."""
        if option.is_column:
            ahead = frame.path.at(np.array([frame.station.max() + AHEAD]))[0]
            return in_files(position, frame.aside[:, 0], ahead, option.slots)
        return nearest_slots(station, aside, option.slots)

    def measures(self, option: Option) -> Mapping[str, ArrayLike]:
        """Return nothing further."""
        return {}


def in_files(position: Float, left: Float, ahead: Float, slots: Float) -> Index:
    """Return the slot (n,) of each member of a column: in each file the nearest to a point leads.

    Members to the left of others take a file to the left, so that no two paths cross.

    Args:
        position: (n, 3) [m].
        left: (n,) of the path [m].
        ahead: (3,) where the column goes to [m].
        slots: (n, 3) lag, left, up behind the leader [m].
    """
    slot = np.empty(len(slots), np.intp)
    far = np.linalg.norm(position - ahead, axis=1)
    members = np.argsort(-left, kind="stable")
    files, size = np.unique(np.round(-slots[:, 1], 9), return_counts=True)
    for file, own in zip(files, np.split(members, np.cumsum(size)[:-1]), strict=True):
        places = np.flatnonzero(np.round(-slots[:, 1], 9) == file)
        places = places[np.argsort(slots[places, 0], kind="stable")]
        slot[own[np.argsort(far[own], kind="stable")]] = places
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
    rows, columns = linear_sum_assignment(cost)
    slot = np.empty(len(rows), np.intp)
    slot[rows] = columns
    return slot
