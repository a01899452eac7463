"""Running groups with a fixed time step."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors import FORMATIONS
from rmp3d.behaviors.converging import Converging
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupRun
from rmp3d.behaviors.safety import SafetyConstraint, SafetyReport
from rmp3d.behaviors.step import step
from rmp3d.behaviors.traffic import Traffic
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.vehicles import carried_to
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.recording import RecordedEvent
from rmp3d.scenario import Change, Group, Scenario, ScenarioTable, Settings
from rmp3d.scenario.arguments import scenario_of
from rmp3d.scenes import Scene
from rmp3d.simulation.changing import Changes
from rmp3d.simulation.flow import Flow
from rmp3d.simulation.forces import steering_names
from rmp3d.simulation.frame import Frame
from rmp3d.simulation.interventions import Interventions
from rmp3d.simulation.log import RunLog
from rmp3d.simulation.members import GroupMembers
from rmp3d.simulation.moving import motion_of
from rmp3d.simulation.planning import PreparedGroup
from rmp3d.simulation.plans import plan_groups
from rmp3d.simulation.replanning import with_own_worlds
from rmp3d.simulation.report import GroupReport
from rmp3d.simulation.roster import Roster
from rmp3d.simulation.tasks import begin_runs, drivers_of, flock_at_start, queues_of, wanderers_of

SERIES_STEP = 1.0  # between two rows of what groups measure [s]
# Make the traffic rules of N members, and what keeps them safe, for a time step [s].
MakeTraffic: TypeAlias = Callable[[int, float], Traffic]
MakeSafety: TypeAlias = Callable[[Environment, float], SafetyConstraint]


class Simulation(Interventions):
    """All groups of a scenario in motion.

    Iterate over it for every moment of the run, one `Frame` each, or ask for one at a time with
    `step`. What happens from one moment to the next is `rmp3d.behaviors.step.step`.

    >>> simulation = Simulation("plain", [Group(members=2, start="west", goal="east")], nodes=50)
    >>> simulation.step().position.shape
    (2, 3)

    Args:
        scene: As of `rmp3d.run`: a `Scene` with ``groups``, or a `Scenario`, its name or file.
        groups: The groups and their goals; none where a scenario has its own.
        seed: Of all randomness; by default that of the scenario, or 0.
        changes: What becomes different while it runs; see also `change`.
        traffic: Makes the traffic rules; None: nobody gives way.
        safety: Makes the safety constraint; None: nothing keeps members apart.
        settings: Keywords of `rmp3d.scenario.Settings`: ``nodes``, ``dt``, ``duration``, ...

    Attributes:
        scenario: What is run.
        scene: Where.
        plans: What was planned for each group.
        flock: Present state of all members, group by group.
        runs: The behaviors at work.
        time: Of the present state [s].
        duration: It ends then, if not before [s].
        frames: Moments looked at so far.
        over: Whether the moment last looked at is the last one.
        behaviors: Names of the steering behaviors whose forces are recorded.
        log: Statistics so far.

    Raises:
        InputError: Names the argument, what was given, and what would be right.
        PlanningError: A start or goal is not free, or there is no path.
    """

    scenario: Scenario
    scene: Scene
    plans: list[PreparedGroup]
    flock: Flock
    runs: list[GroupRun]
    time: float
    duration: float
    frames: int
    over: bool
    behaviors: tuple[str, ...]
    log: RunLog

    def __init__(
        self,
        scene: Scene | Scenario | str | PathLike[str],
        groups: Group | Sequence[Group] = (),
        *,
        seed: int | None = None,
        changes: Sequence[Change] = (),
        traffic: MakeTraffic | None = Traffic,
        safety: MakeSafety | None = SafetyConstraint.of,
        **settings: Unpack[Settings],
    ) -> None:
        scenario = scenario_of(scene, groups, seed, changes, settings)
        self._begin(scenario, *plan_groups(scenario), traffic, safety)

    @classmethod
    def of(
        cls,
        scenario: Scenario | ScenarioTable,
        planned: tuple[Scene, list[PreparedGroup]] | None = None,
        *,
        traffic: MakeTraffic | None = Traffic,
        safety: MakeSafety | None = SafetyConstraint.of,
    ) -> "Simulation":
        """Return the simulation of a scenario.

        Args:
            scenario: What to run.
            planned: Its scene and plans, as `plan_groups` returns them; by default that is asked.
            traffic: Makes the traffic rules; None: nobody gives way.
            safety: Makes the safety constraint; None: nothing keeps members apart.

        Raises:
            InputError: Something in the scenario cannot be, such as more members than room.
            PlanningError: There is no path.
        """
        made = cls.__new__(cls)
        scenario = Scenario.of(scenario)
        made._begin(scenario, *(planned or plan_groups(scenario)), traffic, safety)
        return made

    def _begin(
        self,
        scenario: Scenario,
        scene: Scene,
        plans: list[PreparedGroup],
        traffic: MakeTraffic | None,
        safety: MakeSafety | None,
    ) -> None:
        plans = with_own_worlds(scene, plans)
        self.scenario, self.scene, self.plans = scenario, scene, plans
        table, self._settings = scenario.table, scenario.table.simulation
        self._names = tuple(plan.group.name for plan in plans)
        dt = self._settings.dt
        self.runs = begin_runs(plans, table.seed, dt, wanderers_of(table.changes))
        self.behaviors = steering_names(scenario, self.runs)
        self._motion = motion_of(scene, plans, dt, self.runs, table.seed)
        self._around = self._motion.around
        self.roster = Roster([len(run.start) for run in self.runs], table.counts)
        self._members = GroupMembers(
            self.runs,
            self._names,
            self._around,
            self.roster,
            speed_limit=[plan.group.speed_limit or np.inf for plan in plans],
            dt=dt,
            seed=table.seed,
            drivers=drivers_of(plans, scene, dt),
            records_forces=bool(self.behaviors),
            queues=queues_of(plans, self.runs, dt),
            may_rest=self._motion.gates is None,
        )
        self.flock = flock_at_start(plans, self.runs, self._around)
        pose = self._members.pose(0.0)
        if pose is not None:
            self.flock = carried_to(self.flock, pose, dt)
        self._traffic = None if traffic is None else traffic(len(self.flock), dt)
        self._converging = None if traffic is None else Converging(len(self.flock), dt)
        self._safety = None if safety is None else safety(self._around, dt)
        self._changes = Changes(
            scenario, scene, plans, self.runs, self.roster, self._members, self._around,
            self._motion.part_at,
        )  # fmt: skip
        self._changes.turned_over = self._turned_over
        self._changes.add(table.changes)
        self._flow = Flow(
            scenario.seed, dt, plans, self.runs, self.roster, self._around, self._motion.part_at
        )
        self._flow.turned_over = self._turned_over
        rows, member = self._members.rows, self.roster.member
        self.log = RunLog(plans, self.runs, rows, member, table.measure)
        self._changes.released = self.log.release
        self.duration = self._settings.duration
        self.time, self.frames, self.over = 0.0, 0, False
        self._told: list[RecordedEvent] = []  # of changes made, by the next moment
        self._looked_at: tuple[object, Frame] | None = None  # a flock, and its moment

    def run_of(self, group: str) -> GroupRun:
        """Return the behavior at work of a group; raise `InputError` if there is none."""
        if group not in self._names:
            raise InputError(unknown_name("group", group, list(self._names)))
        return self.runs[self._names.index(group)]

    @property
    def safety(self) -> SafetyReport:
        """What the safety constraint has seen so far."""
        return SafetyReport() if self._safety is None else self._safety.report

    @property
    def formations(self) -> tuple[str, ...]:
        """Names of the formations that groups may take; all there are if behaviors change."""
        known = tuple(FORMATIONS) if self._changes.any else ()
        return tuple(dict.fromkeys((*known, *(n for run in self.runs for n in run.formations))))

    @property
    def steps(self) -> int:
        """Steps at most."""
        return int(np.ceil(self.duration / self._settings.dt))

    def measures(self) -> tuple[Mapping[str, ArrayLike], ...]:
        """Return what each group measures now, by name.

        What has a row for each member has one for each that a recording has room for; the rows of
        those that are not there are zero.
        """
        found = []
        for run, rows, count in zip(self.runs, self._members.rows, self.roster.counts, strict=True):
            measures = dict(run.measures())
            for name in run.measured_by_member:
                own = np.asarray(measures[name])
                whole = np.zeros((count, *own.shape[1:]), own.dtype)
                whole[self.roster.number[rows]] = own
                measures[name] = whole
            found.append(measures)
        return tuple(found)

    def reports(self) -> list[GroupReport]:
        """Return what became of each group so far."""
        return self.log.reports(self.runs)

    def __iter__(self) -> Iterator[Frame]:
        """Yield every moment from here to the end of the run."""
        while not self.over:
            yield self.step()

    def step(self) -> Frame:
        """Return the next moment: first the start, after the end always the last one.

        Raises:
            InputError: As of `look`; the next call returns the moment without the change.
        """
        if self._is_looked_at and not self.over:
            self.advance()
        return self.look()

    def look(self) -> Frame:
        """Return the present moment, in which every group has perceived and decided.

        However often it is asked for, a moment happens once.

        Raises:
            InputError: A change is due that the group's behavior does not allow. Nothing has
                happened then, and the change is dropped.
        """
        if not self._is_looked_at:
            frame = self._new_frame()
            self._looked_at = self.flock, frame
        assert self._looked_at is not None
        return self._looked_at[1]

    @property
    def _is_looked_at(self) -> bool:
        return self._looked_at is not None and self._looked_at[0] is self.flock

    def advance(self) -> None:
        """Go on to the next state, from the moment that `look` returns."""
        self.look()
        dt = self._settings.dt
        before = self.flock
        after = step(
            before, self._members, self.time, traffic=self._traffic,
            converging=self._converging, gates=self._motion.gates, safety=self._safety,
        )  # fmt: skip
        self.flock = self._motion.carried(before, after)
        self.log.add_energy(self.flock, dt)
        self._motion.advance()
        self.time = self.frames * dt

    def _new_frame(self) -> Frame:
        for flock, told in self._changes.make(self.flock, self.time):
            self.flock, self._told = flock, self._told + told
        self.flock, turned = self._flow.make(self.flock, self.time)
        events, self._told = self._told + turned, []
        self._motion.ask(events)
        force = None if self._members.log is None else self._members.log.stacked(self.behaviors)
        events += self._motion.look(self.flock, self._safety, self._names, self.roster, self.time)
        self.log.begin_to_measure(self.flock, self._around)
        self._members.desire(self._members.perceive(self.flock, self.time))
        level = np.zeros(len(self.flock)) if self._traffic is None else self._traffic.level
        told = self.log.take_events(self.runs, level, self.time)
        self._motion.ask(told)
        events += told
        count = sum(self.roster.counts)
        self.log.measure(self.flock, self.runs, self._around, self.time, count)
        complete = self.log.complete_since(self.flock, self.runs, self.time)
        complete = max(complete, self._changes.awaited_until)
        done = self.time >= complete + self._settings.linger
        self.over = done or self.frames == self.steps
        self.frames += 1
        if self.over:
            events.append(RecordedEvent(self.time, "end", -1, -1, self.log.summary))
        is_sampled = (self.frames - 1) % max(1, round(SERIES_STEP / self._settings.dt)) == 0
        return Frame(
            self.time,
            self.flock.position,
            self.flock.orientation_wxyz,
            self._members.subgoal,
            self._members.formations,
            tuple(events),
            self.measures() if is_sampled else ({},) * len(self.runs),
            tuple(run.figures for run in self.runs) if self.over else (),
            force,
            self.flock,
            self.roster.member,
            tuple(self.roster.counts),
            self._motion.clock,
        )

    def _turned_over(self, everyone: Turnover) -> None:
        """Let all go on with the members that are there now."""
        self._members.turn_over(everyone, self.time)
        if self._traffic is not None:
            self._traffic.turn_over(everyone)
        if self._converging is not None:
            self._converging.turn_over(everyone)
        self.log.turn_over(everyone, self._members.rows, self.roster.member)
