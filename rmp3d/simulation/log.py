"""What is noted of a run: arrivals, jams, energy, least clearances."""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupRun
from rmp3d.behaviors.traffic import JAM_AFTER
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.recording import RecordedEvent
from rmp3d.simulation.gaps import least_clearance, least_gap
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
        rows: Rows of the flock of each group.
        member: (N,) row of each member in a recording.

    Attributes:
        least_to_scene: Smallest clearance of any member to the scene so far [m].
        least_to_members: The same between members [m].
    """

    def __init__(
        self, plans: Sequence[PreparedGroup], rows: Sequence[Index], member: Index
    ) -> None:
        count = sum(len(own) for own in rows)
        self._plans, self._rows = plans, rows
        self._member = member
        self._come = [len(own) for own in rows]
        # Of who has left: those that had arrived, those that had not, and their energy [J].
        self._left = [(0, 0, 0.0)] * len(plans)
        self._last_left = [-np.inf] * len(plans)  # [s] last arrival of those
        self._arrival = np.full(count, np.inf)  # [s]
        self._energy = np.zeros(count)  # [J]
        self._jammed = np.zeros(count)  # headings tried since the last progress
        self._jammed_since = np.zeros(count)  # [s]
        self._jams = [0] * len(plans)
        self._may_leave = [plan.group.may_leave_goal for plan in plans]
        self._complete = np.inf
        self.least_to_scene = self.least_to_members = np.inf

    @property
    def summary(self) -> str:
        """How many members arrived, in words; empty if no group has a goal."""
        expected = any(isinstance(plan, GroupPlan) for plan in self._plans)
        arrived = int(np.isfinite(self._arrival).sum()) + sum(each for each, _, _ in self._left)
        return f"{arrived} arrived" if expected else ""

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
        self._arrival = everyone.of(self._arrival, np.inf)
        self._energy = everyone.of(self._energy, 0.0)
        self._jammed = everyone.of(self._jammed, 0.0)
        self._jammed_since = everyone.of(self._jammed_since, 0.0)

    def release(self, group: int) -> None:
        """Let the members of a group be elsewhere than in their goal, once they have been there."""
        self._may_leave[group] = True

    def complete_since(self, flock: Flock, time: float) -> float:
        """Return since when [s] all members with a goal are in it; infinity: not yet.

        Members that may leave it afterwards have to have been there.
        """
        journeys = [
            (plan.goal, rows, may_leave)
            for plan, rows, may_leave in zip(self._plans, self._rows, self._may_leave, strict=True)
            if isinstance(plan, GroupPlan)
        ]
        for goal, rows, may_leave in journeys:
            inside = may_leave or goal.contains(flock.position[rows]).all()
            if not inside or not np.isfinite(self._arrival[rows]).all():
                self._complete = np.inf
                return self._complete
        if journeys:
            self._complete = min(self._complete, time)
        return self._complete

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
        for group, (run, rows) in enumerate(zip(runs, self._rows, strict=True)):
            for event in run.events:
                member = -1
                if event.member >= 0:
                    row = int(rows[event.member])
                    member = int(self._member[row])
                    if event.kind == "arrived":
                        self._arrival[row] = event.time
                events.append(RecordedEvent(event.time, event.kind, group, member, event.text))
            run.events.clear()
            events += self._jam_events(group, rows, level[rows], time)
        return events

    def _jam_events(
        self, group: int, rows: Index, level: Float, time: float
    ) -> list[RecordedEvent]:
        events = []
        for row in rows[(level > 0) & (self._jammed[rows] == 0)].tolist():
            self._jams[group] += 1
            self._jammed_since[row] = time
            text = f"no progress for {JAM_AFTER:g} s, nor a queue that moves; tries other headings"
            member = int(self._member[row])
            events.append(RecordedEvent(time, "jam", group, member, text))
        for row in rows[(level == 0) & (self._jammed[rows] > 0)].tolist():
            tried, took = int(self._jammed[row]), time - self._jammed_since[row]
            text = f"goes on after {took:.1f} s and {tried} other heading{'s' * (tried > 1)}"
            member = int(self._member[row])
            events.append(RecordedEvent(time, "jam_over", group, member, text))
        self._jammed[rows] = level
        return events

    def measure_clearances(
        self, flock: Flock, runs: Sequence[GroupRun], around: Environment, time: float
    ) -> None:
        """Note how near members are to the scene and to one another."""
        exact = [run.clearances(time, CLEARANCE_CAP) for run in runs]
        for rows, plan, known in zip(self._rows, self._plans, exact, strict=True):
            if known is not None:
                scene, members = known
                self.least_to_members = min(self.least_to_members, members)
            else:
                obstacles = _met(around, plan)
                scene = least_clearance(obstacles, flock, rows)
            self.least_to_scene = min(self.least_to_scene, scene)
        if any(known is None for known in exact):
            self.least_to_members = min(self.least_to_members, least_gap(flock))

    def add_energy(self, flock: Flock, dt: float) -> None:
        """Note the energy that members spend in a time step [s] at their present speeds."""
        speed = np.linalg.norm(flock.velocity, axis=1)
        self._energy += (ENERGY_REST + ENERGY_MOTION * speed**2) * flock.bodies.mass * dt

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
            arrived=arrived if isinstance(plan, GroupPlan) else None,
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
            formation_error_mean=run.formation_error,
            energy=round(energy + float(self._energy[rows].sum()), 1),
            last_arrival=round(float(last), 3) if np.isfinite(last) else None,
            figures=run.figures,
        )
