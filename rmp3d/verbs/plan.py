"""Build the roadmaps of a scenario and find each group's certified path; or solve a problem file.

The target is a built-in scenario, a scenario file (.toml), or a problem file: OMPL.app's .cfg, or
PMPL's .env with its .robot and .query. The exit code is 1 if there is no path. With -o, a map with
roadmap and path is drawn, or the result is written, which `view`, `inspect`, `report` and `export`
take. A saved roadmap can be loaded for other starts and goals in the same
scene or problem. A problem is solved by a planner of its own; --set planner.nodes=400, or another
key of the planner, asks for a probabilistic roadmap instead. With -v, and with --json, there are
clearance and free width along each path of a scenario.
"""

import argparse
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rmp3d.plans.result_file import is_result_file, write_result
from rmp3d.terminal.improving import improved_text, say_better
from rmp3d.terminal.output import (
    say_cost,
    say_cost_of_reading,
    say_if_compiling,
    say_notes,
    show,
)
from rmp3d.verbs.optimizing import add_optimize_options, use_optimize_options
from rmp3d.verbs.options import add_output_options, add_scenario_options, scenario_of
from rmp3d.verbs.plan_files import (
    add_file_options,
    details,
    details_text,
    save_interrupted,
    use_loaded,
    write_files,
    write_unsolved,
)

if TYPE_CHECKING:
    from rmp3d.scenario import ScenarioTable
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
    for end in ("start", "goal"):
        parser.add_argument(
            f"--{end}",
            nargs="+",
            type=float,
            metavar="X",
            help=f"{end} x y z; where bodies turn also qw qx qy qz; default: the file's",
        )
    add_optimize_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Plan and report."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.scenario.targets import is_problem

    if is_problem(options.target):
        from rmp3d.problem_run import plan_problem

        return plan_problem(options)
    if options.query is not None or options.robot is not None:
        raise InputError(f"{options.target}: --query and --robot are for an .env problem")
    from rmp3d.errors import prefix_errors_with_file
    from rmp3d.planner.errors import ConfirmationError, SamplingError
    from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
    from rmp3d.scenario import Scenario
    from rmp3d.simulation import GroupPlan, plan_groups
    from rmp3d.terminal.progress import progress_bar

    use_loaded(options)
    _use_ends(options)
    use_optimize_options(options)
    scenario = scenario_of(options)
    say_if_compiling(options)
    began = perf_counter()
    try:
        with (
            prefix_errors_with_file(options.target),
            progress_bar("plan", "nodes", quiet=options.quiet or options.json) as progress,
        ):
            say_cost_of_reading(options, scenario.scene)
            whole = Scenario.of(scenario)
            say_notes(options, whole.scene.notes)
            say_cost(options, "planning", whole.scene)
            scene, prepared = plan_groups(
                whole, progress, headed=True, better=partial(say_better, options)
            )
    except (NoPathError, SamplingError, ConfirmationError) as error:
        facts = _unsolved(scenario, error, perf_counter() - began)
        write_unsolved(options, scenario, error)
        if is_result_file(options.output):
            write_result(options, facts, [])
        show(options, facts, f"not solved: {facts['reason']}")
        return 1
    except Interrupted as stopped:
        save_interrupted(options, scenario, stopped.roadmap)
        raise
    total = perf_counter() - began
    plans = [group for group in prepared if isinstance(group, GroupPlan)]
    if not plans:
        raise InputError(f"{options.target}: no group has a goal to plan for; `rmp3d run` runs it")
    write_files(options, scenario, scene, plans)
    _state(options, scenario, plans, total)
    if any(group.plan.improved.stopped for group in plans):
        raise KeyboardInterrupt
    return 0


def _state(
    options: argparse.Namespace, scenario: "ScenarioTable", plans: list["GroupPlan"], total: float
) -> None:
    """Print the answer, and write it if the options ask for that."""
    facts = _solved(scenario, plans, total, options.quiet or options.json)
    if is_result_file(options.output):
        from rmp3d.plans.asking import bodies_of_groups

        write_result(options, facts, bodies_of_groups(plans, scenario))
    text = _text(facts)
    if options.verbose:
        facts["details"] = details(scenario, plans)
        text += f"\n{details_text(facts['details'])}"
    show(options, facts, text)


