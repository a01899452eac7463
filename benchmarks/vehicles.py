"""Vehicles of full size: how many arrive with each behavior, and what `verify` finds.

python -m benchmarks.vehicles [--scenes parking,city] [--seeds 2] [-o benchmarks/vehicles.md]

A run ends early if nobody has arrived, and nobody under way has come farther than a vehicle's
length, for half a minute.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from benchmarks.campaign import campaign, publish, stopped_early
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.scenario import Group
from rmp3d.simulation import Simulation, header_of
from rmp3d.verification import verify

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
DURATION, PATIENCE, MOVED = 120.0, 30.0, 2.0

Job = tuple[str, str, str, int, int, float]


def run_one(job: Job) -> dict[str, Any]:
    """Run vehicles once; return who arrived, when the last one did, jams, and findings."""
    scene, character, behavior, members, seed, duration = job
    start, goal = WAYS[scene]
    group = Group(character, members=members, start=start, goal=goal, behavior=behavior)
    try:
        simulation = Simulation(scene, group, seed=seed, duration=duration)
        began, watch = process_time(), _Progress()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.rmp3d"
            with RecordingWriter(path, header_of(simulation)) as recording:
                while not simulation.over and not watch.is_stuck(simulation):
                    simulation.step().write(recording)
            spent = process_time() - began
            with RecordingReader.open(path) as recorded:
                kinds = {finding.kind for finding in verify(recorded).findings}
    except Rmp3dError as error:
        return {"error": str(error).split("\n")[0]}
    report = simulation.reports()[0]
    all_there = report.arrived == members
    return {
        "arrived": report.arrived,
        "members": members,
        "last": report.last_arrival if all_there else None,
        "jams": report.jams,
        "findings": sorted(kinds - (set() if all_there else {"not_arrived", "unfinished"})),
        "cost": spent / simulation.time,
    }


@dataclass(eq=False)
class _Progress:
    """Whether anything still happens in a run."""

    since: float = 0.0
    arrived: Bool = field(default_factory=lambda: np.zeros(0, np.bool_))
    places: Float = field(default_factory=lambda: np.zeros((0, 3)))

    def is_stuck(self, simulation: Simulation) -> bool:
        """Look at a moment; return whether there has been no progress for `PATIENCE` seconds."""
        arrived, places = simulation.runs[0].arrived, simulation.flock.position
        if len(self.arrived) == 0 or (arrived & ~self.arrived).any() or self._moved(places):
            self.since, self.arrived, self.places = simulation.time, arrived.copy(), places
        return bool(~arrived.all() and simulation.time - self.since > PATIENCE)

    def _moved(self, places: Float) -> bool:
        under_way = (places - self.places)[~self.arrived]
        return bool((np.linalg.norm(under_way, axis=1) > MOVED).any())


def is_good(row: dict[str, Any]) -> bool:
    """Return whether all arrived and nothing was found."""
    return not row.get("error") and row["arrived"] == row["members"] and not row["findings"]


def table(rows: dict[Job, dict[str, Any]]) -> list[str]:
    """Return the lines of the table, one for each scene, character and behavior."""
    lines = [
        "| scene | vehicle | behavior | arrived | all there [s], median | jams | findings | s/s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for cell in dict.fromkeys(job[:3] for job in rows):
        own = [row for job, row in rows.items() if job[:3] == cell]
        known = [row for row in own if "error" not in row]
        errors = {row["error"] for row in own if "error" in row}
        if not known:
            lines.append(f"| {' | '.join(cell)} | {'; '.join(sorted(errors))} | | | | |")
            continue
        times = [row["last"] for row in known if row["last"] is not None]
        kinds = sorted({kind for row in known for kind in row["findings"]} | errors)
        lines.append(
            f"| {' | '.join(cell)} "
            f"| {sum(row['arrived'] for row in known)}/{sum(row['members'] for row in known)} "
            f"| {f'{median(times):.0f}' if times else ''} | {sum(row['jams'] for row in known)} "
            f"| {', '.join(kinds) or 'none'} | {median(row['cost'] for row in known):.2f} |"
        )
    return lines


def main() -> int:
    options = _options()
    jobs = {
        "/".join(map(str, job)): job
        for seed in range(options.seeds)
        for scene in options.scenes.split(",")
        for character in options.characters.split(",")
        for behavior in options.behaviors.split(",")
        for job in [(scene, character, behavior, options.members, seed, options.duration)]
    }
    rows = campaign(
        run_one, jobs, results=options.results, processes=options.processes, is_good=is_good
    )
    words = " ".join(sys.argv[1:])
    lines = [
        "# Vehicles",
        "",
        f"Made by `python -m benchmarks.vehicles {words}`: {options.members} vehicles, "
        f"{options.seeds} seeds, {options.duration:g} s at most. A run ends early where nothing "
        f"happens for {PATIENCE:g} s. The last column is processor time for each simulated second, "
        "with all of the run in it.",
        "",
        *stopped_early(rows, jobs),
        *table(dict(zip(jobs.values(), rows, strict=False))),
    ]
    publish(lines, options.output)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scenes", default=",".join(WAYS))
    parser.add_argument("--characters", default="motorbike,car")
    parser.add_argument("--behaviors", default=",".join(BEHAVIORS))
    parser.add_argument("--members", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--duration", type=float, default=DURATION)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--results", type=Path, help="lines of JSON; a stopped campaign goes on")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
