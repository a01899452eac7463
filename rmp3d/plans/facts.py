"""What is said of a plan in machine-readable form: `rmp3d plan --json`, and files of results."""

from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.planner import SPACES, PlanResult
from rmp3d.planner.spaces import Space
from rmp3d.plans.confirming import confirmation_facts, judged_twice

if TYPE_CHECKING:
    from rmp3d.scenario import ScenarioTable
    from rmp3d.scenes.problems.rigid_problem import RigidProblem
    from rmp3d.simulation import GroupPlan


def problem_facts(problem: "RigidProblem", result: PlanResult, seed: int) -> dict[str, Any]:
    """Return the answer to a problem file, without ``seconds``.

    Path rows are x y z, and w x y z of the quaternion if the body may turn, in the coordinates
    of the problem's file. Length is that of the space: of translation, plus the rotation angle
    times the radius of the body about its reference point. Queries are those of search,
    shortening, and confirmation by python-fcl together.
    """
    from rmp3d.planner.problems.measures import least_clearance, path_length

    work, judged = result.counts, result.judge_counts
    facts = {
        "scenario": problem.name,
        "seed": seed,
        "solved": bool(result.solved),
        "reason": None if result.solved else result.reason,
        "space": problem.space,
        "certified": bool(result.certified),
        **confirmation_facts(result.verdicts),
        "path": [problem.row(row) for row in result.configurations] if result.solved else [],
        "length": path_length(problem, result.configurations) if result.solved else None,
        "clearance_min": least_clearance(problem, result.configurations) if result.solved else None,
        "nodes": int(result.nodes),
        "edges": int(result.edges),
        "components": int(result.components),
        "largest_component": int(result.largest_component),
        "queries": {
            "collision": work.collision + judged.collision,
            "distance": work.distance + judged.distance,
        },
    }
    return facts | improved_facts(result, problem.row)


def improved_facts(result: PlanResult, row: Callable[[Float], Any]) -> dict[str, Any]:
    """Return what optimizing gained, alternatives and trade-offs; nothing if not asked for.

    Args:
        result: Of planning.
        row: Returns a configuration as the path has it.
    """
    improved = result.improved
    if not improved.improvements:
        return {}
    steps = improved.improvements
    facts: dict[str, Any] = {
        "cost": {"name": improved.cost_name, "unit": improved.unit, "value": steps[-1].cost},
        "improvements": [
            {
                "seconds": round(each.seconds, 6), "work": each.work, "length": each.length,
                "cost": each.cost,
            }
            for each in steps
        ],
    }  # fmt: skip
    if improved.alternatives:
        facts["alternatives"] = [
            {
                "length": each.length, "cost": each.cost,
                "path": [row(own) for own in each.configurations],
            }
            for each in improved.alternatives
        ]  # fmt: skip
    if improved.tradeoffs:
        facts["tradeoffs"] = [
            {
                "length": each.length, "costs": each.costs,
                "path": [row(own) for own in each.configurations],
            }
            for each in improved.tradeoffs
        ]  # fmt: skip
    return facts


def group_facts(
    plan: "GroupPlan", seed: int, coverages: MutableMapping[Any, float] | None = None
) -> dict[str, Any]:
    """Return the answer for a group of a scenario, with coverage and samples of its roadmap.

    Args:
        plan: Of the group.
        seed: Of the probes of the coverage.
        coverages: What was measured for other groups of the scenario: those that share a roadmap
            share its coverage. New ones are added.
    """
    from rmp3d.planner import measure_coverage

    roadmap = plan.plan.roadmap
    coverages = {} if coverages is None else coverages
    # All plans are there as long as this table: no other array takes the place of its nodes.
    key = id(roadmap.configurations), roadmap.component.tobytes()
    if key not in coverages:
        coverages[key] = measure_coverage(roadmap, np.random.default_rng(seed))
    return {
        "name": plan.group.name,
        **_path_facts(plan.plan),
        "coverage": coverages[key],
        "attempts": roadmap.statistics.attempts,
        "untried": roadmap.statistics.untried,
    }


def result_facts(result: PlanResult) -> dict[str, Any]:
    """Return the answer of `rmp3d.plan`, as ``rmp3d plan --json`` has it."""
    result = judged_twice(result)
    if result.problem.rigid is not None:
        facts = problem_facts(result.problem.rigid, result, result.session.seed)
    else:
        head = {"scenario": result.problem.name, "seed": result.session.seed}
        head |= {"solved": result.solved, "reason": result.reason or None}
        facts = {**head, **_path_facts(result)}
    seconds = {key: round(value, 6) for key, value in result.seconds.items()}
    return {**facts, "seconds": seconds}


def _path_facts(result: PlanResult) -> dict[str, Any]:
    """Return path and roadmap; rows of the path are [x, y, z], or 7 numbers where bodies turn."""
    path = result.path if result.solved else None
    facts = {
        "space": name_of(result.session.space),
        "certified": result.certified,
        **confirmation_facts(judged_twice(result).verdicts),
        "path": [] if path is None else result.configurations.tolist(),
        "length": None if path is None else path.length,
        "clearance_min": None if path is None else float(path.clearance.min()),
        "nodes": result.nodes,
        "edges": result.edges,
        "components": result.components,
        "largest_component": result.largest_component,
        "queries": {
            "collision": result.counts.collision,
            "distance": result.counts.distance,
        },
    }
    return facts | improved_facts(result, np.ndarray.tolist)


def name_of(space: Space) -> str:
    """Return the name of a space in the registry `SPACES`."""
    return next(name for name in SPACES if isinstance(space, SPACES[name]))


def problem_key(file: Path, robot: Path | None, query: Path | None, stops: Float) -> dict[str, Any]:
    """Return the key ``problem`` of a result of a problem file."""
    named = {"file": file, "robot": robot, "query": query}
    places = {key: str(path.resolve()) for key, path in named.items() if path is not None}
    return {**places, "stops": stops.tolist()}


def scenario_key(scenario: "ScenarioTable") -> dict[str, Any]:
    """Return the key ``problem`` of a result of a scenario."""
    from rmp3d.scenario.saving import scenario_table

    return {"scenario": scenario_table(scenario)}


def roadmap_keys(nodes: Float, edges: Index, rejected: Float) -> dict[str, Any]:
    """Return one of the ``roadmaps`` of a result."""
    rows = {"nodes": nodes, "edges": edges, "rejected": rejected}
    return {key: value.tolist() for key, value in rows.items()}
