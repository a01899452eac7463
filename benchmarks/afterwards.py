"""Life at the goal: how much members go about after they have arrived, each run verified.

    python -m benchmarks.afterwards [--seeds 1] [--seconds 60] [--characters pedestrian,...]
                                    [--processes 2] [--results afterwards.jsonl]
                                    [-o benchmarks/afterwards.md]

Three members of a kind go on from the goal by every activity, in an open scene, a narrow one, and
one with a road above a road (for flyers with needles, walls and the same roads). What counts is the
distance that they go, as a share of what they would go at cruise speed. Those that return begin in
another region, and their distance counts until they are back.
"""

import argparse
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import rmp3d as rp
from benchmarks.campaign import Row, campaign, publish, stopped_early
from rmp3d.geometry.vectors import length
from rmp3d.models import load_character

MEMBERS = 3
ON_GROUND = {
    "plain": ("east", "west"),
    "parking": ("cars", "motorcycles"),
    "crossing": ("east", "west"),
}
IN_AIR = {"sky": ("east", "west"), "canyon": ("lake", "mouth"), "crossing": ("east", "west")}
SCENES = {
    "pedestrian": ON_GROUND, "sheep": ON_GROUND, "motorbike": ON_GROUND, "car": ON_GROUND,
    "drone": IN_AIR, "bird": IN_AIR,
}  # fmt: skip
ACTIVITIES = ("wander", "roam", "explore", "return", "patrol")
# A member that goes back is there when it is so near to where it began [m].
BACK = 2.0


class Job(NamedTuple):
    """One run."""

    character: str
    scene: str
    activity: str
    seed: int
    seconds: float


def run_one(job: Job) -> Row:
    """Return the share of cruise distance gone, of all and of the slowest member, and findings."""
    goal, other = SCENES[job.character][job.scene]
    activity: Any = job.activity
    if job.activity == "patrol":
        activity = {"name": "patrol", "posts": [other, "goal"]}
    group = rp.Group(
        job.character, MEMBERS, start=other if job.activity == "return" else goal, goal=goal,
        behavior="self_guided", afterwards=activity,
    )  # fmt: skip
    recording = rp.run(job.scene, group, seed=job.seed, duration=400.0, linger=job.seconds)
    since = [event.time for event in recording.events() if event.kind == "afterwards"]
    findings = len(recording.verify().findings)
    if not since:
        return {"share": None, "least": None, "findings": findings}
    track = recording.position()[round(since[0] / recording.dt) :]
    steps = length(np.diff(track, axis=0))  # (T, n)
    if job.activity == "return":
        away = length(track[1:] - recording.position()[0]) > BACK
        steps = np.where(np.logical_or.accumulate(away[::-1])[::-1], steps, np.nan)
    speed = np.nanmean(steps, axis=0) / recording.dt
    share = speed / load_character(job.character).parameters.cruise_speed
    return {
        "share": round(float(share.mean()), 3), "least": round(float(share.min()), 3),
        "findings": findings,
    }  # fmt: skip


def main() -> int:
    options = _options()
    jobs = {
        f"{character}/{scene}/{activity}/{seed}": Job(
            character, scene, activity, seed, options.seconds
        )
        for seed in range(options.seeds)
        for activity in ACTIVITIES
        for character in options.characters.split(",")
        for scene in SCENES[character]
    }
    rows = campaign(
        _named, jobs, results=options.results, processes=options.processes,
        is_good=lambda row: row["findings"] == 0 and row["share"] is not None,
    )  # fmt: skip
    publish(_report(options, rows, jobs), options.output)
    return 0


def _named(job: Job) -> Row:
    """Return a row that says what was run, or why it was refused."""
    try:
        found = run_one(job)
    except rp.InputError as error:
        found = {"share": None, "least": None, "findings": 0, "refused": str(error)}
    return {**job._asdict(), **found}


def _report(options: argparse.Namespace, rows: list[Row], jobs: dict[str, Job]) -> Iterator[str]:
    """Yield the lines of the table."""
    findings = sum(row["findings"] for row in rows)
    yield "# Life at the goal: how much members go about"
    yield ""
    yield f"Made by `python -m benchmarks.afterwards --seeds {options.seeds} --seconds"
    yield f"{options.seconds:g}`, Python {platform.python_version()}. {len(rows)} runs of {MEMBERS}"
    yield f"members each; `verify` found {findings} things in them."
    yield ""
    yield from stopped_early(rows, jobs)
    yield f"In each cell: distance gone in the {options.seconds:g} s after the last arrival, as a"
    yield "share of what it is at cruise speed, by all / by the slowest member; the mean of the"
    yield "seeds. `-`: it never began, as not all had arrived, or the goal is too small to go about"
    yield "in (vehicles need five turn radii). `crossing` has a road above a road. Empty: not run."
    yield ""
    yield "| character | scene | " + " | ".join(ACTIVITIES) + " |"
    yield "|" + "---|" * (len(ACTIVITIES) + 2)
    for character, scene in dict.fromkeys((row["character"], row["scene"]) for row in rows):
        own = [row for row in rows if (row["character"], row["scene"]) == (character, scene)]
        cells = (_cell([row for row in own if row["activity"] == name]) for name in ACTIVITIES)
        yield f"| {character} | {scene} | " + " | ".join(cells) + " |"
    yield ""
    for row in rows:
        if "refused" in row:
            yield f"{row['character']}, {row['scene']}, {row['activity']}: {row['refused']}"


def _cell(rows: list[Row]) -> str:
    if not rows:
        return ""
    if any("refused" in row for row in rows):
        return "refused"
    known = [(row["share"], row["least"]) for row in rows if row["share"] is not None]
    return "{:.2f} / {:.2f}".format(*np.mean(known, axis=0)) if known else "-"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--characters", default=",".join(SCENES))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--results", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
