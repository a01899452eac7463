"""The page about a recording: one HTML file that needs nothing else, on screen and on paper."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import zip_longest
from pathlib import Path

import numpy as np

from rmp3d.crossings import crossings_of
from rmp3d.errors import RecordingError
from rmp3d.geometry.whole_file import write_whole
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.recording.reader import RecordedEvent
from rmp3d.reporting.charts import all_charts
from rmp3d.reporting.course import course_of
from rmp3d.reporting.html_parts import (
    cell_text,
    html_data,
    html_facts,
    html_figure,
    html_gallery,
    html_moments,
    html_page,
    html_table,
)
from rmp3d.reporting.incidents import (
    Incident,
    by_importance,
    chosen,
    counted,
    incidents_of,
)
from rmp3d.reporting.lines import line_charts, lines_table
from rmp3d.reporting.members import MemberRow, member_rows
from rmp3d.reporting.motion import FIGURE_GOALS, FIGURE_TEXTS, GroupFigures, group_figures
from rmp3d.scenes import Scene
from rmp3d.verification import Report, verify
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.plots.moments import moment_pictures
from rmp3d.viewer.texts import named, said, tr

MOST_PICTURES = 80
"""Of moments: 2 MB of a page, and ten seconds of its making."""
MOST_SENTENCES = 2000
"""About moments."""


def write_report(
    recording: RecordingReader,
    path: Path,
    *,
    check: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> GroupFigures:
    """Write a page about a recording; return how smoothly the members of each group move.

    Args:
        recording: Open.
        path: The HTML file.
        check: Whether to verify the recording for the page.
        progress: Called with frames verified and frames in all.

    Returns:
        By group and figure the median and the worst member; see `MotionFigures`.

    Raises:
        RecordingError: It is damaged, or has no frames.
        InputError: The file cannot be written.
    """
    if recording.frames == 0:
        raise RecordingError(f"{recording.path}: has no frames ({recording.ending})")
    verdict = verify(recording, progress) if check else None
    scene, characters = recording.load_scene(), recording.load_characters()
    position = recording.position()
    found = None if verdict is None else verdict.findings
    members, seen = member_rows(recording, position, characters, found), playback(recording)
    figures = group_figures(recording, position, characters)
    course = course_of(recording, position, scene, characters)
    lines, duration = crossings_of(recording, position), (recording.frames - 1) * recording.dt
    drawn = [*all_charts(recording, seen, course, members), *line_charts(lines, duration)]
    page = html_page(
        f"{recording.scenario.name}, {tr('seed')} {recording.scenario.seed}",
        recording.scenario.description,
        _facts(recording, scene, verdict),
        {
            "Groups": _groups(recording, members),
            "Why it happened": _moments(recording, seen, members),
            **({"Measuring lines": lines_table(lines)} if lines.lines else {}),
            "Charts": "\n".join(html_figure(*each) for each in drawn),
            "Findings of the verification": _findings(verdict),
            "Motion": _motion(figures),
            "Members": _members(members),
            "Events": _events(recording, recording.events()),
            "Scenario": html_data(json.loads(recording.scenario.to_json())),
        },
    )
    write_whole(path, page)
    return figures


def _facts(recording: RecordingReader, scene: Scene, verdict: Report | None) -> str:
    seconds = (recording.frames - 1) * recording.dt
    triangles = sum(len(part.mesh.faces) for part in scene.parts)
    facts = {
        "scene": tr(
            "{parts} parts, {triangles} triangles", parts=len(scene.parts), triangles=triangles
        ),
        "members": str(recording.header.member_count),
        "time": tr(
            "{time} s in {frames} frames of {step} ms",
            time=f"{seconds:.1f}",
            frames=recording.frames,
            step=f"{1e3 * recording.dt:.1f}",
        ),
        "ending": tr(recording.ending),
    }
    if verdict is not None:
        none = "no findings in {states} states and {motions} motions"
        some = "{count} findings in {states} states and {motions} motions"
        facts["verified"] = tr(
            none if verdict.ok else some,
            count=len(verdict.findings), states=verdict.states, motions=verdict.motions,
        )  # fmt: skip
        facts["least clearance"] = tr(
            "{scene} to the scene, {members} between members",
            scene=_meters(verdict.clearance_scene), members=_meters(verdict.clearance_members),
        )  # fmt: skip
        if verdict.expected:
            facts["arrived"] = tr("{count} of {all}", count=verdict.arrived, all=verdict.expected)
    return html_facts(facts)


def _groups(recording: RecordingReader, members: Sequence[MemberRow]) -> str:
    header = ("group", "character", "behavior", "members", "arrived", "last arrival [s]",
              "mean distance [m]", "energy [J]", "figures of the behavior")  # fmt: skip
    rows = []
    for row, group in enumerate(recording.scenario.groups):
        own = [member for member in members if member.group == group.name]
        times = [member.arrived for member in own if member.arrived is not None]
        figures = recording.figures(row)
        rows.append([
            named(group.name), _kinds(own), named(group.behavior["name"]).replace("_", " "),
            len(own),
            len(times) if group.goal is not None else None, max(times, default=None),
            sum(member.distance for member in own) / len(own), sum(member.energy for member in own),
            "; ".join(f"{key.replace('_', ' ')}: {cell_text(n)}" for key, n in figures.items()),
        ])  # fmt: skip
    return html_table(header, rows)


def _kinds(members: Sequence[MemberRow]) -> str:
    """Return what the members of a group are; how many of each if they are several things."""
    counts = Counter(member.character for member in members)
    if len(counts) == 1:
        return named(next(iter(counts)))
    return ", ".join(f"{count} {named(name)}" for name, count in counts.items())


def _members(members: Sequence[MemberRow]) -> str:
    header = ("member", "group", "character", "in the goal since [s]", "distance traveled [m]",
              "mean speed [m/s]", "energy [J]", "collisions")  # fmt: skip
    rows = [[m.member, named(m.group), named(m.character), m.arrived, m.distance, m.mean_speed,
             m.energy, m.collisions] for m in members]  # fmt: skip
    return html_table(header, rows)


def _motion(figures: GroupFigures) -> str:
    header = ("figure", *map(named, figures), "what good looks like")
    rows = [
        [
            tr(text),
            *(_median_and_worst(own, key) for own in figures.values()),
            tr(FIGURE_GOALS[key]),
        ]
        for key, text in FIGURE_TEXTS.items()
    ]
    return _paragraph("Median and worst member of each group, until arrival.") + html_table(
        header, rows
    )


def _median_and_worst(own: Mapping[str, Mapping[str, float]], key: str) -> str | None:
    if key not in own:
        return None
    return f"{cell_text(own[key]['median'])} / {cell_text(own[key]['worst'])}"


def _moments(recording: RecordingReader, seen: Playback, members: Sequence[MemberRow]) -> str:
    """Return pictures and sentences of changes, waits and jams."""
    arrived = np.array([np.inf if row.arrived is None else row.arrived for row in members])
    found = incidents_of(recording, seen, arrived)
    first = chosen(found)
    if not first:
        return _paragraph(
            "Nothing needs a reason: no formation changed, nobody waited or was stuck."
        )
    rest = [each for each in by_importance(found) if each not in first]
    drawn = [*first, *rest[: MOST_PICTURES - len(first)]]
    pictures = moment_pictures(seen, [(each.time, each.members) for each in drawn])
    gallery = [
        (data, f"{each.time:.1f} s", each.text) for data, each in zip(pictures, first, strict=False)
    ]
    note = (
        "From above; members with a bright rim are those that the sentence is about, lines are "
        "their last 4 s."
    )
    return _paragraph(note) + html_gallery(gallery) + _other_moments(rest, pictures[len(first) :])


def _other_moments(rest: Sequence[Incident], pictures: Sequence[bytes]) -> str:
    """Return sentences of moments, the first of which have pictures, folded away."""
    if not rest:
        return ""
    told = sorted(zip_longest(rest[:MOST_SENTENCES], pictures), key=lambda each: each[0].time)
    rows = [(data, f"{each.time:.1f} s", each.text) for each, data in told]
    count = counted(rest)
    summary = tr("The others, in order of time: {count}", count=count)
    note = ""
    if len(rest) > len(pictures):
        text = "Pictures are drawn of the {count} moments that matter most."
        note += _paragraph(text, count=MOST_PICTURES)
    if len(rest) > MOST_SENTENCES:
        text = "{count} more moments are not told: a page has at most {most} of them."
        note += _paragraph(text, count=len(rest) - MOST_SENTENCES, most=MOST_SENTENCES)
    return html_moments(rows, summary) + note


def _paragraph(text: str, **values: object) -> str:
    """Return a paragraph in the language that is shown."""
    return f"<p>{escape(tr(text, **values))}</p>"


def _events(recording: RecordingReader, events: Sequence[RecordedEvent]) -> str:
    names = [named(group.name) for group in recording.scenario.groups]
    rows = [
        [e.time, tr(e.kind.replace("_", " ")), names[e.group] if e.group >= 0 else None,
         e.member if e.member >= 0 else None, said(e.text)]
        for e in events
    ]  # fmt: skip
    return html_table(("time [s]", "event", "group", "member", "what happened"), rows)


def _findings(verdict: Report | None) -> str:
    if verdict is None:
        return _paragraph("Not verified.")
    if verdict.ok:
        return _paragraph("No findings.")
    rows = [[f.time, f.kind.replace("_", " "), f.part, f.depth, f.text] for f in verdict.findings]
    return html_table(("time [s]", "finding", "part", "depth [m]", "what was found"), rows)


def _meters(distance: float | None) -> str:
    return "–" if distance is None else f"{distance:.3f} m"  # noqa: RUF001
