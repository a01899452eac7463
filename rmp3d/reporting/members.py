"""What became of each member, from the recording alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.risers import without_risers
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.recording import RecordingReader
from rmp3d.scenario import goal_region
from rmp3d.simulation.log import ENERGY_MOTION, ENERGY_REST
from rmp3d.verification import Finding

CONTACTS = frozenset({"collision", "inside", "member_collision"})


@dataclass(frozen=True)
class MemberRow:
    """What became of a member.

    Attributes:
        member: Its row.
        group: Name of its group.
        character: Name of what it is.
        arrived: When it came into its goal to stay there [s]; None if it did not, or has none.
        distance: Length of its trail [m].
        mean_speed: [m/s].
        energy: Metabolic, the integral of (2.23 + 1.26 v^2) m dt [J].
        collisions: Findings of a verification that it is part of; None without one.
    """

    member: int
    group: str
    character: str
    arrived: float | None
    distance: float
    mean_speed: float
    energy: float
    collisions: int | None


def member_rows(
    recording: RecordingReader,
    position: Float,
    characters: Sequence[Character],
    findings: Sequence[Finding] | None,
) -> list[MemberRow]:
    """Return a row for every member that comes; what it does counts while it is there.

    Args:
        recording: Of the run.
        position: (T, N, 3) all its positions [m].
        characters: Its kinds of character.
        findings: Of a verification; None if there was none.
    """
    header, dt = recording.header, recording.dt
    mass = np.array([kind.parameters.mass for kind in characters])[header.character_of]
    walks = np.array([kind.grounded for kind in characters])[header.character_of]
    there = moves_seen(recording)
    steps = np.where(there, length(without_risers(np.diff(position, axis=0), walks)), 0.0)
    speed = steps / dt
    distance, seconds = steps.sum(axis=0), there.sum(axis=0) * dt
    energy = (there * (ENERGY_REST + ENERGY_MOTION * speed**2) * mass * dt).sum(axis=0)
    arrived = arrival_times(recording, position, characters)
    contacts = np.zeros(header.member_count, int)
    for finding in findings or ():
        if finding.kind in CONTACTS:
            contacts[list(finding.members)] += 1
    return [
        MemberRow(
            member=member,
            group=recording.scenario.groups[header.group_of[member]].name,
            character=characters[header.character_of[member]].name,
            arrived=float(arrived[member]) if np.isfinite(arrived[member]) else None,
            distance=float(distance[member]),
            mean_speed=float(distance[member] / seconds[member]) if seconds[member] else 0.0,
            energy=float(energy[member]),
            collisions=None if findings is None else int(contacts[member]),
        )
        for member in np.flatnonzero(recording.life[:, 1] > 0).tolist()
    ]


def moves_seen(recording: RecordingReader) -> Bool:
    """Return in which motions between two frames (T - 1, N) each member is there."""
    there = recording.presence()
    both: Bool = there[:-1] & there[1:]
    return both


def arrival_times(
    recording: RecordingReader, position: Float, characters: Sequence[Character]
) -> Float:
    """Return since when (N,) [s] each member has been in its goal; infinite if it is not.

    Of a group that says what its members do afterwards, and of those that leave before the end:
    when each was there for the first time. Of those with a goal each, and no region: when their
    last arrival was told.
    """
    header, there = recording.header, recording.presence()
    scene = recording.load_scene()
    times = np.full(header.member_count, np.inf)
    for event in recording.events():
        if event.kind == "arrived" and event.member >= 0:
            times[event.member] = event.time
    for row, group in enumerate(recording.scenario.groups):
        members = np.flatnonzero(header.group_of == row)
        region = goal_region(group, scene, header.radius_of_group(row, characters))
        if region is None:
            continue
        rows = position[:, members]
        inside = region.contains(rows.reshape(-1, 3)).reshape(rows.shape[:2])
        inside &= there[:, members]
        first = np.argmax(inside, axis=0) * recording.dt
        first = np.where(inside.any(axis=0), first, np.inf)
        last_outside = np.where(~inside, np.arange(len(rows))[:, None], -1).max(axis=0)
        since = (last_outside + 1.0) * recording.dt
        since = np.where(last_outside < len(rows) - 1, since, np.inf)
        once = recording.scenario.may_leave_goal(row) | ~there[-1, members]
        times[members] = np.where(once, first, since)
    return times
