"""The tables of a scenario file, as typed structures with a default for every key.

A scenario is one TOML file. `load` reads it, applies the overrides of the command line, and refuses
unknown keys and impossible values: the error names the file and the key. Every recording contains
the resolved scenario, so its paths are absolute.
"""

from dataclasses import dataclass, field, fields
from itertools import cycle, islice
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from rmp3d.geometry.choices import Choice
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.planner.optimizing.settings import MOST_ALTERNATIVES, Optimization
from rmp3d.planner.roadmap.settings import Count, NotNegative, RoadmapSettings
from rmp3d.scenario.measuring import MAX_LINES, MeasuringLine
from rmp3d.scenario.trip_tables import needs_start, places_of_trips
from rmp3d.scenes import Region, Scene, SceneDescription
from rmp3d.scenes.presence import changeable

Vector = tuple[float, float, float]
Positive = Annotated[float, msgspec.Meta(gt=0)]

MAX_GROUPS = 1_000
MAX_MEMBERS = 100_000
MAX_MEMBERS_OF_ALL = 100_000
MAX_STEPS = 10_000_000
MAX_CHANGES = 10_000
MAX_SEED = 2**62
LEAST_DT = 1e-6  # [s]
Number = Annotated[int, msgspec.Meta(ge=0)]
Name = Annotated[str, msgspec.Meta(max_length=200)]


class GroupTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A `[[groups]]` table: characters with a start, a goal and a behavior.

    Attributes:
        name: For messages and legends; by default ``group 1``, ``group 2``, ...
        character: A built-in character, or the TOML file of one; or a list, whose entries the
            members take in turn.
        members: Number of members, 1 to 100,000.
        start: A region of the scene, or a point [m].
        goal: A region of the scene, or a point [m]; None for a behavior that has no goal.
        goal_radius: Members within this distance [m] of a goal that is a point have arrived; by
            default it is large enough for all members.
        speed_limit: Highest speed of the members [m/s]; by default the character's own.
        max_step: Highest step [m] that the members go up and down; by default the lowest of their
            characters' own.
        heading: Where all members look at the start, from x to y [degrees], -360 to 360; by default
            along their path, or as the behavior says. Not for vehicles with a
            ``turn_radius``, which stand along their way, and not for what is carried.
        at_rest: What members do that stand still for a while, when they are drawn: a clip of their
            character such as ``sit`` or ``graze``, or ``stand``; by default those graze that can.
        behavior: What the group does: the name of a group behavior, with its options.
        afterwards: What the members do after all of them have arrived: the name of an activity,
            with its options; by default what is usual after the behavior.
        reserve: So many more members may come while it runs than `[[changes]]` say; a recording
            has room for them.
    """

    name: Name = ""
    character: str | Annotated[list[str], msgspec.Meta(min_length=1)] = "pedestrian"
    members: Annotated[int, msgspec.Meta(ge=1, le=MAX_MEMBERS)] = 5
    start: str | Vector = "start"
    goal: str | Vector | None = None
    goal_radius: Positive | None = None
    speed_limit: Positive | None = None
    max_step: NotNegative | None = None
    heading: Annotated[float, msgspec.Meta(ge=-360, le=360)] | None = None
    at_rest: Name = ""
    behavior: dict[str, Any] = msgspec.field(default_factory=lambda: {"name": "narrow_passages"})
    afterwards: dict[str, Any] | None = None
    reserve: Annotated[int, msgspec.Meta(ge=0, le=MAX_MEMBERS)] = 0

    default_goal: ClassVar[str] = "goal"
    """The region that is the goal of a group whose behavior needs one, if none is stated."""

    @property
    def may_leave_goal(self) -> bool:
        """Whether the members may be elsewhere at the end, as the group says what they do then."""
        return self.afterwards is not None and self.afterwards.get("name") != "hold"

    @staticmethod
    def default_name(row: int) -> str:
        """Return the name of the group in a row, counted from 0, if none is stated."""
        return f"group {row + 1}"

    @property
    def characters(self) -> tuple[str, ...]:
        """(n,) name (or file) of the character of each member that there is at the start."""
        return self.characters_of(self.members)

    def characters_of(self, count: int) -> tuple[str, ...]:
        """Return the name (or file) of the characters of the first ``count`` members.

        Those that come later take the kinds of those at the start in turn.
        """
        names = [self.character] if isinstance(self.character, str) else self.character
        return tuple(islice(cycle(names[: self.members]), count))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names (or files) of the different characters in the group, in order of first use."""
        return tuple(dict.fromkeys(self.characters))


