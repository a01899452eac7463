"""Flow: members that come by the trips of a crowd, and that leave where these end."""

from collections.abc import Callable, Sequence

import numpy as np

from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupRun
from rmp3d.behaviors.groups.crowd.crowd_run import CrowdRun
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.models import Character
from rmp3d.recording import RecordedEvent
from rmp3d.simulation.coming import cast, joined_flock, standing
from rmp3d.simulation.members import units_of
from rmp3d.simulation.planning import PreparedGroup
from rmp3d.simulation.roster import Roster

# So often [s] members that are due look for room.
EVERY = 0.2


class Flow:
    """Lets members of crowds come and leave.

    Args:
        seed: Of all randomness.
        dt: Time step [s].
        plans: What is known of each group.
        runs: The behaviors at work.
        roster: Who is there.
        around: What the scene is for characters.
        part_at: Tells which moving part is where one of a flock is; see `StillScene.part_at`.

    Attributes:
        turned_over: Called with each turnover, after the roster has changed.
    """

    def __init__(
        self, seed: int, dt: float, plans: Sequence[PreparedGroup], runs: Sequence[GroupRun],
        roster: Roster, around: Environment, part_at: Callable[[Flock], str],
    ) -> None:  # fmt: skip
        self._seed, self._dt, self._plans, self._roster = seed, dt, plans, roster
        self._around, self._part_at = around, part_at
        self._crowds = [
            (each.run, each.groups)
            for each in units_of(runs)
            if isinstance(each.run, CrowdRun) and each.run.flows
        ]
        self._steps = np.array([plan.max_step for plan in plans])
        self._looked = -np.inf
        self._characters: list[list[Character]] | None = None
        self.turned_over: Callable[[Turnover], None] = lambda everyone: None

    def make(self, flock: Flock, time: float) -> tuple[Flock, list[RecordedEvent]]:
        """Return the flock without those that leave and with those that come now, and events."""
        events: list[RecordedEvent] = []
        for crowd, groups in self._crowds:
            if crowd.gone.any():
                flock = self._let_go(flock, crowd, groups, time, events)
        if self._crowds and time >= self._looked + EVERY - 1e-9:
            self._looked = time
            for crowd, groups in self._crowds:
                while due := crowd.due(time):
                    before = len(flock)
                    for party, places in due:
                        flock = self._let_in(
                            flock, crowd, party, groups[party], places, time, events
                        )
                    if len(flock) == before:
                        break
        return flock, events

    def _let_go(
        self, flock: Flock, crowd: CrowdRun, groups: Sequence[int], time: float,
        events: list[RecordedEvent],
    ) -> Flock:  # fmt: skip
        roster = self._roster
        rows = np.flatnonzero(np.isin(roster.group_of, groups))[crowd.gone]
        for row in rows.tolist():
            events.append(self._event(time, "left", row, "leaves at its goal"))
        leaving: Bool = np.zeros(len(flock), np.bool_)
        leaving[rows] = True
        everyone = roster.remove(leaving)
        flock = flock.select(everyone.before)
        self.turned_over(everyone)
        return flock

    def _let_in(
        self, flock: Flock, crowd: CrowdRun, party: int, group: int, places: Float, time: float,
        events: list[RecordedEvent],
    ) -> Flock:  # fmt: skip
        """Return the flock with the next member of a party, if there is room for it."""
        plan, roster = self._plans[group], self._roster
        body = plan.character.body
        admitted = standing(flock, self._dt).admit(places, body.radius, body.capsule_axis)
        free: Index = np.flatnonzero(admitted)
        if len(free) == 0:
            return flock
        rng = np.random.default_rng([self._seed, group, 2, roster.come[group]])
        place = places[[rng.choice(free)]]
        if self._part_at(Flock.at_rest([plan.character], place)):
            return flock
        crowd.came(party, time)
        everyone = roster.add(group, 1)
        steps = self._steps[roster.group_of]
        around = self._around
        flock = joined_flock(flock, everyone, self._cast(), steps, plan, place, around, rng)
        self.turned_over(everyone)
        row = int(np.flatnonzero(everyone.new)[0])
        events.append(self._event(time, "came", row, "comes"))
        return flock

    def _event(self, time: float, kind: str, row: int, text: str) -> RecordedEvent:
        roster = self._roster
        group, number = int(roster.group_of[row]), int(roster.number[row])
        name = self._plans[group].group.name
        return RecordedEvent(time, kind, group, int(roster.member[row]), f"{name} {number} {text}")

    def _cast(self) -> list[Character]:
        """Return (N,) what each member is that is there."""
        if self._characters is None:
            self._characters = cast(self._plans, self._roster.counts)
        there = zip(self._roster.group_of.tolist(), self._roster.number.tolist(), strict=True)
        return [self._characters[group][number] for group, number in there]
