"""What is known before anybody moves: the scene, and each group's space and, to a goal, path."""

from collections.abc import Callable, Hashable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rmp3d.behaviors.groups import ACTIVITIES, GROUP_BEHAVIORS, Activity, GroupBehavior
from rmp3d.behaviors.moving_parts.lifts import Ride
from rmp3d.behaviors.vehicles import VEHICLES
from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.models import Character, envelope
from rmp3d.models.carried import as_carried, grown
from rmp3d.planner.errors import GoalError, StartError
from rmp3d.planner.explaining import explained
from rmp3d.planner.optimizing.settings import Better
from rmp3d.planner.planners import PlanResult, plan, usual_planner
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap, Watch
from rmp3d.planner.spaces import GroundHeadingSpace, Space, make_space
from rmp3d.planner.spaces.bounds import reference_bounds
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenario import (
    GroupTable,
    Scenario,
    ScenarioTable,
    goal_region,
    start_region,
)
from rmp3d.scenario.roadmaps import planner_of, stored_roadmap, with_held
from rmp3d.scenes import Region, Scene
from rmp3d.scenes.memory import check_planning_memory
from rmp3d.simulation.group_checks import (
    check_at_rest,
    check_carried,
    check_group_step,
    check_heading,
)

Progress: TypeAlias = Callable[[int, int], None] | None
# Characters of a group by name, their envelope, and its space.
Known: TypeAlias = tuple[Mapping[str, Character], Character, Space]


