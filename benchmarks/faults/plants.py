"""Faults for clean recordings: what `verify` must find, whatever the run and its bodies.

A plant takes a run and a generator of random numbers and returns the run with the fault in it, or
None where it does not suit. To add one, write the function and put `@plant(...)` above it, with the
kinds of finding that tell of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import product
from rmp3d.models import Character
from rmp3d.recording import Header
from rmp3d.scenes import Scene

Event: TypeAlias = tuple[float, str, int, int, str]


@dataclass(frozen=True)
class Run:
    """The frames of a recording, and what they are of.

    Attributes:
        header: Of the recording.
        scene: Of the run.
        characters: By member.
        position: (T, N, 3) [m].
        orientation: (T, N, 4) unit quaternions.
        subgoal: (T, N, 3) [m].
        formation: (T, G) rows in the header's formations.
        events: As `RecordingWriter.add_event` takes them.
        life: (N, 2) first frame of each member, and the one after its last.
        clock: (T, K) clocks of the parts that move, or appear and go.
    """

    header: Header
    scene: Scene
    characters: tuple[Character, ...]
    position: Float
    orientation: Float
    subgoal: Float
    formation: Index
    events: tuple[Event, ...]
    life: Index
    clock: Float

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return float(self.header.scenario.simulation.dt)

    @property
    def frames(self) -> int:
        """T, the number of frames."""
        return len(self.position)

    @property
    def lasting(self) -> Index:
        """Members that are there from the first frame to the last."""
        return np.flatnonzero((self.life == [0, self.frames]).all(axis=1))

    def grounded(self) -> Index:
        """Return the lasting members that stand on the ground."""
        return np.array([m for m in self.lasting if self.characters[m].grounded], np.intp)

    def cut(self, first: int, last: int) -> "Run":
        """Return the frames from ``first`` to before ``last``, with the events as they were."""
        return replace(
            self, position=self.position[first:last], orientation=self.orientation[first:last],
            subgoal=self.subgoal[first:last], formation=self.formation[first:last],
            life=np.clip(self.life - first, 0, last - first), clock=self.clock[first:last],
        )  # fmt: skip

    def moved(self, member: int, offset: Any, first: int = 0, last: int | None = None) -> "Run":
        """Return the run with a member elsewhere from frame ``first`` to before ``last``."""
        position = self.position.copy()
        position[first:last, member] += offset
        return replace(self, position=position)

    def turned(self, member: int, turn: Any, first: int = 0, last: int | None = None) -> "Run":
        """Return the run with a member turned about its own axes by quaternions (4,) or (T, 4)."""
        orientation = self.orientation.copy()
        own = orientation[first:last, member]
        orientation[first:last, member] = product(own, np.broadcast_to(turn, own.shape))
        return replace(self, orientation=orientation)


Plant: TypeAlias = Callable[[Run, np.random.Generator], Run | None]
PLANTS: dict[str, Plant] = {}
"""The faults by name, in the order of the table."""

KINDS: dict[str, tuple[str, ...]] = {}
"""Of which kinds a finding of each fault must be, one of them; empty: of any."""

AHEAD, LEFT, UP = np.eye(3)
CONTACT = ("collision", "inside")


def plant(*kinds: str) -> Callable[[Plant], Plant]:
    """Register a plant under the name of its function.

    Args:
        kinds: A finding of one of these kinds must tell of it; empty: of any kind.
    """

    def registered(function: Plant) -> Plant:
        name = function.__name__.replace("_", " ")
        PLANTS[name], KINDS[name] = function, kinds
        return function

    return registered


def _about(axis: Float, angle: Any) -> Float:
    """Return the quaternions (..., 4) of turns about an axis by angles [rad]."""
    half = np.asarray(angle, np.float64)[..., None] / 2.0
    return np.concatenate([np.cos(half), np.sin(half) * axis], axis=-1)


def _center(run: Run, member: int) -> Float:
    """Return the middle of a member's body, in its own axes."""
    bounds: Float = run.characters[member].body.mesh.bounds.mean(axis=0)
    return bounds


