"""What `rmp3d plan` does with a problem file: read it, solve it, state the answer."""

import argparse
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rmp3d.plans.result_file import is_result_file, write_result
from rmp3d.problem_options import Request, refuse_idle, request_of
from rmp3d.terminal.improving import improved_text, say_better
from rmp3d.terminal.output import say, show
from rmp3d.terminal.progress import progress_bar

if TYPE_CHECKING:
    from rmp3d.planner.planners import PlanResult
    from rmp3d.planner.problems.files import ProblemFile

STAGES = ("compile", "setup", "search", "shorten", "confirm", "optimize")
"""Of planning, in their order."""


def plan_problem(options: argparse.Namespace) -> int:
    """Solve the problem file of the command line; return the exit code.

    Raises:
        InputError: What is wrong with the files or the options.
    """
    began = options.began
    refuse_idle(options)
    from rmp3d.planner.problems.files import read_problem
    from rmp3d.plans.confirming import judged_twice
    from rmp3d.plans.facts import problem_facts, problem_key

    file = read_problem(Path(options.target), robot=options.robot, query=options.query)
    request = request_of(options, file)
    for note in file.notes:
        say(options, note)
    loaded = perf_counter()
    with progress_bar("plan", request.unit, quiet=options.quiet or options.json) as progress:
        result = _result(options, file, request, progress)
    result = judged_twice(result)
    facts = problem_facts(file.problem, result, request.seed)
    facts["problem"] = problem_key(
        Path(options.target), options.robot, options.query, request.stops
    )
    if len(request.stops) > 2:
        facts["stops"] = [file.problem.row(stop) for stop in request.stops]
    spent = {key: result.seconds.get(key, 0.0) for key in STAGES}
    seconds = {
        "load": loaded - began + spent["compile"] + spent["setup"],
        "build": spent["search"],
        "query": spent["shorten"] + spent["confirm"],
        **({"optimize": spent["optimize"]} if result.improvements else {}),
        **({"judge": result.seconds["judge"]} if "judge" in result.seconds else {}),
        "total": perf_counter() - began,
    }
    facts["seconds"] = {key: round(value, 6) for key, value in seconds.items()}
    if is_result_file(options.output):
        from rmp3d.plans.body_plan import BodyPlan

        write_result(options, facts, [BodyPlan.of_result(result, facts=facts)])
    show(options, facts, _text(facts))
    if result.reason == "interrupted" or result.improved.stopped:
        raise KeyboardInterrupt
    return 0 if result.solved else 1


def _result(
    options: argparse.Namespace, file: "ProblemFile", request: Request, progress: Any
) -> "PlanResult":
    """Plan, and write the files that the options ask for."""
    from rmp3d.planner.planners import plan
    from rmp3d.planner.problems.problem import Problem

    result = plan(
        Problem.of_rigid(file.problem, request.stops, backend=request.backend),
        planner=request.planner,
        roadmap=request.roadmap,
        seed=request.seed,
        time_limit=_time_left(options, request),
        progress=progress,
        optimization=request.optimization,
        better=partial(say_better, options),
    )
    if options.save is not None:
        from rmp3d.planner.roadmap.storage import save_roadmap

        save_roadmap(result.roadmap, options.save)
        say(options, f"roadmap: {options.save}")
    if options.graphml is not None:
        from rmp3d.planner.roadmap.graphml import save_graphml

        save_graphml(result.roadmap, options.graphml)
        say(options, f"graph: {options.graphml}")
    if options.output is not None and not is_result_file(options.output):
        _draw(options.output, request, result)
        say(options, f"map: {options.output}")
    return result


def _time_left(options: argparse.Namespace, request: Request) -> float:
    """Return what is left of the time limit [s] after the start of Python and reading.

    Never nothing: a solver without time would not even say that start or goal is not free.
    """
    spent = perf_counter() - options.began
    return max(request.time_limit - spent, 0.1 * request.time_limit)


def _draw(output: Path, request: Request, result: "PlanResult") -> None:
    from rmp3d.viewer.plots.maps import save_map

    roadmap = result.roadmap
    save_map(
        output,
        roadmap.space.world.scene,
        nodes=roadmap.configurations[:, :3],
        edges=roadmap.edges,
        component=roadmap.component,
        paths=[path[:, :3] for path in result.ways],
        names=[f"way {k + 1}: {way.length:.4g}" for k, way in enumerate(result.alternatives)],
        start=request.stops[0, :3],
        goal=request.stops[-1, :3],
        title=f"{roadmap.space.world.scene.name}, seed {request.seed}",
    )


def _text(facts: dict[str, Any]) -> str:
    queries, seconds = facts["queries"], facts["seconds"]
    work = (
        f"{facts['nodes']} nodes, {facts['edges']} edges, {facts['components']} components; "
        f"{queries['collision']} collision and {queries['distance']} distance queries; "
        f"{seconds['total']:.2f} s"
    )
    from rmp3d.plans.confirming import confirmation_text

    if not facts["solved"]:
        return f"{facts['scenario']}: not solved: {facts['reason']}\n{work}"
    proof = f"certified and {confirmation_text(facts)}" if facts["certified"] else "not certified"
    least = facts["clearance_min"]
    near = "" if least is None else f", clearance at least {least:.3g}"
    return (
        f"{facts['scenario']}: solved, {proof}\n"
        f"{len(facts['path'])} waypoints, length {facts['length']:.3f}{near}\n"
        f"{improved_text(facts)}{work}"
    )
