"""Every built-in scenario, several group sizes and seeds: run, verify, and print one table.

    python -m benchmarks.groups [--seeds 10] [--members 5,20,60] [--scenes parking,...]
                                [--behaviors A,B,...] [--jobs 2] [--results FILE.jsonl]
                                [-o benchmarks/groups.md]

Scenes are all built-in ones whose scenario gives a group a goal, unless some are named; behaviors
are the scenes' own, unless some are named: then every scene is run with each. A run counts as good
when all members arrived and the independent verification found nothing. How well a formation was
kept is seen in the recording by `benchmarks.formation_story`.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from benchmarks.campaign import Row, campaign, publish, stopped_early
from benchmarks.formation_story import story
from benchmarks.journeys import journeys
from rmp3d.geometry.errors import Rmp3dError

Job = tuple[str, int, int, str | None]


def main() -> int:
    options = _options()
    behaviors = options.behaviors.split(",") if options.behaviors else [None]
    jobs = {
        f"{scene}/{behavior or 'its own'}/{members}/{seed}": (scene, members, seed, behavior)
        for seed in range(options.seeds)
        for behavior in behaviors
        for scene in options.scenes.split(",")
        for members in map(int, options.members.split(","))
    }
    rows = campaign(run_one, jobs, results=options.results, processes=options.jobs, is_good=is_good)
    publish(_report(options, jobs, rows), options.output)
    return int(not all(map(is_good, rows)))


def run_one(job: Job) -> Row:
    """Plan, run and verify once."""
    from rmp3d.recording import RecordingReader
    from rmp3d.reporting.motion import group_figures
    from rmp3d.scenario.loading import load
    from rmp3d.simulation import simulate
    from rmp3d.verification import verify

    scene, members, seed, behavior = job
    result: Row = {"scene": scene, "asked": behavior, "members": members, "seed": seed}
    result["error"] = None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        try:
            scenario = load(scene, members=members, seed=seed, behavior=behavior)
            report = simulate(scenario, recording_path=path)
            began = perf_counter()
            with RecordingReader.open(path) as recording:
                proof = verify(recording)
                told = story(recording) if "slots" in recording.header.plans[0] else None
                motion = group_figures(recording, recording.position(), recording.load_characters())
        except Rmp3dError as error:
            return result | {"error": str(error)}
    group = report.groups[0]
    return result | {
        "behavior": group.behavior,
        "arrived": report.arrived,
        "expected": sum(g.members for g in report.groups if g.arrived is not None),
        "findings": [finding.as_dict() for finding in proof.findings],
        "seconds": (report.frames - 1) * report.dt,
        "last_arrival": group.last_arrival,
        "steps_per_second": (report.frames - 1) / report.wall_seconds,
        "plan_seconds": report.plan_seconds,
        "verify_seconds": perf_counter() - began,
        "changes": len(group.formation_changes),
        "story": None if told is None else asdict(told),
        "motion": motion[group.name],
        "jams": group.jams,
        "clearance_scene": proof.clearance_scene,
        "clearance_members": proof.clearance_members,
    }


def is_good(row: Row) -> bool:
    """Return whether all have arrived, and nothing was found."""
    return not row["error"] and not row["findings"] and bool(row["arrived"] == row["expected"])


def _report(options: argparse.Namespace, jobs: dict[str, Job], results: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    words = ["rmp3d bench groups", f"--members {options.members}", f"--seeds {options.seeds}"]
    if options.behaviors:
        words += [f"--scenes {options.scenes}", f"--behaviors {options.behaviors}"]
    yield "# Groups: arrivals and proof"
    yield ""
    yield f"Made by `{' '.join(words)}`,"
    yield f"{options.jobs} runs at a time on {os.cpu_count()} cores ({platform.machine()}),"
    yield f"Python {platform.python_version()}. {options.seeds} seeds each. Medians over seeds;"
    yield "clearances are the least of all seeds, between collision meshes (`rmp3d verify`)."
    yield ""
    yield from stopped_early(results, jobs)
    yield "Formation, seen in the recordings; the worst of all seeds, in lengths of the body (its"
    yield "diameter): mean distance from the slots on straight stretches while a formation is kept;"
    yield "mean distance from the files inside narrow passages; share of moments at which more than"
    yield "planned are side by side there; how far behind a passage the next formation is complete,"
    yield "counted from the foremost member, less the depth of the formation. Turning is"
    yield "the acceleration across the motion on straight stretches of those who have been in their"
    yield "slots for 2 s (root mean square, median of the seeds). Empty where there is none."
    yield "Jerk, turns to the other side and motion aside: of the median member until it arrives,"
    yield "median of the seeds; `benchmarks/motion.md` says more."
    yield ""
    yield (
        "| scene | behavior | members | arrived | runs with findings | last arrival [s] "
        "| formation changes | slot error | off the files in passages | too many abreast "
        "| back after | turning [m/s2] | jerk [m/s3] | turns to the other side [1/s] "
        "| moves aside [%] | jams | clearance to scene [m] "
        "| between members [m] | steps/s | plan [s] | verify [s] |"
    )
    yield "|---" * 21 + "|"
    for key in dict.fromkeys(map(_key, results)):
        yield _line(key, [row for row in results if _key(row) == key])
    yield ""
    failed = [row for row in results if not is_good(row)]
    yield f"{len(results) - len(failed)} of {len(results)} runs without fault."
    for row in failed:
        what = row["error"] or f"{row['arrived']} arrived, findings {row['findings'][:3]}"
        scene, behavior, members = _key(row)
        yield f"- {scene}, {behavior}, {members} members, seed {row['seed']}: {what}"


def _key(row: Row) -> tuple[str, str, int]:
    return row["scene"], row["asked"] or "its own behavior", row["members"]


def _line(key: tuple[str, str, int], rows: list[Row]) -> str:
    scene, behavior, members = key
    good = [row for row in rows if not row["error"]]
    if not good:
        return f"| {scene} | {behavior} | {members} | 0 | {len(rows)} errors" + " |" * 17
    arrived = sum(row["arrived"] for row in good) / (good[0]["expected"] * len(rows))
    stories = [row["story"] for row in good if row["story"] is not None]
    last = [row["last_arrival"] for row in good if row["last_arrival"] is not None]
    cells = [
        scene,
        good[0]["behavior"],
        str(members),
        f"{100 * arrived:.1f} %",
        f"{sum(bool(row['findings']) for row in good) + len(rows) - len(good)} of {len(rows)}",
        f"{median(last):.1f}" if last else "",
        f"{median(row['changes'] for row in good):.0f}",
        *(_worst(told[name] for told in stories) for name in ("error", "aside")),
        _worst((told["abreast"] for told in stories), "{:.0%}"),
        _worst(told["back"] for told in stories),
        _middle(told["turning"] for told in stories),
        *(
            _middle(row["motion"][name]["median"] for row in good if "motion" in row)
            for name in ("jerk", "flips", "aside")
        ),
        f"{mean(row['jams'] for row in good):.1f}",
        _least(row["clearance_scene"] for row in good),
        _least(row["clearance_members"] for row in good),
        f"{median(row['steps_per_second'] for row in good):.0f}",
        f"{median(row['plan_seconds'] for row in good):.1f}",
        f"{median(row['verify_seconds'] for row in good):.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _worst(values: Iterable[float | None], form: str = "{:.2f}") -> str:
    known = [value for value in values if value is not None]
    return form.format(max(known)) if known else ""


def _middle(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{median(known):.2f}" if known else ""


def _least(values: Iterator[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{min(known):.4f}" if known else ""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--members", default="5,20,60")
    parser.add_argument("--scenes", default=",".join(journeys()))
    parser.add_argument("--behaviors", help="instead of the scenes' own")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, help="keep results in this file, and go on there")
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
