"""The contract of a group behavior: parameters that begin a run, which is stepped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.places import NOBODY, Standing
from rmp3d.behaviors.steering_behavior import SteeringBehavior, SteeringOutput, blend
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry
from rmp3d.models import Character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import Space
from rmp3d.scenes import Region

GROUP_BEHAVIORS = Registry("group behavior")


class GroupEvent(NamedTuple):
    """Something worth telling: what, when, who (-1: the whole group), in words."""

    time: float
    kind: str
    member: int
    text: str


class FormationChange(NamedTuple):
    """When [s], and at which arc length of the path [m], a group changed its formation."""

    time: float
    length: float
    before: str
    after: str


class Journey(NamedTuple):
    """The way of a group of so many members to its goal, which others may lead it on."""

    path: CertifiedPath
    roadmap: Roadmap
    goal: Region
    members: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """What a group is and where it starts.

    Attributes:
        space: Where one member can be; proves motions free.
        start: Region that the members start in.
        count: Number of members n.
        character: What is planned for: that of all members, or the `models.envelope` of theirs.
        dt: Time step [s].
        rng: Source of randomness of the group's preparation.
        groups: Names of all groups of the scenario.
        own: Row of this group in them.
        journeys: Of the groups that have a goal, by name.
        others: Members of the groups that have begun already, where they start.
        characters: (n,) what each member is; empty if all are ``character``.
    """

    space: Space
    start: Region
    count: int
    character: Character
    dt: float
    rng: np.random.Generator
    groups: tuple[str, ...] = ()
    own: int = 0
    journeys: Mapping[str, Journey] = field(default_factory=dict)
    others: Standing = NOBODY
    characters: tuple[Character, ...] = ()

    @property
    def radius(self) -> float:
        """Of the widest member's body [m]."""
        return self.space.world.body.radius

    @property
    def cruise_speed(self) -> float:
        """Of the member with the least [m/s]."""
        return self.character.parameters.cruise_speed

    @property
    def max_speed(self) -> float:
        """Of the member with the least [m/s]."""
        return self.character.parameters.max_speed

    @property
    def like_first(self) -> Bool:
        """(n,) which members have the character of the first one."""
        if not self.characters:
            return np.ones(self.count, np.bool_)
        return np.array([each is self.characters[0] for each in self.characters])


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupTask(Task):
    """The task of a group that goes somewhere.

    Attributes:
        path: From the start to the goal, for one body.
        roadmap: The path was found on.
        goal: Region that the members must be in at the end.
    """

    path: CertifiedPath
    roadmap: Roadmap
    goal: Region

    @property
    def expected(self) -> int:
        """Members of this group and of all others that go to the same region."""
        others = {name: way for name, way in self.journeys.items() if name != self.groups[self.own]}
        return self.count + sum(way.members for way in others.values() if way.goal is self.goal)


def default_spacing(character: Character) -> float:
    """Return a distance [m] at which members can follow one another at cruise speed."""
    parameters = character.parameters
    braking = 0.8 * min(parameters.max_force, parameters.max_braking) / parameters.mass
    stopping = parameters.cruise_speed**2 / (2.0 * braking)
    return 2.0 * character.body.radius + max(2.2 * character.body.radius, 1.5 * stopping)


@dataclass(frozen=True, eq=False)
class Intent:
    """What the members of a group want in one step.

    Attributes:
        subgoal: (n, 3) [m].
        subgoal_velocity: (n, 3) [m/s].
        remaining: (n,) way still to go [m]; decides the right of way and shows progress.
        parked: (n,) members that are where they will stay; they make room for others.
        formation: Row in the run's ``formations``, -1 for none.
        guided: Whether traffic rules may change what the members want.
        gear: (n,) of vehicles in a maneuver: 1 ahead, -1 backward; traffic rules leave these
            alone. Zero for all others; None: nobody maneuvers.
        in_lane: (n,) members that keep to lanes of a formation, and so do not pass one another;
            None: nobody does.
    """

    subgoal: Float
    subgoal_velocity: Float
    remaining: Float
    parked: Bool
    formation: int = -1
    guided: bool = True
    gear: Index | None = None
    in_lane: Bool | None = None


def gears(intents: Sequence[Intent]) -> Index:
    """Return `Intent.gear` (N,) of the members of all groups, one after the other."""
    known = ((np.zeros(len(each.parked), np.intp), each.gear) for each in intents)
    return np.concatenate([nothing if gear is None else gear for nothing, gear in known])


