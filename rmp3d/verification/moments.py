"""What a recording tells of each moment, and its scenario asks: found once, however much it is."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from rmp3d.recording import RecordedEvent
from rmp3d.scenario import ChangeTable
from rmp3d.scenes.presence import ASKED


class Told:
    """The events of a stretch of time.

    Attributes:
        kinds: Kind and group of each.
        asked: Kind and text of those that ask parts to appear or go.
        left: Members of each group that leave.
        came: Members of each group that come, with a row for each event.
        by_trip: Whether somebody leaves at the goal of its trip.
    """

    def __init__(self, events: Sequence[RecordedEvent]) -> None:
        self.kinds = {(e.kind, e.group) for e in events}
        self.asked = {(e.kind, e.text) for e in events if e.kind in ASKED}
        self.left: dict[int, set[int]] = defaultdict(set)
        self.came: dict[int, list[int]] = defaultdict(list)
        for event in events:
            if event.kind == "left":
                self.left[event.group].add(event.member)
            if event.kind == "came":
                self.came[event.group].append(event.member)
        self.by_trip = any(e.kind == "left" and "goal" in e.text for e in events)


class Moments:
    """The events of a recording, to be asked for by time.

    Args:
        events: Of the recording.
        slack: Times that differ by at most this [s] are one moment.
    """

    def __init__(self, events: Sequence[RecordedEvent], slack: float) -> None:
        self._events, self._slack = sorted(events, key=lambda event: event.time), slack
        self._times = [event.time for event in self._events]
        self._known: tuple[tuple[int, int], Told] = ((-1, -1), Told(()))

    def at(self, time: float) -> Told:
        """Return what is told about a time [s]; many that are asked in order cost little."""
        span = (
            bisect_left(self._times, time - self._slack),
            bisect_right(self._times, time + self._slack),
        )
        if span != self._known[0]:
            self._known = span, Told(self._events[slice(*span)])
        return self._known[1]


class Asked:
    """Which members of a group the changes of a scenario let come and leave, and when.

    Args:
        changes: Of the scenario.
        slack: Changes and events whose times differ by at most this [s] belong together.
    """

    def __init__(self, changes: Sequence[ChangeTable], slack: float) -> None:
        self._slack = slack
        self._changes: dict[str, list[ChangeTable]] = defaultdict(list)
        for change in sorted(changes, key=lambda change: change.time):
            self._changes[change.group].append(change)
        self._times = {name: [each.time for each in own] for name, own in self._changes.items()}
        self._known: dict[tuple[str, int, int], tuple[bool, bool, set[int]]] = {}

    def near(self, group: str, time: float) -> Sequence[ChangeTable]:
        """Return the changes of a group at about a time [s]."""
        return self._changes[group][slice(*self._span(group, time, self._slack))]

    def comes(self, group: str, time: float) -> bool:
        """Return whether members may come to a group at a time [s]."""
        return self._summary(group, time)[0]

    def leaves(self, group: str, time: float, number: int) -> bool:
        """Return whether a member of a group, by its number, may leave at a time [s]."""
        _, anybody, numbers = self._summary(group, time)
        return anybody or number in numbers

    def _span(self, group: str, time: float, slack: float) -> tuple[int, int]:
        times = self._times.get(group, [])
        return bisect_left(times, time - slack), bisect_right(times, time + slack)

    def _summary(self, group: str, time: float) -> tuple[bool, bool, set[int]]:
        """Return whether members come, whether those in a region leave, and whoever else leaves."""
        key = (group, *self._span(group, time, self._slack))
        if key not in self._known:
            own = self._changes[group][key[1] : key[2]]
            removed = [each.remove for each in own if each.remove is not None]
            numbers: set[int] = set()
            for each in removed:
                if not isinstance(each, str):
                    numbers.update([each] if isinstance(each, int) else each)
            self._known[key] = (
                any(each.add is not None for each in own),
                any(isinstance(each, str) for each in removed),
                numbers,
            )
        return self._known[key]
