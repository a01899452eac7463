"""The planner for rigid bodies against published numbers and its peers; prints Markdown tables.

    python -m benchmarks.planner [--parasol FOLDER] [--ompl-python /path/to/venv/bin/python]
                                 [--seeds 10] [--peer-seeds 3] [--time-limit 20]
                                 [-o benchmarks/planner.md]

Three parts: environments of the Parasol lab (only if their folder is given), problems made here
against the OMPL wheel (only if the Python of an environment with ``ompl``, ``python-fcl`` and
``numpy`` is given), and checks per second against python-fcl in a loop.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import collision
from benchmarks.dense_check import DenseCheck
from benchmarks.rigid_problems import HARDER, make_problems, write_archive
from rmp3d.planner.planners import PlanResult, plan
from rmp3d.planner.problems.files import read_problem
from rmp3d.planner.problems.problem import Problem
from rmp3d.scenes.problems.rigid_problem import RigidProblem

PARASOL = (
    ("ZTunnel", "ZTunnel/tunnel.env", None, "PRM", 20_783_414, 100),
    ("ZTunnel", "ZTunnel/tunnel.env", None, "RRT", 1_286_308, 100),
    ("SerialWalls", "SerialWalls/serial.env", None, "OBPRM", 12_970_998, 100),
    ("Maze", "Maze/maze.env", None, "OBPRM", 14_633_653, 100),
    ("Heterogeneous", "Heterogeneous/heterogeneous2D.env", None, "OBPRM", 3_661_820, 100),
    ("LTunnel, small robot", "LTunnel/tunnel.env", None, "RRT", 82_064, 10),
    ("LTunnel, L robot", "LTunnel/tunnel.env", "LTunnel/l-robot.g", "", None, 10),
    ("LTunnel, skinny L", "LTunnel/tunnel.env", "LTunnel/l-robot-skinny.g", "", None, 10),
    ("SimpleObstacle 1", "SimpleObstacle/Obstacle1/obstacle.env", None, "OBPRM", 248_564, 100),
    ("SimpleObstacle 2", "SimpleObstacle/Obstacle2/obstacle.env", None, "OBPRM", 172_098, 100),
    ("SimpleObstacle 3", "SimpleObstacle/Obstacle3/obstacle.env", None, "OBPRM", 121_903, 100),
    ("alpha1.6", "alpha1.6/alpha.env", None, "OBPRM", 264_501_104, 100),
)
"""Name, environment, robot, published strategy and collision calls, and the part of them aimed at.

