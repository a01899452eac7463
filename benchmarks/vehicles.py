"""Vehicles in narrow places: how many arrive with each behavior, and what `verify` finds.

python -m benchmarks.vehicles [--scenes parking] [--seeds 2] [-o benchmarks/vehicles.md]
"""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.campaign import campaign, publish
from rmp3d.geometry.errors import Rmp3dError
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

BEHAVIORS = (
    "self_guided", "leader_following", "narrow_passages", "circle_following", "goal_search",
)  # fmt: skip
DURATION = 120.0

Job = tuple[str, str, str, int, int, float]


def run_one(job: Job) -> dict[str, Any]:
    """Run vehicles once; return who arrived, when the last one did, jams, and findings."""
    scene, character, behavior, members, seed, duration = job
    words = [f"groups.0.character={character}", f"simulation.duration={duration}"]
    try:
        scenario = load(scene, words, members=members, behavior=behavior, seed=seed)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.rmp3d"
            report = simulate(scenario, recording_path=path)
            findings = verify(path).findings
    except Rmp3dError as error:
        return {"error": str(error).split("\n")[0]}
    group = report.groups[0]
    wrong = sorted({finding.kind for finding in findings} - {"not_arrived"})
    return {
        "arrived": group.arrived,
        "members": group.members,
        "last": group.last_arrival if group.arrived == group.members else None,
        "jams": group.jams,
        "findings": wrong,
    }


def is_good(row: dict[str, Any]) -> bool:
    """Return whether all arrived and nothing was found."""
    return not row.get("error") and row["arrived"] == row["members"] and not row["findings"]


def table(rows: dict[Job, dict[str, Any]]) -> list[str]:
    """Return the lines of the table, one for each scene, character and behavior."""
    lines = [
        "| scene | vehicle | behavior | arrived | all there [s], median | jams | findings |",
        "|---|---|---|---|---|---|---|",
    ]
    for cell in dict.fromkeys(job[:3] for job in rows):
        own = [row for job, row in rows.items() if job[:3] == cell]
        known = [row for row in own if "error" not in row]
        errors = {row["error"] for row in own if "error" in row}
        if not known:
            lines.append(f"| {' | '.join(cell)} | {'; '.join(sorted(errors))} | | | |")
            continue
        times = [row["last"] for row in known if row["last"] is not None]
        kinds = sorted({kind for row in known for kind in row["findings"]} | errors)
        lines.append(
            f"| {' | '.join(cell)} "
            f"| {sum(row['arrived'] for row in known)}/{sum(row['members'] for row in known)} "
            f"| {f'{median(times):.0f}' if times else ''} | {sum(row['jams'] for row in known)} "
            f"| {', '.join(kinds) or 'none'} |"
        )
    return lines


def main() -> int:
    options = _options()
    jobs = {
        "/".join(map(str, job)): job
        for scene in options.scenes.split(",")
        for character in options.characters.split(",")
        for behavior in options.behaviors.split(",")
        for seed in range(options.seeds)
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
        f"{options.seeds} seeds, {options.duration:g} s at most.",
        "",
        *table(dict(zip(jobs.values(), rows, strict=False))),
    ]
    publish(lines, options.output)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scenes", default="parking")
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
