"""The scenario file: what a run is, as typed structures with a default for every key.

A scenario is one TOML file. `load` reads it, applies the command line's overrides, and refuses
what is unknown or impossible with an error that names the file and the key. The resolved
scenario goes into every recording, so paths in it are absolute.
"""

from dataclasses import dataclass, fields
from itertools import cycle, islice
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from rmp3d.geometry.choices import Choice
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.planner.roadmap.settings import NotNegative, RoadmapSettings
from rmp3d.scenes import Region, Scene, SceneDescription

Vector = tuple[float, float, float]
Positive = Annotated[float, msgspec.Meta(gt=0)]

MAX_MEMBERS = 10_000


class GroupTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A `[[groups]]` table: who goes from where to where, and how they stay together.

    Attributes:
        name: For messages and legends; by default ``group 1``, ``group 2``, ...
        character: A built-in model, or the TOML file of one; or a list of them, which the members
            take in turn.
        members: How many, 1 to 10,000.
        start: A region of the scene, or a point [m].
        goal: A region of the scene, or a point [m]; None for a behavior that has no goal.
        goal_radius: A member is there when it is this near to a goal that is a point [m]; by
            default there is room for all members.
        speed_limit: Highest speed of the members [m/s]; by default the character's own.
        behavior: What the group does: the name of a group behavior, with its options.
    """

    name: str = ""
    character: str | Annotated[list[str], msgspec.Meta(min_length=1)] = "pedestrian"
    members: Annotated[int, msgspec.Meta(ge=1, le=MAX_MEMBERS)] = 5
    start: str | Vector = "start"
    goal: str | Vector | None = None
    goal_radius: Positive | None = None
    speed_limit: Positive | None = None
    behavior: dict[str, Any] = msgspec.field(default_factory=lambda: {"name": "narrow_passages"})

    default_goal: ClassVar[str] = "goal"
    """The region that is the goal of a group whose behavior needs one, if none is stated."""

    @staticmethod
    def default_name(row: int) -> str:
        """Return the name of the group in a row, counted from 0, if none is stated."""
        return f"group {row + 1}"

    @property
    def characters(self) -> tuple[str, ...]:
        """(n,) name (or file) of each member's character."""
        names = [self.character] if isinstance(self.character, str) else self.character
        return tuple(islice(cycle(names), self.members))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names (or files) of the characters that there are in the group, the first one's first."""
        return tuple(dict.fromkeys(self.characters))


@dataclass(frozen=True, kw_only=True)
class PlannerSettings(RoadmapSettings):
    """The `[planner]` table: how the path of every group is planned.

    Attributes:
        space: ``ground`` for characters on a surface, ``translation`` for flyers; ``auto`` asks
            the character.
        planner: How the path is found: the name of a planner, with its options; ``auto`` asks
            the space. The other keys are for planners that use a roadmap.
        roadmap: File of a roadmap to begin with; empty: none.
        backend: ``fcl`` asks the library python-fcl about every collision; ``auto`` asks it only
            to confirm the result.
    """

    space: str = "auto"
    planner: Choice = "auto"
    roadmap: str = ""
    backend: Literal["auto", "fcl"] = "auto"

    def __post_init__(self) -> None:
        try:
            super().__post_init__()
        except InputError as error:
            raise InputError(f"`planner`: {error}") from None
        # msgspec leaves defaults to the class, and writes only what the object itself has.
        for field in fields(self):
            object.__setattr__(self, field.name, getattr(self, field.name))


class PlannerOnly(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The tables that a problem file takes from ``--set``: `[planner]` alone."""

    planner: PlannerSettings = PlannerSettings()


class ChangeTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A `[[changes]]` table: what becomes different for a group while the run goes on.

    Attributes:
        time: From when on [s]; the first moment that is not earlier counts.
        group: Name of the group.
        behavior: The behavior's table from then on, of the same ``name``; None: as before.
        speed_limit: See `GroupTable`, from then on [m/s]; None: as before.
    """

    time: NotNegative
    group: str
    behavior: dict[str, Any] | None = None
    speed_limit: Positive | None = None

    def in_words(self) -> str:
        """Return what becomes different, in a line."""
        words = [] if self.speed_limit is None else [f"at most {self.speed_limit:g} m/s"]
        for key, value in (self.behavior or {}).items():
            if key != "name":
                words.append(f"{key.replace('_', ' ')} {value}")
        return ", ".join(words)


class SimulationSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The `[simulation]` table.

    Attributes:
        dt: Time step [s].
        duration: Simulated time at most [s].
        linger: Simulated time after the last arrival [s].
        record_forces: Whether the force that each steering behavior asks for is recorded, too.
    """

    dt: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1 / 30
    duration: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 180.0
    linger: NotNegative = 4.0
    record_forces: bool = False


class ScenarioTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A whole scenario, resolved: paths absolute, names given, options in tables.

    Attributes:
        name: By default the file's stem.
        description: One line for lists.
        seed: Of all randomness.
        scene: The scene's table; see `rmp3d.scenes.SceneDescription`.
        groups: At least one; the first is the main group that the command line's short options
            change.
        planner: The roadmap.
        simulation: Time step and duration.
        changes: What becomes different while it runs, in order of time.
    """

    name: str = ""
    description: str = ""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**62)] = 0
    scene: SceneDescription
    groups: Annotated[list[GroupTable], msgspec.Meta(min_length=1, max_length=1000)]
    planner: PlannerSettings = PlannerSettings()
    simulation: SimulationSettings = SimulationSettings()
    changes: list[ChangeTable] = []

    @property
    def member_count(self) -> int:
        """Members of all groups."""
        return sum(group.members for group in self.groups)

    @property
    def characters(self) -> tuple[str, ...]:
        """(N,) name (or file) of each member's character, group by group."""
        return tuple(name for group in self.groups for name in group.characters)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names (or files) of the characters that there are, in the order of the members."""
        return tuple(dict.fromkeys(self.characters))

    def to_json(self) -> str:
        """Return the canonical text: sorted keys, the same bytes for the same scenario."""
        return msgspec.json.encode(self, order="sorted").decode()

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


def check_places(scenario: ScenarioTable, scene: Scene) -> None:
    """Refuse a start or goal that names no region of the scene.

    Raises:
        InputError: Names the key, the nearest region, and all regions.
    """
    for row, group in enumerate(scenario.groups):
        for key, place in (("start", group.start), ("goal", group.goal)):
            if isinstance(place, str) and place not in scene.regions:
                problem = unknown_name("region", place, list(scene.regions))
                raise InputError(f"`groups[{row}].{key}`: {problem}")


def goal_region(group: GroupTable, scene: Scene, body_radius: float) -> Region | None:
    """Return where the members of a group have to be in the end; None if it has no goal.

    A region by its name; around a goal point, the ball of `GroupTable.goal_radius`, by default
    ``max(1, 4 r sqrt(N))`` for N bodies of radius r, about five times the room they fill.
    """
    if group.goal is None:
        return None
    if isinstance(group.goal, str):
        return scene.region(group.goal)
    radius = group.goal_radius or max(1.0, 4.0 * body_radius * group.members**0.5)
    return Region.sphere(f"goal of {group.name}", group.goal, radius)