Published by the Parasol lab with the environments, for its C++ library on its machine."""

PEERS = ("RRTConnect", "PRM")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    began = perf_counter()
    lines = []
    for line in _report(options):
        print(line, flush=True)
        lines.append(line)
    print(f"{perf_counter() - began:.0f} s", file=sys.stderr)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _report(options: argparse.Namespace) -> Iterator[str]:
    yield "# Planner for rigid bodies: published numbers, peers, checks per second"
    yield ""
    yield f"{_processor()}, {os.cpu_count()} cores, one used; Python {platform.python_version()}."
    yield f"{options.seeds} seeds of ours, {options.peer_seeds} of each peer (fewer where so many"
    yield f"failed that the median is known), limit {options.time_limit:g} s. Medians are over all"
    yield "seeds, an unsolved run counted as infinitely slow. Our times are wall time of set-up"
    yield "(trees of boxes, models of python-fcl), search, shortening and confirmation together, in"
    yield "a process that has loaded the kernels; reading files is not in them. OMPL's are without"
    yield "its set-up."
    yield ""
    yield "Queries of ours are of three kinds. *Motions*: configurations checked, and whole motions"
    yield "proved or refused in one traversal of boxes and time. *Contacts*: nearest contacts asked"
    yield "for by a slide. *Judge*: all calls of python-fcl that confirm the path."
    yield ""
    if options.parasol:
        yield from _parasol(options)
    with tempfile.TemporaryDirectory() as folder:
        problems = {
            name: read_problem(path).problem for name, path in make_problems(Path(folder)).items()
        }
        yield from _against_ompl(options, problems, Path(folder))
        scenes = {name: row for name, row in problems.items() if name not in HARDER}
        yield from collision.report(scenes)


def _parasol(options: argparse.Namespace) -> Iterator[str]:
    """Yield the table of environments against published collision calls."""
    yield "## Environments of the Parasol lab"
    yield ""
    yield "Ours / published: all three kinds of queries together against the published collision"
    yield "calls (of which one looks at one configuration). Aim: a hundredth, LTunnel a tenth."
    yield "Where the small robot of LTunnel misses it: a slide asks for contacts at each of its"
    yield "steps, about a quarter of all queries there; but the motions alone are too many as well."
    yield ""
    yield (
        "| environment | solved | certified | motions | contacts | judge | published (strategy) "
        "| ours / published | aim met | median [s] | slowest [s] |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    answers: dict[tuple[str, str | None], list[PlanResult]] = {}
    for name, file, robot, strategy, published, part in PARASOL:
        if (file, robot) not in answers:
            own_robot = options.parasol / robot if robot else None
            problem = read_problem(options.parasol / file, robot=own_robot).problem
            answers[file, robot] = _solve_all(problem, options)
        rows = answers[file, robot]
        work = [_infinite(row, _queries(row)) for row in rows]
        ratio = median(work) / published if published else np.nan
        cells = [
            name,
            f"{sum(row.solved for row in rows)}/{len(rows)}",
            f"{sum(row.certified for row in rows)}/{len(rows)}",
            *_kinds(rows),
            f"{published:,} ({strategy})" if published else "none",
            f"{100 * ratio:.2f} %" if published else "",
            ("yes" if ratio * part <= 1.0 else "no") if published else "",
            _number(median(_infinite(row, row.seconds["total"]) for row in rows)),
            _number(max(_infinite(row, row.seconds["total"]) for row in rows)),
        ]
        yield _row(cells)
    yield ""


def _against_ompl(
    options: argparse.Namespace, problems: dict[str, RigidProblem], folder: Path
) -> Iterator[str]:
    """Yield the table of made problems, ours and the peers' answers looked at 50 times finer."""
    yield "## Rigid-body problems made here, against the OMPL wheel with a python-fcl callback"
    yield ""
    yield "Ours: until the certified, shortened and confirmed path. OMPL: until its first path,"
    yield "before simplification. Colliding: paths (OMPL's simplified; raw in brackets) that"
    yield "collide at 50 times OMPL's resolution, of those found."
    yield ""
    yield (
        "| problem | planner | solved | median [s] | slowest [s] | motions (OMPL: checks) "
        "| contacts | judge | colliding |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, problem in problems.items():
        check = DenseCheck(problem)
        rows = _solve_all(problem, options)
        bad = sum(check.collides(row.configurations) for row in rows if row.solved)
        times = [_infinite(row, row.seconds["total"]) for row in rows]
        cells = [name, "ours", f"{sum(row.solved for row in rows)}/{len(rows)}"]
        found = sum(row.solved for row in rows)
        yield _row(
            [*cells, _number(median(times)), _number(max(times)), *_kinds(rows), f"{bad}/{found}"]
        )
        for peer in PEERS if options.ompl_python else ():
            yield _peer_row(options, peer, problem, check, folder)
    if not options.ompl_python:
        yield ""
        yield "(No `--ompl-python` was given: the peers did not run.)"
    yield ""


def _peer_row(
    options: argparse.Namespace, peer: str, problem: RigidProblem, check: DenseCheck, folder: Path
) -> str:
    archive = folder / f"{problem.name}.npz"
    write_archive(archive, problem)
    rows: list[dict[str, Any]] = []
    for seed in range(options.peer_seeds):
        # More than half have failed: more runs would not change the median.
        if 2 * sum(not row["solved"] for row in rows) > options.peer_seeds:
            break
        rows.append(_run_peer(options, peer, archive, seed))
    found = [row for row in rows if row["solved"]]
    times = [row["seconds"] if row["solved"] else np.inf for row in rows]
    bad, raw = (
        sum(check.collides(np.array(row[key])) for row in found) for key in ("simple", "raw")
    )
    cells = [problem.name, f"OMPL {peer}", f"{len(found)}/{len(rows)}"]
    cells += [_number(median(times)), _number(max(times))]
    cells += [f"{median(row['checks'] for row in rows):,.0f}", "", ""]
    return _row([*cells, f"{bad}/{len(found)} ({raw}/{len(found)})"])


def _run_peer(options: argparse.Namespace, peer: str, archive: Path, seed: int) -> dict[str, Any]:
    """Run the peer once, in its own Python.

    Raises:
        RuntimeError: It failed; with what it said.
    """
    script = Path(__file__).parent / "ompl_peer.py"
    limit = options.time_limit
    command = [options.ompl_python, script, archive, peer, seed, limit]
    ran = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=4 * limit + 60
    )
    for line in ran.stdout.splitlines():
        if line.startswith("{"):
            answer: dict[str, Any] = json.loads(line)
            return answer
    raise RuntimeError(f"OMPL's {peer} failed: {ran.stderr[-500:]}")


def _solve_all(problem: RigidProblem, options: argparse.Namespace) -> list[PlanResult]:
    plan(Problem.of_rigid(problem), time_limit=0.01)  # compiles, builds nothing that is kept
    rows = []
    for seed in range(options.seeds):
        if sys.stderr.isatty():
            print(f"\r{problem.name}, seed {seed}   \r", end="", file=sys.stderr, flush=True)
        asked = Problem.of_rigid(problem)
        rows.append(plan(asked, seed=seed, time_limit=options.time_limit))
    return rows


def _kinds(rows: Sequence[PlanResult]) -> list[str]:
    """Return the median queries of each kind: motions, contacts, judge."""
    kinds = (
        [row.counts.collision for row in rows],
        [row.counts.distance for row in rows],
        [row.judge_counts.collision + row.judge_counts.distance for row in rows],
    )
    return [f"{median(kind):,.0f}" for kind in kinds]


def _processor() -> str:
    """Return the processor's name where Linux tells it, else the machine's kind."""
    facts = Path("/proc/cpuinfo")
    for line in facts.read_text().splitlines() if facts.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _queries(row: PlanResult) -> int:
    counts, judged = row.counts, row.judge_counts
    return counts.collision + counts.distance + judged.collision + judged.distance


def _infinite(row: PlanResult, value: float) -> float:
    return value if row.solved else np.inf


def _number(seconds: float) -> str:
    return f"{seconds:.2f}" if np.isfinite(seconds) else "-"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.planner", description=__doc__.split("\n")[0])
    parser.add_argument("--parasol", type=Path, metavar="FOLDER", help="with the environments")
    parser.add_argument("--ompl-python", metavar="FILE", help="Python that has the OMPL wheel")
    parser.add_argument("--seeds", type=int, default=10, help="of ours")
    parser.add_argument("--peer-seeds", type=int, default=3, help="of each peer")
    parser.add_argument("--time-limit", type=float, default=20.0, metavar="S")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