def convoys(intents: Sequence[Intent]) -> Index:
    """Return the group (N,) of each member of all groups that keeps to a lane, -1 for others."""
    kept = ((np.zeros(len(each.parked), np.bool_), each.in_lane) for each in intents)
    return np.concatenate([
        np.where(no if lane is None else lane, row, -1) for row, (no, lane) in enumerate(kept)
    ])  # fmt: skip


class GroupRun(Protocol):
    """A behavior at work: it remembers, and is stepped once per time step.

    Attributes:
        start: (n, 3) where the members begin [m].
        heading: (n, 3) in which directions they look then.
        steering: Weighted steering behaviors that lead to the subgoals.
        formations: Names that ``Intent.formation`` counts in.
        plan: Named arrays worth recording, such as the formation over the path's length.
        events: What happened; whoever steps the run takes them out.
        changes: Changes of formation so far.
        formation_error: Mean distance [m] of members from their slots so far, from when a
            formation is complete to when it is changed; None without.
        figures: What else is worth telling at the end, by name: numbers, words, lists of them.
    """

    start: Float
    heading: Float
    steering: Sequence[tuple[float, SteeringBehavior]]
    formations: tuple[str, ...]
    plan: Mapping[str, NDArray[Any]]
    events: list[GroupEvent]
    changes: list[FormationChange]
    formation_error: float | None
    figures: dict[str, Any]

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return named numbers or arrays worth following, of the same names and shapes always.

        They are asked for before the first step too, and recorded once a simulated second.
        """
        ...

    def change(self, behavior: Any, flock: Flock) -> None:
        """Go on with other parameters of the same behavior, from the members' present state.

        Raises:
            InputError: That is not possible while it runs; nothing has changed then.
        """
        ...

    def look(self, world: WorldState, rows: Index) -> None:
        """Let the members, which are ``rows`` of the world's flock, perceive; before `step`."""
        ...

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want, given their present state."""
        ...

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering that leads to what the members want; after `step`."""
        ...

    def pose(self, time: float) -> tuple[Float, Float] | None:
        """Return where a schedule has the members at a time [s]; None: they move by themselves.

        Positions (n, 3) [m] and rotations (n, 3, 3).
        """
        ...

    def clearances(self, time: float, cap: float) -> tuple[float, float] | None:
        """Return the least clearance [m] to the scene, and between members, at a time [s].

        Both are at most ``cap``. None: those of the members' capsules, which others measure.
        """
        ...


class GroupBehavior(Protocol):
    """Parameters of a behavior; a frozen dataclass.

    Attributes:
        needs_goal: Whether its groups plan a path to a goal and arrive there. Those that do
            begin with a `GroupTask`, the others with a `Task`.
    """

    needs_goal: ClassVar[bool]

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return the clearance [m] that the path should keep where there is room."""
        ...

    def begin(self, task: Any) -> GroupRun:
        """Return a run of this behavior.

        Raises:
            InputError: The task cannot be done this way; says why.
        """
        ...


@dataclass(eq=False)
class RunState:
    """What every run holds; see `GroupRun`."""

    start: Float
    heading: Float
    steering: Sequence[tuple[float, SteeringBehavior]] = ()
    formations: tuple[str, ...] = ()
    plan: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    events: list[GroupEvent] = field(default_factory=list)
    changes: list[FormationChange] = field(default_factory=list)
    formation_error: float | None = None
    figures: dict[str, Any] = field(default_factory=dict)

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return nothing to follow."""
        return {}

    def change(self, behavior: Any, flock: Flock) -> None:
        """Refuse: for behaviors that settle everything when they begin."""
        raise InputError("this behavior cannot be changed while it runs; begin the run anew")

    def look(self, world: WorldState, rows: Index) -> None:
        """Members that follow a plan need not look."""

    def pose(self, time: float) -> tuple[Float, Float] | None:
        """Return nothing: the members move by themselves."""
        return None

    def clearances(self, time: float, cap: float) -> tuple[float, float] | None:
        """Return nothing: the clearances are those of the members' capsules."""
        return None

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the weighted sum of the run's steering behaviors, with the close in view."""
        flock = world.flock.select(rows)
        around = world.surroundings(
            rows, world.close.of(rows), intent.subgoal, intent.subgoal_velocity
        )
        force = blend(self.steering, flock, around)
        return SteeringOutput(force, np.zeros_like(force), np.zeros(len(rows), np.bool_))


def heading_of(path: CertifiedPath, count: int) -> Float:
    """Return the direction (count, 3) in which a path begins."""
    return np.tile(path.frames(np.zeros(1), 2.0)[0, :, 0], (count, 1))
