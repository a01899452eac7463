"""Plans of all groups; those of one member share a roadmap and a search."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter

import numpy as np

from rmp3d.behaviors.groups import SelfGuided
from rmp3d.behaviors.groups.crowd.routes import SharedRoutes
from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.choices import choose
from rmp3d.planner.collision import CollisionWorld, QueryCounts
from rmp3d.planner.errors import GoalError, StartError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.optimizing.settings import Better
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.planners import PlanResult, usual_planner
from rmp3d.planner.planners.planner import Leg, PlanningSession
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.building import Watch, extend_roadmap
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenario import Scenario, ScenarioTable, check_places, goal_region
from rmp3d.scenario.roadmaps import planner_of, with_held
from rmp3d.scenes import Scene
from rmp3d.scenes.motions import check_lasting
from rmp3d.scenes.presence import there_at_start
from rmp3d.simulation.moving import (
    barred,
    closes_too_soon,
    gates_of,
    never_open,
    speed_of,
    waiting_time,
)
from rmp3d.simulation.planning import (
    GroupPlan,
    Known,
    PreparedGroup,
    Progress,
    place_of,
    prepare,
    with_plan,
)
from rmp3d.simulation.riding import plan_with_rides
from rmp3d.simulation.shared_roadmaps import MANY, SharedRoadmaps


def plan_groups(
    scenario: Scenario | ScenarioTable,
    progress: Progress = None,
    headed: bool = False,
    better: Better = None,
) -> tuple[Scene, list[PreparedGroup]]:
    """Return the scene, and what is known of each group: those with a goal have a `GroupPlan`.

    See `prepare` for what is ``headed``, and `rmp3d.planner.plan` for ``better``.

    Raises:
        InputError: A file, region or parameter is wrong.
        PlanningError: A start or goal is not free, or there is no path.
    """
    scenario = Scenario.of(scenario)
    scene = scenario.scene
    check_plans(scenario, scene)
    known: dict[Hashable, Known] = {}
    rows = range(len(scenario.table.groups))
    prepared = [prepare(scenario, scene, row, known, headed) for row in rows]
    return scene, list(plans_of(
        prepared, scenario, scene, lambda row: (_of_all(progress, row, len(rows)), None), better
    ))  # fmt: skip


def _of_all(progress: Progress, row: int, groups: int) -> Progress:
    """Return what tells of one of several groups, as that much of the work of all."""
    if progress is None:
        return None
    return lambda done, total: progress(row * total + done, groups * total)


def check_plans(scenario: Scenario, scene: Scene) -> None:
    """Refuse places that are not in the scene, and motions of its parts that do not last."""
    check_places(scenario.table, scene)
    check_lasting(scene.parts, scenario.table.simulation.duration)


def plans_of(
    prepared: Sequence[PreparedGroup],
    scenario: Scenario,
    scene: Scene,
    told: Callable[[int], tuple[Progress, Watch]],
    better: Better = None,
) -> Iterator[PreparedGroup]:
    """Yield what is known of each group: those with a goal have a `GroupPlan`.

    Args:
        prepared: All groups.
        scenario: Theirs.
        scene: Where.
        told: Gives what is called with the progress and the roadmap while a group is planned.
        better: Called with every better path.

    Raises:
        PlanningError: A start or goal is not free, or there is no path.
    """
    together = plan_together(prepared, scenario, scene)
    shared = SharedRoadmaps(prepared, scenario.table)
    for row, each in enumerate(prepared):
        progress, watch = told(row)
        found = (
            together.get(row)
            or shared.answered(each, scene, progress)
            or plan_with_rides(each, scenario, scene, row, progress)
            or _when_open(each, scenario, scene, row, progress, watch, better, shared)
        )
        shared.keep(each, found)
        yield _past_parts(found, scenario, scene, row, progress)


def _when_open(
    prepared: PreparedGroup, scenario: Scenario, scene: Scene, row: int, progress: Progress,
    watch: Watch, better: Better, shared: SharedRoadmaps,
) -> PreparedGroup:  # fmt: skip
    """Return the plan of a group; without parts that may go, if there is no way past them.

    The group waits before them in the run then, until they go.

    Raises:
        PlanningError: There is no path without them either.
    """
    roadmap, driven = shared.of(prepared, progress), shared.driven(prepared)
    try:
        return with_plan(prepared, scenario, scene, row, progress, watch, better, roadmap, driven)
    except NoPathError:
        if not there_at_start(scene.parts) or not isinstance(prepared.space.world, CollisionWorld):
            raise
        open_space = copy(prepared.space)
        open_space.world = copy(prepared.space.world)  # type: ignore[misc]
        open_space.world.show(())
        opened = replace(prepared, space=open_space)
        return with_plan(opened, scenario, scene, row, progress, watch, better)


def _past_parts(
    found: PreparedGroup, scenario: Scenario, scene: Scene, row: int, progress: Progress
) -> PreparedGroup:
    """Return the plan of a group, or one around the parts that move on its way if that is sooner.

    Raises:
        NeverOpenError: There is no other way, and a part never leaves this one free for long.
    """
    gates = gates_of(found, row, scene) if len(scene.moving) else []
    if not gates or not isinstance(found, GroupPlan):
        return found
    waiting = waiting_time(found, gates, scene)
    if found.rides:  # no way around is looked for
        if np.isfinite(waiting):
            return found
        raise never_open(found, gates, scene, row)
    around = barred(scene, gates)
    try:
        other = with_plan(prepare(scenario, around, row), scenario, around, row, progress)
    except (NoPathError, StartError, GoalError):
        other = found
    if other is found or not isinstance(other, GroupPlan):
        if np.isfinite(waiting):
            return found
        raise never_open(found, gates, scene, row) from None
    further = gates_of(other, row, scene)
    longer = other.plan.path.length - found.plan.path.length
    later = waiting_time(other, further, scene) + longer / speed_of(found)
    too_soon = closes_too_soon(found, gates, scene), closes_too_soon(other, further, scene)
    if too_soon[0] != too_soon[1]:  # not all members would pass one of the two
        waiting, later = (np.inf, later) if too_soon[0] else (waiting, np.inf)
    return other if later < waiting else found


def plan_together(
    prepared: Sequence[PreparedGroup], scenario: Scenario, scene: Scene
) -> dict[int, GroupPlan]:
    """Return the plans of groups that share a space and a roadmap, by row.

    These are groups of one member, which needs no room beside it; and where there are more than
    `MANY` groups, those of several members, too. Each takes the shortest way over a roadmap that is
    made once. A group without a way over it is left out: its own planning lets a roadmap grow, or
    says why there is none.

    Args:
        prepared: All groups.
        scenario: Theirs.
        scene: Where.

    Raises:
        InputError: A start or goal is not free; names the group.
    """
    together: dict[int, list[int]] = {}
    for row, each in enumerate(prepared):
        if _may_share(each, scenario):
            together.setdefault(id(each.space), []).append(row)
    found: dict[int, GroupPlan] = {}
    for rows in together.values():
        if len(rows) <= MANY:
            rows = [row for row in rows if prepared[row].group.members == 1]
        if len(rows) > 1:
            found.update(_planned({row: prepared[row] for row in rows}, scenario, scene))
    return found


def _may_share(prepared: PreparedGroup, scenario: Scenario) -> bool:
    group, settings = prepared.group, scenario.table.planner
    turns = prepared.character.parameters.turn_radius > 0.0
    if group.goal is None or turns or settings.roadmap:
        return False
    if settings.seconds or settings.optimization.is_asked:
        return False
    return type(prepared.behavior) is SelfGuided and prepared.space.width == 3


def _planned(
    groups: Mapping[int, PreparedGroup], scenario: Scenario, scene: Scene
) -> dict[int, GroupPlan]:
    """Return the plans of groups that share a space, as far as one roadmap has ways for them."""
    began, first = perf_counter(), next(iter(groups.values()))
    space = first.space
    ends: list[tuple[Float, Float]] = []
    goals = []
    for row, each in groups.items():
        goal = goal_region(each.group, scene, each.character.body.radius)
        assert goal is not None
        goals.append(goal)
        assert each.group.goal is not None
        with (
            prefix_errors_with_key(f"groups[{row}].start", StartError),
            prefix_errors_with_key(f"groups[{row}].goal", GoalError),
        ):
            own = place_of(each.group.start, each.start), place_of(each.group.goal, goal)
            ends.append((endpoint(space, own[0], "start"), endpoint(space, own[1], "goal")))
    problem = Problem(space, *ends[0])
    planner = planner_of(with_held(scenario.table.planner, scenario.held), usual_planner(problem))
    if not isinstance(planner, PRM):
        return {}
    rng = np.random.default_rng([scenario.table.seed, next(iter(groups)), 0])
    roadmap = extend_roadmap(Roadmap.empty(space), planner.in_space(space, None), rng)
    roadmap = join_components(roadmap, choose(LOCAL_PLANNERS, planner.local_planner))
    starts, targets = (np.array(each) for each in zip(*ends, strict=True))
    routes = SharedRoutes(roadmap).routes(starts, targets)
    session = PlanningSession(space, scenario.table.seed)
    session.roadmap = roadmap
    paths = _certified(space, starts, routes)
    session.seconds["total"] = perf_counter() - began
    found = {}
    for (row, each), goal, own, path in zip(groups.items(), goals, ends, paths, strict=True):
        if path is not None:
            leg = (Leg(path.configurations, path),)
            result = PlanResult(
                Problem(space, *own), planner, leg, None, False,
                QueryCounts(), QueryCounts(), session.seconds, session,
            )  # fmt: skip
            found[row] = GroupPlan(
                each.group, each.characters, each.character, space, each.start, each.behavior,
                each.afterwards, goal, result,
            )  # fmt: skip
    return found


def _certified(
    space: Space, start: Float, routes: Sequence[Float | None]
) -> list[CertifiedPath | None]:
    """Return the paths of routes from starts (M, 3), on the ground along its triangles."""
    corners = [
        None if route is None else np.concatenate([own[None], route])
        for own, route in zip(start, routes, strict=True)
    ]
    good = [own for own in corners if own is not None]
    if not good:
        return [None] * len(start)
    motions = iter(space.connect(
        np.concatenate([own[:-1] for own in good]), np.concatenate([own[1:] for own in good])
    ))  # fmt: skip
    found: list[CertifiedPath | None] = []
    for own in corners:
        pieces = [] if own is None else [next(motions) for _ in own[1:]]
        if own is None or any(piece is None for piece in pieces):
            found.append(None)
            continue
        points = np.concatenate([own[:1], *(piece[1:] for piece in pieces if piece is not None)])
        clearance = space.world.clearance(points, CLEARANCE_CAP * space.world.body.radius)
        found.append(CertifiedPath(points, clearance, space.grounded))
    return found