@dataclass(frozen=True, eq=False)
class PreparedGroup:
    """What is known of a group before it moves.

    Attributes:
        group: Its table of the scenario.
        characters: (n,) what each of its members is.
        character: What is planned for: the `rmp3d.models.envelope` of its members.
        space: Where that, and so any member, can be.
        start: Region that they start in.
        behavior: What they do.
        afterwards: What they do after all have arrived, if they have a goal.
    """

    group: GroupTable
    characters: tuple[Character, ...]
    character: Character
    space: Space
    start: Region
    behavior: GroupBehavior
    afterwards: Activity

    @property
    def places(self) -> Space:
        """Where the reference points of members can be; a vehicle's heading is left out."""
        return self.space.ground if isinstance(self.space, GroundHeadingSpace) else self.space

    @property
    def max_step(self) -> float:
        """The highest step [m] that the members go up and down."""
        return step_of(self.group, self.character)

    @property
    def heading(self) -> Float | None:
        """(n, 3) where the members look at the start, unit; None: as the behavior says."""
        if self.group.heading is None:
            return None
        turn = np.radians(self.group.heading)
        return np.tile([np.cos(turn), np.sin(turn), 0.0], (self.group.members, 1))

    @cached_property
    def driving(self) -> GroundHeadingSpace:
        """Where all vehicles of the group can drive, with their headings."""
        space = self.space
        return space if isinstance(space, GroundHeadingSpace) else self._driving(self.character)

    def driving_of(self, turn_radius: float, half_width: float) -> GroundHeadingSpace:
        """Return where those vehicles of the group drive that have these numbers [m].

        The envelope of vehicles of several kinds is longer and wider than each: it can touch what
        none of them touches.
        """
        kinds = dict.fromkeys(self.characters)
        if len(kinds) > 1:
            for kind in kinds:
                own = kind.parameters.turn_radius, kind.body.half_width
                if own == (turn_radius, half_width):
                    if kind.name not in self._driving_alone:
                        self._driving_alone[kind.name] = self._driving(kind)
                    return self._driving_alone[kind.name]
        return self.driving

    @cached_property
    def _driving_alone(self) -> dict[str, GroundHeadingSpace]:
        return {}

    def _driving(self, character: Character) -> GroundHeadingSpace:
        scene, own = self.space.world.scene, character.parameters
        return GroundHeadingSpace.of_scene(
            scene, character.body, reference_bounds(scene, character), "auto",
            max_step=self.max_step, turn_radius=own.turn_radius, reverses=own.reverse > 0.0,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class GroupPlan(PreparedGroup):
    """What is known of a group that has a goal.

    Attributes:
        goal: Region that the members go to.
        plan: Path and roadmap.
        rides: On parts that carry, in the order in which they come on the path.
    """

    goal: Region
    plan: PlanResult
    rides: tuple[Ride, ...] = ()

    @property
    def places(self) -> Space:
        """As of `PreparedGroup`, in the space that the path was found in."""
        space = self.plan.session.space
        return space.ground if isinstance(space, GroundHeadingSpace) else space

    @property
    def roadmap(self) -> Roadmap:
        """The roadmap of such places: that of the guide, if headings were planned."""
        return self.plan.session.guide or self.plan.roadmap


def prepare(
    scenario: Scenario,
    scene: Scene,
    row: int,
    known: MutableMapping[Hashable, Known] | None = None,
    headed: bool = False,
) -> PreparedGroup:
    """Return what is known of a group before anything is planned.

    Args:
        scenario: Whose group it is.
        scene: Its scene.
        row: Of the group.
        known: Characters and spaces of this scene that were made before, which are taken again;
            new ones are added.
        headed: Whether ``auto`` is, for a vehicle with a turn radius, the space `ground_heading`.

    Raises:
        InputError: Its character or the scenario's space is wrong.
    """
    table, held = scenario.table, scenario.held
    group = table.groups[row]
    planner, carried = table.planner, group.behavior["name"] == "carried"
    key = (group.kinds, group.max_step, planner.space, planner.backend, headed, carried)
    if known is not None and key in known:
        kinds, character, space = known[key]
    else:
        with prefix_errors_with_key(f"groups[{row}].character"):
            kinds = {name: held.character(name) for name in group.kinds}
            if carried:
                kinds = {name: as_carried(kind) for name, kind in kinds.items()}
            character = envelope(tuple(kinds.values()))
        check_carried(table, row, character)
        check_group_step(table, row, kinds.values())
        space = _space(table, scene, character, step_of(group, character), headed)
        if known is not None:
            known[key] = kinds, character, space
    check_heading(table, row, kinds.values())
    check_at_rest(table, row, kinds.values())
    characters = tuple(kinds[name] for name in group.characters)
    start = start_region(group, scene, character.body.radius)
    behavior = held.choose(GROUP_BEHAVIORS, group.behavior, f"`groups.{group.name}.behavior`")
    # A behavior of one's own need not be a `GroupBehavior`.
    usual: Any = getattr(behavior, "usual_activity", "hold")
    where = f"`groups.{group.name}.afterwards`"
    afterwards = held.choose(ACTIVITIES, group.afterwards or usual, where)
    return PreparedGroup(group, characters, character, space, start, behavior, afterwards)


def step_of(group: GroupTable, character: Character) -> float:
    """Return the highest step [m] of a group, whose envelope is a character."""
    return character.parameters.max_step if group.max_step is None else group.max_step


def _space(
    scenario: ScenarioTable, scene: Scene, character: Character, max_step: float, headed: bool
) -> Space:
    """Return where a body can be that moves as the character does, over steps of a height [m]."""
    check_planning_memory(sum(len(part.mesh.faces) for part in scene.parts))
    name, body, vehicle = scenario.planner.space, character.body, character.parameters
    if name == "auto":
        name = VEHICLES[character.vehicle].space  # type: ignore[attr-defined]
        if headed and name == "ground" and vehicle.turn_radius > 0.0:
            name = "ground_heading"
    carried = character.vehicle == "carried"
    if name == "rigid" and not carried:
        raise InputError(
            f"`planner.space`: in `rigid` a body turns freely, which `{character.name}` cannot do "
            "by itself; with the behavior `carried` it is carried so, or choose `auto`"
        )
    if carried and name != "rigid":
        raise InputError(
            f"`planner.space`: `{character.name}` is carried, which is planned in `rigid`, not in "
            f"`{name}`; choose `auto`"
        )
    if name == "rigid":
        return make_space(name, scene, grown(body), backend=scenario.planner.backend)
    return make_space(
        name,
        scene,
        body,
        backend=scenario.planner.backend,
        bounds=reference_bounds(scene, character),
        max_step=max_step,
        turn_radius=vehicle.turn_radius,
        reverses=vehicle.reverse > 0.0,
    )


def with_plan(
    prepared: PreparedGroup,
    scenario: Scenario,
    scene: Scene,
    row: int,
    progress: Progress = None,
    watch: Watch = None,
    better: Better = None,
    roadmap: Roadmap | None = None,
    driven: "GroupPlan | None" = None,
) -> PreparedGroup:
    """Return the group with roadmap and path, if it has a goal; see `plan`.

    The roadmap begins with that of the scenario's file, else with ``roadmap``, in the same space.
    If another group of the same characters had to be planned with its heading, it is ``driven``:
    this one begins in its space, with its roadmap, and without a try of the round body.

    Raises:
        InputError: It needs a goal and has none; its start or goal is not free.
        PlanningError: There is no path.
        Interrupted: The user stopped it.
    """
    group = prepared.group
    goal = goal_region(group, scene, prepared.character.body.radius)
    table, behavior = scenario.table, prepared.behavior
    if goal is None or group.goal is None:
        if behavior.needs_goal:
            name = group.behavior["name"]
            raise InputError(f"`groups[{row}].goal`: the behavior `{name}` needs one")
        return prepared
    if driven is not None:
        headed = replace(prepared, space=driven.space)
        with suppress(NoPathError, StartError, GoalError):  # said of what is tried below
            begun = driven.plan.roadmap
            return _planned(headed, goal, scenario, row, progress, watch, better, begun)
    try:
        return _planned(prepared, goal, scenario, row, progress, watch, better, roadmap)
    except (NoPathError, StartError, GoalError):
        if not _is_driven(prepared, table):
            raise
    # The round body does not fit; the row at its heading may.
    headed = prepare(scenario, scene, row, headed=True)
    return _planned(headed, goal, scenario, row, progress, watch, better)


def free_end(
    prepared: PreparedGroup,
    table: ScenarioTable,
    place: Any,
    role: Literal["start", "goal"],
) -> Float:
    """Return the free configuration at a start or goal, for a vehicle if need be with its heading.

    Args:
        prepared: The group.
        table: The scenario.
        place: See `endpoint`.
        role: See `endpoint`.

    Raises:
        StartError: It is not free, in the space in which it would be planned at last.
        GoalError: The same of the goal.
    """
    try:
        return endpoint(prepared.space, place, role)
    except (StartError, GoalError):
        if not _is_driven(prepared, table):
            raise
    return endpoint(prepared.driving, place, role)


def _is_driven(prepared: PreparedGroup, table: ScenarioTable) -> bool:
    """Return whether a vehicle was planned without its heading, and nobody asked for that."""
    driven = prepared.space.grounded and prepared.character.parameters.turn_radius > 0.0
    headed = isinstance(prepared.space, GroundHeadingSpace)
    return driven and not headed and table.planner.space == "auto"


def _planned(
    prepared: PreparedGroup,
    goal: Region,
    scenario: Scenario,
    row: int,
    progress: Progress,
    watch: Watch,
    better: Better,
    roadmap: Roadmap | None = None,
) -> GroupPlan:
    """Return the group with roadmap and path to its goal; see `with_plan`."""
    group, character, space = prepared.group, prepared.character, prepared.space
    table, behavior = scenario.table, prepared.behavior
    known = (
        group, prepared.characters, character, space, prepared.start, behavior,
        prepared.afterwards, goal,
    )  # fmt: skip
    stored = stored_roadmap(table.planner.roadmap, space, row) or roadmap
    with (
        prefix_errors_with_key(f"groups[{row}].start", StartError),
        prefix_errors_with_key(f"groups[{row}].goal", GoalError),
        prefix_errors_with_key(f"groups[{row}]", NoPathError),
    ):
        settings, rng = with_held(table.planner, scenario.held), [table.seed, row, 0]
        assert group.goal is not None
        ends = place_of(group.start, prepared.start), place_of(group.goal, goal)
        problem = Problem(space, *ends, character=character)
        answer = partial(
            plan,
            planner=planner_of(settings, usual_planner(problem)),
            clearance_wanted=behavior.clearance_wanted(group.members, character),
            time_limit=settings.seconds or None,
            progress=progress,
            watch=watch,
            optimization=settings.optimization,
            better=better,
        )
        found = answer(problem, rng=np.random.default_rng(rng), roadmap=stored)
        plain = problem.without_heading()
        if isinstance(found.error, NoPathError) and plain is not None:
            other = answer(plain, planner="prm", rng=np.random.default_rng(rng))
            found = other if other.solved else found
        if isinstance(found.error, NoPathError):
            larger = explained(found.error, space, *ends)
            if isinstance(larger, NoPathError):
                raise larger from None
            found = answer(problem, rng=np.random.default_rng(rng), roadmap=larger)
        if found.roadmap.interrupted:  # also if there is a path: whoever stops it wants no run
            raise Interrupted(found.roadmap)
        if found.improved.stopped and better is None:  # a run wants no path that was cut short
            raise Interrupted(found.roadmap)
        return GroupPlan(*known, found.or_raise())


def place_of(stated: str | tuple[float, float, float], region: Region) -> Any:
    """Return what the planner takes: the stated point, or the region."""
    return region if isinstance(stated, str) else np.array(stated, float)
