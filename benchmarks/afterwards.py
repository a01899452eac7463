"""Life at the goal: how much members go about after they have arrived, each run verified.

    python -m benchmarks.afterwards [--seeds 1] [--seconds 60] [--characters pedestrian,...]
                                    [--jobs 2] [--to afterwards.study] [-o benchmarks/afterwards.md]

Three members of a kind go on from the goal by every activity, in an open scene, a narrow one, and
one with a road above a road (for flyers with needles, walls and the same roads). What counts is the
distance that they go, as a share of what they would go at cruise speed. Those that return begin in
another region, and their distance counts until they are back.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import rmp3d as rp
from benchmarks.campaign import CHECKOUT, Row, campaign, campaign_options, machine, publish, ran
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length
from rmp3d.recording import RecordingReader

FIGURE = "about"
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


def cases_of(characters: list[str]) -> dict[str, dict[str, Any]]:
    """Return the cases of the study by name: character, scene, activity."""
    cases = {}
    for character in characters:
        for scene, (goal, other) in SCENES[character].items():
            for name in ACTIVITIES:
                activity: Any = name
                if name == "patrol":
                    activity = {"name": "patrol", "posts": [other, "goal"]}
                cases[f"{character}/{scene}/{name}"] = {
                    "scene.name": scene, "groups.0.character": character,
                    "groups.0.start": other if name == "return" else goal,
                    "groups.0.goal": goal, "groups.0.afterwards": activity,
                }  # fmt: skip
    return cases


def shares_of_cruise(recording: RecordingReader) -> Float | None:
    """Return how far each member goes after the last arrival, as a share of its cruise speed.

    Those that return count until they are back. None: not all have arrived.
    """
    since = [event.time for event in recording.events() if event.kind == "afterwards"]
    if not since:
        return None
    position = recording.position()
    track = position[round(since[0] / recording.dt) :]
    steps = length(np.diff(track, axis=0))  # (T, n)
    activity: Any = recording.scenario.groups[0].afterwards
    if (activity if isinstance(activity, str) else activity["name"]) == "return":
        away = length(track[1:] - position[0]) > BACK
        steps = np.where(np.logical_or.accumulate(away[::-1])[::-1], steps, np.nan)
    speed = np.nanmean(steps, axis=0) / recording.dt
    cruise = recording.load_characters()[0].parameters.cruise_speed
    shares: Float = speed / cruise
    return shares


def main() -> int:
    options = _options()
    group = rp.Group("pedestrian", MEMBERS, start="cars", goal="cars", behavior="self_guided")
    rows = campaign(
        rp.Scenario("parking", [group], duration=400.0, linger=options.seconds), options=options,
        cases=cases_of(options.characters.split(",")), figures=[FIGURE],
        extension=CHECKOUT / "benchmarks" / "run_figures.py",
    )  # fmt: skip
    publish(_report(options, rows), options.output)
    return 0


def _report(options: argparse.Namespace, rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the table."""
    findings = sum(row["findings"] for row in ran(rows))
    yield "# Life at the goal: how much members go about"
    yield ""
    yield f"Made by `python -m benchmarks.afterwards --seeds {options.seeds} --seconds"
    yield f"{options.seconds:g}`, {machine()}. {len(rows)} runs of {MEMBERS}"
    yield f"members each; `verify` found {findings} things in them."
    yield ""
    yield f"In each cell: distance gone in the {options.seconds:g} s after the last arrival, as a"
    yield "share of what it is at cruise speed, by all / by the slowest member; the mean of the"
    yield "seeds. `-`: it never began, as not all had arrived, or the goal is too small to go about"
    yield "in (vehicles need five turn radii). `crossing` has a road above a road. Empty: not run."
    yield ""
    yield "| character | scene | " + " | ".join(ACTIVITIES) + " |"
    yield "|" + "---|" * (len(ACTIVITIES) + 2)
    for place in dict.fromkeys(row["case"].rpartition("/")[0] for row in rows):
        cells = (
            _cell([row for row in rows if row["case"] == f"{place}/{name}"]) for name in ACTIVITIES
        )
        yield f"| {place.replace('/', ' | ')} | " + " | ".join(cells) + " |"
    yield ""
    for row in rows:
        if row.get("members") is None:
            yield f"{row['case']}, seed {row['seed']}: {row['reason']}"


def _cell(rows: list[Row]) -> str:
    if not rows:
        return ""
    if len(ran(rows)) < len(rows):
        return "refused"
    shares = [(row[f"{FIGURE}.share"], row[f"{FIGURE}.least"]) for row in rows]
    known = [pair for pair in shares if pair[0] is not None]
    return "{:.2f} / {:.2f}".format(*np.mean(known, axis=0)) if known else "-"


def _options() -> argparse.Namespace:
    parser = campaign_options(__doc__, "afterwards", seeds=1)
    parser.add_argument("--seconds", type=float, default=60.0, help="after the last arrival")
    parser.add_argument("--characters", default=",".join(SCENES))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
