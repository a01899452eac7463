"""Halls of doors that slide and carts that come and go: run a study of them, print one table.

    python -m benchmarks.moving [--cases 100] [--first 0] [--folder moving.study] [--jobs 2]
                                [-o benchmarks/moving.md]

Each case is a scene of its own with 22 moving parts: two walls across a hall, in each five doors of
two leaves, each with its own times, and two carts that go to and fro between the walls. Five to
sixty people go through it, in every third case in both directions. Every run is verified.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import rmp3d as rp
from benchmarks.campaign import publish
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box

WIDE = 24.0
"""Of the hall [m]."""
MEMBERS = (5, 10, 20, 40, 60)
DURATION = 240.0
WALLS, DOORS, CARTS = 2, 5, 2
APART = 6.0
"""Between two walls [m]."""


def main() -> int:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number in range(options.first, options.first + options.cases):
        file = options.folder / f"hall_{number:03d}.toml"
        if not file.exists():
            case(number).save(file)
        files.append(str(file))
    found = rp.study(
        files, to=options.folder / "study", keep="failures", processes=options.jobs,
        progress=lambda done, whole: print(f"\r{done}/{whole}", end="", file=sys.stderr),
    )  # fmt: skip
    # The table of a study of one file leaves its name out.
    rows = [{"scenario": files[0], **each} for each in found.rows]
    publish(_report(rows), options.output)
    return int(not all(map(_is_good, rows)))


def case(number: int) -> rp.Scenario:
    """Return the scenario of a number."""
    rng = np.random.default_rng([17, number])
    long = APART * (WALLS + 2)
    parts: dict[str, Any] = {"floor": box((0, 0, -0.5), (long, WIDE, 0))}
    motions: list[MotionDescription] = []
    for k in range(WALLS):
        _wall(parts, motions, k, APART * (k + 1.5), rng)
    for k in range(CARTS):
        _cart(parts, motions, k, APART * (k + 1) + 1.5, rng)
    scene = rp.Scene.from_mesh(
        parts,
        name=f"hall_{number:03d}",
        roles={"floor": "ground"},
        bounds=((0, 0, -0.5), (long, WIDE, 4)),
        regions={
            "west": rp.Box((0.7, 4, -0.1), (APART, WIDE - 4, 2)),
            "east": rp.Box((long - APART, 4, -0.1), (long - 0.7, WIDE - 4, 2)),
        },
    ).with_motions(motions)
    members = MEMBERS[number % len(MEMBERS)]
    groups = [rp.Group(name="eastward", members=members, start="west", goal="east",
                       behavior="self_guided")]  # fmt: skip
    if number % 3 == 2:
        share = members // 3
        groups = [
            rp.Group(name="eastward", members=members - share, start="west", goal="east",
                     behavior="self_guided"),
            rp.Group(name="westward", members=share, start="east", goal="west",
                     behavior="self_guided"),
        ]  # fmt: skip
    return rp.Scenario(scene, groups, seed=number, nodes=150, duration=DURATION, linger=0.0)


def _wall(
    parts: dict[str, Any], motions: list[MotionDescription], k: int, x: float, rng: Any
) -> None:
    """Add a wall across the hall, with doors of two leaves that slide before it."""
    gaps, at, pitch = [], 0.0, WIDE / DOORS
    for door in range(DOORS):
        middle = pitch * (door + 0.5) + rng.uniform(-0.3, 0.3)
        gaps.append((middle, rng.uniform(1.5, 2.1)))
    for piece, (middle, width) in enumerate([*gaps, (WIDE, 0.0)]):
        parts[f"wall {k}{'abcdef'[piece]}"] = box((x, at, 0), (x + 0.2, middle - width / 2, 2.8))
        at = middle + width / 2
    for door, (middle, width) in enumerate(gaps):
        needed, closed = rng.uniform(8.0, 14.0), rng.uniform(2.0, 8.0)
        period, phase = needed + closed + 2.0, rng.uniform(0.0, 20.0)
        for leaf, side in (("left", -1.0), ("right", 1.0)):
            name, inner = f"door {k}{'abcde'[door]} {leaf}", middle + side * 0.01
            ends = sorted((inner, middle + side * (width / 2 + 0.05)))
            parts[name] = box((x - 0.12, ends[0], 0.02), (x - 0.04, ends[1], 2.2))
            away = (0.0, side * (width / 2 - 0.05), 0.0)
            keys = [
                KeyFrame(0.0), KeyFrame(closed), KeyFrame(closed + 1.0, away),
                KeyFrame(closed + 1.0 + needed, away), KeyFrame(period),
            ]  # fmt: skip
            motions.append(
                MotionDescription(name, keys, "cycle", phase=phase % period,
                                  together=f"door {k}{'abcde'[door]}")
            )  # fmt: skip


def _cart(
    parts: dict[str, Any], motions: list[MotionDescription], k: int, x: float, rng: Any
) -> None:
    """Add a cart that goes to and fro across the hall."""
    parts[f"cart {k}"] = box((x, 0.3, 0.1), (x + 1.0, 1.7, 1.4))
    way, speed = (0.0, WIDE - 2.0, 0.0), rng.uniform(0.5, 1.2)
    goes, stands = way[1] / speed, rng.uniform(3.0, 10.0)
    keys = [
        KeyFrame(0.0), KeyFrame(stands), KeyFrame(stands + goes, way),
        KeyFrame(2 * stands + goes, way),
    ]  # fmt: skip
    motions.append(MotionDescription(f"cart {k}", keys, "back_and_forth"))


def _is_good(row: dict[str, Any]) -> bool:
    return row["outcome"] == "complete" and row["findings"] == 0


def _report(rows: list[dict[str, Any]]) -> Iterator[str]:
    good = sum(map(_is_good, rows))
    yield "# Halls of moving parts"
    yield ""
    yield (
        "Each run goes through two walls with five doors of two leaves each, and past two carts: "
        "22 parts that move. Every recording was verified, mesh against mesh."
    )
    yield ""
    yield f"**{good} of {len(rows)} runs: all arrive, nothing is found.**"
    yield ""
    yield "| hall | members | arrived | last after [s] | jams | findings | outcome |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    for row in rows:
        names = ("members", "arrived", "last_arrival", "jams", "findings")
        numbers = " | ".join("" if row.get(n) is None else f"{row[n]:g}" for n in names)
        yield f"| {Path(row['scenario']).stem} | {numbers} | {row['outcome']} |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--folder", type=Path, default=Path("moving.study"), help="is gone on with")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
