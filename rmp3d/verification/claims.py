"""Compares what a recording claims in events, measurements and figures with the motion itself."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.models import Character
from rmp3d.recording import RecordedEvent, RecordingReader
from rmp3d.recording.layout import POSITION_STEP
from rmp3d.scenes import Region
from rmp3d.scenes.presence import ASKED
from rmp3d.verification.attitude import NAVIGATING
from rmp3d.verification.blocks import Block
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.report import Finding
from rmp3d.verification.trips import TripCheck

MOMENT = 1e-6
"""Times may differ by this much [s], because of rounding."""
NEAR = 0.05
"""A quarry is caught at a distance that may be larger by this much [m]."""
AROUND = 2 * POSITION_STEP * np.concatenate([np.eye(3), -np.eye(3)])
"""(6, 3) Points around a position [m] as far away as it, and the border of a goal, are rounded."""
STILL = 1e-4
"""A body that waits moves less [m]."""
FORMATION = re.compile(r"start in (?P<first>.+)|(?P<before>.+?) to (?P<after>.+) at [-\d.]+ m")
CAUGHT = re.compile(r"caught member (?P<quarry>[0-9]{1,9}) of (?P<group>.+)", re.DOTALL)
ARRIVED = re.compile(r"(?P<count>[0-9]{1,9}) arrived")
OWN_DEEDS = ("arrived", "caught", "departed")
"""What only a member does that is there."""
CATCH_NOBODY = (*NAVIGATING, "carried", "herded", "herding")
MAY_CATCH = ("steering", "acting")
"""Behaviors whose members catch others if they have a distance `catch`."""
BUILT_IN = (*CATCH_NOBODY, *MAY_CATCH)
"""Behaviors of which all is known that they tell."""
IN_PLANS = "narrow_passages", "circle_following"
"""Behaviors that tell of every formation that they take."""
AT_GOAL = "leaves at its goal"
"""How the event of a member ends that leaves because it has arrived."""


class ClaimCheck:
    """Checks the events, block by block, and at the end the figures and measurements.

    Every event must have a time of a frame, in order, and a member of its group; that there are
    such groups and members, the reader checks. What is compared with the motion:

    - ``arrived``: the member is in its goal then; that of a crowd has been to all places of its
      trip, the goal last;
    - ``formation``: the recorded formation changes then, and only then, from the one told;
    - ``caught``: hunter and quarry are as near as the behavior says;
    - ``came``, ``left``: the member is there from then on, or until then; and whoever comes on the
      way, or leaves, is told of;
    - ``departed``: the body has not moved before;
    - who ``arrived``, ``caught`` somebody or ``departed`` is named; whoever is named is there;
    - ``appear``, ``go``: the group has a member that asks this of the part;
    - ``end``: it is the last frame, it is told once, and as many members have arrived as it says;
    - the figure ``in_goal``, and the times of measurements.

    Args:
        recording: Open.
        characters: The kinds of character.
        regions: (G,) the goal of each group, or None.
        trips: Of the crowds.
    """

    def __init__(
        self,
        recording: RecordingReader,
        characters: Sequence[Character],
        regions: Sequence[Region | None],
        trips: TripCheck,
    ) -> None:
        header, events = recording.header, recording.events()
        self._trips = trips
        self._recording, self._characters, self._regions = recording, characters, regions
        self._dt, self._last = recording.dt, recording.frames - 1
        self._group_of, self._kind_of = header.group_of, header.character_of
        self._formations = header.formations
        self._start = self._end = np.empty((0, 3))
        self._stays = np.empty(0, np.bool_)
        self._life, self._known = recording.life, {(e.kind, e.member) for e in events}
        self._moments = {(e.kind, e.member, self._frame_of(e)) for e in events}
        self._altered = {event.group for event in events if event.kind == "change"}
        self._changed = {(e.group, self._frame_of(e)) for e in events if e.kind == "formation"}
        self._told = {event.group for event in events if event.kind == "formation"}
        tables = recording.scenario.groups
        self._told |= {row for row, each in enumerate(tables) if each.behavior["name"] in IN_PLANS}
        self._arrived = np.zeros(header.member_count, np.bool_)
        self._ended = False
        self._faults: list[Finding] = []
        self._sound: list[RecordedEvent] = []
        before = 0.0
        for event in events:
            fault = self._fault(event, before)
            if fault:
                self._faults.append(self._finding(event, fault))
            else:
                before = event.time
                self._sound.append(event)
        self._frame = np.array([self._frame_of(event) for event in self._sound], np.intp)

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the false claims about a block."""
        if block.first == 0:
            self._start = block.position[0].copy()
            log.add(self._faults)
        end = block.first + block.motions
        self._end, self._stays = block.position[block.motions].copy(), block.there[block.motions]
        self._trips.note(block)
        before = min(block.first, 1)  # the frame before the block counts, too
        formation = self._recording.formation_of(block.first - before, end + 1)
        log.add(self._changes(block.first, formation[before:]))
        last = end if end == self._last else end - 1
        for row in np.flatnonzero((self._frame >= block.first) & (self._frame <= last)).tolist():
            event, at = self._sound[row], int(self._frame[row]) - block.first
            rows = formation[max(at + before - 1, 0) : at + before + 1]
            fault = self._contradiction(event, block, at, rows)
            if fault:
                log.add([self._finding(event, fault)])

    def rest(self) -> Iterator[Finding]:
        """Yield the figures and measurements that contradict the motion."""
        end = self._last * self._dt
        yield from self._untold()
        for group, region in enumerate(self._regions):
            claimed = self._recording.figures(group).get("in_goal")
            if region is not None and isinstance(claimed, int):
                own = (self._group_of == group) & self._stays
                around = self._end[own, None] + AROUND
                inside = region.contains(around.reshape(-1, 3)).reshape(around.shape[:2])
                seen = int(inside.any(axis=1).sum())
                if not inside.all(axis=1).sum() <= claimed <= seen:
                    text = f"group {group} claims {claimed} members in the goal, {seen} are there"
                    yield Finding("claim", end, end, text=text)
            time = self._recording.series(group).get("time", np.zeros(0))
            if len(time) and not (
                np.isfinite(time).all()
                and (np.diff(time) >= 0.0).all()
                and time[0] >= -MOMENT
                and time[-1] <= end + MOMENT
            ):
                text = f"group {group} has measurements at times that the run has not"
                yield Finding("claim", end, end, text=text)

    def _untold(self) -> Iterator[Finding]:
        """Yield the members that come on the way, or leave, without an event that tells of it."""
        comes = np.flatnonzero(self._life[:, 0] > 0)
        leaves = np.flatnonzero((self._life[:, 1] > 0) & (self._life[:, 1] <= self._last))
        for kind, rows, end in (("came", comes, 0), ("left", leaves, 1)):
            for member in rows.tolist():
                if (kind, member) not in self._known:
                    time = float(self._life[member, end]) * self._dt
                    text = f"member {member} {kind} at {time:g} s, and no event tells of it"
                    yield Finding("claim", time, time, (member,), text=text)

    def _frame_of(self, event: RecordedEvent) -> int:
        return round(event.time / self._dt)

    def _fault(self, event: RecordedEvent, before: float) -> str:
        """Return what is wrong with an event whatever moves, or an empty text."""
        end = self._last * self._dt
        if event.time < -MOMENT:
            return f"its time {event.time:g} s is before the first frame"
        # A run that is cut off may have told of a frame that it has not written.
        if event.time > end + MOMENT and self._recording.finished:
            return f"its time {event.time:g} s is after the last frame, at {end:g} s"
        if abs(event.time - self._frame_of(event) * self._dt) > MOMENT * max(1.0, event.time):
            return f"its time {event.time:g} s is that of no frame"
        if event.time < before - MOMENT:
            return f"its time {event.time:g} s is before that of the event before, {before:g} s"
        if event.kind in (*OWN_DEEDS, "came", "left") and event.member < 0:
            return "it names no member"
        own = event.member >= 0 and event.group >= 0
        if own and self._group_of[event.member] != event.group:
            return f"member {event.member} is not in group {event.group}"
        return ""

    def _contradiction(self, event: RecordedEvent, block: Block, at: int, formation: Index) -> str:
        """Return what contradicts an event at frame ``at`` of a block, or an empty text.

        ``formation`` (1 or 2, G) are the rows in the frame before, if there is one, and in this.
        """
        if event.kind not in ("came", "left") and event.member >= 0:
            if not block.there[max(at - 1, 0) : at + 2, event.member].any():
                return "the member is not there then"
        if event.kind == "arrived" and event.member >= 0:
            return self._of_arrival(event, block, at)
        if event.kind == "formation" and event.group >= 0:
            return self._of_formation(event, formation)
        if event.kind in ASKED and event.group >= 0:
            return self._of_asking(event)
        if event.kind == "caught" and event.member >= 0:
            return self._of_catch(event, block, at)
        if event.kind == "departed" and event.member >= 0:
            moved = float(
                np.linalg.norm(block.position[at, event.member] - self._start[event.member])
            )
            return f"the body is {moved:.3g} m from its start already" if moved > STILL else ""
        if event.kind in ("came", "left") and event.member >= 0:
            return self._of_presence(event) or self._of_leaving(event, block, at)
        if event.kind == "end":
            return self._of_end(event)
        return ""

    def _of_presence(self, event: RecordedEvent) -> str:
        first, end = self._life[event.member].tolist()
        noted = first if event.kind == "came" else end
        if noted == self._frame_of(event) and end > 0:
            return ""
        if end == 0 and self._passes(event):
            return ""
        if end == 0:
            return "the member is never there"
        if event.kind == "left" and end > self._last:
            return "the member is there until the end"
        return f"the member {event.kind} at {noted * self._dt:g} s"

    def _passes(self, event: RecordedEvent) -> bool:
        """Return whether a member comes, or begins, and leaves at the same moment."""
        group, frame = int(self._group_of[event.member]), self._frame_of(event)
        number = event.member - int(np.argmax(self._group_of == group))
        begins = frame == 0 and number < self._recording.scenario.groups[group].members
        comes = begins or ("came", event.member, frame) in self._moments
        return comes and ("left", event.member, frame) in self._moments

    def _of_leaving(self, event: RecordedEvent, block: Block, at: int) -> str:
        if event.kind != "left" or event.group in self._altered or event.member not in self._trips:
            return ""
        if not event.text.endswith(AT_GOAL):
            return ""
        if ("arrived", event.member) not in self._known:
            return "no event tells that it has arrived"
        near = block.position[max(at - 1, 0) : at + 2, event.member]
        frame = self._frame_of(event)
        return self._trips.fault(event.member, near, frame, leaves=True)

    def _of_arrival(self, event: RecordedEvent, block: Block, at: int) -> str:
        again = bool(self._arrived[event.member])
        self._arrived[event.member] = True
        if again:
            return "the member has arrived before"
        region = self._regions[self._group_of[event.member]]
        near = block.position[max(at - 1, 0) : at + 2, event.member]
        if event.member in self._trips and event.group not in self._altered:
            return self._trips.fault(event.member, near, self._frame_of(event))
        if region is None:
            table = self._recording.scenario.groups[self._group_of[event.member]]
            has_none = table.behavior["name"] in BUILT_IN
            return f"`{table.name}` has no goal to arrive in" if has_none else ""
        if region.contains(near).any():
            return ""
        return f"the member is not in `{region.name}` then"

    def _of_formation(self, event: RecordedEvent, formation: Index) -> str:
        words = FORMATION.fullmatch(event.text)
        if words is None:
            return ""
        name = words["first"] or words["after"]
        recorded = self._formation_name(formation[-1], event.group)
        if name != recorded:
            return f"{name} is told, `{recorded}` is recorded"
        earlier = self._formation_name(formation[0], event.group)
        if words["before"] and words["before"] != earlier:
            return f"{words['before']} is told as the one before, `{earlier}` is recorded"
        return ""

    def _formation_name(self, rows: Index, group: int) -> str:
        row = int(rows[group])
        return self._formations[row] if row >= 0 else ""

    def _of_asking(self, event: RecordedEvent) -> str:
        """Return why no member of a group asks a part to appear or go, or an empty text."""
        table = self._recording.scenario.groups[event.group]
        behavior = table.behavior
        if behavior["name"] not in BUILT_IN:
            return ""
        if behavior["name"] == "acting" and event.group in self._altered:
            return ""
        switches = behavior.get("switches", ()) if behavior["name"] == "acting" else ()
        parts = [str(each.get("part")) for each in switches]
        if any(fnmatchcase(event.text, p) or p.startswith(event.text) for p in parts):
            return ""
        return f"members of `{table.name}` ask this of no part"

    def _of_catch(self, event: RecordedEvent, block: Block, at: int) -> str:
        words = CAUGHT.fullmatch(event.text)
        group = self._recording.scenario.groups[self._group_of[event.member]]
        name, reach = group.behavior["name"], group.behavior.get("catch", 0.0)
        if name in CATCH_NOBODY:
            return f"members of `{group.name}` catch nobody"
        if event.group in self._altered:  # another distance may count since
            return ""
        if not isinstance(reach, int | float) or not reach > 0.0:
            return f"members of `{group.name}` catch nobody" if name in MAY_CATCH else ""
        if words is None:
            return "it names no quarry"
        names = [each.name for each in self._recording.scenario.groups]
        number, name = int(words["quarry"]), words["group"]
        if name not in names:
            return f"there is no group `{name}`"
        members = np.flatnonzero(self._group_of == names.index(name))
        if number >= len(members):
            return f"there is no member {number} of `{name}`"
        quarry = int(members[number])
        hunter = event.member
        apart = self._middle(block, at, hunter) - self._middle(block, at, quarry)
        bodies = [self._characters[self._kind_of[member]].body for member in (hunter, quarry)]
        gap = float(np.linalg.norm(apart)) - sum(body.radius for body in bodies)
        if gap <= reach + NEAR:
            return ""
        return f"member {quarry} is {gap:.3g} m away then, {reach:g} m count as caught"

    def _anybody(self, group: int, frame: int) -> bool:
        """Return whether a member of a group is there."""
        first, end = self._life[self._group_of == group].T
        return bool(((first <= frame) & (frame < end)).any())

    def _middle(self, block: Block, at: int, member: int) -> Float:
        low, high = self._characters[self._kind_of[member]].body.capsule_axis
        middle: Float = block.position[at, member] + [0.0, 0.0, 0.5 * (low + high)]
        return middle

    def _of_end(self, event: RecordedEvent) -> str:
        again, self._ended = self._ended, True
        if again:
            return "the run has ended before"
        if self._frame_of(event) != self._last:
            return f"the last frame is at {self._last * self._dt:g} s"
        words = ARRIVED.fullmatch(event.text)
        arrived = int(self._arrived.sum())
        if words is None:
            return "it does not say how many arrived" if event.text else ""
        if int(words["count"]) != arrived:
            return f"it says that {words['count']} arrived, {arrived} did"
        return ""

    def _changes(self, first: int, formation: Index) -> Iterator[Finding]:
        """Yield changes of the recorded formation that no event tells, of groups that tell."""
        for row, group in np.argwhere(np.diff(formation, axis=0) != 0).tolist():
            frame = first + row + 1
            if not (self._anybody(group, frame - 1) and self._anybody(group, frame)):
                continue
            if group in self._told and (group, frame) not in self._changed:
                time = frame * self._dt
                text = f"the formation of group {group} changes, and no event tells of it"
                yield Finding("claim", time, time, text=text)

    def _finding(self, event: RecordedEvent, fault: str) -> Finding:
        members = (event.member,) if event.member >= 0 else ()
        return Finding(
            "claim", event.time, event.time, members, text=f"event `{event.kind}`: {fault}"
        )
