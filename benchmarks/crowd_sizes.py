"""Crowds of any size: time of a step by its stages, planning and memory, as a table.

    python -m benchmarks.crowd_sizes [--towns 1:1000,4:10000] [--fields 100000] [--steps 10]
                                     [--seed 0] [-o FILE]

A town is `city` K x K times side by side, with a part of the members given after the colon; a field
is level ground. Every member goes to a place of its own some 40 m away. Times are of the processor,
so that other work does not count: those of the thread that calls, and those of the threads that
help it. The caller computes blocks of rows beside them, so on idle cores a step takes the first.
"""

import argparse
import fnmatch
import platform
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time, thread_time
from typing import Any

import numpy as np

import rmp3d as rp
from benchmarks.campaign import publish
from rmp3d.behaviors.groups import Crowd
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.graphs import component_numbers
from rmp3d.geometry.parallel import using_threads
from rmp3d.models import load_character
from rmp3d.planner.spaces import GroundSpace, make_space
from rmp3d.scenes.builtin import builtin_description
from rmp3d.simulation import Simulation

SIDE = 60.0  # [m] of the quarter
APART = 0.75  # [m] of places on a grid
FAR = 40.0  # [m] of a goal
WARM = 20  # steps before the clock runs
STAGES = {
    "perceive and desire": ("_members", ("perceive", "desire")),
    "combine": ("_members", ("combine",)),
    "traffic": ("_traffic", ("resolve",)),
    "safety": ("_safety", ("velocity",)),
    "figures of the run": ("log", ("measure", "take_events", "complete_since", "add_energy")),
}


def town(side: int) -> rp.Scene:
    """Return the quarter side x side times, without the walls around each."""
    city, (description, _) = rp.Scene.load("city"), builtin_description("city")
    left_out = ("wall *", "outskirts", "coping", "gates")
    meshes = {
        f"{part.name} {a} {b}": (part.mesh.vertices + SIDE * np.array([a, b, 0]), part.mesh.faces)
        for a in range(side)
        for b in range(side)
        for part in city.parts
        if not any(fnmatch.fnmatchcase(part.name, name) for name in left_out)
    }
    roles = {f"{name} *": role for name, role in description.roles.items() if name != "*"}
    used = {g: r for g, r in roles.items() if any(fnmatch.fnmatchcase(n, g) for n in meshes)}
    low, high = city.bounds
    top = [high[0] + SIDE * (side - 1), high[1] + SIDE * (side - 1), high[2]]
    bounds = np.array([low, top])
    return rp.Scene.from_mesh(
        meshes, name=f"town {side}", roles={**used, "*": "obstacle"}, bounds=bounds, max_slope=30.0
    )


def field(members: int) -> rp.Scene:
    """Return level ground with 2.5 square meters for each member."""
    half = 0.5 * (2.5 * members) ** 0.5 + 2.0
    corners = [[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]]
    return rp.Scene.from_mesh((corners, [[0, 1, 2], [0, 2, 3]]), roles={"*": "ground"})


