"""Walkers, animals, vehicles and flyers together on slopes: run, verify, and print one table.

    python -m benchmarks.mixed [--seeds 10] [--scenes crossing,...] [--seconds 25] [--jobs 2]
                               [--to mixed.study] [-o benchmarks/mixed.md]

In each scene, groups of people, of animals, of motorbikes and cars, and of flyers cross each
other's ways. The independent verification (`rmp3d verify`) tests meshes; the safety constraint
knows only the capsules around them. So a body that leaves its capsules on a slope shows here.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import rmp3d as rp
from benchmarks.campaign import Row, campaign, campaign_options, machine, publish, ran

# Of each scene: characters, members, start and goal of its groups.
GROUPS: dict[str, list[tuple[Any, int, str, str]]] = {
    "crossing": [
        (["pedestrian", "child"], 4, "west", "east"),
        (["motorbike", "car"], 2, "east", "west"),
        (["dog", "sheep", "wolf"], 3, "west", "east"),
        (["drone", "bird"], 3, "south", "north"),
    ],
    "water_park": [
        (["pedestrian", "child"], 4, "restaurant", "balloon"),
        ("motorbike", 2, "balloon", "restaurant"),
        (["dog", "sheep", "wolf"], 3, "middle", "balloon"),
        (["drone", "bird"], 3, "balloon", "restaurant"),
    ],
    "rock_valley": [
        (["pedestrian", "child"], 4, "west", "middle"),
        ("motorbike", 2, "middle", "west"),
        (["dog", "sheep", "wolf"], 3, "middle", "west"),
        (["drone", "bird"], 3, "west", "middle"),
    ],
}


def main() -> int:
    options = _options()
    rows = [
        {"scene": scene, **row}
        for scene in options.scenes.split(",")
        for row in campaign(scenario_of(scene, options.seconds), options=options, part=scene)
    ]
    publish(_report(options, rows), options.output)
    return int(not all(map(is_clean, rows)))


def scenario_of(scene: str, seconds: float) -> rp.Scenario:
    """Return the scenario with the groups of a scene."""
    groups = [
        rp.Group(character, members, start=start, goal=goal, behavior="self_guided",
                 name=f"group {row}")
        for row, (character, members, start, goal) in enumerate(GROUPS[scene], 1)
    ]  # fmt: skip
    return rp.Scenario(scene, groups, duration=seconds)


def is_clean(row: Row) -> bool:
    """Return whether there was a run, and nothing was found."""
    return row["outcome"] in ("complete", "incomplete")


def _report(options: argparse.Namespace, rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Mixed groups on slopes: proof"
    yield ""
    yield f"Made by `rmp3d bench mixed --seeds {options.seeds} --seconds {options.seconds:g}`;"
    yield f"{machine()}."
    yield "People, animals, motorbikes (in crossing cars, too), drones and birds cross each other's"
    yield f"ways for {options.seconds:g} s; not all of them arrive in that time. Clearances are the"
    yield "least of all seeds, between collision meshes, by `rmp3d verify`."
    yield ""
    yield "| scene | members | runs with findings | arrived | to the scene [m] | to others [m] |"
    yield "|---|---|---|---|---|---|"
    for scene in dict.fromkeys(row["scene"] for row in rows):
        own = [row for row in rows if row["scene"] == scene]
        good = ran(own)
        if not good:
            yield f"| {scene} | | {len(own)} errors | | | |"
            continue
        arrived = sum(row["arrived"] for row in good) / sum(row["members"] for row in good)
        near = [
            min(row[key] for row in good if row[key] is not None)
            for key in ("clearance_scene", "clearance_members")
        ]
        yield (
            f"| {scene} | {good[0]['members']} "
            f"| {sum(not is_clean(row) for row in own)} of {len(own)} | {arrived:.0%} "
            f"| {near[0]:.3f} | {near[1]:.3f} |"
        )
    yield ""
    failed = [row for row in rows if not is_clean(row)]
    yield f"Nothing was found in {len(rows) - len(failed)} of {len(rows)} runs."
    for row in failed:
        yield f"- {row['scene']}, seed {row['seed']}: {row['reason']}"


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "mixed", seeds=10)
    parser.add_argument("--scenes", default=",".join(GROUPS))
    parser.add_argument("--seconds", type=float, default=25.0, help="of each run")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
