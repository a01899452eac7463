"""The same members in one group and in many: planning time and steps a second, as a table.

    python -m benchmarks.crowd_groups [--members 1000] [--groups 1,10,100,1000] [--seed 0]
                                      [--steps 100] [-o benchmarks/crowd_groups.md]

Every member has a start and a goal of its own in `city`. ``crowd`` spreads them over so many
groups; ``self_guided`` has one start and one goal for each group. Times are CPU time.
"""

import argparse
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np

import rmp3d as rp
from benchmarks.campaign import publish
from rmp3d.behaviors.groups import Crowd
from rmp3d.geometry.arrays import Float
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.simulation import Simulation

# Least distance between two starts, and between two goals [m].
APART = 0.7
# Steps before the clock runs.
WARM = 30


def free_places(scene: rp.Scene, count: int, rng: np.random.Generator) -> Float:
    """Return places (count, 3) [m] of pedestrians, none near another."""
    pedestrian = load_character("pedestrian")
    step = pedestrian.parameters.max_step
    space = make_space("ground", scene, pedestrian.body, max_step=step)
    found = np.zeros((0, 3))
    while len(found) < count:
        for point in space.from_unit_cube(rng.random((200, 3))):
            apart = np.linalg.norm(found - point, axis=1) > APART
            if len(found) < count and apart.all() and space.is_free(point[None])[0]:
                found = np.concatenate([found, point[None]])
    return found


def groups_of(behavior: str, starts: Float, goals: Float, groups: int) -> list[rp.Group]:
    """Return the members, one for each row of starts and goals (N, 3), in so many groups."""
    found = []
    for start, goal in zip(np.split(starts, groups), np.split(goals, groups), strict=True):
        if behavior == "crowd":
            trips = Crowd.between(start, goal)
            found.append(rp.Group(members=len(start), behavior=trips))
        else:
            own = {"start": start[0], "goal": goal[0], "behavior": behavior}
            found.append(rp.Group(members=len(start), **own))
    return found


def measured(groups: list[rp.Group], seed: int, steps: int) -> tuple[float, float]:
    """Return the time of planning and beginning [s], and the steps a second."""
    began = process_time()
    simulation = Simulation("city", groups, seed=seed, duration=600.0)
    planned = process_time() - began
    for _ in range(WARM):
        simulation.step()
    began = process_time()
    for _ in range(steps):
        simulation.step()
    return planned, steps / (process_time() - began)


def report(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the page."""
    rng = np.random.default_rng(options.seed)
    scene = rp.Scene.load("city")
    starts, goals = (free_places(scene, options.members, rng) for _ in range(2))
    yield "# The same members in one group and in many"
    yield ""
    yield f"Made by `python -m benchmarks.crowd_groups --members {options.members} --groups"
    yield f"{options.groups} --seed {options.seed}`, {platform.machine()}, Python"
    yield f"{platform.python_version()}. {options.members} pedestrians in `city`. Times are of the"
    yield "processor; planning is all that happens before the first step."
    yield ""
    yield "| behavior | groups | planning [s] | steps/s |"
    yield "|---|---|---|---|"
    measured(groups_of("crowd", starts[:10], goals[:10], 1), options.seed, 5)  # loads the kernels
    for behavior in options.behaviors.split(","):
        for groups in map(int, options.groups.split(",")):
            own = groups_of(behavior, starts, goals, groups)
            try:
                planned, rate = measured(own, options.seed, options.steps)
            except rp.Rmp3dError as error:
                yield f"| `{behavior}` | {groups} | {error} | |"
                continue
            yield f"| `{behavior}` | {groups} | {planned:.1f} | {rate:.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--members", type=int, default=1000)
    parser.add_argument("--groups", default="1,10,100,1000")
    parser.add_argument("--behaviors", default="crowd,self_guided")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    publish(report(options), options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
