"""Circle following: a group surrounds one of its members along the path."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from rmp3d.behaviors.groups.formation.plan import FormationPlan, plan_formations
from rmp3d.behaviors.groups.formation.references import Reference
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior, GroupRun
from rmp3d.behaviors.groups.guided.leader_choice import MemberRule, check_rule, eligible
from rmp3d.behaviors.groups.passages.circle_run import CircleRun
from rmp3d.behaviors.groups.passages.circle_slots import CircleSlots, options_of, radius_of
from rmp3d.behaviors.groups.passages.narrow_passages import LEAST_GAP, WANDER_MOVED, WIDEST
from rmp3d.behaviors.groups.passages.surrounding import SurroundRun
from rmp3d.behaviors.groups.task import GroupTask, default_spacing
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.models import Character
from rmp3d.planner.paths.corridor import measure_corridor
from rmp3d.planner.spaces.directions import is_level

# Turn between neighbors on a spiral over a sphere, such that they lie evenly (Vogel 1979).
GOLDEN = np.pi * (3.0 - 5.0**0.5)


@GROUP_BEHAVIORS.register("circle_following")
@dataclass(frozen=True)
class CircleFollowing(GroupBehavior):
    """Surround one member, the ward, that is guided to the goal; each keeps its relative angle.

    The ``ward`` follows the path. The others keep to places on a circle around it, each at its own
    angle to the direction of motion. In a group of several characters the ward has that of member
    0, if the option names no other. The corridor around the path is measured before the run, and
    the circle is planned over its length. Where the corridor is narrower the circle shrinks. Where
    the smallest circle that keeps the bodies apart does not fit, it opens to arcs behind the ward,
    and in the narrowest places to a column. It narrows ahead of an entrance, and widens only when
    all of it is behind the exit, so it does not flicker. Then each member goes back to its old
    angle. In the goal area all wander, if the group says nothing else (thesis, 4.5; Bayazit, Lien,
    Amato 2002).

    With ``group``, the ward is a member of another group, such as the quarry of a hunting group,
    and this group has no goal: all surround the ward wherever it goes, and get there by the
    roadmap. Where walls leave no room for a place, it comes nearer, or lies on the ward's trail.

    Attributes:
        ward: Which member is surrounded: ``central`` at the start, ``first`` along the path,
            ``nearest`` to the goal; the number of a member, counted from 0; or the name of a
            character, of which the first is. Of another group ``nearest`` is the one nearest to
            those that surround it.
        group: The name of another group that the ward is in; empty: its own.
        radius: Radius of the circle [m]; 0 takes the one that leaves ``spacing`` between
            neighbors.
        spacing: Distance between neighbors on the circle, and between arcs [m]; 0 takes one that
            suits body and speed.
        shape: ``ring``, or ``sphere``, which surrounds a flyer on all sides.
    """

    reference: ClassVar[Reference] = "path"
    usual_activity: ClassVar[str] = "wander"
    moved_options: ClassVar[Mapping[str, str]] = {"wander": WANDER_MOVED}

    ward: MemberRule = "central"
    group: str = ""
    radius: float = 0.0
    spacing: float = 0.0
    shape: Literal["ring", "sphere"] = "ring"

    def __post_init__(self) -> None:
        for name in ("radius", "spacing"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")
        check_rule("ward", self.ward)
        if self.group:
            object.__setattr__(self, "needs_goal", False)

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return the circle's radius and a body, up to `narrow_passages.WIDEST`."""
        if self.group:
            return 0.0
        spacing = self.spacing or default_spacing(character)
        wanted = self.radius or radius_of(self.directions(count - 1), spacing)
        return min(WIDEST, wanted + 2.0 * character.body.radius)

    def begin(self, task: GroupTask) -> GroupRun:
        """Measure the corridor, plan the circle, and line the members up.

        Raises:
            InputError: The circle or its spacing is too small for the bodies, or the start or
                goal is too small.
        """
        if self.group:
            return SurroundRun(task, self)
        rule, may = eligible("ward", self.ward, task.everyone, task.like_first)
        return CircleRun(task, CircleSlots(may, rule), self.planned, self.reference)

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
        directions = self.directions(task.count - 1)
        smallest = radius_of(directions, tightest)
        if 0.0 < self.radius < smallest:
            raise InputError(
                f"`radius` {self.radius:g} m is too small for {task.count - 1} bodies of radius "
                f"{task.radius:g} m around another; the least is {smallest:.2f} m"
            )
        largest = self.radius or radius_of(directions, spacing)
        options = options_of(directions, largest, smallest, spacing, tightest)
        if (task.path.gear < 0).any():
            options = options[-1:]  # vehicles go in file where they have to drive backward
        most = max(option.half_width for option in options) + 0.1
        window = float(np.clip(most, 1.0, 4.0))
        corridor = measure_corridor(task.headed, task.path, most, window=window)
        return plan_formations(options, corridor), window

    def directions(self, count: int) -> Float:
        """Return unit directions (count, 3) around the ward: lag, left, up."""
        step = np.arange(count) + 0.5
        up, turn, level = np.zeros(count), 2.0 * np.pi * step / max(count, 1), np.ones(count)
        if self.shape == "sphere":
            up = 1.0 - 2.0 * step / max(count, 1)
            turn, level = GOLDEN * step, np.sqrt(np.maximum(0.0, 1.0 - up**2))
        return np.stack([-level * np.cos(turn), level * np.sin(turn), up], axis=1)
