"""Circle following: a group surrounds one of its members on its way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.formations.formation import nearest
from rmp3d.behaviors.groups.formation.assignment import nearest_slots
from rmp3d.behaviors.groups.formation.options import LAST_RESORT, Option
from rmp3d.behaviors.groups.formation.plan import FormationPlan, plan_formations
from rmp3d.behaviors.groups.group_behavior import (
    GROUP_BEHAVIORS,
    GroupEvent,
    GroupTask,
    default_spacing,
)
from rmp3d.behaviors.groups.passages.narrow_passages import LEAST_GAP, WIDEST
from rmp3d.behaviors.groups.passages.passage_run import PassageRun
from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.planner.paths.corridor import measure_corridor
from rmp3d.planner.spaces.directions import is_level

# Radii tried between the preferred one and the smallest.
RADII = 6
# Turn between neighbors on a spiral over a sphere, such that they lie evenly (Vogel 1979).
GOLDEN = np.pi * (3.0 - 5.0**0.5)


@GROUP_BEHAVIORS.register("circle_following")
@dataclass(frozen=True)
class CircleFollowing:
    """Surround one member, the ward, that is guided to the goal; each keeps its relative angle.

    The ward follows the path; the others keep to places on a circle around its next subgoal,
    each at its own angle to the direction in which it goes. In a group of several characters the
    ward has that of member 0. The room beside the path is measured
    before the run and the circle planned over its length: where there is less room it shrinks;
    where the smallest circle that keeps the bodies apart does not fit it opens to arcs behind the
    ward, and in the narrowest places to a column. It narrows ahead of an entrance, and widens
    only when all of it is behind the exit, so it does not flicker. Then everyone goes back to its
    old angle. In the goal area all wander (thesis, 4.5; Bayazit, Lien, Amato 2002).

    Attributes:
        radius: Of the circle [m]; 0 takes one with ``spacing`` between neighbors.
        spacing: Between neighbors on the circle, and between arcs [m]; 0 takes one that suits
            body and speed.
        shape: ``ring``, or ``sphere``, which surrounds a flyer on all sides.
        wander: Whether the members stroll in the goal area when all are there.
    """

    needs_goal: ClassVar[bool] = True
    reference: ClassVar[str] = "path"

    radius: float = 0.0
    spacing: float = 0.0
    shape: Literal["ring", "sphere"] = "ring"
    wander: bool = True

    def __post_init__(self) -> None:
        for name in ("radius", "spacing"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return room for the circle, up to `narrow_passages.WIDEST`."""
        spacing = self.spacing or default_spacing(character)
        wanted = self.radius or radius_of(self._places(count - 1), spacing)
        return min(WIDEST, wanted + 2.0 * character.body.radius)

    def begin(self, task: GroupTask) -> "CircleRun":
        """Measure the room, plan the circle, and line the members up.

        Raises:
            InputError: The circle or its spacing is too small for the bodies, or the start or
                goal has no room.
        """
        plan, window = self.planned(task)
        return CircleRun(task, plan, window, self.wander)

    def planned(self, task: GroupTask) -> tuple[FormationPlan, float]:
        """Return the plan of circles, and over what [m] the path's frames are smoothed in it.

        Raises:
            InputError: The circle or its spacing is too small for the bodies.
        """
        tightest = 2.0 * task.radius + LEAST_GAP
        spacing = self.spacing or default_spacing(task.character)
        if spacing < tightest:
            raise InputError(
                f"`spacing` {spacing:g} m is too small for bodies of radius {task.radius:g} m; "
                f"the least is {tightest:g} m"
            )
        if self.shape == "sphere" and is_level(task.space):
            raise InputError("`shape`: only members that fly can surround others as a `sphere`")
        directions = self._places(task.count - 1)
        smallest = radius_of(directions, tightest)
        if 0.0 < self.radius < smallest:
            raise InputError(
                f"`radius` {self.radius:g} m is too small for {task.count - 1} bodies of radius "
                f"{task.radius:g} m around another; the least is {smallest:.2f} m"
            )
        largest = self.radius or radius_of(directions, spacing)
        options = options_of(directions, largest, smallest, spacing, tightest)
        most = max(option.half_width for option in options) + 0.1
        window = float(np.clip(most, 1.0, 4.0))
        room = measure_corridor(task.space, task.path, most, window=window)
        return plan_formations(options, room), window

    def _places(self, count: int) -> Float:
        """Return unit directions (count, 3) around the ward: lag, left, up."""
        step = np.arange(count) + 0.5
        up, turn, level = np.zeros(count), 2.0 * np.pi * step / max(count, 1), np.ones(count)
        if self.shape == "sphere":
            up = 1.0 - 2.0 * step / max(count, 1)
            turn, level = GOLDEN * step, np.sqrt(np.maximum(0.0, 1.0 - up**2))
        return np.stack([-level * np.cos(turn), level * np.sin(turn), up], axis=1)


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


class CircleRun(PassageRun):
    """A group around its ward; see `CircleFollowing`."""

    def __init__(self, task: GroupTask, plan: FormationPlan, window: float, wander: bool) -> None:
        self._angles: Index | None = None
        super().__init__(task, plan, window, "path", wander)
        if self._angles is None:
            self._angles = self._slot
        ward = int(np.flatnonzero(self._slot == 0)[0])
        self.figures |= {"ward": ward}
        self.events.append(GroupEvent(0.0, "ward", ward, "is surrounded"))

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return what a march measures, and the radius of the circle [m], 0 where it is open."""
        option = self._plan.options[self._option]
        radius = option.spacing if option.formation == "circle" else 0.0
        return {**super().measures(), "radius": radius}

    def _assigned(self, position: Float) -> Index:
        """Return the slot (n,) of each: the ward its own, on the circle everyone the old one."""
        option = self._plan.options[self._option]
        station, aside = self._standing()
        if self._angles is None:
            slot = nearest_slots(station, aside, option.slots)
            return _with_ward(slot, position, self._task.like_first)
        if option.formation == "circle":
            return self._angles
        others = np.flatnonzero(self._angles != 0)
        slot = np.zeros(len(position), np.intp)
        slot[others] = 1 + nearest_slots(station[others], aside[others], option.slots[1:])
        return slot


def _with_ward(slot: Index, position: Float, may_be: Bool) -> Index:
    """Return slots (n,) where who ``may_be`` (n,) the ward has slot 0: the nearest changes places.

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