@dataclass(frozen=True, kw_only=True)
class PlannerSettings(RoadmapSettings):
    """The `[planner]` table: how the path of every group is planned.

    Attributes:
        space: ``ground`` for characters on a surface, ``translation`` for flyers; ``auto`` chooses
            by the character.
        planner: How the path is found: the name of a planner, with its options; ``auto`` chooses
            by the space. The other keys are for planners that use a roadmap.
        roadmap: File of a roadmap to begin with; empty: none.
        backend: ``fcl`` asks the library python-fcl about every collision; ``auto`` asks it only
            to confirm the result.
        optimize: After the first path, it is made cheaper for so long [s]; 0: not at all, or as
            ``optimize_work`` says. Such a path is not repeatable.
        optimize_work: The same for so much work, in motion queries; 0: no limit of work. Such a
            path is repeatable.
        cost: What is made small: the name of a cost, with its options.
        alternatives: So many paths of different classes are looked for; the group takes the
            cheapest.
        against: Names of further costs, or tables with their options: paths are looked for of which
            none is better than another in all costs.
    """

    space: str = "auto"
    planner: Choice = "auto"
    roadmap: str = ""
    backend: Literal["auto", "fcl"] = "auto"
    optimize: NotNegative = 0.0
    optimize_work: Count = 0
    cost: Choice = field(default_factory=lambda: {"name": "length"})
    alternatives: Annotated[int, msgspec.Meta(ge=1, le=MOST_ALTERNATIVES)] = 1
    against: list[Choice] = field(default_factory=list)

    def __post_init__(self) -> None:
        try:
            super().__post_init__()
        except InputError as error:
            raise InputError(f"`planner`: {error}") from None
        # msgspec leaves defaults to the class, and writes only what the object itself has.
        for each in fields(self):
            object.__setattr__(self, each.name, getattr(self, each.name))

    @property
    def optimization(self) -> Optimization:
        """What is done after the first path."""
        return Optimization(
            self.optimize, self.optimize_work, self.cost, self.alternatives, tuple(self.against)
        )


class PlannerOnly(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The tables that a problem file takes from ``--set``: `[planner]` alone."""

    planner: PlannerSettings = PlannerSettings()


class ChangeTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A `[[changes]]` table: what becomes different for a group, or in the scene, during the run.

    Attributes:
        time: Time of the change [s]; it happens at the first step that is not earlier.
        group: Name of the group; none if only a part of the scene changes.
        behavior: The new table of the behavior, of the same ``name``; None: no change.
        afterwards: The new table of what they do after all of them have arrived; None: no change.
        speed_limit: The new speed limit [m/s]; None: no change.
        add: A region or point [m] where members come; None: nobody comes.
        count: How many come.
        remove: Members that leave: the number of one, counted from 0, or a list of such; or a
            region, which all leave who are in it; None: nobody leaves.
        send: A point [m] to which the members go from then on; an empty list: they go on with what
            they did before; None: no change.
        part: A part of the scene that appears or goes, or a pattern; one that `[[scene.presence]]`
            names. None: no change.
        there: Whether it is there from then on.
    """

    time: NotNegative
    group: str = ""
    behavior: dict[str, Any] | None = None
    afterwards: dict[str, Any] | None = None
    speed_limit: Positive | None = None
    add: str | Vector | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=MAX_MEMBERS)] = 1
    remove: str | Number | list[Number] | None = None
    send: list[float] | None = None
    part: str | None = None
    there: bool = True

    @property
    def is_of_scene(self) -> bool:
        """Whether it is about a part of the scene, and no group."""
        return self.part is not None and not self.group

    @property
    def lets_leave_goal(self) -> bool:
        """Whether the members may be elsewhere than in their goal from then on."""
        return self.afterwards is not None and self.afterwards.get("name") != "hold"


class SimulationSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The `[simulation]` table.

    Attributes:
        dt: Time step [s].
        duration: Longest simulated time [s].
        linger: Simulated time after the last arrival [s].
        record_forces: Whether the force that each steering behavior asks for is recorded, too.
    """

    dt: Annotated[float, msgspec.Meta(ge=LEAST_DT, le=1)] = 1 / 30
    duration: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 180.0
    linger: NotNegative = 4.0
    record_forces: bool = False


class ScenarioTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A whole scenario, resolved: paths absolute, names given, options in tables.

    Attributes:
        name: By default the file's stem.
        description: One line for lists.
        seed: Seed of all randomness.
        scene: The scene's table; see `rmp3d.scenes.SceneDescription`.
        groups: At least one group; options of the command line such as ``--members`` change the
            first.
        planner: Settings of the planner and its roadmap.
        simulation: Time step and duration.
        changes: Changes during the run, in order of time.
        measure: Lines at which members that pass are counted.
    """

    name: Name = ""
    description: str = ""
    seed: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEED)] = 0
    scene: SceneDescription
    groups: Annotated[list[GroupTable], msgspec.Meta(min_length=1, max_length=MAX_GROUPS)]
    planner: PlannerSettings = PlannerSettings()
    simulation: SimulationSettings = SimulationSettings()
    changes: Annotated[list[ChangeTable], msgspec.Meta(max_length=MAX_CHANGES)] = []
    measure: Annotated[list[MeasuringLine], msgspec.Meta(max_length=MAX_LINES)] = []

    @property
    def counts(self) -> tuple[int, ...]:
        """(G,) how many members each group has in the course of the run, at most."""
        more = dict.fromkeys((group.name for group in self.groups), 0)
        for change in self.changes:
            if change.add is not None:
                more[change.group] += change.count
        return tuple(group.members + group.reserve + more[group.name] for group in self.groups)

    def may_leave_goal(self, row: int) -> bool:
        """Whether the members of a group may be elsewhere at the end; see `GroupTable`."""
        group = self.groups[row]
        return group.may_leave_goal or any(
            change.group == group.name and change.lets_leave_goal for change in self.changes
        )

    @property
    def member_count(self) -> int:
        """Members of all groups, with those that come while it runs."""
        return sum(self.counts)

    @property
    def characters(self) -> tuple[str, ...]:
        """(N,) name (or file) of the character of each of those, group by group."""
        counted = zip(self.groups, self.counts, strict=True)
        return tuple(name for group, count in counted for name in group.characters_of(count))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names (or files) of the different characters, in order of first use."""
        return tuple(dict.fromkeys(self.characters))

    @property
    def kind_rows(self) -> list[int]:
        """Row in `kinds` of each member's character."""
        row_of = {name: row for row, name in enumerate(self.kinds)}
        return [row_of[name] for name in self.characters]

    def to_json(self) -> str:
        """Return the canonical text: sorted keys, the same bytes for the same scenario.

        Roles stay in their order, as the first pattern that fits a part counts.
        """
        return msgspec.json.encode(_sorted(msgspec.to_builtins(self))).decode()

    @classmethod
    def from_json(cls, text: str) -> "ScenarioTable":
        """Return the scenario that `to_json` wrote.

        Raises:
            InputError: It is not one.
        """
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise InputError(f"not a scenario: {error}") from None


def _sorted(value: Any) -> Any:
    """Return tables and lists with the keys of all tables in order, but those of ``roles``."""
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: value[key] if key == "roles" else _sorted(value[key]) for key in sorted(value)}


def check_places(scenario: ScenarioTable, scene: Scene) -> None:
    """Refuse a start or goal that names no region of the scene.

    Raises:
        InputError: It names the key, the nearest region, and all regions.
    """
    for row, group in enumerate(scenario.groups):
        start = group.start if needs_start(group.behavior) else None
        for key, place in (("start", start), ("goal", group.goal)):
            _check_place(f"groups[{row}].{key}", place, scene)
        for key, place in places_of_trips(group.behavior):
            _check_place(f"groups[{row}].behavior.{key}", place, scene)
    check_changed_places(scenario, scene)


def check_changed_places(scenario: ScenarioTable, scene: Scene) -> None:
    """Refuse changes where members come to, or leave, a region that the scene does not have.

    Raises:
        InputError: It names the key, the nearest region, and all regions.
    """
    for row, change in enumerate(scenario.changes):
        for key, place in (("add", change.add), ("remove", change.remove)):
            _check_place(f"changes[{row}].{key}", place, scene)
        if change.part is not None:
            changeable(scene.parts, change.part, f"`changes[{row}].part`")


def _check_place(key: str, place: object, scene: Scene) -> None:
    if isinstance(place, str) and place not in scene.regions:
        problem = unknown_name("region", place, list(scene.regions))
        raise InputError(f"`{key}`: {problem}")


def start_region(group: GroupTable, scene: Scene, body_radius: float) -> Region:
    """Return the start region of a group; around a start point, a ball with room for all bodies."""
    if not needs_start(group.behavior) and group.start not in scene.regions:
        return Region.box(f"start of {group.name}", *scene.bounds)
    if isinstance(group.start, str):
        return scene.region(group.start)
    radius = max(1.0, 4.0 * body_radius * group.members**0.5)
    return Region.sphere(f"start of {group.name}", group.start, radius)


def goal_region(group: GroupTable, scene: Scene, body_radius: float) -> Region | None:
    """Return the goal region of a group; None if the group has no goal.

    Around a goal point, it is the ball of `GroupTable.goal_radius`, by default
    ``max(1, 4 r sqrt(N))`` for N bodies of radius r, about five times the volume of the bodies.
    """
    if group.goal is None:
        return None
    if isinstance(group.goal, str):
        return scene.region(group.goal)
    radius = group.goal_radius or max(1.0, 4.0 * body_radius * group.members**0.5)
    return Region.sphere(f"goal of {group.name}", group.goal, radius)