def trips(scene: rp.Scene, count: int, rng: np.random.Generator) -> tuple[Float, Float]:
    """Return starts and goals (count, 3) [m] on a grid, all joined by steps from place to place."""
    from scipy.spatial import cKDTree

    pedestrian = load_character("pedestrian")
    step = pedestrian.parameters.max_step
    space = make_space("ground", scene, pedestrian.body, max_step=step)
    assert isinstance(space, GroundSpace)
    low, high = scene.bounds[0] + 0.7, scene.bounds[1] - 0.7
    x, y = np.arange(low[0], high[0], APART), np.arange(low[1], high[1], APART)
    grid = np.stack(np.meshgrid(x, y, [0.3], indexing="ij"), axis=-1).reshape(-1, 3)
    place, face = space.surface.locate(grid, 0.6, 0.6)
    free = face >= 0
    free[free] = space.is_free(place[free])
    row = np.arange(len(grid)).reshape(len(x), len(y))
    pairs = np.concatenate([
        np.stack([one.ravel(), other.ravel()], axis=1)
        for one, other in ((row[1:], row[:-1]), (row[:, 1:], row[:, :-1]))
    ])  # fmt: skip
    pairs = pairs[free[pairs].all(axis=1)]
    pairs = pairs[space.connects(place[pairs[:, 0]], place[pairs[:, 1]])]
    part = component_numbers(len(grid), pairs)
    place = place[part == np.bincount(part).argmax()]
    starts, taken = place[rng.permutation(len(place))[:count]], np.zeros(len(place), np.bool_)
    turn = 2.0 * np.pi * rng.random(count)
    wanted = starts + FAR * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    _, near = cKDTree(place).query(wanted, k=40)
    goals = []
    for member in range(count):
        open_ = near[member][~taken[near[member]]]
        goals.append(int(open_[0]) if len(open_) else int(np.flatnonzero(~taken)[0]))
        taken[goals[-1]] = True
    return starts, place[goals]


def timed(simulation: Simulation) -> dict[str, list[float]]:
    """Let the stages of a simulation note their times [s]: of the calling thread, and of all."""
    spent: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def noting(call: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def noted(*args: Any, **options: Any) -> Any:
            own, every = thread_time(), process_time()
            try:
                return call(*args, **options)
            finally:
                spent[stage][0] += thread_time() - own
                spent[stage][1] += process_time() - every

        return noted

    for stage, (part, names) in STAGES.items():
        owner = getattr(simulation, part)
        for name in names:
            setattr(owner, name, noting(getattr(owner, name), stage))
    return spent


def measured(scene: rp.Scene, where: str, count: int, options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of a crowd of one size, by one thread and by two."""
    starts, goals = trips(scene, count, np.random.default_rng(options.seed))
    nodes = max(400, min(2000, count // 5))
    for threads in (1, 2):
        with using_threads(threads):
            began = process_time()
            crowd = rp.Group(members=count, behavior=Crowd.between(starts, goals, nodes=nodes))
            run = Simulation(scene, crowd, seed=options.seed, duration=600.0)
            planned = process_time() - began
            for _ in range(WARM):
                run.step()
            spent = timed(run)
            own, every = thread_time(), process_time()
            for _ in range(options.steps):
                run.step()
            own, every = thread_time() - own, process_time() - every
        rest = [own - sum(s[0] for s in spent.values()), every - sum(s[1] for s in spent.values())]
        scale = 1e3 / options.steps
        cells = [
            f"{scale * one:.1f} + {scale * max(0.0, both - one):.1f}"
            for one, both in [*(spent[stage] for stage in STAGES), rest, (own, every)]
        ]
        idle = max(own, every / threads)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        yield (
            f"| {count:,} | {where} | {threads} | {planned:.1f} | {' | '.join(cells)} "
            f"| {options.steps / idle:.1f} | {memory:.2f} |"
        )


def report(options: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Crowds of all sizes"
    yield ""
    yield f"Made by `python -m benchmarks.crowd_sizes --steps {options.steps}`,"
    yield f"{platform.machine()}, Python {platform.python_version()}. Milliseconds of the processor"
    yield "for a step: of the calling thread + of those that help it. *Steps/s* is what follows for"
    yield "idle cores."
    yield ""
    yield (
        f"| members | where | threads | planning [s] | {' | '.join(STAGES)} | the rest | all "
        "| steps/s | memory [GiB] |"
    )
    yield "|---" * (len(STAGES) + 8) + "|"
    for text in filter(None, options.towns.split(",")):
        side, count = map(int, text.split(":"))
        yield from measured(town(side), f"{side} x {side} quarters", count, options)
    for text in filter(None, options.fields.split(",")):
        yield from measured(field(int(text)), "a field", int(text), options)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--towns", default="1:1000,4:10000")
    parser.add_argument("--fields", default="100000")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    publish(report(options), options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
