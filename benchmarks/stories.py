"""Stories of members that choose what they do: many seeds, each verified, each has to happen.

    python -m benchmarks.stories [--seeds 5] [--stories patio_house_guards,...] [-o stories.md]

A run is good if the independent verification finds nothing, and what the story tells happens in
its order, judged from the events and the motion of the recording.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import rmp3d as rp

Happened = tuple[bool, str]


def guards_chase(recording: rp.Recording) -> Happened:
    """Whether a guard chases the intruder, who is caught and leaves, and a guard goes on."""
    goals = _changes(recording)
    chase = _first(goals, 0, "chase", 0.0)
    leave = _first(goals, 1, "leave", chase)
    again = _first(goals, 0, "round", leave, before="chase")
    text = f"chased from {chase:.0f} s, leaves from {leave:.0f} s, rounds again from {again:.0f} s"
    return again < float("inf"), text


def visitors_stroll_eat_rest_and_leave(recording: rp.Recording) -> Happened:
    """Whether visitors eat and go on, rest and go on, and all are at the balloon in the end."""
    goals = _changes(recording)
    found, told = True, []
    for goal in ("eat", "rest"):
        begins = {member for _, _, member, _, after in goals if after == goal}
        goes_on = {
            member for _, _, member, before, after in goals if before == goal and after != "leave"
        }
        found &= bool(begins & goes_on)
        told.append(f"{len(begins)} {goal}, {len(begins & goes_on)} of them go on")
    last = recording.position()[-1]
    there = int(recording.load_scene().region("balloon").contains(last).sum())
    leaving = {member for _, _, member, _, after in goals if after == "leave"}
    found &= there == len(last) == len(leaving)
    return found, f"{'; '.join(told)}; {there} of {len(last)} at the balloon in the end"


STORIES: dict[str, Callable[[rp.Recording], Happened]] = {
    "patio_house_guards": guards_chase,
    "water_park_visitors": visitors_stroll_eat_rest_and_leave,
}


def _changes(recording: rp.Recording) -> list[tuple[float, int, int, str, str]]:
    """Return time [s], group, member, goal before and after of each change of a goal."""
    found = []
    for event in recording.events():
        before, arrow, after = event.text.partition(" -> ")
        if event.kind == "goal" and arrow:
            found.append((event.time, event.group, event.member, before, after))
    return found


def _first(
    goals: Sequence[tuple[float, int, int, str, str]], group: int, goal: str, since: float,
    before: str = "",
) -> float:  # fmt: skip
    """Return when [s] a member of a group first takes up a goal, not earlier; infinite: never."""
    times = (
        time
        for time, row, _, was, after in goals
        if row == group and after == goal and time >= since and before in ("", was)
    )
    return next(times, float("inf"))


def run_one(story: str, seed: int) -> dict[str, Any]:
    """Run and verify a story with a seed."""
    with tempfile.TemporaryDirectory() as folder:
        began = process_time()
        recording = rp.run(rp.Scenario.load(story, seed=seed), to=Path(folder) / "a.rmp3d")
        ran = process_time()
        report = rp.verify(recording)
        happened, told = STORIES[story](recording)
        return {
            "story": story, "seed": seed, "happened": happened, "told": told,
            "findings": len(report.findings), "clearance_scene": report.clearance_scene,
            "clearance_members": report.clearance_members, "run_seconds": ran - began,
            "verify_seconds": process_time() - ran,
        }  # fmt: skip


def page(rows: Sequence[dict[str, Any]]) -> str:
    """Return the results as a page."""
    lines = [
        "# Stories",
        "",
        f"Made by `python -m benchmarks.stories`, on {os.cpu_count()} cores "
        f"({platform.machine()}), Python {platform.python_version()}. Clearances are between "
        "collision meshes; times are of the processor.",
        "",
        "| story | seed | happens | findings | clearance to scene [m] | between members [m] "
        "| run [s] | verify [s] | what |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['story']} | {row['seed']} | {'yes' if row['happened'] else '**no**'} "
        f"| {row['findings']} | {row['clearance_scene']:.4f} | {row['clearance_members']:.4f} "
        f"| {row['run_seconds']:.0f} | {row['verify_seconds']:.0f} | {row['told']} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the stories; return 1 if one does not happen or has findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--stories", default=",".join(STORIES))
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    rows = []
    for story in options.stories.split(","):
        for seed in range(options.seeds):
            rows.append(run_one(story, seed))
            print(rows[-1], file=sys.stderr, flush=True)
            if options.output:
                options.output.write_text(page(rows))
    print(page(rows))
    return 0 if all(row["happened"] and not row["findings"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
