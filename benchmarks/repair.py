"""A large roadmap after a change of its scene: how many edges are proved again, and how long.

    python -m benchmarks.repair [--nodes 5000]

Parts of three sizes appear on a plain with forty houses, and go again, five times each.
"""

import argparse
import sys
from collections.abc import Iterator
from time import process_time

import numpy as np

import rmp3d as rp
from rmp3d.models import load_character
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.repair import ChangingRoadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import PresenceDescription
from rmp3d.scenes.build.shapes import box

SIZE = 90.0
PARTS = {"crate": (2.0, 2.0), "barrier": (6.0, 0.4), "long wall": (40.0, 0.4)}
TIMES = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=5000)
    print("\n".join(table(parser.parse_args().nodes)))
    return 0


def table(nodes: int) -> Iterator[str]:
    """Yield the lines of the table for a roadmap of so many nodes."""
    roadmap = _roadmap(nodes)
    changing = ChangingRoadmap(roadmap, ())
    _show(changing)  # compiles
    _show(changing, "crate")
    _show(changing)
    yield (
        f"Roadmap of {len(roadmap.configurations):,} nodes and {len(roadmap.edges):,} edges; "
        "median of five, processor time of one thread."
    )
    yield ""
    yield "| part | size [m] | change | edges proved again | ms |"
    yield "|---|---|---|--:|--:|"
    for name, (long, wide) in PARTS.items():
        rows = [(*_show(changing, name), *_show(changing)) for _ in range(TIMES)]
        came, went = np.median(np.array(rows), axis=0).reshape(2, 2)
        for word, (edges, seconds) in (("appears", came), ("goes", went)):
            yield f"| {name} | {long:g} x {wide:g} | {word} | {edges:.0f} | {1e3 * seconds:.1f} |"


def _show(changing: ChangingRoadmap, *names: str) -> tuple[int, float]:
    """Let parts be there; return how many edges were proved again, and for how long [s]."""
    world = changing.roadmap.space.world
    start = process_time()
    world.show(names)  # type: ignore[union-attr]
    changing.show(names, np.random.default_rng(2))
    return changing.touched, process_time() - start


def _roadmap(nodes: int) -> rp.Roadmap:
    rng = np.random.default_rng(0)
    parts = {"floor": box((0, 0, -1), (SIZE, SIZE, 0))}
    for k, (x, y) in enumerate(rng.uniform(4.0, SIZE - 8.0, (40, 2)).tolist()):
        parts[f"house {k}"] = box((x, y, 0), (x + 3.0, y + 4.0, 3.0))
    at = 0.5 * SIZE
    for name, (long, wide) in PARTS.items():
        parts[name] = box((at, at, 0.01), (at + long, at + wide, 2.0))
    presence = [PresenceDescription(name, there=False) for name in PARTS]
    scene = rp.Scene.from_mesh(parts, roles={"floor": "ground"}).with_motions(presence=presence)
    space = make_space("ground", scene, load_character("pedestrian").body)
    return build_roadmap(space, RoadmapSettings(nodes=nodes), np.random.default_rng(1))


if __name__ == "__main__":
    sys.exit(main())
