"""Crowds that meet, several seeds: run, verify, and print one table a part.

    python -m benchmarks.crowds [--parts meetings,crossing,city] [--seeds 10]
                                [--members 5,20,60] [--jobs 1] [--results FILE.jsonl]
                                [-o benchmarks/crowds.md]

``meetings`` are two groups head-on and at right angles, a corridor and a door; ``crossing`` is the
interchange of two levels; ``city`` a thousand people in a town quarter. A run is good when all
members arrived, the independent verification found nothing, and no jam was left at the end.
``--results`` keeps what was run: a campaign that was stopped goes on there.
"""

import argparse
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import NamedTuple

from benchmarks.campaign import Row, campaign, publish, stopped_early
from benchmarks.crowd_scenes import CASES
from rmp3d.geometry.errors import Rmp3dError


class Job(NamedTuple):
    """One run: of a case, or of a scenario with so many members a group."""

    case: str
    seed: int
    scenario: str = ""
    members: int = 0


def run_one(job: Job) -> Row:
    """Plan, run and verify once; steps per second are of CPU time, the plan not included."""
    from rmp3d.recording import RecordingReader
    from rmp3d.scenario.loading import load
    from rmp3d.simulation import simulate
    from rmp3d.verification import verify

    result: Row = {"case": job.case, "seed": job.seed, "error": None}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        target = job.scenario or str(CASES[job.case].write(Path(folder)))
        sizes = [f"groups.{row}.members={job.members}" for row in range(2)] if job.members else []
        steps: list[float] = []
        try:
            scenario = load(target, sizes, seed=job.seed)
            report = simulate(
                scenario, recording_path=path, each_step=lambda _: steps.append(process_time())
            )
            with RecordingReader.open(path) as recording:
                proof = verify(recording)
                events = recording.events()
        except Rmp3dError as error:
            return result | {"error": str(error)}
    jams = [event.member for event in events if event.kind == "jam"]
    over = [event.member for event in events if event.kind == "jam_over"]
    return result | {
        "members": report.members,
        "arrived": report.arrived,
        "findings": [finding.as_dict() for finding in proof.findings],
        "last": max((group.last_arrival or 0.0 for group in report.groups), default=0.0),
        "jams": len(jams),
        "left": len(jams) - len(over),
        "flow": report.measure[0]["flow"] if report.measure else None,
        "clearance": proof.clearance_members,
        "rate": (len(steps) - 1) / max(steps[-1] - steps[0], 1e-9),
    }


def is_good(row: Row) -> bool:
    """Return whether all arrived, nothing was found, and no jam was left."""
    if row["error"]:
        return False
    return not row["findings"] and row["arrived"] == row["members"] and row["left"] == 0


def jobs_of(part: str, options: argparse.Namespace) -> list[Job]:
    """Return the runs of a part of the campaign."""
    seeds = range(options.seeds)
    if part == "meetings":
        return [Job(case, seed) for case in CASES for seed in seeds]
    if part == "crossing":
        return [
            Job(f"crossing, {size} and {size}", seed, "crossing", size)
            for size in map(int, options.members.split(","))
            for seed in seeds
        ]
    return [Job("city, 1,000 in five crowds", seed, "city_1000") for seed in seeds]


def main() -> int:
    options = _options()
    jobs = {
        f"{job.case}/{job.seed}": job
        for part in options.parts.split(",")
        for job in jobs_of(part, options)
    }
    rows = campaign(run_one, jobs, results=options.results, processes=options.jobs, is_good=is_good)
    publish(report(options, jobs, rows), options.output)
    return int(not all(map(is_good, rows)))


def report(
    options: argparse.Namespace, jobs: Mapping[str, Job], rows: Sequence[Row]
) -> Iterator[str]:
    """Yield the lines of the page: the table, then the failures."""
    yield "# Crowds that meet"
    yield ""
    words = [f"--parts {options.parts}", f"--seeds {options.seeds}"]
    yield f"Made by `rmp3d bench crowds {' '.join(words)}`, {options.jobs} runs at a time,"
    yield f"{platform.machine()}, Python {platform.python_version()}. {options.seeds} seeds each;"
    yield "last arrivals are medians over the seeds, clearances the least of all seeds, between"
    yield "collision meshes (`rmp3d verify`); steps a second are medians, of CPU time."
    yield ""
    yield from stopped_early(rows, jobs)
    yield (
        "| case | members | arrived | runs with findings | last arrival [s] | jams a run "
        "| jams left | flow [1/s] | clearance between members [m] | steps/s |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for case in dict.fromkeys(row["case"] for row in rows):
        yield _line(case, [row for row in rows if row["case"] == case])
    yield ""
    yield f"{sum(map(is_good, rows))} of {len(rows)} runs without fault."
    for row in rows:
        if not is_good(row):
            what = row["error"] or (
                f"{row['arrived']} of {row['members']} arrived, {row['left']} jams left, "
                f"findings {row['findings'][:3]}"
            )
            yield f"- {row['case']}, seed {row['seed']}: {what}"


def _line(case: str, rows: list[Row]) -> str:
    good = [row for row in rows if not row["error"]]
    if not good:
        return f"| {case} | | | {len(rows)} errors | | | | | | |"
    share = sum(row["arrived"] for row in good) / (good[0]["members"] * len(rows))
    flow = [row["flow"] for row in good if row.get("flow") is not None]
    clear = [row["clearance"] for row in good if row["clearance"] is not None]
    cells = [
        case,
        str(good[0]["members"]),
        f"{100 * share:.1f} %",
        f"{sum(bool(row['findings']) for row in good) + len(rows) - len(good)} of {len(rows)}",
        f"{median(row['last'] for row in good):.1f}",
        f"{mean(row['jams'] for row in good):.1f}",
        str(sum(row["left"] for row in good)),
        f"{median(flow):.2f}" if flow else "",
        f"{min(clear):.4f}" if clear else "",
        f"{median(row['rate'] for row in good):.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", default="meetings,crossing,city")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--members", default="5,20,60", help="of each group of `crossing`")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, help="keep results in this file, and go on there")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
