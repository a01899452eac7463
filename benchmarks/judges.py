"""The kernels' proofs of motions against two judges that share no code with them; prints a table.

    python -m benchmarks.judges [--problems house,plate] [--puzzles alpha,screw] [--room 0.01]
                                [--motions 100] [--seed 0] [-o benchmarks/judges.md]

Motions are random: half of them far apart, half between configurations near each other and next to
an obstacle, where a proof is tight. A contact is missed if the kernels prove a motion free that
python-fcl finds in collision at steps 50 times finer than OMPL's. A false alarm is a motion that
interval arithmetic proves free and the kernels do not.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.campaign import publish
from benchmarks.dense_check import DenseCheck
from benchmarks.ladder import problem_of
from benchmarks.puzzles import PUZZLES, families_of
from benchmarks.rigid_problems import MAKERS, make_problems
from rmp3d.geometry.arrays import Float
from rmp3d.planner.problems.files import read_problem
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes.problems.rigid_problem import RigidProblem
from rmp3d.verification.interval_judge import IntervalJudge

NEAR = 0.3  # of the reach: spread of ends that are near their start
TIGHT = 0.05  # of the reach: greatest gap of what is next to an obstacle


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    publish(_report(options), options.output)
    return 0


def _report(options: argparse.Namespace) -> Iterator[str]:
    yield "# The kernels' proofs against two judges"
    yield ""
    yield f"{options.motions} random motions each, seed {options.seed}."
    yield ""
    yield "| problem | proved | refused | contacts missed | by kernels alone | false alarms |"
    yield "|---|---|---|---|---|---|"
    for name, problem in _problems(options).items():
        counts = compared(problem, options.motions, options.seed)
        yield f"| {name} | " + " | ".join(map(str, counts)) + " |"


def compared(problem: RigidProblem, count: int, seed: int) -> tuple[int, int, int, int, int]:
    """Return how many of random motions are proved and refused by the kernels, and how wrongly.

    Returns:
        Proved, refused; contacts missed; proved by the kernels but not by interval arithmetic;
        and false alarms.
    """
    assert problem.obstacles is not None
    space = RigidBodySpace.of_problem(problem)
    start, end = motions(space, count, np.random.default_rng(seed))
    proved = space.world.touch_nothing(start, end)
    judge, dense = IntervalJudge(problem.robot, problem.obstacles), DenseCheck(problem)
    pairs = list(zip(start, end, strict=True))
    free = np.array([judge.motion_is_free(*pair) for pair in pairs])
    missed = sum(dense.edge_collides(*pairs[row]) for row in np.flatnonzero(proved))
    alone, alarms = int((proved & ~free).sum()), int((free & ~proved).sum())
    return int(proved.sum()), int((~proved).sum()), missed, alone, alarms


def motions(space: RigidBodySpace, count: int, rng: np.random.Generator) -> tuple[Float, Float]:
    """Return starts and ends (count, 7) of motions between free configurations."""
    free = np.zeros((0, 7))
    while len(free) < count:
        drawn = space.sample(8 * count, rng)
        drawn = drawn[space.is_free(drawn)]
        gap = space.world.clearance(drawn, TIGHT * space.reach)
        tight = drawn[gap < TIGHT * space.reach]
        free = np.concatenate([free, tight[: count // 4], drawn[: count // 4]])
    start = free[rng.permutation(len(free))[:count]]
    end = free[rng.permutation(len(free))[:count]]
    half = count // 2
    near = space.near(start[:half], NEAR * space.reach, rng)
    kept = space.is_free(near)
    end[:half][kept] = near[kept]
    return start, end


def _problems(options: argparse.Namespace) -> dict[str, RigidProblem]:
    names = [name for name in options.problems.split(",") if name]
    with tempfile.TemporaryDirectory() as folder:
        files = make_problems(Path(folder), names)
        problems = {name: read_problem(file).problem for name, file in files.items()}
    for family in options.puzzles:
        problems[f"{family} {options.room:g}"] = problem_of(family, options.room)
    return problems


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.judges", description=__doc__.split("\n")[0])
    usual = [name for name in MAKERS if name != "fine_house"]
    parser.add_argument("--problems", default=",".join(usual), metavar="A,B")
    parser.add_argument("--puzzles", default=",".join(PUZZLES), metavar="A,B")
    parser.add_argument("--room", type=float, default=0.01, help="of the puzzles")
    parser.add_argument("--motions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    options.puzzles = families_of(parser, options.puzzles)
    return options


if __name__ == "__main__":
    sys.exit(main())
