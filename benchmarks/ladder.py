"""The ladder of puzzles: how tight each family may be, and still be solved; prints a table.

    python -m benchmarks.ladder [--families trap,screw] [--rooms 0.1,0.03] [--seeds 3]
                                [--seconds 60] [--without guide,follow] [-o benchmarks/ladder.md]

Seconds are processor seconds of the search with all that belongs to it, so that a busy machine
gives about the same numbers. A room at which no seed is solved ends a family. Rules that may be
left out: ``guide`` (all that follow), ``smaller`` and ``thinner`` bodies, ``center`` and ``mend``
(their paths are moved to the middle, and made whole for larger bodies), ``follow`` (passages).
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from benchmarks.puzzles import PUZZLES, families_of
from rmp3d.geometry import Float
from rmp3d.planner.planners import plan
from rmp3d.planner.planners import sliding_trees as planner
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees import guide, shrunk, tight_places
from rmp3d.planner.trees.mesh_gaps import Gaps
from rmp3d.planner.trees.turns import Turns
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


def _no_guide() -> None:
    planner.GUIDE_LEAD = NEVER


def _no_smaller() -> None:
    guide.SMALLER = ()


def _no_thinner() -> None:
    guide.THINNER = ()


def _no_center() -> None:
    def stays(_space: RigidBodySpace, rows: Float) -> tuple[Float, Float]:
        return np.array(rows), np.zeros(len(rows))

    shrunk.centered = stays


def _no_mend() -> None:
    shrunk.LARGER = ()


def _no_follow() -> None:
    def nothing(*_arguments: object) -> Turns:
        yield
        return np.zeros((0, 7))

    shrunk.through_passages = nothing


def _no_tight() -> None:
    def nothing(*_arguments: object) -> Gaps:
        return Gaps(np.zeros((0, 3)), np.zeros(0))

    tight_places.gaps_of = nothing


OFF: dict[str, Callable[[], None]] = {
    "guide": _no_guide, "smaller": _no_smaller, "thinner": _no_thinner, "center": _no_center,
    "mend": _no_mend, "follow": _no_follow, "tight": _no_tight,
}  # fmt: skip


def leave_out(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """Leave out rules of the search in this process; end with words if there is none such."""
    for name in names:
        if name not in OFF:
            parser.error(f"no rule named `{name}`; choose from {', '.join(OFF)}")
        OFF[name]()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.ladder", description=__doc__.split("\n")[0])
    parser.add_argument("--families", default=",".join(PUZZLES), metavar="A,B")
    parser.add_argument("--rooms", default=ROOMS, metavar="R,R", help="the widest first")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="seed")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--without", default="", metavar="A,B", help=", ".join(OFF))
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    options.families = families_of(parser, options.families)
    leave_out(parser, [name for name in options.without.split(",") if name])
    lines = []
    for line in rungs(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
