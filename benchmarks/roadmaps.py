"""What roadmaps of every kind cost in every built-in scene until start and goal are joined.

    rmp3d bench roadmaps [--seeds 5] [--scenes parking,...] [-o benchmarks/roadmaps.md]

A roadmap grows by blocks until it joins start and goal of the scene's own scenario; where these
see each other, the two of 1,000 random free places that are farthest apart. Where they are still
apart at 100 nodes the components are joined, then it grows to 200, and so on up to 3,200. Each
row changes one thing of the first one: all motions proved at once, cycles kept, 10 nearest nodes,
uniform samples.
"""

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.campaign import publish
from benchmarks.samplers import Problem, problem_of
from rmp3d.geometry import Float
from rmp3d.geometry.choices import choose
from rmp3d.planner import LOCAL_PLANNERS, Roadmap, RoadmapSettings, extend_roadmap
from rmp3d.planner.paths.polyline import total_length
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.neighbors import NeighborRule
from rmp3d.planner.roadmap.search import is_joined, join_ends, route_over, settled

SIZES = (100, 200, 400, 800, 1600, 3200)


@dataclass(frozen=True)
class Variant:
    """What one row changes of the first one; a radius is given in radii of the body."""

    name: str
    sampler: str = "uniform"
    local_planner: str = "linear"
    neighbors: NeighborRule = 10
    radii: float = 0.0
    forest: bool = False
    lazy: bool = False
    joining: bool = True


VARIANTS = (
    Variant("as it is"),
    Variant("lazy", lazy=True),
    Variant("forest", forest=True),
    Variant("components not joined", joining=False),
    Variant("5 nearest", neighbors=5),
    Variant("20 nearest", neighbors=20),
    Variant("star (PRM\\*)", neighbors="star"),
    Variant("star, lazy", neighbors="star", lazy=True),
    Variant("within 10 body radii", neighbors=0, radii=10.0),
    Variant("`halton`", sampler="halton"),
    Variant("`gaussian`", sampler="gaussian"),
    Variant("`medial`", sampler="medial"),
    Variant("`mixture`", sampler="mixture"),
    Variant("`mixture`, lazy", sampler="mixture", lazy=True),
    Variant("`potential_field`", local_planner="potential_field"),
)


@dataclass(frozen=True)
class Row:
    """What one seed gave; length None: not joined by the largest roadmap."""

    nodes: int
    edges: int
    collision: int
    distance: int
    seconds: float
    length: float | None


def main() -> int:
    options = _options()
    began = process_time()
    lines = []
    for scene in options.scenes.split(","):
        problem = _apart(problem_of(scene))
        for variant in VARIANTS:
            measure(problem, variant, 0, sizes=SIZES[:1])  # compiles and imports before the clock
            print(f"{scene}: {variant.name}", file=sys.stderr)
            rows = [measure(problem, variant, seed) for seed in range(options.seeds)]
            lines.append(_line(scene, variant, rows))
    publish([*_head(options, process_time() - began), *lines], options.output)
    return 0


def measure(problem: Problem, variant: Variant, seed: int, sizes: tuple[int, ...] = SIZES) -> Row:
    """Grow a roadmap until it joins start and goal."""
    space, ends = problem.space, (problem.start, problem.goal)
    rng, counts, began = np.random.default_rng(seed), space.world.counts.copy(), process_time()
    roadmap, length = Roadmap.empty(space), None
    local_planner = choose(LOCAL_PLANNERS, variant.local_planner)
    for nodes in sizes:
        rules = _rules(variant, nodes, space.world.body.radius)
        roadmap, length = _searched(extend_roadmap(roadmap, rules, rng, ends=ends), ends)
        if length is None and variant.joining:
            joined = join_components(roadmap, local_planner, forest=variant.forest)
            roadmap, length = _searched(joined, ends)
        if length is not None:
            break
    seconds, spent = process_time() - began, space.world.counts.since(counts)
    size = len(roadmap.configurations), len(roadmap.edges)
    return Row(*size, spent.collision, spent.distance, seconds, length)


def _apart(problem: Problem) -> Problem:
    """Return the problem; where start and goal see each other, between the farthest probes."""
    if problem.space.connect(problem.start[None], problem.goal[None])[0] is None:
        return problem
    gap = cdist(problem.probes, problem.probes)
    start, goal = problem.probes[list(np.unravel_index(gap.argmax(), gap.shape))]
    return replace(problem, start=start, goal=goal)


def _rules(variant: Variant, nodes: int, body_radius: float) -> RoadmapSettings:
    return RoadmapSettings(
        sampler=variant.sampler,
        local_planner=variant.local_planner,
        nodes=nodes,
        until_solved=True,
        neighbors=variant.neighbors,
        radius=variant.radii * body_radius,
        forest=variant.forest,
        lazy=variant.lazy,
    )


def _searched(roadmap: Roadmap, ends: tuple[Float, Float]) -> tuple[Roadmap, float | None]:
    """Return the settled roadmap and the length [m] of the shortest path, None if there is none."""
    joined = join_ends(roadmap, *ends)
    roadmap = settled(roadmap, joined)
    if not is_joined(roadmap, joined):
        return roadmap, None
    return roadmap, total_length(route_over(roadmap, joined), roadmap.space)


def _head(options: argparse.Namespace, seconds: float) -> Iterator[str]:
    yield "# Roadmaps: what they cost until start and goal are joined"
    yield ""
    yield f"Made by `rmp3d bench roadmaps --seeds {options.seeds}` in {seconds:.0f} s of CPU time"
    yield f"on {os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}."
    yield f"Medians of {options.seeds} seeds; each row changes one thing of the first: every motion"
    yield "proved at once, cycles, 10 nearest nodes, uniform samples, components joined where start"
    yield "and goal are apart at 100, 200, ... 3,200 nodes. Solved: of how many seeds; the numbers"
    yield "are of those. Edges: proved ones. Queries and CPU seconds: of all of it. Path: the"
    yield "shortest on the roadmap, not yet shortened. In `parking`, whose start and goal see each"
    yield "other, from corner to corner."
    yield ""
    yield "| scene | roadmap | solved | nodes | edges | collision | distance | CPU s | path [m] |"
    yield "|---|---|---|---|---|---|---|---|---|"


def _line(scene: str, variant: Variant, rows: list[Row]) -> str:
    lengths = [row.length for row in rows if row.length is not None]
    cells = [scene, variant.name, f"{len(lengths)} of {len(rows)}"]
    rows = [row for row in rows if row.length is not None] or rows
    for name in ("nodes", "edges", "collision", "distance"):
        cells.append(f"{median(getattr(row, name) for row in rows):,.0f}")
    cells.append(f"{median(row.seconds for row in rows):.3f}")
    cells.append(f"{median(lengths):.1f}" if lengths else "")
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--scenes", default="parking,patio_house,canyon")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
