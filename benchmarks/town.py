"""A roadmap of a town of a kilometer: how long it takes, and how short its paths are.

    python -m benchmarks.town [--pairs 100] [--seed 0] [-o benchmarks/town.md]

The town has levels (`benchmarks.town_map`), and each path is compared with the shortest way that a
visibility graph finds (`benchmarks.geodesics`). Seconds are processor seconds. Half of the pairs
are on the ground; of the others one or both places are on another level.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.geodesics import CROSSING, Geodesics, lifted
from benchmarks.town_map import make_town
from rmp3d.geometry import Float
from rmp3d.models import load_character
from rmp3d.planner import Roadmap, RoadmapSettings, build_roadmap
from rmp3d.planner.roadmap.corners import corner_roadmap
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.search import join_ends, route_over
from rmp3d.planner.spaces import GroundSpace, make_space

STAGES = "search", "whole query"
Pair = tuple[Float, Float, float, int]
"""Start and goal (3,), the shortest length [m], and how many ends of ramps it crosses."""


def pairs_of(judge: Geodesics, count: int, seed: int) -> list[Pair]:
    """Return pairs of random places, with the length of the shortest way."""
    rng = np.random.default_rng(seed)
    ground, *others = judge.levels
    found = []
    for k in range(count):
        levels = [ground, ground]
        if k % 2:
            levels[1] = others[k // 2 % len(others)]
        if k % 8 == 7:
            levels[0] = others[k // 8 % len(others)]
        ends = [(level, judge.sample(level, 1, rng)[0]) for level in levels]
        start, goal = (lifted(judge.town, *end) for end in ends)
        found.append((start, goal, *judge.length(ends[0], ends[1])))
    return found


def measured(roadmap: Roadmap, pair: Pair) -> list[float]:
    """Return the length of the path over the shortest, and the seconds of search and query."""
    space = roadmap.space
    start, goal = space.place(pair[0]), space.place(pair[1])
    times = [process_time()]
    route_over(roadmap, join_ends(roadmap, start, goal))
    times.append(process_time())
    path = query(roadmap, pair[0], pair[1], np.random.default_rng(0))
    times.append(process_time())
    return [path.length / pair[2], *np.diff(times).tolist()]


def _rows(name: str, roadmap: Roadmap, pairs: Sequence[Pair], seconds: float) -> Iterator[str]:
    rows = []
    for pair in (pairs[0], *pairs):  # the first query makes what the others use
        try:
            rows.append(measured(roadmap, pair))
        except KeyboardInterrupt:
            raise
        except Exception as error:  # of any kind: the table says how many failed
            print(f"{name}: {error}", file=sys.stderr)
    table = np.array(rows[1:])
    within = int((table[:, 0] <= 1.02).sum())
    cells = [name, f"{seconds:.1f}", f"{len(roadmap.configurations):,}", f"{len(roadmap.edges):,}"]
    cells += [f"{len(table)} of {len(pairs)}", str(within)]
    cells += [f"{np.median(table[:, 0]):.4f}", f"{table[:, 0].max():.4f}"]
    for k in range(len(STAGES)):
        taken = 1e3 * table[:, 1 + k]
        cells.append(f"{np.median(taken):.1f}, {taken.max():.1f}")
    yield "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.town", description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=5000, help="of the roadmap of `prm`; 0: none")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args(arguments)
    lines = []
    for line in _lines(options):
        print(line, flush=True)
        lines.append(line)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _lines(options: argparse.Namespace) -> Iterator[str]:
    town = make_town(options.seed)
    scene, body = town.scene(), load_character("pedestrian").body
    space = make_space("ground", scene, body)
    assert isinstance(space, GroundSpace)
    space.is_free(np.zeros((1, 3)))  # loads the kernels
    judge = Geodesics(town, body.radius)
    pairs = pairs_of(judge, options.pairs, options.seed)
    crossed = max(pair[3] for pair in pairs)
    triangles = sum(len(part.mesh.faces) for part in scene.parts)
    yield f"{triangles:,} triangles, {len(town.patches)} levels and ramps. The shortest ways are"
    yield f"{min(p[2] for p in pairs):.0f} to {max(p[2] for p in pairs):.0f} m long; at most"
    yield f"{CROSSING * crossed:.1f} m too long, where they cross ramps."
    yield ""
    yield "| roadmap | built [s] | nodes | edges | solved | within 2 % | median | longest | " + (
        " | ".join(f"{stage} [ms]" for stage in STAGES) + " |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    began = process_time()
    roadmap = corner_roadmap(space)
    yield from _rows("corners", roadmap, pairs, process_time() - began)
    if options.nodes:
        began = process_time()
        settings = RoadmapSettings(nodes=options.nodes)
        roadmap = build_roadmap(space, settings, np.random.default_rng(options.seed))
        yield from _rows("uniform", roadmap, pairs, process_time() - began)


if __name__ == "__main__":
    sys.exit(main())
