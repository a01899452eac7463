"""The ladder of puzzles: how tight each family may be, and still be solved; prints a table.

    python -m benchmarks.ladder [--families trap,screw] [--rooms 0.1,0.03] [--seeds 3]
                                [--seconds 60] [--without guide,thinner] [-o benchmarks/ladder.md]

Seconds are processor seconds of the search with all that belongs to it, so that a busy machine
gives about the same numbers. A room at which no seed is solved ends a family.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from benchmarks.puzzles import PUZZLES, families_of
from rmp3d.planner.planners import plan
from rmp3d.planner.planners import sliding_trees as planner
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.trees import guide
from rmp3d.scenes.problems.rigid_problem import RigidProblem

ROOMS = "0.1,0.05,0.03,0.02,0.01,0.005"
NEVER = 1e12  # work before shrunk bodies are tried


def problem_of(family: str, room: float) -> RigidProblem:
    """Return a puzzle as a problem; obstacles are solid."""
    robot, world, bounds, start, goal = PUZZLES[family](room)
    return RigidProblem(
        f"{family} {room:g}", robot, world, True, bounds, False, "rigid", start, goal
    )


def seconds_of(problem: RigidProblem, seed: int, limit: float) -> float:
    """Return the processor seconds until a path is certified; infinite if there is none by then."""
    began = process_time()

    def ends(_done: int, _total: int) -> None:
        if process_time() - began > limit:
            raise KeyboardInterrupt

    try:
        result = plan(Problem.of_rigid(problem), seed=seed, time_limit=20 * limit, progress=ends)
    except KeyboardInterrupt:
        return np.inf
    return process_time() - began if result.solved and result.certified else np.inf


def rungs(options: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of the table."""
    yield "| family | room | solved | median [s] | longest [s] |"
    yield "|---|---|---|---|---|"
    for family in options.families:
        for room in map(float, options.rooms.split(",")):
            problem = problem_of(family, room)
            plan(Problem.of_rigid(problem), time_limit=0.01)  # loads the kernels
            taken = [
                seconds_of(problem, seed, options.seconds)
                for seed in range(options.first, options.first + options.seeds)
            ]
            solved = np.isfinite(taken).sum()
            cells = f"{median(taken):.1f} | {max(taken):.1f}".replace("inf", "-")
            yield f"| {family} | {room:g} | {solved} of {len(taken)} | {cells} |"
            if solved == 0:
                break


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.ladder", description=__doc__.split("\n")[0])
    parser.add_argument("--families", default=",".join(PUZZLES), metavar="A,B")
    parser.add_argument("--rooms", default=ROOMS, metavar="R,R", help="the widest first")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="seed")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--without", default="", metavar="A,B", help="guide, smaller, thinner")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    options.families = families_of(parser, options.families)
    off = options.without.split(",")
    if "guide" in off:
        planner.GUIDE_LEAD = NEVER
    if "smaller" in off:
        guide.SMALLER = ()
    if "thinner" in off:
        guide.THINNER = ()
    lines = []
    for line in rungs(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
