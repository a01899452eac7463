"""Stories of members that choose what they do: many seeds, each verified, each has to happen.

    python -m benchmarks.stories [--seeds 5] [--stories patio_house_guards,...]
                                 [--to stories.study] [-o benchmarks/stories.md]

A run is good if the independent verification finds nothing, and what the story tells happens in
its order, judged from the events and the motion of the recording.
"""

import sys
from collections.abc import Callable, Iterator, Sequence

from benchmarks.campaign import CHECKOUT, Row, campaign, campaign_options, machine, publish, ran
from rmp3d.recording import RecordingReader

HAPPENS, TEXT = "story.happens", "story.text"
Happened = tuple[bool, str]


def guards_chase(recording: RecordingReader) -> Happened:
    """Whether a guard chases the intruder, who is caught and leaves, and a guard goes on."""
    goals = _changes(recording)
    chase = _first(goals, 0, "chase", 0.0)
    leave = _first(goals, 1, "leave", chase)
    again = _first(goals, 0, "round", leave, before="chase")
    text = f"chased from {chase:.0f} s, leaves from {leave:.0f} s, rounds again from {again:.0f} s"
    return again < float("inf"), text


def visitors_stroll_eat_rest_and_leave(recording: RecordingReader) -> Happened:
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


STORIES: dict[str, Callable[[RecordingReader], Happened]] = {
    "patio_house_guards": guards_chase,
    "water_park_visitors": visitors_stroll_eat_rest_and_leave,
}


def _changes(recording: RecordingReader) -> list[tuple[float, int, int, str, str]]:
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


def page(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Stories"
    yield ""
    yield f"Made by `python -m benchmarks.stories`; {machine()}. Clearances are between"
    yield "collision meshes."
    yield ""
    yield (
        "| story | seed | happens | findings | clearance to scene [m] | between members [m] "
        "| run [s] | verify [s] | what |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in rows:
        if row not in ran([row]):
            yield f"| {row['story']} | {row['seed']} | **no** | | | | | | {row['reason']} |"
            continue
        yield (
            f"| {row['story']} | {row['seed']} | {'yes' if row[HAPPENS] else '**no**'} "
            f"| {row['findings']} | {row['clearance_scene']:.4f} | {row['clearance_members']:.4f} "
            f"| {row['processor_seconds']:.0f} | {row['verify_seconds']:.0f} | {row[TEXT]} |"
        )


def is_told(row: Row) -> bool:
    """Return whether a story happens, and nothing is found."""
    return bool(row.get(HAPPENS)) and row["findings"] == 0


def main() -> int:
    """Run the stories; return 1 if one does not happen or has findings."""
    parser = campaign_options(__doc__, "stories", seeds=5)
    parser.add_argument("--stories", default=",".join(STORIES))
    options = parser.parse_args()
    rows: list[Row] = [
        {"story": story, **row}
        for story in options.stories.split(",")
        for row in campaign(
            story, options=options, part=story, figures=["story"],
            extension=CHECKOUT / "benchmarks" / "run_figures.py",
        )
    ]  # fmt: skip
    publish(page(rows), options.output)
    return int(not all(map(is_told, rows)))


if __name__ == "__main__":
    sys.exit(main())
