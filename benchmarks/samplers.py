"""Every sampler in every built-in scene: tries, nodes and seconds until it connects, coverage.

    python -m benchmarks.samplers [--seeds 5] [--scenes parking,...] [--samplers uniform,...]
                                  [-o benchmarks/samplers.md]
    python -m benchmarks.samplers --pictures docs/pictures

Nodes needed: the fewest first nodes of a roadmap that join start and goal of the scene's own
scenario. Seconds: to build a roadmap of so many nodes. Coverage: share of random free
configurations with a certified straight motion to a near node of the largest component.
"""

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from scipy.spatial import cKDTree

from benchmarks import sampler_pictures
from benchmarks.campaign import publish
from rmp3d.geometry import Float
from rmp3d.geometry.choices import Choice, choose
from rmp3d.models import load_character
from rmp3d.planner import (
    LOCAL_PLANNERS,
    SAMPLERS,
    NoPathError,
    Roadmap,
    RoadmapSettings,
    SamplingError,
    Space,
    extend_roadmap,
    make_space,
)
from rmp3d.planner.roadmap.search import shortest_route
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenario.loading import load
from rmp3d.scenes import Region, Scene, builtin_folder, load_scene

TRIES, BATCH = 10_000, 500
STRAIGHT = ("linear", "translation_only")  # the same where bodies do not turn
SEQUENCES, STRIDE = ("faure", "halton", "niederreiter", "sobol"), 8192
SIZES = (200, 800, 3200)  # nodes of roadmaps that are searched for the fewest
COVERING, PROBES, NEAREST = 200, 1000, 10  # nodes; configurations; nodes that each tries


@dataclass(frozen=True)
class Problem:
    """A scene's space with start and goal (3,), and free configurations to cover (M, 3)."""

    space: Space
    start: Float
    goal: Float
    probes: Float


@dataclass(frozen=True)
class Row:
    """What one seed gave; nodes None: not joined by the largest roadmap."""

    share: float
    nodes: int | None
    seconds: float
    coverage: float


def main() -> int:
    options = _options()
    if options.pictures:
        sampler_pictures.main(options.pictures)
        return 0
    began = perf_counter()
    kinds = [(sampler, "linear") for sampler in options.samplers.split(",")]
    kinds += [("uniform", name) for name in LOCAL_PLANNERS if name not in STRAIGHT]
    lines = []
    for scene in options.scenes.split(","):
        problem = problem_of(scene)
        measure(problem, "sobol", "potential_field", 0)  # compiles and imports before the clock
        for sampler, local_planner in kinds:
            print(f"{scene}: {sampler}, {local_planner}", file=sys.stderr)
            rows = [measure(problem, sampler, local_planner, seed) for seed in range(options.seeds)]
            lines.append(_line(scene, sampler, local_planner, rows))
    publish([*_head(options, perf_counter() - began), *lines], options.output)
    return 0


def measure(problem: Problem, sampler: Choice, local_planner: str, seed: int) -> Row:
    """Measure a sampler with a seed."""
    space = problem.space
    rng = np.random.default_rng(seed)
    kind = choose(SAMPLERS, sampler)
    found = sum(len(kind.attempt(space, BATCH, first, rng)) for first in range(0, TRIES, BATCH))
    settings = RoadmapSettings(sampler=sampler, local_planner=local_planner)
    # Sequences have no seed: each time they begin farther on.
    begin = seed * STRIDE if sampler in SEQUENCES else 0
    empty = replace(Roadmap.empty(space), attempts=begin)
    rng, roadmap = np.random.default_rng(seed), empty
    nodes, coverage = None, 0.0
    try:
        for size in SIZES:
            roadmap = extend_roadmap(roadmap, replace(settings, nodes=size), rng)
            coverage = coverage or _coverage(_first(roadmap, COVERING), problem.probes)
            nodes = _fewest(roadmap, problem)
            if nodes is not None:
                break
    except SamplingError:
        pass
    seconds = np.inf
    if nodes is not None:
        rng = np.random.default_rng(seed)
        built = extend_roadmap(empty, replace(settings, nodes=max(nodes, 1)), rng)
        seconds = built.seconds
    return Row(found / TRIES, nodes, seconds, coverage)


