"""Goals of members that act: the steering that leads to them, and where that is."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rmp3d.behaviors.action.conditions import Condition, parse_condition
from rmp3d.behaviors.groups.guided.navigation import Guidance
from rmp3d.behaviors.groups.steered.itinerary import Itinerary, Order, stated_stops
from rmp3d.behaviors.groups.steered.mixer import SteeringMixer
from rmp3d.behaviors.groups.steered.spec import BehaviorChoices, SteeringSpec
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.steering import Arrive, LookAheadAvoidance, Separation
from rmp3d.geometry.arrays import Bool
from rmp3d.geometry.errors import InputError

# What leads along a route where a goal says nothing else.
USUAL = ((Arrive(), 1.0), (Separation(), 0.6), (LookAheadAvoidance(), 0.5))

if TYPE_CHECKING:
    Stops: TypeAlias = str | Sequence[float] | Sequence[str | Sequence[float]]
else:  # what a file can say: fields of this type are read from TOML and shown in forms
    Stops = str | list[str | float | list[float]]


@dataclass(frozen=True, kw_only=True)
class Goal(SteeringSpec):
    """A goal: where it is or which steering leads to it, and when it is reached.

    Attributes:
        behaviors: As of the behavior ``steering``. With ``go_to`` there need be none: then members
            arrive, keep apart and avoid obstacles.
        go_to: Where to go by the roadmap: a region, a point [m], a group (its nearest known
            member), a member such as ``guards.0`` (counted from 0), or a list of these.
        order: Of several places: ``in_turn``, round and round, ``random``, or ``nearest``: of those
            that a member has not been to in this round, the one with the shortest way.
        stay: How long a member stays at a place before it goes on to the next [s].
        near: A member as near as this [m] to a point, or to another's body, is there.
        informed: Whether members know where those of ``go_to`` are without perceiving them.
        until: Condition under which it leaves the queue; empty: none.
    """

    behaviors: BehaviorChoices | None = None  # type: ignore[assignment]
    go_to: Stops | None = None
    order: Order = "in_turn"
    stay: float = 0.0
    near: float = 0.5
    informed: bool = False
    until: str = ""

    def __post_init__(self) -> None:
        """Leave the check to the behavior, which knows the goal's name."""
        if self.behaviors is not None:
            self.name_weights()

    def check(self) -> None:
        """Refuse what names nothing or has a wrong option.

        Raises:
            InputError: Names the key.
        """
        if self.go_to is None:
            for name in ("order", "stay", "near", "informed"):
                if getattr(self, name) != _DEFAULTS[name]:
                    raise InputError(f"`{name}` needs `go_to`, where to go")
            if self.behaviors is None:
                raise InputError("`behaviors` or `go_to` is missing; `behaviors = []` stands still")
        else:
            stated_stops(self.go_to)
            if self.target is not None:
                raise InputError("`target` and `go_to` exclude each other; leave `target` out")
        for name in ("stay", "near"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")
        self.steering().parts()
        self.scheme()

    @property
    def is_usual(self) -> bool:
        """Whether it only says where to go, and the usual steering leads there."""
        return self.go_to is not None and not self.behaviors

    def steering(self) -> SteeringSpec:
        """Return the steering, with the usual one where only ``go_to`` is said."""
        stated = {field.name: getattr(self, field.name) for field in fields(SteeringSpec)}
        if self.is_usual:
            stated["behaviors"] = USUAL
        return SteeringSpec(**stated)


_DEFAULTS = {field.name: field.default for field in fields(Goal)}


@contextmanager
def blaming(goal: str) -> Iterator[None]:
    """Name the goal in errors."""
    try:
        yield
    except InputError as error:
        raise InputError(f"`goals.{goal}`: {error}") from None


@dataclass(frozen=True, eq=False)
class GoalRun:
    """A goal at work.

    Attributes:
        mixer: Its steering.
        itinerary: Where it is, if it is somewhere to go to.
        until: The condition under which it is reached, if there is one.
        is_usual: Whether the usual steering leads along its routes.
    """

    mixer: SteeringMixer
    itinerary: Itinerary | None
    until: Condition | None
    is_usual: bool

    @classmethod
    def of(
        cls, name: str, goal: Goal, task: Task, known: Collection[str], rng: np.random.Generator
    ) -> "GoalRun":
        """Return a goal at work for a group.

        Args:
            name: Of the goal, for errors.
            goal: What a file or program says.
            task: Of the group.
            known: Names of the state variables.
            rng: Source of the randomness of its itinerary.

        Raises:
            InputError: Something that it names is not there.
        """
        regions = task.space.world.scene.regions
        with blaming(name):
            goal.check()
            steering, itinerary = goal.steering(), None
            if goal.go_to is not None:
                itinerary = Itinerary(
                    stated_stops(goal.go_to), task, order=goal.order, stay=goal.stay,
                    near=goal.near, informed=goal.informed, rng=rng,
                )  # fmt: skip
                steering = replace(steering, target=_target(itinerary, steering, task))
            mixer = SteeringMixer(steering, task.groups, task.own, regions, task.count)
            until = parse_condition(goal.until, known, "`until`") if goal.until else None
        return cls(mixer, itinerary, until, goal.is_usual)

    def with_names(self, known: Collection[str]) -> "GoalRun":
        """Return the same goal, its condition read again where other state variables are known."""
        until = self.until
        if until is not None:
            until = parse_condition(until.text, known, "`until`")
        return replace(self, until=until)

    def take(self, way: Guidance, led: Bool) -> None:
        """Let the steering of the ``led`` members (n,) be about where a route leads them."""
        mixer = self.mixer
        mixer.points = np.where(led[:, None], way.subgoal, np.nan)
        mixer.motion = np.where(led[:, None], way.motion, 0.0)
        mixer.led = np.where((led & ~way.last)[:, None], way.waypoint, np.nan)


def _target(itinerary: Itinerary, steering: SteeringSpec, task: Task) -> Any:
    """Return what the steering is about: the one group of an itinerary, or its first point."""
    groups = {stop.group for stop in itinerary.stops if stop.group >= 0}
    if len(groups) == 1:
        return task.groups[groups.pop()]
    first = itinerary.stops[0].places
    return tuple(first[0].tolist()) if len(first) else tuple(task.start.center.tolist())
