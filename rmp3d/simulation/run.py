"""Running planned groups with a fixed time step."""

from itertools import pairwise

import numpy as np

from behaviors.behavior import RESPONSE_TIME, Surroundings, blend
from behaviors.flock import Flock, flock_at_rest
from behaviors.groups import GroupRun, GroupTask, Intent
from behaviors.neighbors import Neighbors
from behaviors.safety import SafetyConstraint, SafetyReport
from behaviors.traffic import Traffic
from behaviors.vehicles import fly, hug
from geometry.arrays import Float
from geometry.mesh import TriangleMesh
from geometry.query import MeshQuery
from geometry.vectors import clip_length
from planner.spaces import GroundSpace
from rmp3d.errors import blaming_key
from rmp3d.recording import RecordingWriter
from rmp3d.scenario import Scenario
from rmp3d.simulation.planning import GroupPlan, Progress, group_behavior
from rmp3d.simulation.report import GroupReport
from scenes import Scene

# Neighbors farther away than this do not count for steering [m].
SIGHT = 3.0
# Metabolic cost of standing [W/kg] and of moving [J s/(kg m^2)], as crowd simulation uses it.
ENERGY_REST, ENERGY_MOTION = 2.23, 1.26


class Simulation:
    """All groups of a scenario in motion.

    A step is: what every group wants, steering forces towards it, traffic rules, the safety
    constraint, the vehicles. It reads the old state and makes a new one.

    Args:
        scenario: Checked.
        scene: Its scene.
        plans: One for each group.

    Attributes:
        flock: Present state of all members, group by group.
        runs: The behaviors at work.
        frames: Recorded so far.
        least_to_scene: Smallest clearance of any member to the scene so far [m].
        least_to_members: The same between members [m].
    """

    def __init__(self, scenario: Scenario, scene: Scene, plans: list[GroupPlan]) -> None:
        self._settings = scenario.simulation
        self._plans = plans
        self.runs: list[GroupRun] = []
        counts = [plan.group.members for plan in plans]
        edges = np.cumsum([0, *counts])
        self._rows = [np.arange(a, b) for a, b in pairwise(edges)]
        dt = self._settings.dt
        for row, plan in enumerate(plans):
            rng = np.random.default_rng([scenario.seed, row, 1])
            with blaming_key(f"groups[{row}]"):
                self.runs.append(group_behavior(plan.group).begin(_task(plan, dt, rng)))
        self._seed = scenario.seed
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
        self._jams = [0] * len(plans)
        self._bounds = scene.bounds
        self._time = 0.0
        self._complete = 0.0
        self.frames = 0
        self.least_to_scene = np.inf
        self.least_to_members = np.inf

    @property
    def safety(self) -> SafetyReport:
        """What the safety constraint has seen so far."""
        return self._safety.report

    def record(
        self, recording: RecordingWriter, formations: tuple[str, ...], progress: Progress
    ) -> None:
        """Step to the end, writing every frame and event."""
        steps = int(np.ceil(self._settings.duration / self._settings.dt))
        names = [[formations.index(name) for name in run.formations] for run in self.runs]
        for step in range(steps + 1):
            time = step * self._settings.dt
            intents = [
                run.step(self.flock.select(rows), time)
                for run, rows in zip(self.runs, self._rows, strict=True)
            ]
            self._note_events(recording, time)
            recording.append(
                position=self.flock.position,
                orientation_wxyz=self.flock.orientation_wxyz,
                subgoal=np.concatenate([intent.subgoal for intent in intents]),
                formation_of=[
                    name[intent.formation] if intent.formation >= 0 else -1
                    for name, intent in zip(names, intents, strict=True)
                ],
            )
            self.frames += 1
            self._measure()
            if progress is not None:
                progress(step, steps)
            if step == steps or time >= self._complete_since(time) + self._settings.linger:
                break
            self._time = time
            self._advance(intents)
        recording.add_event(time, "end", text=f"{self._arrived_count()} arrived")
        if progress is not None:
            progress(steps, steps)

    def _complete_since(self, time: float) -> float:
        """Return since when [s] all members have arrived and are in their goals."""
        for rows, plan in zip(self._rows, self._plans, strict=True):
            outside = ~plan.goal.contains(self.flock.position[rows])
            if outside.any() or not np.isfinite(self._arrival[rows]).all():
                self._complete = time
        return self._complete

    def _arrived_count(self) -> int:
        return int(np.isfinite(self._arrival).sum())

    def _advance(self, intents: list[Intent]) -> None:
        """Make the next state."""
        flock, dt = self.flock, self._settings.dt
        force = self._forces(intents)
        desire = flock.velocity + force / flock.mass[:, None] * RESPONSE_TIME
        desire = clip_length(desire, flock.max_speed)
        remaining = np.concatenate([intent.remaining for intent in intents])
        parked = np.concatenate([intent.parked for intent in intents])
        desire, weight = self._traffic.resolve(flock, desire, remaining, parked)
        change = clip_length((desire - flock.velocity) / RESPONSE_TIME, flock.acceleration)
        velocity = self._safety.velocity(flock, flock.velocity + change * dt, desire, weight)
        self.flock = self._moved(velocity)
        speed = np.linalg.norm(self.flock.velocity, axis=1)
        self._energy += (ENERGY_REST + ENERGY_MOTION * speed**2) * flock.mass * dt

    def _forces(self, intents: list[Intent]) -> Float:
        """Return the steering forces (N, 3) [N], each group with its own behaviors."""
        neighbors = Neighbors.within(self.flock.position, SIGHT, self.flock.radius)
        force = np.zeros_like(self.flock.position)
        for run, rows, plan, intent in zip(
            self.runs, self._rows, self._plans, intents, strict=True
        ):
            around = Surroundings(
                neighbors=neighbors.of(rows),
                subgoal=intent.subgoal,
                subgoal_velocity=intent.subgoal_velocity,
                obstacles=self._walking if plan.space.grounded else self._flying,
                crowd=self.flock,
                member=rows,
                surface=self._surface if plan.space.grounded else None,
                bounds=self._bounds,
                time=self._time,
                dt=self._settings.dt,
                seed=self._seed,
            )
            force[rows] = blend(run.steering, self.flock.select(rows), around)
        return force

    def _moved(self, velocity: Float) -> Flock:
        """Return the flock after a step: walkers hug the surface, flyers fly."""
        dt = self._settings.dt
        if self._surface is None:
            return fly(self.flock, velocity, dt)
        if self.flock.grounded.all():
            return hug(self.flock, velocity, self._surface, dt)
        walking, flying = np.flatnonzero(self.flock.grounded), np.flatnonzero(~self.flock.grounded)
        parts = (
            hug(self.flock.select(walking), velocity[walking], self._surface, dt),
            fly(self.flock.select(flying), velocity[flying], dt),
        )
        changes = {}
        for name in ("position", "velocity", "heading", "up", "face"):
            value = np.array(getattr(self.flock, name))
            value[walking], value[flying] = getattr(parts[0], name), getattr(parts[1], name)
            changes[name] = value
        return self.flock.moved(**changes)

    def _at_start(self) -> Flock:
        characters, positions, headings, faces = [], [], [], []
        for run, plan in zip(self.runs, self._plans, strict=True):
            start = run.start
            face = np.full(len(start), -1)
            if isinstance(plan.space, GroundSpace):
                start, face = plan.space.surface.locate(start, 0.01, 0.01)
            characters += [plan.character] * len(start)
            positions.append(start)
            faces.append(face)
            frame = plan.plan.path.frames(np.zeros(1), 2.0)[0]
            headings.append(np.tile(frame[:, 0], (len(start), 1)))
        return flock_at_rest(
            characters, np.concatenate(positions), np.concatenate(headings), np.concatenate(faces)
        )

    def _note_events(self, recording: RecordingWriter, time: float) -> None:
        for group, (run, rows) in enumerate(zip(self.runs, self._rows, strict=True)):
            for event in run.events:
                member = int(rows[event.member]) if event.member >= 0 else -1
                recording.add_event(event.time, event.kind, group, member, event.text)
                if event.kind == "arrived":
                    self._arrival[member] = event.time
            run.events.clear()
            level = self._traffic.level[rows]
            for row in rows[(level > 0) & (self._jammed[rows] == 0)]:
                self._jams[group] += 1
                text = "no progress; tries another heading"
                recording.add_event(time, "jam", group, int(row), text)
            self._jammed[rows] = level

    def _measure(self) -> None:
        for rows, plan in zip(self._rows, self._plans, strict=True):
            obstacles = self._walking if plan.space.grounded else self._flying
            if obstacles is not None:
                body = plan.character.body
                clearance, _ = obstacles.capsule_clearance(
                    self.flock.position[rows], body.spine, body.radius, 1.0
                )
                self.least_to_scene = min(self.least_to_scene, float(clearance.min()))
        self.least_to_members = min(self.least_to_members, _least_gap(self.flock))

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
                    arrived=int(there.sum()),
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
                )
            )
        return reports


def _task(plan: GroupPlan, dt: float, rng: np.random.Generator) -> GroupTask:
    return GroupTask(
        space=plan.space,
        path=plan.plan.path,
        roadmap=plan.plan.roadmap,
        start=plan.start,
        goal=plan.goal,
        count=plan.group.members,
        character=plan.character,
        dt=dt,
        rng=rng,
    )


def _query(mesh: TriangleMesh | None) -> MeshQuery | None:
    return None if mesh is None else MeshQuery(mesh)


def _least_gap(flock: Flock) -> float:
    """Return the smallest gap [m] between two bodies, at most 1; infinite for a single one."""
    near = Neighbors.within(flock.position, 2.0 * float(flock.radius.max()) + 1.0, flock.radius)
    if len(near.i) == 0:
        return np.inf
    offset = near.offset.copy()
    i, j = near.i, near.j
    below = offset[:, 2] + flock.spine[j, 0] - flock.spine[i, 1]
    above = offset[:, 2] + flock.spine[j, 1] - flock.spine[i, 0]
    offset[:, 2] = np.where(below > 0.0, below, np.where(above < 0.0, above, 0.0))
    return float((np.linalg.norm(offset, axis=1) - near.contact).min())
