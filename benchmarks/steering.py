"""Milliseconds a step of flocks and of walkers, how they grow, and a million steps of hugging.

    python -m benchmarks.steering [--steps 30] [--quick] [-o benchmarks/steering.md]

Every row is measured in a process of its own, on one thread, as CPU time: the median over the
steps of the best of three runs. The numpy form is the same flock with scipy's tree and numpy.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.campaign import publish

SIZES = {
    "flocking": (1_000, 10_000, 100_000),
    "numpy": (1_000, 10_000, 100_000),
    "walkers": (1_000, 10_000),
}
RUNS = 3
# Another program's figures for a flock of as many, on a machine of 2 cores, one thread [ms].
OPENSTEER = {1_000: 0.96, 10_000: 14.1, 100_000: 277.0}


def main() -> int:
    options = _options()
    if options.case:
        print(json.dumps(_measured(*options.case.split(":"), options.steps)))
        return 0
    began = perf_counter()
    sizes = {case: sizes[: 1 if options.quick else None] for case, sizes in SIZES.items()}
    results = {}
    for case, counts in sizes.items():
        for count in counts:
            print(f"\r{case} {count:,}          ", end="", file=sys.stderr)
            results[case, count] = _in_a_process(case, count, options.steps)
    from benchmarks.hugging import wander

    members, steps = (100, 100) if options.quick else (1_000, 1_000)
    hugging = [wander(scene, members, steps) for scene in ("rock_valley", "city")]
    print(file=sys.stderr)
    publish(_report(results, hugging, perf_counter() - began), options.output)
    return 1 if any(row["jumps"] or row["farthest_off"] > 0.01 for row in hugging) else 0


def _in_a_process(case: str, count: int, steps: int) -> dict[str, Any]:
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.steering"]
    command += ["--case", f"{case}:{count}", "--steps", str(steps)]
    done = subprocess.run(
        command, env=os.environ | threads, check=True, capture_output=True, text=True
    )
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _measured(case: str, count: str, steps: int) -> dict[str, Any]:
    """Return the median times of the parts of a step [ms], and the memory [MB]."""
    from benchmarks.steering_cases import CASES

    started = _peak()
    steps = max(5, min(steps, 300_000 // int(count)))
    best: list[float] = []
    for _ in range(RUNS):
        moving = CASES[case](int(count))
        for _ in range(5 if case != "walkers" else 30):
            moving.step()
        times = np.array([moving.step() for _ in range(steps)])
        parts = [1e3 * median(column) for column in times.T.tolist()]
        if not best or sum(parts) < sum(best):
            best = parts
    return {
        "parts": dict(zip(moving.parts, best, strict=True)),
        "megabytes": _peak(),
        "megabytes_before": started,
    }


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _report(
    results: dict[tuple[str, int], dict[str, Any]], hugging: list[dict[str, Any]], wall: float
) -> Iterator[str]:
    yield "# Steering: milliseconds a step"
    yield ""
    yield f"Made by `rmp3d bench steering` in {wall:.0f} s on {os.cpu_count()} cores"
    yield f"({platform.machine()}, {_processor()}), Python {platform.python_version()}; one thread,"
    yield "CPU time, median over the steps of the best of three runs."
    yield ""
    yield "## Flocking in space: separation, alignment, cohesion; about 7 neighbors"
    yield ""
    yield "Forces: the search for neighbors and the three behaviors. Whole step: limits of the"
    yield "vehicles, banking and the new state, too. The numpy form differs in the forces only."
    yield ""
    yield (
        "| birds | forces [ms] | numpy + cKDTree [ms] | ratio | whole step [ms] | memory [MB] "
        "| OpenSteer (C++), elsewhere [ms] |"
    )
    yield "|---|---|---|---|---|---|---|"
    for case, count in results:
        if case == "flocking":
            yield _flocking_row(results, count)
    for case, name in (("flocking", "forces"), ("numpy", "numpy form")):
        if _exponent(results, case, 0) is not None:
            yield ""
            yield (
                f"Fitted exponent of the {name}: N^{_exponent(results, case, 0):.2f}; "
                f"of the whole step: N^{_exponent(results, case, None):.2f}."
            )
    yield ""
    yield "## Walkers: neighbors, avoidance of the scene, traffic, safety, surface hugging"
    yield ""
    parts = next(row["parts"] for (case, _), row in results.items() if case == "walkers")
    yield f"| walkers | {' [ms] | '.join(parts)} [ms] | whole step [ms] | memory [MB] |"
    yield "|---" * (3 + len(parts)) + "|"
    for (case, count), row in results.items():
        if case == "walkers":
            times = " | ".join(f"{value:.2f}" for value in row["parts"].values())
            whole = sum(row["parts"].values())
            yield f"| {count:,} | {times} | {whole:.2f} | {row['megabytes']:.0f} |"
    if _exponent(results, "walkers", None) is not None:
        yield ""
        yield f"Exponent: N^{_exponent(results, 'walkers', None):.2f}."
    yield ""
    yield "## Surface hugging"
    yield ""
    yield (
        "| scene | member-steps | walked [km] | stops at borders | farthest off the surface [m] "
        "| changes of level |"
    )
    yield "|---|---|---|---|---|---|"
    for row in hugging:
        yield (
            f"| {row['scene']} | {row['member_steps']:,} | {row['walked'] / 1000:.1f} "
            f"| {row['stops']:,} | {row['farthest_off']:.1e} | {row['jumps']} |"
        )


def _flocking_row(results: dict[tuple[str, int], dict[str, Any]], count: int) -> str:
    mine, numpy_form = results["flocking", count], results["numpy", count]
    forces, plain = (row["parts"]["search and forces"] for row in (mine, numpy_form))
    return (
        f"| {count:,} | {forces:.2f} | {plain:.2f} | {plain / forces:.1f} "
        f"| {sum(mine['parts'].values()):.2f} | {mine['megabytes']:.0f} "
        f"| {OPENSTEER[count]:g} |"
    )


def _exponent(
    results: dict[tuple[str, int], dict[str, Any]], case: str, part: int | None
) -> float | None:
    """Return the slope of the time over the number, both logarithmic; of one part, or of all."""
    rows = [(count, row) for (name, count), row in results.items() if name == case]
    if len(rows) < 2:
        return None
    times = [
        sum(row["parts"].values()) if part is None else list(row["parts"].values())[part]
        for _, row in rows
    ]
    return float(np.polyfit(np.log([count for count, _ in rows]), np.log(times), 1)[0])


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=30, help="timed in each run, at most")
    parser.add_argument("--quick", action="store_true", help="only the smallest sizes")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
