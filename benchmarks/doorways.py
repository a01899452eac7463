"""Doors that full-size vehicles fit through: who passes which, from where.

    python -m benchmarks.doorways [--bodies motorbike,car] [--spare 0.06,0.1,0.3] [--seeds 0]
                                  [--behaviors self_guided,narrow_passages] [-o TABLE.md]

Each door is wider than the body's row of capsules by ``spare``, in a wall 0.3 m thick. The body
comes straight, at 45 degrees, after a turn in a corridor, or up a ramp that ends 3 m before the
door. Every run is verified.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import rmp3d as rp
from benchmarks.campaign import publish
from rmp3d.geometry import TriangleMesh
from rmp3d.models import load_character
from rmp3d.scenes import Part
from rmp3d.scenes.build.shapes import box, placed

APPROACHES = ("straight", "45 degrees", "after a turn", "up a ramp")
WALL = 0.3  # thick [m]
RAMP, RISE = (-9.0, -4.0), 0.7  # from x to x, and up by so much [m]
BOUNDS = np.array([[-16.0, -12.0, -2.0], [16.0, 12.0, 6.0]])


def scene_of(approach: str, width: float) -> rp.Scene:
    """Return the scene with one door, in the middle of the wall x = 0 or of one that is turned."""
    parts = [*_ground(RISE if approach == "up a ramp" else 0.0)]
    turned = 45.0 if approach == "45 degrees" else 0.0
    for name, low, high in (("left", 0.5 * width, 30.0), ("right", -30.0, -0.5 * width)):
        half = 0.5 * WALL
        wall = placed(box((-half, low, -1.0), (half, high, 4.0)), (0.0, 0.0, 0.0), turned)
        parts.append(_part(name, wall))
    if approach == "after a turn":  # a corridor along the wall, 5 m wide
        parts.append(_part("corridor", box((-5.5, -2.5, -1.0), (-5.15, 12.0, 4.0))))
        parts.append(_part("its end", box((-5.5, -2.85, -1.0), (-0.15, -2.5, 4.0))))
    return rp.Scene("doorway", tuple(parts), {}, BOUNDS)


def run_of(body: str, approach: str, spare: float, behavior: str, seed: int) -> dict[str, Any]:
    """Return the row of one run."""
    width = 2.0 * load_character(body).body.half_width + spare
    start = {"after a turn": (-2.7, 9.0, 0.0), "up a ramp": (-12.0, 0.5, 0.0)}
    top = RISE if approach == "up a ramp" else 0.0
    group = rp.Group(
        body, 1, start=start.get(approach, (-9.0, 0.5, 0.0)),
        goal=rp.Sphere((9.0, -0.5, top), 2.0), behavior=behavior,
    )  # fmt: skip
    row: dict[str, Any] = {
        "body": body, "approach": approach, "spare": spare, "behavior": behavior, "seed": seed,
    }  # fmt: skip
    try:
        recording = rp.run(scene_of(approach, width), group, duration=60.0, nodes=80, seed=seed)
    except rp.PlanningError:
        return row | {"width": width, "outcome": "no path"}
    report = rp.verify(recording)
    kinds = sorted({finding.kind for finding in report.findings})
    return row | {"width": width, "outcome": ", ".join(kinds) or f"{report.frames / 30.0:.0f} s"}


def table(rows: list[dict[str, Any]], spares: list[float]) -> Iterator[str]:
    """Yield the lines of the table: for each seed the time until it is there, or what was found."""
    heads = " | ".join(f"+ {spare:g} m" for spare in spares)
    yield f"| body | behavior | approach | {heads} |"
    yield "|---|---|---|" + "---|" * len(spares)
    for key in dict.fromkeys((row["body"], row["behavior"], row["approach"]) for row in rows):
        own = [r for r in rows if (r["body"], r["behavior"], r["approach"]) == key]
        cells = [", ".join(r["outcome"] for r in own if r["spare"] == spare) for spare in spares]
        yield f"| {' | '.join([*key, *cells])} |"


def main() -> int:
    options = _options()
    spares = [float(spare) for spare in options.spare.split(",")]
    rows = []
    cases = product(
        options.bodies.split(","), APPROACHES, spares, options.behaviors.split(","),
        [int(seed) for seed in options.seeds.split(",")],
    )  # fmt: skip
    for case in cases:
        rows.append(run_of(*case))
        sys.stderr.write(f"{rows[-1]}\n")
    lines = [
        "# Doorways",
        "",
        f"Made by `python -m benchmarks.doorways {' '.join(sys.argv[1:])}`: how long one vehicle",
        "took through a door that is wider than its row of capsules by so much, or what was found.",
        "",
        *table(rows, spares),
    ]
    publish(lines, options.output)
    return 0


def _ground(rise: float) -> Iterator[Part]:
    """Yield the floor; with a rise, it is higher behind a ramp."""
    if rise == 0.0:
        yield _part("floor", _sheet(-16.0, 16.0, 0.0, 0.0), "ground")
        return
    yield _part("floor", _sheet(-16.0, RAMP[0], 0.0, 0.0), "ground")
    yield _part("ramp", _sheet(*RAMP, 0.0, rise), "ground")
    yield _part("deck", _sheet(RAMP[1], 16.0, rise, rise), "ground")


def _sheet(west: float, east: float, low: float, high: float) -> TriangleMesh:
    corners = [[west, -12, low], [east, -12, high], [east, 12, high], [west, 12, low]]
    return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))


def _part(name: str, mesh: TriangleMesh, role: str = "obstacle") -> Part:
    return Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bodies", default="motorbike,car")
    parser.add_argument("--spare", default="0.06,0.1,0.3", help="[m]")
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--behaviors", default="self_guided,narrow_passages")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
