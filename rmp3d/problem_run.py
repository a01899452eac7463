"""What `rmp3d plan` does with a problem file: read it, solve it, state the answer."""

import argparse
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from geometry.errors import InputError
from rmp3d.progress import progress_bar
from rmp3d.verbs.options import say, show

if TYPE_CHECKING:
    from planner.problem import Problem
    from planner.rigid import Solution

TIME_LIMIT = 60.0
"""For planning [s], where neither the command line nor the file says otherwise."""

STAGES = ("compile", "setup", "search", "shorten", "confirm")
"""Of the solver, in its order."""

IDLE = ("members", "behavior", "formation", "duration")
"""Options of scenarios that mean nothing for a problem."""


def plan_problem(options: argparse.Namespace) -> int:
    """Solve the problem file of the command line; return the exit code.

    Raises:
        InputError: What is wrong with the files or the options.
    """
    began = perf_counter()
    _refuse_idle(options)
    from planner.problem_files import read_problem

    file = read_problem(Path(options.target), robot=options.robot, query=options.query)
    from planner.rigid import solve

    for note in file.notes:
        say(options, note)
    loaded = perf_counter()
    limit = options.time_limit or file.time_limit or TIME_LIMIT
    seed = options.seed or 0
    with progress_bar("plan", "s", quiet=options.quiet or options.json) as progress:
        solution = solve(file.problem, seed=seed, time_limit=limit, progress=progress)
    facts = facts_of(file.problem, solution, seed)
    spent = {key: solution.seconds.get(key, 0.0) for key in STAGES}
    seconds = {
        "load": loaded - began + spent["compile"] + spent["setup"],
        "build": spent["search"],
        "query": spent["shorten"] + spent["confirm"],
        "total": perf_counter() - began,
    }
    facts["seconds"] = {key: round(value, 6) for key, value in seconds.items()}
    show(options, facts, _text(facts))
    if solution.reason == "interrupted":
        raise KeyboardInterrupt
    return 0 if solution.solved else 1


def facts_of(problem: "Problem", solution: "Solution", seed: int) -> dict[str, Any]:
    """Return the answer as the machine-readable output has it, without ``seconds``.

    Path rows are x y z, and w x y z of the quaternion if the body may turn, in the coordinates
    of the problem's file. Length is that of the space: of translation, plus the rotation angle
    times the radius of the body about its reference point. Queries are those of search,
    shortening, and confirmation by python-fcl together.
    """
    from planner.problem_path import least_clearance, path_length

    work, judged = solution.counts, solution.judge_counts
    return {
        "scenario": problem.name,
        "seed": seed,
        "solved": bool(solution.solved),
        "reason": None if solution.solved else solution.reason,
        "space": problem.space,
        "certified": bool(solution.certified),
        "path": [problem.row(row) for row in solution.path] if solution.solved else [],
        "length": path_length(problem, solution.path) if solution.solved else None,
        "clearance_min": least_clearance(problem, solution.path) if solution.solved else None,
        "nodes": int(solution.nodes),
        "edges": int(solution.edges),
        "components": int(solution.components),
        "largest_component": int(solution.largest_component),
        "queries": {
            "collision": work.collision + judged.collision,
            "distance": work.distance + judged.distance,
        },
    }


def _refuse_idle(options: argparse.Namespace) -> None:
    given = [f"--{name}" for name in IDLE if getattr(options, name) is not None]
    given += ["--set"] if options.overrides else []
    given += ["--output"] if options.output is not None else []
    if given:
        raise InputError(f"{options.target}: {given[0]} means nothing for a problem file")
    if options.time_limit is not None and not options.time_limit > 0.0:
        raise InputError(f"--time-limit must be above 0, got {options.time_limit}")
    if options.seed is not None and options.seed < 0:
        raise InputError(f"--seed must not be negative, got {options.seed}")


def _text(facts: dict[str, Any]) -> str:
    queries, seconds = facts["queries"], facts["seconds"]
    work = (
        f"{facts['nodes']} nodes, {facts['edges']} edges, {facts['components']} components; "
        f"{queries['collision']} collision and {queries['distance']} distance queries; "
        f"{seconds['total']:.2f} s"
    )
    if not facts["solved"]:
        return f"{facts['scenario']}: not solved: {facts['reason']}\n{work}"
    proof = "certified and confirmed by python-fcl" if facts["certified"] else "not certified"
    least = facts["clearance_min"]
    near = "" if least is None else f", clearance at least {least:.3g}"
    return (
        f"{facts['scenario']}: solved, {proof}\n"
        f"{len(facts['path'])} waypoints, length {facts['length']:.3f}{near}\n{work}"
    )
