"""Members of crowds begin where their trips say, and come no earlier than these say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Index
from rmp3d.recording import RecordingReader
from rmp3d.scenario import GroupTable, start_region
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.report import Finding
from rmp3d.verification.trips import Destination, TripCheck, destination

EXACT = 1e-5
"""A start may be this far [m] outside its region, because of rounding."""
NEAR, RADII = 1.0, 4.0
"""Who starts at a point is so far from it [m] at most; or so many times the radius of the body,
times the root of how many start there."""
SOON = 2
"""Who comes may be there this many frames before its time."""


class SettingOutCheck:
    """Checks where and when the members of crowds begin.

    - A member begins in the `start` of its trip, or of its group; near it if that is a point.
    - Who comes on the way comes no earlier than the `times`, or the `since`, of its trip. The first
      one that comes by a trip is compared with its earliest time, and so on. It may come late: when
      there is room.

    Not checked: groups of which something was changed while the run went on.

    Args:
        recording: Open.
        scene: Of the run.
        radii: (G,) of each group's widest body [m].
        trips: Know who takes which trip.

    Raises:
        RecordingError: The trips cannot be read.
    """

    def __init__(
        self, recording: RecordingReader, scene: Scene, radii: Sequence[float], trips: TripCheck
    ) -> None:
        self._dt, self._first = recording.dt, recording.life[:, 0]
        count = len(self._first)
        self._place = np.full(count, -1)
        self._least = np.zeros(count)
        self._starts: list[Destination] = []
        for row, group in enumerate(recording.scenario.groups):
            known = (trips.trip_of >= 0) & ~trips.altered & (recording.life[:, 1] > 0)
            own = np.flatnonzero(recording.header.group_of == row)
            if not known[own].any():
                continue
            try:
                self._read(group, own, known, trips.trip_of, scene, radii[row])
            except (KeyError, TypeError, ValueError, AttributeError):
                raise RecordingError(
                    f"{recording.path}: damaged: the trips of group {row} cannot be read"
                ) from None

    def _read(
        self, group: GroupTable, own: Index, known: Any, trip_of: Index, scene: Scene, radius: float
    ) -> None:
        """Note start and earliest time of the members ``own`` of a group, as far as ``known``."""
        at_start = np.arange(len(own)) < group.members
        for row, trip in enumerate(group.behavior["trips"]):
            takers = known[own] & (trip_of[own] == row)
            begin, come = own[takers & at_start], own[takers & ~at_start]
            for members, number in ((begin, len(begin)), (come, 1)):
                if len(members):
                    self._place[members] = len(self._starts)
                    self._starts.append(_start(trip, group, scene, radius, number))
            times = _times(trip, len(come))
            self._least[come[: len(times)]] = times

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the members that begin in a block, elsewhere or too early."""
        last = block.first + block.motions
        here = (block.first <= self._first) & (self._first <= last) & (self._place >= 0)
        if block.first:  # its first frame was the last one of the block before
            here &= self._first > block.first
        for member in np.flatnonzero(here).tolist():
            frame = int(self._first[member])
            time, start = frame * self._dt, self._starts[int(self._place[member])]
            if not start.contains(block.position[frame - block.first, member]):
                text = f"member {member} does not begin in `{start.name}`, the start of its trip"
                yield Finding("start_region", time, time, (member,), text=text)
            least = float(self._least[member])
            if time < least - SOON * self._dt:
                text = f"member {member} comes at {time:g} s; its trip says {least:g} s, or later"
                yield Finding("claim", time, time, (member,), text=text)


def _start(
    trip: Mapping[str, Any], group: GroupTable, scene: Scene, radius: float, count: int
) -> Destination:
    """Return where ``count`` members begin that take a trip from the beginning."""
    place = trip.get("start") or ""
    if isinstance(place, str):
        region = scene.region(place) if place else start_region(group, scene, radius)
        return Destination(region.name, region.widened(EXACT), np.zeros(3), 0.0)
    return destination(place, scene, max(NEAR, RADII * radius * count**0.5))


def _times(trip: Mapping[str, Any], count: int) -> list[float]:
    """Return the earliest times [s] at which the first ``count`` members come by a trip."""
    since, until = float(trip.get("since", 0.0)), float(trip.get("until", 0.0))
    by_rate = round(min(float(trip.get("rate", 0.0)) * (until - since), count))
    return sorted([*map(float, trip.get("times") or ()), *[since] * by_rate])[:count]
