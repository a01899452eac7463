"""The slots of a circle around a ward: how wide it can be, and which member has which angle."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.formations.formation import nearest
from rmp3d.behaviors.groups.formation.assignment import nearest_slots
from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.options import LAST_RESORT, Option
from rmp3d.behaviors.groups.guided.leader_choice import chosen
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.vectors import length

# Radii tried between the preferred one and the smallest.
RADII = 6


def radius_of(directions: Float, apart: float) -> float:
    """Return the least radius [m] at which all on the circle, and the ward, are so far apart."""
    if len(directions) < 2:
        return apart
    return apart / min(1.0, nearest(directions))


def options_of(
    directions: Float, largest: float, smallest: float, spacing: float, tightest: float
) -> tuple[Option, ...]:
    """Return the circle at several radii, arcs of three and of two, and the column; best first.

    The ward has the first slot, those around it the others; lags count from the ward.

    Args:
        directions: (m, 3) unit, of those around the ward.
        largest: Radius [m].
        smallest: Radius [m].
        spacing: Between arcs, and in the column [m].
        tightest: Between those on an arc [m].
    """
    ward = np.zeros((1, 3))
    options = []
    for step, radius in enumerate(np.geomspace(largest, max(smallest, 1e-9), RADII)):
        slots = np.concatenate([ward, radius * directions])
        options.append(Option("circle", float(radius), frozen(slots), step / RADII))
    for row, abreast in enumerate((3, 2, 1)):
        behind = arcs(len(directions), 0.5 * (abreast - 1) * tightest, tightest, spacing)
        name = LAST_RESORT if abreast == 1 else f"arc of {abreast}"
        options.append(Option(name, spacing, frozen(np.concatenate([ward, behind])), 1.0 + row))
    return tuple(options)


def arcs(count: int, half_width: float, apart: float, spacing: float) -> Float:
    """Return slots (count, 3) on arcs behind the ward that are at most so wide, the first first.

    Arc k has the radius k times ``spacing``; its places are at least ``apart`` from one another.
    """
    rows: list[Float] = []
    ring = 0
    while sum(map(len, rows)) < count:
        ring += 1
        radius = ring * spacing
        half = np.arcsin(min(1.0, half_width / radius))
        step = 2.0 * np.arcsin(min(1.0, 0.5 * apart / radius))
        places = 1 + int(2.0 * half / step + 1e-9)
        angle = np.linspace(-half, half, places) if places > 1 else np.zeros(1)
        angle = angle[np.argsort(np.abs(angle), kind="stable")]
        rows.append(radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1))
    return np.concatenate(rows)[:count] if rows else np.zeros((0, 3))


class CircleSlots:
    """The ward has the first slot for good, and in the circle every other member its own angle.

    Args:
        may_be_ward: (n,) members of the character that the ward is to have.
        rule: By which it is chosen of those; see `leader_choice`.

    Attributes:
        ward: Row of the ward; after the first assignment.
    """

    from_one_side: ClassVar[bool] = False

    def __init__(self, may_be_ward: Bool, rule: str = "central") -> None:
        self._may_be_ward, self._rule = may_be_ward, rule
        # In the circle this very array is in use: members that exchange slots exchange angles.
        self._angles: Index | None = None
        self.ward = -1

    def assigned(
        self, option: Option, frame: FormationFrame, station: Float, aside: Float, position: Float
    ) -> Index:
        """Return the slot (n,) of each member; see `SlotAssignment`."""
        if self._angles is None:
            slot = nearest_slots(station, aside, option.slots)
            may = self._may_be_ward if self._may_be_ward.any() else np.ones(len(slot), np.bool_)
            if self.ward >= 0:
                may = np.arange(len(may)) == self.ward
            elif self._rule != "central":
                ward = chosen(self._rule, may, position, station, -station)
                may = np.arange(len(may)) == ward
            self._angles = _with_ward(slot, position, may)
            self.ward = int(np.flatnonzero(self._angles == 0)[0])
            return self._angles
        if option.formation == "circle":
            return self._angles
        others = np.flatnonzero(self._angles != 0)
        slot = np.zeros(len(position), np.intp)
        slot[others] = 1 + nearest_slots(station[others], aside[others], option.slots[1:])
        return slot

    def turn_over(self, members: Turnover) -> None:
        """Keep the ward, if it is still there; all others get angles anew."""
        self.ward = int(members.rows(np.array([self.ward]))[0])
        self._may_be_ward = members.of(self._may_be_ward, bool(self._may_be_ward.all()))
        self._angles = None

    def measures(self, option: Option) -> Mapping[str, ArrayLike]:
        """Return the radius of the circle [m], 0 where it is open."""
        return {"radius": option.spacing if option.formation == "circle" else 0.0}


def _with_ward(slot: Index, position: Float, may_be: Bool) -> Index:
    """Return slots (n,) where a member that ``may_be`` (n,) the ward has slot 0: the nearest such.

    Args:
        slot: (n,) of each member.
        position: (n, 3) of the members [m].
        may_be: Which members are as the ward is to be; at least one.
    """
    ward = int(np.flatnonzero(slot == 0)[0])
    others = np.flatnonzero(may_be)
    nearest_one = others[np.argmin(length(position[others] - position[ward]))]
    slot = slot.copy()
    slot[[ward, nearest_one]] = slot[[nearest_one, ward]]
    return slot
