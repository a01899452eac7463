"""What is noted of a run: arrivals, jams, energy, least clearances."""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np

from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupRun
from rmp3d.behaviors.traffic import JAM_AFTER, LONGEST_DETOUR
from rmp3d.behaviors.turnover import Turnover
from rmp3d.crossings import CrossingCounter
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.parallel import meanwhile
from rmp3d.geometry.query import MeshQuery
from rmp3d.recording import RecordedEvent
from rmp3d.scenario.measuring import MeasuringLine
from rmp3d.simulation.gaps import KeptClearances, least_gap, pairs_for_gaps
from rmp3d.simulation.planning import GroupPlan, PreparedGroup
from rmp3d.simulation.report import GroupReport

# Metabolic cost of standing [W/kg] and of moving [J s/(kg m^2)], as crowd simulation uses it.
ENERGY_REST, ENERGY_MOTION = 2.23, 1.26
# Clearances larger than this [m] do not count.
CLEARANCE_CAP = 1.0


def _met(around: Environment, plan: PreparedGroup) -> MeshQuery | None:
    """Return what the members of a group must not touch."""
    return around.of_step(plan.max_step).walking if plan.space.grounded else around.flying


class RunLog:
    """Statistics of a run, group by group; it only reads.

    Args:
        plans: What is known of each group.
        runs: Behaviors at work.
        rows: Rows of the flock of each group.
        member: (N,) row of each member in a recording.
        lines: Where members that pass are counted.

    Attributes:
        crossings: Who has passed these.
        least_to_scene: Smallest clearance of any member to the scene so far [m].
        least_to_members: The same between members [m].
    """

    def __init__(
        self,
        plans: Sequence[PreparedGroup],
        runs: Sequence[GroupRun],
        rows: Sequence[Index],
        member: Index,
        lines: Sequence[MeasuringLine] = (),
    ) -> None:
        count = sum(len(own) for own in rows)
        self._plans, self._rows = plans, rows
        self.crossings = CrossingCounter(lines)
        self._awaited = np.array([
            isinstance(plan, GroupPlan) or run.is_complete is not None
            for plan, run in zip(plans, runs, strict=True)
        ])  # fmt: skip
        self._expected = bool(self._awaited.any())
        self._member = member
        self._come = [len(own) for own in rows]
        # Of who has left: those that had arrived, those that had not, and their energy [J].
        self._left = [(0, 0, 0.0)] * len(plans)
        self._last_left = [-np.inf] * len(plans)  # [s] last arrival of those
        self._arrival = np.full(count, np.inf)  # [s]
        self._energy = np.zeros(count)  # [J]
        self._jammed = np.zeros(count)  # headings tried since the last progress
        self._jammed_since = np.zeros(count)  # [s]
        self._tried_since = np.zeros(count)  # [s] the last of these headings
        self._jams = [0] * len(plans)
        self._longest_jam = [0.0] * len(plans)  # [s]
        self._may_leave = [plan.group.may_leave_goal for plan in plans]
        self._complete = np.inf
        self._see_rows()
        self.least_to_scene = self.least_to_members = np.inf
        self._begun: Callable[[], tuple[float, float]] | None = None

    def _see_rows(self) -> None:
        """Note the group of each member, and which members have a goal."""
        sizes = [len(rows) for rows in self._rows]
        self._group_of = np.repeat(np.arange(len(sizes)), sizes)
        self._has_goal = self._awaited[self._group_of]
        self._meetings: list[KeptClearances] | None = None

    @property
    def summary(self) -> str:
        """How many members arrived, in words; empty if no group has a goal."""
        arrived = int(np.isfinite(self._arrival).sum()) + sum(each for each, _, _ in self._left)
        return f"{arrived} arrived" if self._expected else ""

    def turn_over(self, everyone: Turnover, rows: Sequence[Index], member: Index) -> None:
        """Go on with the members that are there now.

        Args:
            everyone: What becomes of the flock's rows.
            rows: Rows of the flock of each group.
            member: (N,) row of each member in a recording.
        """
        gone = np.setdiff1d(np.arange(everyone.count_before), everyone.before)
        for group, before in enumerate(self._rows):
            own = np.intersect1d(before, gone)
            arrival = self._arrival[own]
            there = arrival[np.isfinite(arrival)]
            arrived, others, energy = self._left[group]
            spent = energy + float(self._energy[own].sum())
            self._left[group] = arrived + len(there), others + len(own) - len(there), spent
            self._last_left[group] = max(self._last_left[group], there.max(initial=-np.inf))
            self._come[group] += int(everyone.new[rows[group]].sum())
        self._rows, self._member = rows, member
        self._see_rows()
        self._arrival = everyone.of(self._arrival, np.inf)
        self._energy = everyone.of(self._energy, 0.0)
        self._jammed = everyone.of(self._jammed, 0.0)
        self._jammed_since = everyone.of(self._jammed_since, 0.0)
        self._tried_since = everyone.of(self._tried_since, 0.0)

    def release(self, group: int) -> None:
        """Let the members of a group be elsewhere than in their goal, once they have been there."""
        self._may_leave[group] = True

    def complete_since(self, flock: Flock, runs: Sequence[GroupRun], time: float) -> float:
        """Return since when [s] all members with a goal are in it; infinity: not now.

        Members that may leave it afterwards have to have been there. Those that go about in it
        may have been outside for a moment: in a throng, somebody always is.
        """
        if not self._expected:
            return self._complete
        if not self._all_arrived(runs):
            self._complete = np.inf
            return self._complete
        outside = [
            run.goes_about
            for plan, rows, may_leave, run in zip(
                self._plans, self._rows, self._may_leave, runs, strict=True
            )
            if isinstance(plan, GroupPlan) and not may_leave
            and not plan.goal.contains(flock.position[rows]).all()
        ]  # fmt: skip
        self._complete = min(self._complete, time) if all(outside) else np.inf
        return np.inf if outside else self._complete

    def _all_arrived(self, runs: Sequence[GroupRun]) -> bool:
        if not np.isfinite(self._arrival[self._has_goal]).all():
            return False
        return all(run.is_complete is not False for run in runs)

    def take_events(
        self, runs: Sequence[GroupRun], level: Float, time: float
    ) -> list[RecordedEvent]:
        """Return what is new: what the groups tell, and which members are jammed or go on.

        Args:
            runs: Behaviors at work; their events are taken out.
            level: (N,) headings that each jammed member has tried, zero for all others.
            time: Now [s].
        """
        events = []
        for group, run in enumerate(runs):
            if not run.events:
                continue
            rows = self._rows[group]
            for event in run.events:
                member = -1
                if event.member >= 0:
                    row = int(rows[event.member])
                    member = int(self._member[row])
                    if event.kind == "arrived":
                        self._arrival[row] = event.time
                events.append(RecordedEvent(event.time, event.kind, group, member, event.text))
            run.events.clear()
        return events + self._jam_events(level, time)

    def _jam_events(self, level: Float, time: float) -> list[RecordedEvent]:
        events = []
        for row in np.flatnonzero((level > 0) & (self._jammed == 0)).tolist():
            group = int(self._group_of[row])
            self._jams[group] += 1
            self._jammed_since[row] = time
            text = f"no progress for {JAM_AFTER:g} s, nor a queue that moves; tries other headings"
            member = int(self._member[row])
            events.append(RecordedEvent(time, "jam", group, member, text))
        for row in np.flatnonzero((level == 0) & (self._jammed > 0)).tolist():
            group, tried = int(self._group_of[row]), int(self._jammed[row])
            took = time - self._jammed_since[row]
            text = f"goes on after {took:.1f} s and {tried} other heading{'s' * (tried > 1)}"
            member = int(self._member[row])
            events.append(RecordedEvent(time, "jam_over", group, member, text))
        self._tried_since[level > self._jammed] = time
        for row in np.flatnonzero((level > 0) | (self._jammed > 0)).tolist():
            # Who tries nothing else after that comes nearer, or waits in a queue that moves.
            end = min(time, self._tried_since[row] + JAM_AFTER + LONGEST_DETOUR)
            group, took = int(self._group_of[row]), float(end - self._jammed_since[row])
            self._longest_jam[group] = max(self._longest_jam[group], took)
        self._jammed = level.copy()
        return events

    def measure(
        self, flock: Flock, runs: Sequence[GroupRun], around: Environment, time: float, count: int
    ) -> None:
        """Note how near members are to the scene and to one another, and who passes a line.

        ``count`` are the rows of a recording.
        """
        self.crossings.add(time, flock.position, self._member, count)
        exact = [run.clearances(time, CLEARANCE_CAP) for run in runs]
        for scene, members in filter(None, exact):
            self.least_to_members = min(self.least_to_members, members)
            self.least_to_scene = min(self.least_to_scene, scene)
        scene, members = (self._begun or self._looking(flock, around))()
        self._begun = None
        self.least_to_scene = min(self.least_to_scene, scene)
        if any(known is None for known in exact):
            self.least_to_members = min(self.least_to_members, members)

    def begin_to_measure(self, flock: Flock, around: Environment) -> None:
        """Begin with the clearances that `measure` notes of this moment, in another thread."""
        if self._begun is not None:  # of a moment that was not to be
            self._begun()
        self._begun = meanwhile(self._looking(flock, around), len(flock))

    def _looking(self, flock: Flock, around: Environment) -> Callable[[], tuple[float, float]]:
        """Return what finds the least clearances to the scene and between members [m]."""
        met = self._met_by(around)  # nothing where schedules know
        pairs = pairs_for_gaps(flock) if met else None
        # Only who comes nearer than anybody before is searched for.
        cap = min(CLEARANCE_CAP, max(0.0, self.least_to_scene))

        def look() -> tuple[float, float]:
            scene = min((each.least(flock, cap) for each in met), default=np.inf)
            return scene, least_gap(flock, pairs) if met else np.inf

        return look

    def _met_by(self, around: Environment) -> list[KeptClearances]:
        """Return the clearances of members, for each thing that some must not touch."""
        if self._meetings is None:
            met: dict[int, tuple[MeshQuery | None, list[Index]]] = {}
            for rows, plan in zip(self._rows, self._plans, strict=True):
                if plan.character.vehicle != "carried":  # its schedule knows
                    obstacles = _met(around, plan)
                    met.setdefault(id(obstacles), (obstacles, []))[1].append(rows)
            self._meetings = [
                KeptClearances(what, np.concatenate(rows)) for what, rows in met.values()
            ]
        return self._meetings

    def add_energy(self, flock: Flock, dt: float) -> None:
        """Note the energy that members spend in a time step [s] at their present speeds."""
        _spend(flock.velocity, flock.bodies.mass, dt, self._energy)

    def reports(self, runs: Sequence[GroupRun]) -> list[GroupReport]:
        """Return what became of each group so far."""
        return [self._report(group, run) for group, run in enumerate(runs)]

    def _report(self, group: int, run: GroupRun) -> GroupReport:
        plan, rows = self._plans[group], self._rows[group]
        arrival = self._arrival[rows]
        there = np.isfinite(arrival)
        arrived, others, energy = self._left[group]
        arrived += int(there.sum())
        last = arrival[there].max(initial=self._last_left[group])
        return GroupReport(
            name=plan.group.name,
            behavior=plan.group.behavior["name"],
            members=self._come[group],
            arrived=arrived if self._awaited[group] else None,
            left=others,
            formation_changes=[
                {
                    "time": round(change.time, 3),
                    "length": round(change.length, 3),
                    "from": change.before,
                    "to": change.after,
                }
                for change in run.changes
            ],
            jams=self._jams[group],
            jams_left=int((self._jammed[rows] > 0).sum()),
            longest_jam=round(self._longest_jam[group], 3),
            formation_error_mean=run.formation_error,
            energy=round(energy + float(self._energy[rows].sum()), 1),
            last_arrival=round(float(last), 3) if np.isfinite(last) else None,
            figures=run.figures,
        )


@compiled
def _spend(velocity, mass, dt, energy):
    """Add what bodies spend in a time step [s] at velocities (N, 3) to ``energy`` (N,) [J]."""
    for i in range(energy.shape[0]):
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        speed = sqrt(x * x + y * y + z * z)
        energy[i] += (ENERGY_REST + ENERGY_MOTION * (speed * speed)) * mass[i] * dt
