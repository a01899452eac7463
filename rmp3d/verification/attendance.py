"""Who has to be there, where and from when on, and how long a run lasts: as its scenario says."""

from collections.abc import Iterator, Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length
from rmp3d.recording import RecordedEvent, RecordingReader
from rmp3d.scenario import GroupTable, start_region
from rmp3d.scenes import Region, Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.claims import AT_GOAL
from rmp3d.verification.moments import Asked
from rmp3d.verification.report import Finding
from rmp3d.verification.trips import TripCheck

EXACT = 1e-5
"""A start may be this far [m] outside its region, because of rounding."""
SOON = 2
"""A change is made at most so many frames after its time."""


class AttendanceCheck:
    """Checks the beginning and the end of a run, and that members come and leave as was said.

    - The first `members` members of each group are there from the first frame on, in its start.
      (Members of a crowd whose trips have starts of their own begin there; these are not checked.)
    - Members of other groups than crowds come and leave by a change of the scenario.
    - A run lasts until `duration`; or, if groups have goals, until all of their members have come,
      have arrived and are in their goals, or have left, and `linger` after that: no longer.

    Args:
        recording: Open.
        scene: Of the run.
        radii: (G,) of each group's widest body [m].
    """

    def __init__(self, recording: RecordingReader, scene: Scene, radii: Sequence[float]) -> None:
        self._recording, self._dt = recording, recording.dt
        self._group_of, self._life = recording.header.group_of, recording.life
        self._groups = recording.scenario.groups
        self._first = np.searchsorted(self._group_of, np.arange(len(self._groups)))
        self._asked = Asked(recording.scenario.changes, SOON * self._dt)
        afterwards = [group.afterwards for group in self._groups]
        afterwards += [change.afterwards for change in recording.scenario.changes]
        self._goes_on = any(each is not None for each in afterwards)
        goals = [each.goal is not None or each.behavior["name"] == "crowd" for each in self._groups]
        self._have_goals = np.array(goals)[self._group_of]
        self._starts = [
            None if _starts_by_trip(group) else start_region(group, scene, radius).widened(EXACT)
            for group, radius in zip(self._groups, radii, strict=True)
        ]

    def beginning(self, block: Block) -> Iterator[Finding]:
        """Yield the members that are not there, or not in their start, in the first frame."""
        events = self._recording.events()
        leave = [e.member for e in events if e.kind == "left" and e.time < 0.5 * self._dt]
        for row, group in enumerate(self._groups):
            own = np.flatnonzero(self._group_of == row)[: group.members]
            there = block.there[0, own]
            for member in own[~there & ~np.isin(own, leave)].tolist():
                text = f"member {member} of `{group.name}` is not there from the first frame on"
                yield Finding("claim", 0.0, 0.0, (member,), text=text)
            region = self._starts[row]
            if region is None:
                continue
            place = block.position[0, own]
            away = _outside(region, place)
            for member in np.flatnonzero(there & ~region.contains(place)).tolist():
                text = (
                    f"member {own[member]} of `{group.name}` begins {away[member]:.3g} m "
                    f"outside `{region.name}`"
                )
                depth = float(away[member])
                yield Finding("start_region", 0.0, 0.0, (int(own[member]),), None, depth, text)

    def unasked(self) -> Iterator[Finding]:
        """Yield the members that come or leave, though no change of the scenario lets them."""
        crowds = [group.behavior["name"] == "crowd" for group in self._groups]
        for event in self._recording.events():
            if event.kind not in ("came", "left") or event.member < 0:
                continue
            # Members of crowds come by their trips, and leave at goals, which `ClaimCheck` checks.
            by_trip = event.kind == "came" or event.text.endswith(AT_GOAL)
            if crowds[int(self._group_of[event.member])] and by_trip:
                continue
            if not self._is_asked(event):
                text = f"event `{event.kind}`: no change of the scenario says so"
                yield Finding("claim", event.time, event.time, (event.member,), text=text)

    def ending(self, trips: TripCheck, outside: int, late: Bool) -> Iterator[Finding]:
        """Yield what is wrong with the end of a run that came to its own end.

        Args:
            trips: Of the crowds.
            outside: The last frame in which somebody was not in the goal that it has to be in; -1:
                none.
            late: (N,) members that have not arrived, and are found for that.
        """
        recording = self._recording
        if not recording.finished:
            return
        settings, events = recording.scenario.simulation, recording.events()
        last, steps = recording.frames - 1, int(np.ceil(settings.duration / self._dt))
        end = last * self._dt
        told = [event for event in events if event.kind == "end"]
        if not told:
            yield Finding("claim", end, end, text="no event tells of the end")
        if last > steps:
            text = f"the run lasts {end:g} s, longer than its `duration`, {settings.duration:g} s"
            yield Finding("claim", end, end, text=text)
        if last >= steps or not told:
            return
        yield from self._early(end, trips, late)
        arrived = [event.time for event in events if event.kind == "arrived"]
        since = [e.time for e in events if e.kind in ("arrived", "left", "came", "change")]
        over = max([*since, (outside + 1) * self._dt]) + settings.linger
        if arrived and not self._goes_on and end > over + SOON * self._dt:
            text = f"the run ends {end - over:g} s later than `linger` after the last arrival"
            yield Finding("claim", end, end, text=text)
        if not (recording.presence(last)[-1] & self._have_goals).any():  # they have left
            arrived += [event.time for event in events if event.kind == "left"]
        if not arrived:
            text = f"the run ends before its `duration`, {settings.duration:g} s; nobody arrived"
            yield Finding("claim", end, end, text=text)
        elif end < max(arrived) + settings.linger - SOON * self._dt:
            text = f"the run ends {end - max(arrived):g} s after the last arrival, not `linger`"
            yield Finding("claim", end, end, text=text)

    def _early(self, end: float, trips: TripCheck, late: Bool) -> Iterator[Finding]:
        """Yield why a run that ends before its `duration` was not over at that time."""
        recording = self._recording
        told = {event.member for event in recording.events() if event.kind == "arrived"}
        present = recording.presence(recording.frames - 1)[-1]
        for member in np.flatnonzero(present & self._have_goals & ~late).tolist():
            if member not in told:
                text = f"the run ends early, and no event tells that member {member} has arrived"
                yield Finding("claim", end, end, (member,), text=text)
        for member in np.flatnonzero(trips.drawn & (self._life[:, 1] == 0)).tolist():
            text = f"the run ends before member {member} has come, as its trip says"
            yield Finding("claim", end, end, (member,), text=text)
        for change in recording.scenario.changes:
            if (change.add is not None or change.afterwards is not None) and change.time > end:
                text = f"the run ends before the change of `{change.group}` at {change.time:g} s"
                yield Finding("claim", end, end, text=text)

    def _is_asked(self, event: RecordedEvent) -> bool:
        """Return whether a change of the scenario lets a member come, or leave."""
        group = int(self._group_of[event.member])
        name, number = self._groups[group].name, event.member - int(self._first[group])
        if event.kind == "came":
            return self._asked.comes(name, event.time)
        return self._asked.leaves(name, event.time, number)


def _starts_by_trip(group: GroupTable) -> bool:
    """Return whether members of a group begin elsewhere than in its start."""
    trips = group.behavior.get("trips", ()) if group.behavior["name"] == "crowd" else ()
    return any(trip.get("start") for trip in trips)


def _outside(region: Region, place: Float) -> Float:
    """Return how far (N,) [m] places (N, 3) are outside a region."""
    if region.kind == "sphere":
        found: Float = length(place - region.center) - region.radius
        return found
    out = np.maximum(np.maximum(region.lower - place, place - region.upper), 0.0)
    return length(out)
