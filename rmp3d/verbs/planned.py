"""Targets that are plans: options, and the plan of a problem file, a scenario, or a result."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rmp3d.terminal.output import say, say_if_compiling
from rmp3d.terminal.progress import progress_bar

if TYPE_CHECKING:
    from rmp3d.plans.body_plan import WatchedPlan

OPTIONS = ("query", "robot", "seed", "time_limit")


def add_plan_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a problem file or a scenario is planned."""
    group = parser.add_argument_group(
        "planning", "Of a problem file or scenario; a result (.json) has its path already."
    )
    group.add_argument("--query", type=Path, metavar="FILE", help="start and goal of an .env")
    group.add_argument(
        "--robot", type=Path, metavar="FILE", help="robot of an .env, a .robot or a mesh"
    )
    group.add_argument("--seed", type=int, metavar="N", help="seed of all randomness")
    group.add_argument("--time-limit", type=float, metavar="S", help="longest time to plan [s]")


def refuse_plan_options(
    options: argparse.Namespace, what: str, *, but: tuple[str, ...] = ()
) -> None:
    """Refuse options of planning, and ``--set``, for a target that is not planned.

    Raises:
        InputError: Names the option.
    """
    from rmp3d.geometry.errors import InputError

    given = [name for name in OPTIONS if getattr(options, name) is not None and name not in but]
    if getattr(options, "overrides", None) and "set" not in but:
        given.append("set")
    if given:
        flag = given[0].replace("_", "-")
        raise InputError(f"{options.target}: --{flag} means nothing for {what}; leave it out")


def is_plan(target: str) -> bool:
    """Whether a target is a problem file, or the result of planning one or a scenario."""
    from rmp3d.scenario.targets import is_problem, is_result

    return is_problem(target) or is_result(target)


def is_scenario(target: str) -> bool:
    """Whether a target is a scenario: built in, or a file."""
    from rmp3d.scenes import builtin_scenarios

    return target in builtin_scenarios() or Path(target).suffix == ".toml"


def read_plan(options: argparse.Namespace) -> "WatchedPlan":
    """Return the problem of a file without planning, or a result with its path.

    Raises:
        InputError: A file is wrong.
    """
    from rmp3d.scenario.targets import is_result

    if is_result(options.target):
        for name in ("query", "robot"):
            if getattr(options, name) is not None:
                from rmp3d.geometry.errors import InputError

                raise InputError(f"{options.target}: --{name} is for an .env problem")
        from rmp3d.plans.saved import load_plan

        return load_plan(Path(options.target))
    from rmp3d.planner import Problem
    from rmp3d.plans.body_plan import WatchedPlan

    return WatchedPlan.of_problem(
        Problem.load(options.target, robot=options.robot, query=options.query)
    )


def plan_of_target(options: argparse.Namespace) -> "WatchedPlan":
    """Return the plan of ``options.target``: read from a result, else planned now.

    Raises:
        InputError: A file, an option or a key is wrong.
        PlanningError: A start or goal of a scenario is not free.
        KeyboardInterrupt: The user stopped the planning.
    """
    from rmp3d.scenario.targets import is_problem, is_result

    if is_result(options.target):
        refuse_plan_options(options, "a result, which has its path")
        from rmp3d.plans.saved import load_plan

        return load_plan(Path(options.target))
    if is_problem(options.target):
        return _of_problem(options)
    refuse_plan_options(options, "a scenario", but=("seed", "time_limit", "set"))
    return _of_scenario(options)


def _of_problem(options: argparse.Namespace) -> "WatchedPlan":
    from rmp3d.planner.problems.files import read_problem
    from rmp3d.plans.asking import plan_request
    from rmp3d.plans.body_plan import WatchedPlan
    from rmp3d.problem_options import refuse_idle, request_of

    refuse_idle(options)
    file = read_problem(Path(options.target), robot=options.robot, query=options.query)
    request = request_of(options, file)
    for note in file.notes:
        say(options, note)
    say_if_compiling(options)
    with progress_bar("plan", request.unit, quiet=options.quiet or options.json) as progress:
        result = plan_request(file.problem, request, progress)
    if result.interrupted:
        raise KeyboardInterrupt
    if not result.solved:
        say(options, f"not solved: {result.reason}")
    return WatchedPlan.of_result(result)


def _of_scenario(options: argparse.Namespace) -> "WatchedPlan":
    from rmp3d.errors import prefix_errors_with_file
    from rmp3d.plans.asking import plan_scenario
    from rmp3d.scenario import Scenario
    from rmp3d.scenario.loading import load

    overrides = list(getattr(options, "overrides", []))
    if options.time_limit is not None:
        overrides.append(f"planner.seconds={float(options.time_limit)}")
    scenario = Scenario.of(load(options.target, overrides, seed=options.seed))
    say_if_compiling(options)
    with (
        prefix_errors_with_file(options.target),
        progress_bar("plan", "nodes", quiet=options.quiet or options.json) as progress,
    ):
        planned = plan_scenario(scenario, progress)
    if not planned.solved:
        say(options, f"not solved: {planned.facts['reason']}")
    return planned
