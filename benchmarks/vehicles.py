"""Vehicles of full size: how many arrive with each behavior, and what `verify` finds.

    python -m benchmarks.vehicles --to FOLDER [--scenes parking,city] [--seeds 2] [-o TABLE.md]

It is a study, so one that was stopped goes on where it was, and FOLDER has a page with all runs.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import rmp3d as rp
from benchmarks.campaign import publish

BEHAVIORS = (
    "self_guided", "leader_following", "narrow_passages", "circle_following", "goal_search",
)  # fmt: skip
# Where they begin, and where they go, in each scene.
WAYS = {
    "parking": ("motorcycles", "cars"),
    "crossing": ("west", "east"),
    "water_park": ("restaurant", "balloon"),
    "city": ("park", "square"),
    "car_park": ("forecourt", "first deck"),
}
DURATION = 150.0
CHARACTER, BEHAVIOR = "groups.0.character", "groups.0.behavior.name"


def cases_of(scenes: list[str]) -> dict[str, dict[str, Any]]:
    """Return the cases of the study: the scenes, with start and goal."""
    return {
        scene: {"scene.name": scene, "groups.0.start": WAYS[scene][0],
                "groups.0.goal": WAYS[scene][1]}
        for scene in scenes
    }  # fmt: skip


def table(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table, medians over the seeds."""
    yield "| scene | vehicle | behavior | runs | arrived | all there [s] | jams | findings |"
    yield "|---|---|---|---|---|---|---|---|"
    for cell in dict.fromkeys((row["case"], row[CHARACTER], row[BEHAVIOR]) for row in rows):
        own = [row for row in rows if (row["case"], row[CHARACTER], row[BEHAVIOR]) == cell]
        ran = [row for row in own if row.get("members") is not None]
        refused = {str(row["reason"]) for row in own if row.get("members") is None}
        there = [row["last_arrival"] for row in ran if row["arrived"] == row["members"]]
        found = {str(row["reason"]) for row in ran if row["findings"]}
        yield (
            f"| {' | '.join(cell)} | {len(own)} "
            f"| {sum(row['arrived'] for row in ran)}/{sum(row['members'] for row in ran)} "
            f"| {f'{median(there):.0f}' if there else ''} | {sum(row['jams'] for row in ran)} "
            f"| {'; '.join(sorted(found | refused)) or 'none'} |"
        )


def main() -> int:
    options = _options()
    group = rp.Group("car", members=options.members, start="motorcycles", goal="cars")
    found = rp.study(
        rp.Scenario("parking", [group], duration=options.duration),
        {CHARACTER: options.characters.split(","), BEHAVIOR: options.behaviors.split(",")},
        cases=cases_of(options.scenes.split(",")),
        seeds=[int(seed) for seed in options.seeds.split(",")], to=options.to, keep="failures",
        processes=options.processes,
        progress=lambda done, runs: print(f"{done} of {runs}", file=sys.stderr),
    )  # fmt: skip
    lines = [
        "# Vehicles",
        "",
        f"Made by `python -m benchmarks.vehicles {' '.join(sys.argv[1:])}`: {options.members} "
        f"vehicles, {options.duration:g} s at most. When all were there: medians over the seeds.",
        "",
        *table(found.rows),
    ]
    publish(lines, options.output)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--to", required=True, help="the study's folder")
    parser.add_argument("--scenes", default=",".join(WAYS))
    parser.add_argument("--characters", default="motorbike,car")
    parser.add_argument("--behaviors", default=",".join(BEHAVIORS))
    parser.add_argument("--members", type=int, default=5)
    parser.add_argument("--seeds", default="0", help="such as 0,1,2")
    parser.add_argument("--duration", type=float, default=DURATION)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
