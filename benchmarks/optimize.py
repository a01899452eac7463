"""How short paths get, and when, against planners of the OMPL wheel; prints Markdown tables.

    python -m benchmarks.optimize [--parasol FOLDER] [--ompl-python /path/to/venv/bin/python]
                                  [--problems plate,window] [--seeds 5] [--seconds 10]
                                  [--peers BITstar,AORRTC,PRMstar,RRTstar] [--peer-seeds 1]
                                  [--peer-seconds 60] [--rules] [-o benchmarks/optimize.md]

Lengths are of certified paths, in the measure of the problem files: translation, plus the radius of
the body times the angle. A peer's path, the shorter of the one found and its simplification, is
measured in the same way, and looked at 50 times finer than OMPL does. Seconds are processor seconds
from the beginning of planning, so that a busy machine gives about the same numbers. With
``--rules``, each rule of the optimizer is left out in turn.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from benchmarks.dense_check import DenseCheck
from benchmarks.rigid_problems import MAKERS, make_problems, write_archive
from rmp3d.geometry.arrays import Float
from rmp3d.planner.costs.length import LengthCost
from rmp3d.planner.errors import ConfirmationError
from rmp3d.planner.optimizing.optimizer import PathOptimizer
from rmp3d.planner.optimizing.rules import RULES
from rmp3d.planner.planners import plan
from rmp3d.planner.problems.files import read_problem
from rmp3d.planner.problems.measures import path_length
from rmp3d.planner.problems.problem import Problem
from rmp3d.scenes.problems.rigid_problem import RigidProblem

MARKS = (1.0, 3.0, 10.0)
MADE = ("house", "cubicles", "twisted_tunnel", "rings_wide", "plate", "bugtrap", "bars")
FILES = {"window": Path("docs/examples/window.cfg")}
PARASOL = {
    "serial": Path("SerialWalls/serial.env"),
    "ltunnel": Path("LTunnel/tunnel.env"),
    "ztunnel": Path("ZTunnel/tunnel.env"),
}
PEERS = ("BITstar", "AORRTC", "PRMstar", "RRTstar")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    lines = []
    for line in _report(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _report(options: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        problems = _problems(options, Path(folder))
        if options.seeds:
            yield from _lengths(options, problems)
        if options.rules:
            yield from _without(options, problems)
        if options.ompl_python:
            yield from _against(options, problems, Path(folder))


def _problems(options: argparse.Namespace, folder: Path) -> dict[str, RigidProblem]:
    wanted = options.problems.split(",") if options.problems else [*MADE, *FILES, *PARASOL]
    made = make_problems(folder, [name for name in wanted if name in MAKERS])
    files = {**made, **FILES}
    if options.parasol:
        files |= {name: options.parasol / file for name, file in PARASOL.items()}
    return {name: read_problem(files[name]).problem for name in wanted if name in files}


def _lengths(options: argparse.Namespace, problems: dict[str, RigidProblem]) -> Iterator[str]:
    """Yield the table of lengths over time."""
    marks = [mark for mark in MARKS if mark <= options.seconds]
    yield f"## Length over time, {options.seeds} seeds"
    yield ""
    yield "Medians over the seeds; spread: the longest over the shortest at the end."
    yield ""
    head = " | ".join(f"{mark:g} s" for mark in marks)
    yield f"| problem | first path [s] | first | {head} | shortest | longest | spread | of first |"
    yield "|---" * (7 + len(marks)) + "|"
    for name, problem in problems.items():
        rows = [run(problem, seed, options.seconds) for seed in range(options.seeds)]
        rows = [row for row in rows if row]
        if not rows:
            yield f"| {name} | not solved |"
            continue
        firsts, lasts = [row[0] for row in rows], [row[-1][1] for row in rows]
        cells = [name, f"{median(at for at, _ in firsts):.2f}"]
        cells.append(f"{median(size for _, size in firsts):.2f}")
        cells += [f"{median(_at(row, mark) for row in rows):.2f}" for mark in marks]
        cells += [f"{min(lasts):.2f}", f"{max(lasts):.2f}", f"{max(lasts) / min(lasts):.2f}"]
        first = [size for _, size in firsts]
        cells.append(f"{max(first) / min(first):.2f}")
        yield "| " + " | ".join(cells) + " |"
    yield ""


def run(
    problem: RigidProblem, seed: int, seconds: float, rules: Sequence[str] = RULES
) -> list[tuple[float, float]]:
    """Return processor seconds and length of the first path, and of every one confirmed later."""
    plan(Problem.of_rigid(problem), time_limit=0.01)  # loads the kernels
    began = process_time()
    result = plan(Problem.of_rigid(problem), seed=seed, time_limit=120.0)
    if not result.solved:
        return []
    history = [(process_time() - began, path_length(problem, result.configurations))]
    space, cost = result.session.space, LengthCost()
    optimizer = PathOptimizer(
        space, cost, result.configurations, np.random.default_rng(seed), rules,
        grown=result.legs[0].grown,
    )  # fmt: skip
    kept = 0.0  # for the last turn and for confirming its path, as `Improving` keeps it
    while (clock := process_time()) - began + kept < seconds:
        optimizer.advance()
        if optimizer.total < 0.995 * history[-1][1]:
            _state(history, optimizer, problem, began)
        kept = max(kept, process_time() - clock)
    _state(history, optimizer, problem, began)
    return history


def _state(
    history: list[tuple[float, float]],
    optimizer: PathOptimizer,
    problem: RigidProblem,
    began: float,
) -> None:
    try:
        optimizer.space.world.confirm(optimizer.vertices)
    except ConfirmationError as error:
        print(f"{problem.name}: {error}", file=sys.stderr)
        return
    history.append((process_time() - began, path_length(problem, optimizer.vertices)))


def _at(history: Sequence[tuple[float, float]], mark: float) -> float:
    """Return the length of the best path that was there at a time; infinite: none was."""
    return min((size for at, size in history if at <= mark), default=np.inf)


def _without(options: argparse.Namespace, problems: dict[str, RigidProblem]) -> Iterator[str]:
    """Yield the table of lengths without each rule."""
    yield f"## Without each rule: median and longest length after {options.seconds:g} s"
    yield ""
    yield "| problem | all | " + " | ".join(f"without `{rule}`" for rule in RULES) + " |"
    yield "|---" * (2 + len(RULES)) + "|"
    for name, problem in problems.items():
        cells = [name]
        for left_out in (None, *RULES):
            rules = [rule for rule in RULES if rule != left_out]
            rows = [run(problem, seed, options.seconds, rules) for seed in range(options.seeds)]
            lasts = [row[-1][1] for row in rows if row]
            cells.append(f"{median(lasts):.2f}, {max(lasts):.2f}")
        yield "| " + " | ".join(cells) + " |"
    yield ""


def _against(
    options: argparse.Namespace, problems: dict[str, RigidProblem], folder: Path
) -> Iterator[str]:
    """Yield the table of peers."""
    yield f"## The OMPL wheel with a python-fcl callback, {options.peer_seconds:g} s"
    yield ""
    yield f"{options.peer_seeds} seeds each. In brackets: paths that collide when looked at finer."
    yield ""
    yield "| problem | " + " | ".join(options.peers.split(",")) + " |"
    yield "|---" * (1 + len(options.peers.split(","))) + "|"
    for name, problem in problems.items():
        check, archive = DenseCheck(problem), folder / f"{name}.npz"
        write_archive(archive, problem)
        cells = [name]
        for peer in options.peers.split(","):
            rows = [_peer(options, peer, archive, seed) for seed in range(options.peer_seeds)]
            found = [_shorter(problem, row) for row in rows if row["solved"]]
            lengths = sorted(path_length(problem, path) for path in found)
            lengths += [np.inf] * (len(rows) - len(found))
            bad = sum(check.collides(path) for path in found)
            half = median(lengths)
            cells.append(f"{half:.2f} ({bad}/{len(found)})" if np.isfinite(half) else "not solved")
        yield "| " + " | ".join(cells) + " |"
    yield ""


def _shorter(problem: RigidProblem, row: dict[str, Any]) -> Float:
    """Return the shorter of a peer's paths (K, 7), as found and simplified."""
    paths = np.array(row["raw"]), np.array(row["simple"])
    return min(paths, key=lambda path: path_length(problem, path))


