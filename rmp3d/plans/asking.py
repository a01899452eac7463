"""From a target to the plan that there is to see: planned now, or read from a file of a result."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.planner import Problem, plan
from rmp3d.planner.errors import ConfirmationError, SamplingError
from rmp3d.planner.optimizing.settings import Better
from rmp3d.planner.planners import PlanResult
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.plans.body_plan import BodyPlan, WatchedPlan
from rmp3d.plans.facts import group_facts
from rmp3d.problem_options import Request
from rmp3d.scenario import Scenario, ScenarioTable, check_places, goal_region
from rmp3d.scenes.problems.rigid_problem import RigidProblem
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, place_of, prepare, with_plan

MOST_REJECTED = 20_000
"""Attempts of a sampler whose refused samples are shown."""

Progress = Callable[[int, int], None] | None


def plan_request(
    problem: RigidProblem, request: Request, progress: Progress, better: Better = None
) -> PlanResult:
    """Return the answer to a problem file, asked as the options of a command say."""
    return plan(
        Problem.of_rigid(problem, request.stops, backend=request.backend),
        planner=request.planner,
        roadmap=request.roadmap,
        seed=request.seed,
        time_limit=request.time_limit,
        progress=progress,
        optimization=request.optimization,
        better=better,
    )


def plan_scenario(scenario: Scenario, progress: Progress = None) -> WatchedPlan:
    """Return the plan of each group that has a goal; one without a path has the reason instead.

    Raises:
        InputError: A file, region or parameter is wrong, or no group has a goal.
        PlanningError: A start or goal is not free.
    """
    scene = scenario.scene
    check_places(scenario.table, scene)
    bodies = []
    for row, group in enumerate(scenario.table.groups):
        if group.goal is None:
            continue
        prepared = prepare(scenario, scene, row, headed=True)
        try:
            planned = with_plan(prepared, scenario, scene, row, progress)
        except (NoPathError, SamplingError, ConfirmationError) as error:
            bodies.append(_without_path(prepared, scenario, row, error))
        else:
            assert isinstance(planned, GroupPlan)
            bodies.append(_of_group(planned, scenario, row))
    return watched_scenario(scenario, bodies)


def watched_scenario(scenario: Scenario, bodies: list[BodyPlan]) -> WatchedPlan:
    """Return the plans of a scenario's groups.

    Raises:
        InputError: There are none.
    """
    table = scenario.table
    if not bodies:
        raise InputError(
            f"{table.name}: no group has a goal, so there is no path to see; `rmp3d run` runs it"
        )
    solved = all(body.solved for body in bodies)
    reasons = [f"{body.name}: {body.reason}" for body in bodies if not body.solved]
    facts = {
        "scenario": table.name,
        "seed": table.seed,
        "solved": solved,
        "reason": "; ".join(reasons) or None,
        "groups": [dict(body.facts) for body in bodies],
    }
    title = f"{table.name}, plan, seed {table.seed}"
    shown = tuple(way for body in bodies for way in body.ways())
    return WatchedPlan(title=title, scene=scenario.scene, bodies=shown, facts=facts)


def problem_of_group(prepared: PreparedGroup, scenario: Scenario) -> Problem:
    """Return the question that a group with a goal asks."""
    group = prepared.group
    goal = goal_region(group, scenario.scene, prepared.character.body.radius)
    assert goal is not None
    assert group.goal is not None
    ends = place_of(group.start, prepared.start), place_of(group.goal, goal)
    return Problem(prepared.space, *ends, name=group.name, character=prepared.characters[0])


def bodies_of_groups(
    planned: Sequence[GroupPlan], scenario: Scenario | ScenarioTable
) -> list[BodyPlan]:
    """Return the plans of groups that have a path."""
    whole = Scenario.of(scenario)
    rows = {group.name: row for row, group in enumerate(whole.table.groups)}
    return [_of_group(plan, whole, rows[plan.group.name]) for plan in planned]


def _of_group(planned: GroupPlan, scenario: Scenario, row: int) -> BodyPlan:
    return BodyPlan.of_result(
        planned.plan,
        name=planned.group.name,
        character=planned.characters[0],
        rejected=partial(rejected_samples, planned, scenario, row),
        facts=group_facts(planned, scenario.table.seed),
    )


def _without_path(
    prepared: PreparedGroup, scenario: Scenario, row: int, error: Exception
) -> BodyPlan:
    roadmap = getattr(error, "roadmap", None)
    problem = problem_of_group(prepared, scenario)
    built: dict[str, Any] = {}
    if roadmap is not None:
        built = {"nodes": roadmap.configurations[:, :3], "edges": roadmap.edges}
    return BodyPlan(
        name=prepared.group.name,
        problem=problem,
        character=prepared.characters[0],
        configurations=np.zeros((0, prepared.space.width)),
        reason=str(error),
        facts={
            "name": prepared.group.name,
            "certified": False,
            "confirmed_by": [],
            "reason": str(error),
            "path": [],
        },
        **built,
    )


def rejected_samples(planned: GroupPlan, scenario: Scenario, row: int) -> Float:
    """Return the samples (R, 3) of a group's roadmap that were in collision, drawn again."""
    from rmp3d.planner import SAMPLERS
    from rmp3d.planner.sampling.rejected import rejected_configurations

    roadmap = planned.plan.roadmap
    found = rejected_configurations(
        scenario.held.choose(SAMPLERS, scenario.table.planner.sampler),
        roadmap.space,
        min(roadmap.attempts, MOST_REJECTED),
        np.random.default_rng([scenario.table.seed, row, 0]),
    )
    return found[:, :3]


def plan_file(path: Path, seed: int = 0, progress: Progress = None) -> WatchedPlan:
    """Return the plan of a problem file as Python programs ask for it."""
    return WatchedPlan.of_result(plan(Problem.load(path), seed=seed, progress=progress))
