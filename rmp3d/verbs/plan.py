"""Build the roadmaps of a scenario and find each group's certified path; solve a problem file.

The target is a built-in scene, a scenario (.toml), or a problem: OMPL.app's .cfg, or PMPL's .env
with its .robot and .query. Exit code 1 if there is no path. With -o a map with roadmap and path
of a scenario is drawn. A scenario's roadmap that was saved can be loaded for other starts and
goals in the same scene. With -v, and in its JSON, there are clearance and room along each path.
"""

import argparse
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rmp3d.verbs.options import (
    add_output_options,
    add_scenario_options,
    say_if_compiling,
    scenario_of,
    show,
)
from rmp3d.verbs.plan_files import (
    add_file_options,
    details,
    details_text,
    use_loaded,
    write_files,
)

if TYPE_CHECKING:
    from rmp3d.scenario import Scenario
    from rmp3d.simulation import GroupPlan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    add_scenario_options(parser)
    add_file_options(parser)
    parser.add_argument(
        "--query", type=Path, metavar="FILE", help="start and goal of an .env; default: beside it"
    )
    parser.add_argument(
        "--robot",
        type=Path,
        metavar="FILE",
        help="robot of an .env, a .robot or a mesh; default: beside it",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Plan and report."""
    from geometry.errors import InputError
    from rmp3d.targets import is_problem

    if is_problem(options.target):
        from rmp3d.problem_run import plan_problem

        return plan_problem(options)
    if options.query is not None or options.robot is not None:
        raise InputError(f"{options.target}: --query and --robot are for an .env problem")
    from planner.errors import ConfirmationError, NoPathError, SamplingError
    from rmp3d.errors import blaming_file
    from rmp3d.progress import progress_bar
    from rmp3d.simulation import GroupPlan, plan_groups

    use_loaded(options)
    scenario = scenario_of(options)
    say_if_compiling(options)
    began = perf_counter()
    try:
        with (
            blaming_file(options.target),
            progress_bar("plan", "nodes", quiet=options.quiet or options.json) as progress,
        ):
            scene, prepared = plan_groups(scenario, progress)
    except (NoPathError, SamplingError, ConfirmationError) as error:
        facts = _unsolved(scenario, error, perf_counter() - began)
        show(options, facts, f"not solved: {facts['reason']}")
        return 1
    total = perf_counter() - began
    plans = [group for group in prepared if isinstance(group, GroupPlan)]
    if not plans:
        raise InputError(f"{options.target}: no group has a goal to plan for; `rmp3d run` runs it")
    facts = _solved(scenario, plans, total)
    write_files(options, scenario, scene, plans)
    text = _text(facts)
    if options.verbose:
        facts["details"] = details(scenario, plans)
        text += f"\n{details_text(facts['details'])}"
    show(options, facts, text)
    return 0


def _solved(scenario: "Scenario", plans: list["GroupPlan"], total: float) -> dict[str, Any]:
    """Return the facts of the main group, with those of the others in ``groups``."""
    groups = [_group_facts(plan) for plan in plans]
    build = sum(plan.plan.build_seconds for plan in plans)
    query = sum(plan.plan.query_seconds for plan in plans)
    main = {key: value for key, value in groups[0].items() if key != "name"}
    seconds = {"load": total - build - query, "build": build, "query": query, "total": total}
    return {
        "scenario": scenario.name,
        "seed": scenario.seed,
        "solved": True,
        "reason": None,
        **main,
        "seconds": {key: round(value, 6) for key, value in seconds.items()},
        "groups": groups,
    }


def _group_facts(plan: "GroupPlan") -> dict[str, Any]:
    from planner import SPACES

    statistics, path = plan.plan.roadmap.statistics, plan.plan.path
    return {
        "name": plan.group.name,
        "space": next(name for name in SPACES if isinstance(plan.space, SPACES[name])),
        "certified": plan.plan.certified,
        "path": path.points.tolist(),
        "length": path.length,
        "clearance_min": float(path.clearance.min()),
        "nodes": statistics.nodes,
        "edges": statistics.edges,
        "components": statistics.components,
        "largest_component": statistics.largest_component,
        "queries": {
            "collision": plan.plan.counts.collision,
            "distance": plan.plan.counts.distance,
        },
    }


def _unsolved(scenario: "Scenario", error: Exception, total: float) -> dict[str, Any]:
    return {
        "scenario": scenario.name,
        "seed": scenario.seed,
        "solved": False,
        "reason": str(error),
        "space": scenario.planner.space,
        "certified": False,
        "path": [],
        "length": None,
        "clearance_min": None,
        "nodes": getattr(error, "nodes", None),
        "edges": None,
        "components": getattr(error, "components", None),
        "largest_component": None,
        "queries": None,
        "seconds": {"load": None, "build": None, "query": None, "total": round(total, 6)},
    }


def _text(facts: dict[str, Any]) -> str:
    from rmp3d.tables import table

    keys = ("name", "space", "length", "clearance_min", "nodes", "edges", "components")
    header = ("group", "space", "length [m]", "clearance [m]", "nodes", "edges", "components")
    rows = [[group[key] for key in keys] for group in facts["groups"]]
    seconds, queries = facts["seconds"], facts["queries"]
    return (
        f"{table(rows, header)}\n"
        f"certified and confirmed by python-fcl; {queries['collision']} collision and "
        f"{queries['distance']} distance queries\n"
        f"{seconds['total']:.2f} s: load {seconds['load']:.2f}, build {seconds['build']:.2f}, "
        f"query {seconds['query']:.2f}"
    )