def _anyone(run: Run, rng: np.random.Generator) -> tuple[int, int]:
    """Return a lasting member and a frame that is not among the first or last ones."""
    frame = int(rng.integers(run.frames // 4, 3 * run.frames // 4))
    return int(rng.choice(run.lasting)), frame


@plant(*CONTACT)
def path_moved_into_an_obstacle(run: Run, rng: np.random.Generator) -> Run | None:
    """The whole path of a member, at legal speed, moved so that it meets a wall at one frame."""
    faces = run.scene.obstacles.triangles.mean(axis=1)
    if len(faces) == 0:
        return None
    member, frame = _anyone(run, rng)
    target = faces[rng.integers(len(faces))] - _center(run, member)
    return run.moved(member, target - run.position[frame, member])


@plant(*CONTACT)
def one_frame_in_an_obstacle(run: Run, rng: np.random.Generator) -> Run | None:
    faces = run.scene.obstacles.triangles.mean(axis=1)
    if len(faces) == 0:
        return None
    member, frame = _anyone(run, rng)
    target = faces[rng.integers(len(faces))] - _center(run, member)
    return run.moved(member, target - run.position[frame, member], frame, frame + 1)


@plant("member_collision")
def two_in_one_place(run: Run, rng: np.random.Generator) -> Run | None:
    """The path of a member moved so that it meets another member."""
    if len(run.lasting) < 2:
        return None
    member, frame = _anyone(run, rng)
    other = int(rng.choice(run.lasting[run.lasting != member]))
    middle = _center(run, other) - _center(run, member)
    return run.moved(member, run.position[frame, other] + middle - run.position[frame, member])


@plant("speed")
def jump(run: Run, rng: np.random.Generator) -> Run | None:
    member, frame = _anyone(run, rng)
    way = rng.normal(size=3) * (1.0, 1.0, 0.0)
    return run.moved(member, way / np.linalg.norm(way) * rng.uniform(2.0, 5.0), frame)


@plant("speed")
def too_fast(run: Run, rng: np.random.Generator) -> Run | None:
    """For half a second a member goes at twice its largest speed, and back."""
    member, frame = _anyone(run, rng)
    steps = max(2, int(0.5 / run.dt))
    if frame + 2 * steps >= run.frames:
        return None
    speed = 2.0 * run.characters[member].parameters.max_speed
    there = np.concatenate([np.arange(steps), np.arange(steps, 0, -1)]) * speed * run.dt
    position = run.position.copy()
    position[frame : frame + 2 * steps, member, 0] += there
    return replace(run, position=position)


@plant("off_ground")
def sunk_into_the_ground(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    return run.moved(int(rng.choice(members)), -UP * rng.uniform(0.2, 1.0))


@plant("off_ground")
def floating(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    return run.moved(int(rng.choice(members)), UP * rng.uniform(0.3, 2.0))


@plant("upright")
def upside_down(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    axis = AHEAD if rng.random() < 0.5 else LEFT
    return run.turned(int(rng.choice(members)), _about(axis, np.pi))


@plant("upright")
def falls_over_slowly(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    angle = np.linspace(0.0, np.pi / 2, run.frames)
    axis = AHEAD if rng.random() < 0.5 else LEFT
    return run.turned(int(rng.choice(members)), _about(axis, angle))


@plant("upright")
def falls_over_in_a_frame(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    _, frame = _anyone(run, rng)
    turn = _about(LEFT, np.pi / 2)
    return run.turned(int(rng.choice(members)), turn, frame, frame + 1)


@plant("upright", "roll_rate", "turn_rate")
def rolls_like_a_top(run: Run, rng: np.random.Generator) -> Run | None:
    """A member rolls about the axis that it heads along, four turns a second."""
    member, _ = _anyone(run, rng)
    angle = 2 * np.pi * 4.0 * run.dt * np.arange(run.frames)
    return run.turned(member, _about(AHEAD, angle))


@plant("turn_rate")
def spins(run: Run, rng: np.random.Generator) -> Run | None:
    """A member turns about the vertical at three times its largest rate."""
    member, _ = _anyone(run, rng)
    rate = 3.0 * run.characters[member].parameters.max_turn_rate
    if not 0.0 < rate * run.dt < np.pi:
        return None
    angle = rate * run.dt * np.arange(run.frames)
    return run.turned(member, _about(UP, angle))


@plant("pivot")
def a_car_turns_on_the_spot(run: Run, rng: np.random.Generator) -> Run | None:
    cars = [m for m, each in enumerate(run.characters) if each.parameters.turn_radius > 0.0]
    if not cars:
        return None
    member, (_, frame) = int(rng.choice(cars)), _anyone(run, rng)
    position = run.position.copy()
    position[frame:, member] = position[frame, member]
    rate = 0.5 * run.characters[member].parameters.max_turn_rate
    turn = _about(UP, rate * run.dt * np.arange(run.frames - frame))
    orientation = run.orientation.copy()
    still = np.broadcast_to(orientation[frame, member], turn.shape)
    orientation[frame:, member] = product(still, turn)
    return replace(run, position=position, orientation=orientation)


@plant("course")
def goes_sideways(run: Run, rng: np.random.Generator) -> Run | None:
    """A member with a turning circle heads a quarter turn beside where it goes."""
    cars = [m for m, each in enumerate(run.characters) if each.parameters.turn_radius > 0.0]
    if not cars:
        return None
    return run.turned(int(rng.choice(cars)), _about(UP, np.pi / 2))


@plant("out_of_bounds")
def out_of_bounds(run: Run, rng: np.random.Generator) -> Run | None:
    member, _ = _anyone(run, rng)
    size = np.ptp(run.scene.bounds, axis=0)
    return run.moved(member, (size[0] + 10.0) * AHEAD * rng.choice([-1.0, 1.0]))


@plant(*CONTACT)
def stands_inside_an_obstacle(run: Run, rng: np.random.Generator) -> Run | None:
    """A member stands wholly inside a closed obstacle from the first frame to the last."""
    member, _ = _anyone(run, rng)
    size = float(run.characters[member].body.radius)
    for mesh in rng.permutation(np.array(run.scene.solids, object)):
        low, high = mesh.bounds
        place = rng.uniform(low, high)
        query = MeshQuery(mesh)
        if query.contains(place[None])[0] and query.closest_point(place[None])[0][0] > size:
            position = run.position.copy()
            position[:, member] = place - _center(run, member)
            return replace(run, position=position)
    return None


@plant("member_collision")
def two_are_swapped_between_two_frames(run: Run, rng: np.random.Generator) -> Run | None:
    if len(run.lasting) < 2:
        return None
    _, frame = _anyone(run, rng)
    pair = rng.choice(run.lasting, 2, replace=False)
    position = run.position.copy()
    position[frame:, pair] = position[frame:, pair[::-1]]
    return replace(run, position=position)


@plant("start")
def begins_at_full_speed(run: Run, rng: np.random.Generator) -> Run | None:
    """The run begins in the middle of what was a run, everybody moving."""
    speed = np.linalg.norm(np.diff(run.position, axis=0), axis=2).min(axis=1) / run.dt
    _, first = _anyone(run, rng)
    slowest = min(each.parameters.max_force / each.parameters.mass for each in run.characters)
    if speed[first] < 2.0 * slowest * run.dt:
        return None
    events = [(e[0] - first * run.dt, *e[1:]) for e in run.events if e[0] >= first * run.dt]
    return replace(run.cut(first, run.frames), events=tuple(events))


@plant("off_ground")
def floats_by_two_centimeters(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    return run.moved(int(rng.choice(members)), 0.02 * UP)


@plant("upright")
def stands_one_degree_off(run: Run, rng: np.random.Generator) -> Run | None:
    """A walker that does not lean, tilted by very little."""
    members = [m for m in run.grounded() if run.characters[m].parameters.lean == 0.0]
    if not members:
        return None
    axis = AHEAD if rng.random() < 0.5 else LEFT
    return run.turned(int(rng.choice(members)), _about(axis, np.radians(1.0)))


@plant("force")
def trembles(run: Run, rng: np.random.Generator) -> Run | None:
    """A member is moved by some millimeters in every frame, to and fro."""
    member, _ = _anyone(run, rng)
    parameters = run.characters[member].parameters
    largest = max(parameters.max_force, parameters.max_braking) / parameters.mass
    offset = 2.0 * largest * run.dt**2 * rng.choice([-1.0, 1.0], run.frames)
    return run.moved(member, offset[:, None] * LEFT)


@plant("course")
def heads_two_degrees_beside_its_course(run: Run, rng: np.random.Generator) -> Run | None:
    """A vehicle on wheels slides a little."""
    cars = [m for m in run.grounded() if run.characters[m].parameters.turn_radius > 0.0]
    ways = np.ptp(run.position, axis=0).max(axis=1)
    cars = [m for m in cars if ways[m] > 1.0]
    if not cars:
        return None
    return run.turned(int(rng.choice(cars)), _about(UP, np.radians(2.0)))


@plant("course", "reverse")
def backs_up_though_it_cannot(run: Run, rng: np.random.Generator) -> Run | None:
    cars = [
        m
        for m in run.grounded()
        if run.characters[m].parameters.turn_radius > 0.0
        and run.characters[m].parameters.reverse == 0.0
        and np.ptp(run.position[:, m], axis=0).max() > 1.0
    ]
    if not cars:
        return None
    return run.turned(int(rng.choice(cars)), _about(UP, np.pi))


@plant("force")
def stops_dead(run: Run, rng: np.random.Generator) -> Run | None:
    """A member in motion stands from one frame to the next, and stays there."""
    axes = np.ones((len(run.characters), 3))
    axes[[each.grounded for each in run.characters], 2] = 0.0  # a lift stops as it likes
    speed = np.linalg.norm(np.diff(run.position[:-1], axis=0) * axes, axis=2) / run.dt
    limits = [each.parameters for each in run.characters]
    change = [3.0 * max(each.max_braking, each.max_force) / each.mass * run.dt for each in limits]
    fast = run.lasting[(speed.max(axis=0) > change)[run.lasting]]
    if len(fast) == 0:
        return None
    member = int(rng.choice(fast))
    frame = int(speed[:, member].argmax()) + 1
    position, orientation = run.position.copy(), run.orientation.copy()
    position[frame:, member], orientation[frame:, member] = (
        position[frame, member], orientation[frame, member]
    )  # fmt: skip
    return replace(run, position=position, orientation=orientation)
