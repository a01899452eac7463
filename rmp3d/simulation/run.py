"""Running groups with a fixed time step."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from rmp3d.behaviors import FORMATIONS
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.force_log import ForceLog
from rmp3d.behaviors.groups import GroupRun, Intent
from rmp3d.behaviors.groups.carried.behavior import CarriedRun
from rmp3d.behaviors.groups.goal_area.places import NOBODY
from rmp3d.behaviors.groups.group_behavior import convoys, gears
from rmp3d.behaviors.safety import SafetyConstraint, SafetyReport
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput
from rmp3d.behaviors.traffic import JAM_AFTER, Traffic
from rmp3d.behaviors.vehicles import attainable, carried_to, fly, hug, turned_on_the_spot
from rmp3d.behaviors.world_state import WorldState
from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import clip_length
from rmp3d.planner.spaces import GroundSpace
from rmp3d.recording import RecordedEvent
from rmp3d.scenario import ChangeTable, ScenarioTable
from rmp3d.scenes import Scene
from rmp3d.simulation.forces import steering_names
from rmp3d.simulation.frame import Frame
from rmp3d.simulation.gaps import least_clearance, least_gap
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, group_behavior
from rmp3d.simulation.report import GroupReport
from rmp3d.simulation.tasks import begun, task_of

# Metabolic cost of standing [W/kg] and of moving [J s/(kg m^2)], as crowd simulation uses it.
ENERGY_REST, ENERGY_MOTION = 2.23, 1.26
# Time between two rows of what groups measure [s].
SERIES_STEP = 1.0


class Simulation:
    """All groups of a scenario in motion.

    It is stepped by `look` and `advance` in turn, until it is over; between them whoever steps it
    may take all the time in the world. A step is: what every group perceives and wants, steering
    towards it, traffic rules for those that follow a plan, the safety constraint, the vehicles.
    It reads the old state and makes a new one.

    Args:
        scenario: Checked.
        scene: Its scene.
        plans: One for each group.

    Attributes:
        flock: Present state of all members, group by group.
        runs: The behaviors at work.
        time: Of the present state [s].
        duration: It ends then, if not before [s].
        frames: Looked at so far.
        over: Whether the moment last looked at is the last one.
        behaviors: Names of the steering behaviors whose forces are recorded.
        least_to_scene: Smallest clearance of any member to the scene so far [m].
        least_to_members: The same between members [m].
    """

    def __init__(self, scenario: ScenarioTable, scene: Scene, plans: list[PreparedGroup]) -> None:
        self._settings = scenario.simulation
        self._seed = scenario.seed
        self._plans = plans
        self.runs: list[GroupRun] = []
        counts = [plan.group.members for plan in plans]
        edges = np.cumsum([0, *counts])
        self._rows = [np.arange(a, b) for a, b in pairwise(edges)]
        self._group_of = np.repeat(np.arange(len(plans)), counts)
        self._names = tuple(plan.group.name for plan in plans)
        dt = self._settings.dt
        standing = NOBODY
        for row, plan in enumerate(plans):
            rng = np.random.default_rng([scenario.seed, row, 1])
            run = begun(plan, task_of(plans, row, dt, rng, standing), row)
            self.runs.append(run)
            bodies = [character.body for character in plan.characters]
            radius, capsule_axis = (
                [body.radius for body in bodies],
                [body.capsule_axis for body in bodies],
            )
            standing = standing.joined_by(run.start, radius, capsule_axis)
        # A group that is carried is alone; see `check_carried`.
        self._scheduled = next((run for run in self.runs if isinstance(run, CarriedRun)), None)
        self._surface = next(
            (plan.space.surface for plan in plans if isinstance(plan.space, GroundSpace)), None
        )
        self._walking = _query(scene.walking_obstacles[0])
        self._flying = _query(scene.flying_obstacles[0])
        self.flock = self._at_start()
        self._safety = SafetyConstraint(
            self._walking, self._flying, self._surface, scene.bounds, dt
        )
        self._traffic = Traffic(len(self.flock), dt)
        self._arrival = np.full(len(self.flock), np.inf)
        self._energy = np.zeros(len(self.flock))
        self._jammed = np.zeros(len(self.flock))
        self._jammed_since = np.zeros(len(self.flock))
        self._jams = [0] * len(plans)
        self._bounds = scene.bounds
        limits = [plan.group.speed_limit or np.inf for plan in plans]
        self._limit = np.array(limits)[self._group_of]  # (N,) [m/s]
        self.duration = self._settings.duration
        self._pending = list(scenario.changes)
        self._changing = bool(scenario.changes)
        self.behaviors = steering_names(scenario, self.runs)
        self._log = ForceLog(len(self.flock)) if self.behaviors else None
        self.time, self._complete = 0.0, np.inf
        self.frames, self.over = 0, False
        self.least_to_scene = self.least_to_members = np.inf

    def run_of(self, group: str) -> GroupRun:
        """Return the behavior at work of the group called ``group``.

        Raises:
            InputError: There is none.
        """
        if group not in self._names:
            raise InputError(unknown_name("group", group, list(self._names)))
        return self.runs[self._names.index(group)]

    @property
    def safety(self) -> SafetyReport:
        """What the safety constraint has seen so far."""
        return self._safety.report

    @property
    def formations(self) -> tuple[str, ...]:
        """Names of the formations that groups may take; all there are if behaviors change."""
        known = tuple(FORMATIONS) if self._changing else ()
        return tuple(dict.fromkeys((*known, *(n for run in self.runs for n in run.formations))))

    @property
    def steps(self) -> int:
        """Steps at most."""
        return int(np.ceil(self.duration / self._settings.dt))

    def change(self, changes: Sequence[ChangeTable]) -> None:
        """Let something become different at the next `look`, or later; after `advance`."""
        self._changing = True
        self._pending = sorted([*self._pending, *changes], key=lambda change: change.time)

    def look(self) -> Frame:
        """Let every group perceive and decide; return the present moment, once for each.

        Raises:
            InputError: A change is due that the group's behavior does not allow. Nothing has
                happened then, and the change is dropped.
        """
        events = self._make_changes()
        force = None if self._log is None else self._log.stacked(self.behaviors)
        self._world = self._seen()
        self._intents = self._decided(self._world)
        events += self._new_events()
        self._measure()
        done = self.time >= self._complete_since() + self._settings.linger
        self.over = done or self.frames == self.steps
        self.frames += 1
        if self.over:
            events.append(RecordedEvent(self.time, "end", -1, -1, self._summary()))
        is_sampled = (self.frames - 1) % max(1, round(SERIES_STEP / self._settings.dt)) == 0
        return Frame(
            self.time,
            self.flock.position,
            self.flock.orientation_wxyz,
            np.concatenate([intent.subgoal for intent in self._intents]),
            tuple(
                run.formations[intent.formation] if intent.formation >= 0 else ""
                for run, intent in zip(self.runs, self._intents, strict=True)
            ),
            tuple(events),
            tuple(run.measures() if is_sampled else {} for run in self.runs),
            tuple(run.figures for run in self.runs) if self.over else (),
            force,
        )

    def _make_changes(self) -> list[RecordedEvent]:
        """Make the changes that are due; return what is worth telling of them."""
        events = []
        while self._pending and self._pending[0].time <= self.time + 1e-9:
            change = self._pending.pop(0)
            group = self._names.index(change.group)
            if change.behavior is not None:
                with prefix_errors_with_key(f"groups[{group}].behavior"):
                    changed = replace(self._plans[group].group, behavior=change.behavior)
                    self.runs[group].change(
                        group_behavior(changed), self.flock.select(self._rows[group])
                    )
            if change.speed_limit is not None:
                self._limit[self._rows[group]] = change.speed_limit
            events.append(RecordedEvent(self.time, "change", group, -1, change.in_words()))
        return events

    def _summary(self) -> str:
        expected = any(isinstance(plan, GroupPlan) for plan in self._plans)
        return f"{np.isfinite(self._arrival).sum()} arrived" if expected else ""

    def _complete_since(self) -> float:
        """Return since when [s] all members with a goal are in it; infinity: not yet."""
        journeys = [
            (plan.goal, rows)
            for plan, rows in zip(self._plans, self._rows, strict=True)
            if isinstance(plan, GroupPlan)
        ]
        for goal, rows in journeys:
            outside = ~goal.contains(self.flock.position[rows])
            if outside.any() or not np.isfinite(self._arrival[rows]).all():
                self._complete = np.inf
                return self._complete
        if journeys:
            self._complete = min(self._complete, self.time)
        return self._complete

    def _seen(self) -> WorldState:
        self._log = ForceLog(len(self.flock)) if self.behaviors else None
        return WorldState(
            self.flock,
            self._group_of,
            self._names,
            solid=self._flying,
            walking=self._walking,
            surface=self._surface,
            bounds=self._bounds,
            time=self.time,
            dt=self._settings.dt,
            seed=self._seed,
            log=self._log,
        )

    def _decided(self, world: WorldState) -> list[Intent]:
        intents = []
        for run, rows in zip(self.runs, self._rows, strict=True):
            run.look(world, rows)
            intents.append(run.step(self.flock.select(rows), self.time))
        return intents

    def advance(self) -> None:
        """Make the next state; after `look`."""
        dt = self._settings.dt
        if self._scheduled is None:
            self.flock = self._steered()
        else:
            self.flock = carried_to(self.flock, self._scheduled.pose(self.frames * dt), dt)
        speed = np.linalg.norm(self.flock.velocity, axis=1)
        self._energy += (ENERGY_REST + ENERGY_MOTION * speed**2) * self.flock.bodies.mass * dt
        self.time = self.frames * dt

    def _steered(self) -> Flock:
        """Return the next state of members that decide for themselves."""
        flock, dt = self.flock, self._settings.dt
        parts = [
            run.steer(self._world, rows, intent)
            for run, rows, intent in zip(self.runs, self._rows, self._intents, strict=True)
        ]
        steering = SteeringOutput(
            np.concatenate([part.force for part in parts]),
            np.concatenate([part.turning for part in parts]),
            np.concatenate([part.oriented for part in parts]),
        )
        desire = flock.velocity + steering.force / flock.bodies.mass[:, None] * RESPONSE_TIME
        fastest = np.minimum(flock.bodies.max_speed, self._limit)
        gear = gears(self._intents)
        desire, weight = self._in_traffic(clip_length(desire, fastest), self._intents, gear)
        desire = clip_length(desire, fastest)
        proposal = attainable(flock, desire, dt, gear < 0)
        velocity = self._safety.velocity(flock, proposal, desire, weight)
        return self._moved(velocity, turned_on_the_spot(flock, desire, steering))

    def _in_traffic(self, desire: Float, intents: list[Intent], gear: Index) -> tuple[Float, Float]:
        """Return desired velocities (N, 3) under the traffic rules, and yielding weights (N,)."""
        free = np.array([not intent.guided for intent in intents])[self._group_of] | (gear != 0)
        if free.all():
            return desire, np.ones(len(desire))
        remaining = np.concatenate([intent.remaining for intent in intents])
        parked = np.concatenate([intent.parked for intent in intents])
        convoy = convoys(intents)
        ruled, weight = self._traffic.resolve(self.flock, desire, remaining, parked, convoy)
        return np.where(free[:, None], desire, ruled), np.where(free, 1.0, weight)

    def _moved(self, velocity: Float, steering: SteeringOutput) -> Flock:
        """Return the flock after a step: walkers hug the surface, flyers fly."""
        dt = self._settings.dt
        if self._surface is None:
            return fly(self.flock, velocity, dt, steering)
        if self.flock.bodies.grounded.all():
            return hug(self.flock, velocity, self._surface, dt, steering)
        walking, flying = (
            np.flatnonzero(self.flock.bodies.grounded),
            np.flatnonzero(~self.flock.bodies.grounded),
        )
        asked = [
            SteeringOutput(steering.force[rows], steering.turning[rows], steering.oriented[rows])
            for rows in (walking, flying)
        ]
        parts = (
            hug(self.flock.select(walking), velocity[walking], self._surface, dt, asked[0]),
            fly(self.flock.select(flying), velocity[flying], dt, asked[1]),
        )
        changes = {}
        for name in ("position", "velocity", "heading", "up", "spin", "face"):
            value = np.array(getattr(self.flock, name))
            value[walking], value[flying] = getattr(parts[0], name), getattr(parts[1], name)
            changes[name] = value
        return self.flock.moved(**changes)

    def _at_start(self) -> Flock:
        positions, headings, faces = [], [], []
        for run, plan in zip(self.runs, self._plans, strict=True):
            start = run.start
            face = np.full(len(start), -1)
            if isinstance(plan.space, GroundSpace):
                start, face = plan.space.surface.locate(start, 0.01, 0.01)
            positions.append(start)
            faces.append(face)
            headings.append(run.heading)
        characters = [character for plan in self._plans for character in plan.characters]
        flock = Flock.at_rest(
            characters, np.concatenate(positions), np.concatenate(headings), np.concatenate(faces)
        )
        if self._scheduled is None:
            return flock
        return carried_to(flock, self._scheduled.pose(0.0), self._settings.dt)

    def _new_events(self) -> list[RecordedEvent]:
        events = []
        for group, (run, rows) in enumerate(zip(self.runs, self._rows, strict=True)):
            for event in run.events:
                member = int(rows[event.member]) if event.member >= 0 else -1
                events.append(RecordedEvent(event.time, event.kind, group, member, event.text))
                if event.kind == "arrived":
                    self._arrival[member] = event.time
            run.events.clear()
            level = self._traffic.level[rows]
            for row in rows[(level > 0) & (self._jammed[rows] == 0)].tolist():
                self._jams[group] += 1
                self._jammed_since[row] = self.time
                text = (
                    f"no progress for {JAM_AFTER:g} s, nor a queue that moves; tries other headings"
                )
                events.append(RecordedEvent(self.time, "jam", group, row, text))
            for row in rows[(level == 0) & (self._jammed[rows] > 0)].tolist():
                tried, took = int(self._jammed[row]), self.time - self._jammed_since[row]
                text = f"goes on after {took:.1f} s and {tried} other heading{'s' * (tried > 1)}"
                events.append(RecordedEvent(self.time, "jam_over", group, row, text))
            self._jammed[rows] = level
        return events

    def _measure(self) -> None:
        if self._scheduled is not None:
            scene, members = self._scheduled.clearances(self.time, 1.0)
            self.least_to_scene = min(self.least_to_scene, scene)
            self.least_to_members = min(self.least_to_members, members)
            return
        for rows, plan in zip(self._rows, self._plans, strict=True):
            obstacles = self._walking if plan.space.grounded else self._flying
            scene = least_clearance(obstacles, self.flock, rows)
            self.least_to_scene = min(self.least_to_scene, scene)
        self.least_to_members = min(self.least_to_members, least_gap(self.flock))

    def reports(self) -> list[GroupReport]:
        """Return what became of each group so far."""
        reports = []
        for group, (plan, rows, run) in enumerate(
            zip(self._plans, self._rows, self.runs, strict=True)
        ):
            arrival = self._arrival[rows]
            there = np.isfinite(arrival)
            reports.append(
                GroupReport(
                    name=plan.group.name,
                    behavior=plan.group.behavior["name"],
                    members=len(rows),
                    arrived=int(there.sum()) if isinstance(plan, GroupPlan) else None,
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
                    energy=round(float(self._energy[rows].sum()), 1),
                    last_arrival=round(float(arrival[there].max()), 3) if there.any() else None,
                    figures=run.figures,
                )
            )
        return reports


def _query(mesh: TriangleMesh | None) -> MeshQuery | None:
    return None if mesh is None else MeshQuery(mesh)
