"""Moving parts in a run: what they are in the way of, and the order of a step with them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupRun
from rmp3d.behaviors.groups.search.goal_search import GoalSearch
from rmp3d.behaviors.moving_parts import MovingParts, SweptPart
from rmp3d.behaviors.moving_parts.crossings import Crossing, crossing_of
from rmp3d.behaviors.moving_parts.gates import Gate, Gates
from rmp3d.behaviors.moving_parts.lifts import Lifts
from rmp3d.behaviors.moving_parts.ways_through import crossing_of_space
from rmp3d.behaviors.safety.covered import Covered
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.spaces import GroundSpace
from rmp3d.recording import RecordedEvent
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.motion import LASTING
from rmp3d.scenes.presence import ASKED, PartPresence, may_change
from rmp3d.simulation.planning import GroupPlan, PreparedGroup
from rmp3d.simulation.replanning import Replanner
from rmp3d.simulation.roster import Roster

UNHURRIED = 0.7
"""Share of its cruising speed at which a member is taken to pass a gate."""
ROOM = 0.6
"""Length [m] that a passing member goes besides the way in the gate and its own length."""
DECISION = 0.3
"""Time [s] besides."""


class NeverOpenError(PlanningError):
    """A moving part never leaves the only way free for long enough."""


def gates_of(plan: PreparedGroup, group: int, scene: Scene) -> list[Gate]:
    """Return the gates on the path of a group; none if it has no path."""
    if not isinstance(plan, GroupPlan):
        return []
    body, found = plan.character.body, []
    for column, row in enumerate(scene.moving.tolist()):
        part = SweptPart(row, scene.parts[row])
        if part.motion.stands and not part.carries:  # who plans knows whether it is there
            continue
        if any(ride.column == column for ride in plan.rides):
            continue
        crossing = crossing_of(part, column, plan.plan.path.points[:, :3], body, scene.max_slope)
        if crossing is not None:
            if isinstance(part.motion, PartPresence):
                crossing = replace(crossing, closed=part.motion.absences, period=np.inf)
            found.append(_gate(crossing, group, plan))
    return _joined(found, 2.0 * body.radius)


def gates_for(plan: PreparedGroup, group: int, scene: Scene) -> list[Gate]:
    """Return the gates of a group: those on its path, and, if it goes other ways, the others."""
    found = gates_of(plan, group, scene)
    if isinstance(plan, GroupPlan) and not isinstance(plan.behavior, GoalSearch):
        return found
    known = {gate.crossing.column for gate in found}
    others = gates_anywhere(plan, group, scene)
    return found + [gate for gate in others if gate.crossing.column not in known]


def gates_anywhere(plan: PreparedGroup, group: int, scene: Scene) -> list[Gate]:
    """Return the gates in the scene for a group that chooses its ways while it runs.

    Those that never open for long enough are left out: members stop before them as before a wall.
    """
    space, found = plan.places, []
    if not isinstance(space, GroundSpace) or plan.character.parameters.turn_radius > 0.0:
        return []
    for column, row in enumerate(scene.moving.tolist()):
        part = SweptPart(row, scene.parts[row])
        if part.motion.stands or part.lifts or part.motion.role == "decor":
            continue
        clock = part.motion.phase
        crossing = crossing_of_space(part, column, space, clock, scene.max_slope)
        if crossing is None:
            continue
        gate = _gate(crossing, group, plan)
        if crossing.longest(clock) >= gate.needed:
            found.append(replace(gate, space=space))
    return _joined(found, 2.0 * plan.character.body.radius)


def _gate(crossing: Crossing, group: int, plan: PreparedGroup) -> Gate:
    """Return the gate of a crossing, with the time that a member of a group needs to pass."""
    way = crossing.long + 2.0 * plan.character.body.radius + ROOM
    return Gate(crossing, group, way / (UNHURRIED * speed_of(plan)) + DECISION)


def _joined(gates: Sequence[Gate], apart: float) -> list[Gate]:
    """Return gates that have one box where their boxes are nearer to each other than so far [m].

    Between the leaves of a door nobody is beside a leaf: who passes one passes the other.
    """
    boxes = [gate.crossing.box for gate in gates]
    for box in list(boxes):
        low, high = box[0] - apart, box[1] + apart
        near = [
            k for k, (least, most) in enumerate(boxes) if (least < high).all() & (most > low).all()
        ]
        both = np.array([boxes[k] for k in near])
        for k in near:
            boxes[k] = np.stack([both[:, 0].min(axis=0), both[:, 1].max(axis=0)])
    rows = zip(gates, boxes, strict=True)
    return [replace(gate, crossing=replace(gate.crossing, box=box)) for gate, box in rows]


def waiting_time(plan: GroupPlan, gates: Sequence[Gate], scene: Scene) -> float:
    """Return for how long [s] a member waits at the gates on its path; infinite: for ever."""
    clocks = [part.motion.phase for part in scene.parts if part.motion is not None]
    time = 0.0
    for gate in sorted(gates, key=lambda gate: gate.crossing.along):
        here = gate.crossing.along / speed_of(plan) + time
        time += gate.crossing.opens_in(clocks[gate.crossing.column] + here, gate.needed)
    return time


def closes_too_soon(plan: GroupPlan, gates: Sequence[Gate], scene: Scene) -> bool:
    """Return whether a gate may close for ever before the last member of a group is through."""
    members = len(plan.characters)
    here = plan.plan.path.points[0, :2]
    sides = np.maximum(plan.start.upper[:2] - here, here - plan.start.lower[:2])
    behind = float(np.hypot(*sides)) + (members - 1) * (2.0 * plan.character.body.radius + ROOM)
    for gate in gates:
        motion = scene.parts[int(scene.moving[gate.crossing.column])].motion
        left = gate.crossing.closes - (0.0 if motion is None else motion.phase)
        if left < (gate.crossing.along + behind) / (UNHURRIED * speed_of(plan)) + gate.needed:
            return True
    return False


def barred(scene: Scene, gates: Sequence[Gate]) -> Scene:
    """Return the scene in which what closes the ways of gates stands in them for ever."""
    parts = list(scene.parts)
    for gate in gates:
        row = int(scene.moving[gate.crossing.column])
        part = SweptPart(row, scene.parts[row])
        corners = _standing_in_it(part, gate, scene.max_slope).reshape(-1, 3)
        mesh = TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3))
        colors = np.full((len(mesh.faces), 3), 0.5)
        name = scene.parts[row].name
        parts[row] = Part(name, "obstacle", mesh, colors)
    return replace(scene, parts=tuple(parts), source=None)


def _standing_in_it(part: SweptPart, gate: Gate, max_slope: float) -> Float:
    """Return the triangles (K, 3, 3) of what closes the way of a gate."""
    if part.carries:  # without it there is no ground; who is on what is under it keeps out, too
        return part.walls(max_slope)
    times = [np.linspace(a, min(b, a + part.motion.end), 24) for a, b in gate.crossing.closed]
    if part.motion.repeat in LASTING:
        times.append(np.array([part.motion.end]))
    return part.at(np.concatenate(times)).reshape(-1, 3, 3)


def never_open(plan: GroupPlan, gates: Sequence[Gate], scene: Scene, group: int) -> NeverOpenError:
    """Return the error that a group waits for ever: its gates, and what would be right."""
    gate = max(gates, key=lambda gate: gate.needed - _longest(gate, scene))
    x, y, z = gate.crossing.place
    role = scene.parts[int(scene.moving[gate.crossing.column])].role
    under = " (what lies under ground that goes is not walked on)" if role == "ground" else ""
    return NeverOpenError(
        f"`groups[{group}]`: no way to the goal: the only one leads through `{gate.crossing.name}` "
        f"at ({x:.1f}, {y:.1f}, {z:.1f}), which leaves it free for "
        f"{_longest(gate, scene):.2g} s at most, and a member needs {gate.needed:.2g} s to pass; "
        f"let it stay open longer, or make another way{under}"
    )


def _longest(gate: Gate, scene: Scene) -> float:
    motion = scene.parts[int(scene.moving[gate.crossing.column])].motion
    return gate.crossing.longest(0.0 if motion is None else motion.phase)


def speed_of(plan: PreparedGroup) -> float:
    """Return the largest speed [m/s] of a group."""
    return min(plan.character.parameters.max_speed, plan.group.speed_limit or np.inf)


class StillScene:
    """A scene in which nothing moves, in place of a `SceneMotion`.

    Attributes:
        around: What the scene is for characters.
        gates: None: nobody waits.
        clock: None: there are no clocks.
    """

    gates: Gates | None = None

    def __init__(self, around: Environment) -> None:
        self.around = around

    @property
    def clock(self) -> Float | None:
        """(K,) clocks of the moving parts [s]; None if there are none."""
        return None

    def look(
        self, flock: Flock, safety: Any, names: Sequence[str], roster: Roster, time: float
    ) -> list[RecordedEvent]:
        """Let the parts decide whether they move on in the step from now; return what is told."""
        return []

    def ask(self, events: Sequence[RecordedEvent]) -> None:
        """Let parts appear or go as events ask for it."""

    def part_at(self, flock: Flock) -> str:
        """Return the name of a moving part where one of a flock is, at rest; empty if none is."""
        return ""

    def carried(self, before: Flock, after: Flock) -> Flock:
        """Return the flock after a step, in which those who ride have moved with their parts."""
        return after

    def advance(self) -> None:
        """Let the step that was looked at be over."""


class SceneMotion(StillScene):
    """The moving parts of a run, and the gates on the ways of its groups.

    Args:
        scene: With at least one moving part.
        plans: What is known of each group.
        around: What the scene is for characters.
        dt: Time step [s].
        replanner: Gives groups other paths; None where no part appears or goes.

    Attributes:
        parts: The moving parts.
        around: What the scene is for characters, with them.
        gates: Where groups wait for them.
    """

    gates: Gates

    def __init__(
        self,
        scene: Scene,
        plans: Sequence[PreparedGroup],
        around: Environment,
        dt: float,
        replanner: Replanner | None = None,
    ) -> None:
        self._replanner = replanner
        self.parts = MovingParts(scene, around, dt)
        super().__init__(self.parts.around)
        crossed = [gate for row, plan in enumerate(plans) for gate in gates_for(plan, row, scene)]
        self.gates = Gates(crossed, self.parts)
        rides = [ride for plan in plans if isinstance(plan, GroupPlan) for ride in plan.rides]
        self._lifts = Lifts(rides, self.parts) if self.parts.decks else None
        self.gates.further = self._lifts
        self._began = False

    @property
    def clock(self) -> Float | None:
        """(K,) clocks of the moving parts [s]."""
        return self.parts.clock

    def look(
        self, flock: Flock, safety: Any, names: Sequence[str], roster: Roster, time: float
    ) -> list[RecordedEvent]:
        """Let the parts decide whether they move on in the step from now; return what is told.

        Groups take other paths if a part has appeared or gone.

        Args:
            flock: All members now.
            safety: Knows what they may cover until they stop; one of a user's own need not.
            names: Of the groups.
            roster: Who is there.
            time: Now [s].

        Raises:
            InputError: A part is where a member starts; names the member and the part.
        """
        if not self._began:
            self._check_start(flock, names, roster.group_of)
            self._began = True
        if self._lifts is not None:
            self._lifts.look(flock, roster.group_of, roster.number)
        tells = hasattr(safety, "covered") and len(flock) > 0
        self.parts.look(flock, safety.covered(flock) if tells else Covered.at_rest(flock), time)
        self.gates.group_of = roster.group_of
        if self._replanner is None:
            return []
        told = self._replanner.follow(self.parts.shown, flock, roster.rows, time)
        for group, walks in self._replanner.new_walks.items():
            if self._lifts is not None:
                self._lifts.lead_elsewhere(group, walks[1:])
        self._replanner.new_walks.clear()
        return told

    def ask(self, events: Sequence[RecordedEvent]) -> None:
        """Let parts appear or go as events ask for it."""
        for event in events:
            if event.kind in ASKED:
                self.parts.ask(event.text, event.kind == ASKED[0], event.time)

    def part_at(self, flock: Flock) -> str:
        """Return the name of a moving part where one of a flock is, at rest; empty if none is."""
        return self.parts.first_touch(flock, Covered.at_rest(flock))[1]

    def carried(self, before: Flock, after: Flock) -> Flock:
        """Return the flock after a step, in which those who ride have moved with their parts."""
        return self.parts.carried(before, after)

    def advance(self) -> None:
        """Let the step that was looked at be over."""
        self.parts.advance()

    def _check_start(self, flock: Flock, names: Sequence[str], group_of: Index) -> None:
        member, part = self.parts.first_touch(flock, Covered.at_rest(flock))
        if member >= 0:
            group = names[group_of[member]]
            number = member - int(np.argmax(group_of == group_of[member]))
            raise InputError(
                f"`scene.motions`: at 0 s, `{part}` is where member {number} of `{group}` starts; "
                "move the start, or let the part begin elsewhere (`phase`), or appear later "
                "(`scene.presence`)"
            )


def motion_of(
    scene: Scene, plans: Sequence[PreparedGroup], dt: float, runs: Sequence[GroupRun], seed: int
) -> StillScene:
    """Return what moves in a scene, for groups at work, a time step [s] and a seed."""
    steps = dict.fromkeys(plan.max_step for plan in plans if plan.space.grounded)
    around = Environment.of(scene, *steps)
    if len(scene.moving) == 0:
        return StillScene(around)
    changes = may_change(scene.parts)
    replanner = Replanner(scene, plans, runs, seed) if changes else None
    return SceneMotion(scene, plans, around, dt, replanner)
