"""The safety layer alone: symmetric crowds that must pass one another, and time per step.

    python -m benchmarks.safety [--sizes 1000,10000,100000] [--steps 12] [-o benchmarks/safety.md]

Times are CPU times of one process and one thread. The numbers of RVO2-3D (C++, one thread,
van den Berg, Guy, Lin, Manocha 2011) were measured with its published examples and settings on
a machine of the same kind.
"""

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from benchmarks.campaign import publish
from benchmarks.crowd_cases import DT, SYMMETRIC, FreeCrowd, free_flock
from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.safety.moving import GUARANTEED
from rmp3d.behaviors.safety.stopping import reach_of_speed
from rmp3d.behaviors.vehicles import attainable
from rmp3d.geometry.vectors import unit

# What RVO2-3D did in the same cases, and its time for a step by the number of members [ms].
PEER_ENDS = ("both stand still for ever", "nobody arrives", "158,760 overlapping pair-steps", "")
PEER_TIME = {1_000: 2.7, 10_000: 35.0, 100_000: 565.0}
LONGEST = 900.0  # of a case [s]
SIGHT = 3.0  # within which a member of the loose crowd has seven others [m]


class End(NamedTuple):
    """How a symmetric case ended."""

    members: int
    arrived: int
    last: float
    least_gap: float
    overlaps: int
    jams: int
    step: float


def run_case(make: Callable[[], FreeCrowd]) -> End:
    """Run one to its end; the step is in CPU milliseconds."""
    crowd = make()
    began = process_time()
    steps = sum(1 for _ in crowd.run(LONGEST))
    there = np.isfinite(crowd.arrival) & crowd.there
    return End(
        len(crowd.flock), int(there.sum()), float(crowd.arrival[there].max(initial=0.0)),
        crowd.least_gap, crowd.overlaps, crowd.traffic.jams,
        1e3 * (process_time() - began) / max(steps, 1),
    )  # fmt: skip


def time_step(count: int, steps: int, *, packed: bool) -> tuple[float, float]:
    """Return the median CPU time of a step of the constraint [ms], and neighbors per member.

    Spheres of radius 0.5 m at speeds near 1 m/s, all wishing at random, in free space. In the
    loose crowd each has seven others within `SIGHT`; in the packed one seven that it could touch
    before both have stopped, so that each is held by seven planes.
    """
    rng = np.random.default_rng(0)
    side = int(np.ceil((0.5 * count) ** (1.0 / 3.0)))
    cells = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)
    cubic = np.concatenate([cells, cells + 0.5])  # body-centered: eight nearest neighbors
    spacing = 1.6 if packed else 3.15
    place = (cubic * spacing)[rng.permutation(len(cubic))[:count]]
    if not packed:
        place += rng.uniform(-0.3, 0.3, place.shape)
    flock = free_flock(place, radius=0.5, cruise_speed=1.0, max_speed=2.0, force=4.0)
    velocity = unit(rng.normal(size=(count, 3)))
    flock = flock.moved(velocity=velocity)
    safety = SafetyConstraint(dt=DT)
    times = []
    for _ in range(steps + 2):
        wish = unit(rng.normal(size=(count, 3)))
        proposal = attainable(flock, wish, DT)
        began = process_time()
        safety.velocity(flock, proposal, wish)
        times.append(process_time() - began)
    loss = GUARANTEED * 4.0 * DT
    stop = reach_of_speed(1.0 + 4.0 * DT, loss, DT)  # at most, after speeding up for a step
    reach = 0.5 + stop if packed else 0.5 * SIGHT
    pairs = near_pairs(place, np.full(count, reach))
    return 1e3 * float(np.median(times[2:])), 2.0 * len(pairs) / count


def exponent(sizes: list[int], times: list[float]) -> float:
    """Return b of the power law time = a N^b that fits best."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def main() -> int:
    options = _options()
    ends = {name: run_case(make) for name, make in SYMMETRIC.items()}
    publish([*_head(), *_cases(ends), *_times(options)], options.output)
    return int(any(end.arrived < end.members or end.overlaps for end in ends.values()))


def _head() -> Iterator[str]:
    yield "# Safety: symmetric crowds, and time per step"
    yield ""
    yield f"Made by `rmp3d bench safety`, {platform.machine()}, Python {platform.python_version()},"
    yield "one process and one thread; times are CPU times. The cases contain no randomness."
    yield ""


def _cases(ends: dict[str, End]) -> Iterator[str]:
    yield (
        "| case | members | arrived | last arrival [s] | least gap on the way [mm] "
        "| overlapping pair-steps | jams | ms a step | RVO2-3D |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for (name, end), peer in zip(ends.items(), PEER_ENDS, strict=True):
        yield (
            f"| {name} | {end.members} | {end.arrived} | {end.last:.1f} "
            f"| {1e3 * end.least_gap:.3f} | {end.overlaps} | {end.jams} | {end.step:.2f} | {peer} |"
        )
    yield ""


def _times(options: argparse.Namespace) -> Iterator[str]:
    sizes = [int(size) for size in options.sizes.split(",")]
    found = {
        packed: [time_step(size, options.steps, packed=packed) for size in sizes]
        for packed in (False, True)
    }
    yield f"Time of a step of the safety layer in free space (medians of {options.steps} steps):"
    yield ""
    yield "| members | 7 others within 3 m [ms] | 7 planes each [ms] | RVO2-3D, 7 neighbors [ms] |"
    yield "|---|---|---|---|"
    for row, size in enumerate(sizes):
        (loose, _), (packed, _) = found[False][row], found[True][row]
        yield f"| {size:,} | {loose:.2f} | {packed:.2f} | {PEER_TIME.get(size, '')} |"
    yield ""
    for packed, what in ((False, "7 others within 3 m"), (True, "7 planes each")):
        fit = exponent(sizes, [time for time, _ in found[packed]])
        seen = ", ".join(f"{near:.1f}" for _, near in found[packed])
        yield f"{what}: time grows as N^{fit:.2f}; neighbors counted: {seen}."
    if set(sizes) == set(PEER_TIME):
        yield f"RVO2-3D: N^{exponent(sizes, [PEER_TIME[size] for size in sizes]):.2f}."


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