def _peer(options: argparse.Namespace, peer: str, archive: Path, seed: int) -> dict[str, Any]:
    """Run a peer once, in its own Python.

    Raises:
        RuntimeError: It failed; with what it said.
    """
    script = Path(__file__).parent / "ompl_peer.py"
    limit = options.peer_seconds
    command = [options.ompl_python, script, archive, peer, seed, limit, "optimize"]
    ran = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=100 * limit + 60
    )
    for line in ran.stdout.splitlines():
        if line.startswith("{"):
            answer: dict[str, Any] = json.loads(line)
            return answer
    raise RuntimeError(f"OMPL's {peer} failed: {ran.stderr[-500:]}")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.optimize", description=__doc__.split("\n")[0])
    parser.add_argument("--parasol", type=Path, metavar="FOLDER", help="with the environments")
    parser.add_argument("--ompl-python", metavar="FILE", help="Python that has the OMPL wheel")
    parser.add_argument("--problems", metavar="A,B", help="by default all")
    parser.add_argument("--seeds", type=int, default=5, help="of ours")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S")
    parser.add_argument("--peers", default=",".join(PEERS), metavar="A,B")
    parser.add_argument("--peer-seeds", type=int, default=1, help="of each peer")
    parser.add_argument("--peer-seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--rules", action="store_true", help="leave out each rule in turn")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
