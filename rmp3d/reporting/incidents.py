"""Why formations change, members wait and jams begin: a sentence for each, from the recording."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import length, unit
from rmp3d.recording import RecordingReader
from rmp3d.recording.reader import RecordedEvent
from rmp3d.reporting.barriers import barrier
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.texts import named, said, tr

PLAIN = frozenset(
    {"start", "end", "arrived", "goal", "came", "left", "jam_over", "found", "told", "waypoint"}
)
"""Events that need no reason."""
MOST_OF_A_KIND, MOST = 4, 12
"""Moments of a kind, and in all, whose pictures are seen at once."""
GOING, STANDING, AVERAGED = 0.3, 0.05, 0.5
"""A member waits that was faster than the one and is slower than the other [m/s], both averaged
over a time [s]."""
LONG = 2.0
"""Shorter waits [s] are not told."""
NEAR = 1.5
"""A member whose body is so near [m], ahead, is in the way of another one."""
NAMES = {
    "wait": ("wait", "waits"),
    "jam": ("jam", "jams"),
    "formation": ("change of formation", "changes of formation"),
    "spacing": ("change of spacing", "changes of spacing"),
    "reroute": ("other way taken", "other ways taken"),
}
"""What moments that are not shown are called."""
AHEAD = np.cos(np.radians(75.0))
FORESIGHT = 12.0
"""How far [m] along the path the free width is looked at."""


@dataclass(frozen=True)
class Incident:
    """Something that has a reason.

    Attributes:
        time: When [s].
        kind: ``formation``, ``jam``, ``wait`` or another kind of event.
        members: Rows of those that it is about.
        text: What happened and why, in a sentence.
        weight: How much it matters beside others of its kind: how long a wait was [s].
    """

    time: float
    kind: str
    members: tuple[int, ...]
    text: str
    weight: float = 0.0


def incidents_of(recording: RecordingReader, seen: Playback, arrived: Float) -> list[Incident]:
    """Return all moments in order of time.

    Args:
        recording: Of a run.
        seen: Its playback.
        arrived: (N,) when each member was in its goal to stay [s]; infinite: it was not.
    """
    found = [_of_event(recording, seen, e) for e in recording.events() if e.kind not in PLAIN]
    names = seen.group_names
    for member in range(seen.member_count):
        for start, end in waits(seen, member, float(arrived[member])):
            who = _named(member, names[seen.group_of[member]])
            why, others = reason(seen, member, 0.5 * (start + end))
            text = tr(
                "{who} stood for {time} s: {why}.", who=who, time=f"{end - start:.1f}", why=why
            )
            found.append(Incident(start, "wait", (member, *others), text, end - start))
    return sorted(found, key=lambda incident: incident.time)


def by_importance(moments: Sequence[Incident]) -> list[Incident]:
    """Return all moments: the one that matters most of each kind, then the second of each, ..."""
    counts: Counter[str] = Counter()
    ranked = []
    for moment in sorted(moments, key=lambda each: (-each.weight, each.time)):
        counts[moment.kind] += 1
        ranked.append((counts[moment.kind], moment.time, moment))
    return [moment for _, _, moment in sorted(ranked, key=lambda each: each[:2])]


def chosen(moments: Sequence[Incident]) -> list[Incident]:
    """Return the few moments of each kind that matter most, in order of time."""
    counts: Counter[str] = Counter()
    found = []
    for moment in by_importance(moments):
        counts[moment.kind] += 1
        if counts[moment.kind] <= MOST_OF_A_KIND:
            found.append(moment)
    return sorted(found[:MOST], key=lambda each: each.time)


def counted(moments: Sequence[Incident]) -> str:
    """Return how many moments of each kind there are, in words."""
    found = []
    for kind, count in Counter(each.kind for each in moments).items():
        words = kind.replace("_", " ")
        one, several = NAMES.get(kind, (words, "times “{kind}”"))
        text = tr(one) if count == 1 else tr(several, kind=tr(words))
        found.append(f"{count} {text}")
    return ", ".join(found)


def waits(seen: Playback, member: int, arrived: float) -> list[tuple[float, float]]:
    """Return from when until when [s] a member stood on its way, before it arrived."""
    first, end = (0, seen.frame_count) if seen.life is None else seen.life[member].tolist()
    end = min(end, int(np.ceil(min(arrived, seen.duration + seen.dt) / seen.dt)))
    place = seen.position[first:end, member]
    reach = max(1, round(0.5 * AVERAGED / seen.dt))
    if len(place) <= 2 * reach:
        return []
    speed = length(place[2 * reach :] - place[: -2 * reach]) / (2 * reach * seen.dt)
    found, moved, since = [], False, -1
    for row, each in enumerate([*speed.tolist(), np.inf]):
        if each < STANDING and moved and since < 0:
            since = row
        elif each > GOING:
            if since >= 0 and np.isfinite(each) and (row - since) * seen.dt >= LONG:
                found.append((since, row))
            moved, since = True, -1
    offset = first + reach
    return [((offset + a) * seen.dt, (offset + b) * seen.dt) for a, b in found]


def reason(
    seen: Playback, member: int, time: float, *, stands: bool = True
) -> tuple[str, tuple[int, ...]]:
    """Return why a member does not go on, in words, and the rows of those in its way.

    What moves in the scene, such as a gate, is a reason only for one that stands.
    """
    frame = seen.frame_at(time)[0]
    place, there = seen.position[frame], seen.there(frame)
    ahead = rotate(seen.orientation_wxyz[frame, member][None], np.array([1.0, 0.0, 0.0]))[0]
    rest = np.inf
    if seen.subgoal is not None and np.isfinite(seen.subgoal[frame, member]).all():
        offset = seen.subgoal[frame, member] - place[member]
        rest = float(length(offset[None])[0])
        ahead = unit(offset[None])[0] if rest > 0.3 else ahead
    offset = place - place[member]
    gap = length(offset) - seen.radius - seen.radius[member]
    blocks = there & (gap < NEAR) & (unit(offset) @ ahead > AHEAD)
    blocks[member] = False
    closed = barrier(seen, member, ahead, time) if stands else None
    if blocks.any():
        other = int(np.where(blocks, gap, np.inf).argmin())
        if closed is not None and closed[1] < gap[other]:
            return _was_closed(*closed), ()
        text = _was_ahead(seen, member, other, float(gap[other]))
        if closed is not None:
            text = tr("{one}, and {other}", one=text, other=_was_closed(*closed))
        return text, (other,)
    if closed is not None:
        return _was_closed(*closed), ()
    if rest <= 0.3:
        return tr("it was at its place, and the others were not yet at theirs"), ()
    if not np.isfinite(rest):
        return tr("nobody was ahead of it"), ()
    text = "nobody was ahead of it; its next goal was {far} m away"
    return tr(text, far=f"{rest:.1f}"), ()


def _was_ahead(seen: Playback, member: int, other: int, gap: float) -> str:
    name = named(seen.group_names[seen.group_of[other]])
    if seen.group_of[other] == seen.group_of[member]:
        near, far = "member {other} was right ahead of it", "member {other} was {gap} m ahead of it"
    else:
        near = "member {other} of {group} was right ahead of it"
        far = "member {other} of {group} was {gap} m ahead of it"
    text = far if gap >= 0.05 else near
    return tr(text, other=other, group=name, gap=f"{gap:.1f}")


def _named(member: int, group: str) -> str:
    return tr("Member {member} of {group}", member=member, group=named(group))


def _was_closed(name: str, distance: float) -> str:
    return tr("`{name}` was across its way, {far} m ahead", name=name, far=f"{distance:.1f}")


def _of_event(recording: RecordingReader, seen: Playback, event: RecordedEvent) -> Incident:
    kind, group = tr(event.kind.replace("_", " ")), max(event.group, 0)
    name, told = named(seen.group_names[group]), said(event.text)
    members = tuple(seen.members(group).tolist()) if event.member < 0 else (event.member,)
    who = (
        tr("The group {group}", group=named(name))
        if event.member < 0
        else _named(event.member, name)
    )
    incident = partial(Incident, event.time, event.kind)
    if event.kind in ("formation", "spacing"):
        text = _with_width(recording, group, event.time)
        return incident(members, f"{who}: {told}{text}.")
    if event.kind in ("jam", "reroute") and event.member >= 0:
        why, others = reason(seen, event.member, event.time, stands=event.kind == "jam")
        text = "{who} takes another way ({told}): {why}."
        if event.kind == "jam":
            text = "{who} is in a jam ({told}): {why}."
        return incident((*members, *others), tr(text, who=who, told=told, why=why))
    return incident(members, f"{who}, {kind}: {told or kind}.")


def _with_width(recording: RecordingReader, group: int, time: float) -> str:
    """Return how wide the path is here and ahead, for which a formation is taken."""
    plan, series = recording.header.plans[group], recording.series(group)
    if not {"station", "room_left", "room_right"} <= set(plan) or "leader" not in series:
        return ""
    radius = recording.header.radius_of_group(group, recording.load_characters())
    station = np.asarray(plan["station"], float)
    width = np.asarray(plan["room_left"] + plan["room_right"], float) + 2.0 * radius
    at = float(np.interp(time, series["time"], series["leader"]))
    here = float(np.interp(at, station, width))
    rows = np.flatnonzero((station >= at) & (station <= at + FORESIGHT))
    if len(rows) == 0:
        return tr(", where the path is {here} m wide", here=f"{here:.1f}")
    least = int(rows[width[rows].argmin()])
    narrow = f"{width[least]:.1f}"
    if width[least] > 0.8 * here:
        text = ", as the path is at least {least} m wide for the next {far} m"
        return tr(text, least=narrow, far=f"{FORESIGHT:g}")
    text = ", as the path is {here} m wide here, and only {least} m wide {on} m farther on"
    return tr(text, here=f"{here:.1f}", least=narrow, on=f"{station[least] - at:.1f}")