def problem_of(name: str) -> Problem:
    """Return the space, start and goal of a built-in scene, and probes."""
    scenario = load(name)
    scene = load_scene(scenario.scene, builtin_folder(name))
    group = scenario.groups[0]
    character = load_character(group.characters[0])
    space = make_space("ground" if character.grounded else "translation", scene, character.body)
    start = endpoint(space, _place(scene, group.start), "start")
    goal = endpoint(space, _place(scene, group.goal), "goal")
    probes = space.from_unit_cube(np.random.default_rng(99).random((10 * PROBES, space.dimension)))
    return Problem(space, start, goal, probes[space.is_free(probes)][:PROBES])


def _place(scene: Scene, place: str | Sequence[float]) -> Region | Float:
    return scene.region(place) if isinstance(place, str) else np.array(place, dtype=np.float64)


def _first(roadmap: Roadmap, count: int) -> Roadmap:
    """Return the roadmap of the first nodes, and of the edges between them."""
    kept = (roadmap.edges < count).all(axis=1)
    return replace(
        roadmap,
        configurations=roadmap.configurations[:count],
        clearance=roadmap.clearance[:count],
        edges=roadmap.edges[kept],
        edge_length=roadmap.edge_length[kept],
        edge_clearance=roadmap.edge_clearance[kept],
        polylines=tuple(roadmap.polylines[row] for row in np.flatnonzero(kept)),
    )


def _fewest(roadmap: Roadmap, problem: Problem) -> int | None:
    """Return the fewest first nodes that join start and goal; None if all of them do not."""
    low, high = -1, len(roadmap.configurations)
    if not _joins(roadmap, problem):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if _joins(_first(roadmap, middle), problem):
            high = middle
        else:
            low = middle
    return high


def _joins(roadmap: Roadmap, problem: Problem) -> bool:
    try:
        shortest_route(roadmap, problem.start, problem.goal)
    except NoPathError:
        return False
    return True


def _coverage(roadmap: Roadmap, probes: Float) -> float:
    largest = int(np.argmax(roadmap.component_size))
    nodes = roadmap.configurations[roadmap.component == largest]
    _, nearest = cKDTree(nodes).query(probes, k=min(NEAREST, len(nodes)))
    nearest = nearest.reshape(len(probes), -1)
    motions = roadmap.space.connect(
        np.repeat(probes, nearest.shape[1], axis=0), nodes[nearest.reshape(-1)]
    )
    joined = np.array([motion is not None for motion in motions]).reshape(nearest.shape)
    return float(joined.any(axis=1).mean())


def _head(options: argparse.Namespace, wall: float) -> Iterator[str]:
    yield "# Samplers: tries, nodes, seconds, coverage"
    yield ""
    yield f"Made by `python -m benchmarks.samplers --seeds {options.seeds}` in {wall:.0f} s"
    yield f"on {os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}."
    yield f"Medians of {options.seeds} seeds. Tries: share of {TRIES:,} attempts that give a free"
    yield "configuration of the kind. Nodes: the fewest that join start and goal of the built-in"
    yield "scenario, 10 neighbors each (in brackets: of how many seeds, if not of all). Seconds: to"
    yield f"build that roadmap. Coverage: share of {PROBES:,} random free configurations that see"
    yield f"one of the {NEAREST} nearest nodes of the largest component of {COVERING} nodes."
    yield f"`{'`, `'.join(SEQUENCES)}` begin at attempt {STRIDE:,} x seed."
    yield "0 nodes: start and goal see each other."
    yield ""
    yield "| scene | sampler | local planner | tries | nodes | seconds | coverage |"
    yield "|---|---|---|---|---|---|---|"


def _line(scene: str, sampler: str, local_planner: str, rows: list[Row]) -> str:
    joined = [row for row in rows if row.nodes is not None]
    cells = [scene, sampler, local_planner, f"{100 * median(row.share for row in rows):.1f} %"]
    if 2 * len(joined) > len(rows):
        nodes = median(SIZES[-1] + 1 if row.nodes is None else row.nodes for row in rows)
        of = f" ({len(joined)} of {len(rows)})" if len(joined) < len(rows) else ""
        cells += [f"{nodes:.0f}{of}", f"{median(row.seconds for row in rows):.3f}"]
    else:
        cells += [f"over {SIZES[-1]} ({len(joined)} of {len(rows)})", ""]
    cells.append(f"{100 * median(row.coverage for row in rows):.1f} %")
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--scenes", default="parking,patio_house,canyon")
    parser.add_argument("--samplers", default=",".join(SAMPLERS))
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw, and do not measure")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
