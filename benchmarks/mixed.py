"""Walkers, animals, vehicles and flyers together on slopes: run, verify, and print one table.

    python -m benchmarks.mixed [--seeds 10] [--scenes crossing,...] [--seconds 25] [--jobs 2]
                               [--results FILE.jsonl] [-o benchmarks/mixed.md]

In each scene, groups of people, of animals, of motorbikes and cars, and of flyers cross each
other's ways. The independent verification (`rmp3d verify`) tests meshes; the safety constraint
knows only the capsules around them. So a body that leaves its capsules on a slope shows here.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.campaign import Row, campaign, publish, stopped_early
from rmp3d.geometry.errors import Rmp3dError

Job = tuple[str, int, float]
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
    jobs = {
        f"{scene}/{seed}": (scene, seed, options.seconds)
        for seed in range(options.seeds)
        for scene in options.scenes.split(",")
    }
    rows = campaign(run_one, jobs, results=options.results, processes=options.jobs, is_good=is_good)
    publish(_report(options, jobs, rows), options.output)
    return int(not all(map(is_good, rows)))


def scenario_table(scene: str, seed: int, seconds: float) -> dict[str, Any]:
    """Return the table of a scenario with the groups of a scene."""
    groups = [
        {"character": character, "members": members, "start": start, "goal": goal,
         "behavior": "self_guided"}
        for character, members, start, goal in GROUPS[scene]
    ]  # fmt: skip
    return {
        "seed": seed,
        "scene": {"name": scene},
        "groups": groups,
        "simulation": {"duration": seconds},
    }


def run_one(job: Job) -> Row:
    """Run and verify once."""
    from rmp3d.recording import RecordingReader
    from rmp3d.scenario.loading import from_table
    from rmp3d.simulation import simulate
    from rmp3d.verification import verify

    scene, seed, _ = job
    result: Row = {"scene": scene, "seed": seed, "error": None}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        try:
            report = simulate(from_table(scenario_table(*job)), recording_path=path)
            with RecordingReader.open(path) as recording:
                proof = verify(recording)
        except Rmp3dError as error:
            return result | {"error": str(error)}
    return result | {
        "members": sum(group.members for group in report.groups),
        "arrived": report.arrived,
        "findings": [
            finding.as_dict() for finding in proof.findings if finding.kind != "not_arrived"
        ],
        "clearance_scene": proof.clearance_scene,
        "clearance_members": proof.clearance_members,
    }


def is_good(row: Row) -> bool:
    """Return whether nothing was found."""
    return not row["error"] and not row["findings"]


def _report(options: argparse.Namespace, jobs: dict[str, Job], rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "# Mixed groups on slopes: proof"
    yield ""
    yield f"Made by `rmp3d bench mixed --seeds {options.seeds} --seconds {options.seconds:g}` on"
    yield f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}."
    yield "People, animals, motorbikes (in crossing cars, too), drones and birds cross each other's"
    yield f"ways for {options.seconds:g} s; not all of them arrive in that time. Clearances are the"
    yield "least of all seeds, between collision meshes, by `rmp3d verify`."
    yield ""
    yield from stopped_early(rows, jobs)
    yield "| scene | members | runs with findings | arrived | to the scene [m] | to others [m] |"
    yield "|---|---|---|---|---|---|"
    for scene in dict.fromkeys(row["scene"] for row in rows):
        own = [row for row in rows if row["scene"] == scene]
        good = [row for row in own if not row["error"]]
        if not good:
            yield f"| {scene} | | {len(own)} errors | | | |"
            continue
        arrived = sum(row["arrived"] for row in good) / sum(row["members"] for row in good)
        bad = sum(not is_good(row) for row in own)
        near = [
            min(row[key] for row in good if row[key] is not None)
            for key in ("clearance_scene", "clearance_members")
        ]
        yield (
            f"| {scene} | {good[0]['members']} | {bad} of {len(own)} | {arrived:.0%} "
            f"| {near[0]:.3f} | {near[1]:.3f} |"
        )
    yield ""
    failed = [row for row in rows if not is_good(row)]
    yield f"Nothing was found in {len(rows) - len(failed)} of {len(rows)} runs."
    for row in failed:
        yield f"- {row['scene']}, seed {row['seed']}: {row['error'] or row['findings'][:3]}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--scenes", default=",".join(GROUPS))
    parser.add_argument("--seconds", type=float, default=25.0, help="of each run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, help="keep results in this file, and go on there")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