def _use_ends(options: argparse.Namespace) -> None:
    """Make ``--start`` and ``--goal`` those of the scenario's first group."""
    from rmp3d.geometry.errors import InputError

    for end in ("start", "goal"):
        values = getattr(options, end)
        if values is None:
            continue
        if len(values) != 3:
            raise InputError(f"--{end} must be x y z [m], got {values}")
        options.overrides.append(f"groups.0.{end}={values}")


def _solved(
    scenario: "ScenarioTable", plans: list["GroupPlan"], total: float, quiet: bool
) -> dict[str, Any]:
    """Return the facts of the main group, with those of the others in ``groups``."""
    from rmp3d.plans.facts import group_facts, scenario_key
    from rmp3d.terminal.progress import progress_bar

    coverages: dict[Any, float] = {}
    groups = []
    with progress_bar("measure", "groups", quiet=quiet) as progress:
        for plan in plans:
            groups.append(group_facts(plan, scenario.seed, coverages))
            if progress is not None:
                progress(len(groups), len(plans))
    build = sum(plan.plan.build_seconds for plan in plans)
    query = sum(plan.plan.query_seconds for plan in plans)
    main = {key: value for key, value in groups[0].items() if key != "name"}
    optimize = sum(plan.plan.seconds.get("optimize", 0.0) for plan in plans)
    seconds = {"load": total - build - query - optimize, "build": build, "query": query}
    seconds |= {"optimize": optimize} if any(plan.plan.improvements for plan in plans) else {}
    seconds["total"] = total
    return {
        "scenario": scenario.name,
        "seed": scenario.seed,
        "solved": True,
        "reason": None,
        **main,
        "seconds": {key: round(value, 6) for key, value in seconds.items()},
        "groups": groups,
        "problem": scenario_key(scenario),
    }


def _unsolved(scenario: "ScenarioTable", error: Exception, total: float) -> dict[str, Any]:
    from rmp3d.plans.facts import scenario_key

    statistics = getattr(error, "statistics", None)
    obstacle = getattr(error, "obstacle", None)
    queries = statistics and {
        "collision": statistics.collision_queries,
        "distance": statistics.distance_queries,
    }
    return {
        "scenario": scenario.name,
        "seed": scenario.seed,
        "solved": False,
        "reason": str(error),
        "obstacle": None if obstacle is None else obstacle.facts(),
        "space": scenario.planner.space,
        "certified": False,
        "confirmed_by": [],
        "path": [],
        "length": None,
        "clearance_min": None,
        "nodes": getattr(statistics, "nodes", None),
        "edges": getattr(statistics, "edges", None),
        "components": getattr(error, "components", None),
        "largest_component": max(getattr(error, "sizes", ()), default=None),
        "queries": queries,
        "seconds": {"load": None, "build": None, "query": None, "total": round(total, 6)},
        "problem": scenario_key(scenario),
    }


def _text(facts: dict[str, Any]) -> str:
    from rmp3d.plans.confirming import confirmation_text
    from rmp3d.terminal.text_table import table

    columns = {
        "name": "group",
        "space": "space",
        "length": "length [m]",
        "clearance_min": "clearance [m]",
        "nodes": "nodes",
        "edges": "edges",
        "components": "components",
        "largest_component": "largest",
        "coverage": "coverage",
    }
    rows = [[group[key] for key in columns] for group in facts["groups"]]
    seconds, queries = facts["seconds"], facts["queries"]
    gained = "".join(improved_text(group) for group in facts["groups"])
    return (
        f"{table(rows, tuple(columns.values()))}\n"
        f"certified and {confirmation_text(facts)}; {queries['collision']} collision and "
        f"{queries['distance']} distance queries\n"
        f"{seconds['total']:.2f} s: load {seconds['load']:.2f}, build {seconds['build']:.2f}, "
        f"query {seconds['query']:.2f}"
        f"{gained and chr(10)}{gained.rstrip()}"
    )
