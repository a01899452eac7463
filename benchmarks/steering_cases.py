"""What `benchmarks.steering` times: flocks, their numpy form, and walkers in a yard of blocks."""

from time import process_time

import numpy as np
from scipy.spatial import cKDTree

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.steering import Arrive, LookAheadAvoidance, Separation
from rmp3d.behaviors.steering_behavior import (
    RESPONSE_TIME,
    STEERING_BEHAVIORS,
    SteeringOutput,
    Surroundings,
    blend,
)
from rmp3d.behaviors.step import Wishes, step
from rmp3d.behaviors.traffic import Traffic
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import clip_length, length
from rmp3d.models import load_character
from rmp3d.scenes.build.shapes import box, floor

DT = 1.0 / 30.0
SEEN = 7.0  # neighbors of a bird, on average
SIGHT = 3.0  # of a walker [m]
DENSITY = 0.3  # walkers on a square meter
BLOCK = 8.0  # between the middles of two blocks [m]


class Flying:
    """N birds in a cube of space, each with about seven neighbors.

    A step is the search for neighbors, the forces of `flocking`, and the vehicles.
    """

    parts = ("search and forces", "limits and banking")

    def __init__(self, count: int, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.behavior = STEERING_BEHAVIORS["flocking"](
            alignment_angle_deg=180.0, cohesion_angle_deg=180.0
        )
        self.reach = self.behavior.cohesion_distance
        bird = load_character("bird")
        place, self._side = _with_neighbors(count, self.reach, rng)
        heading = rng.normal(size=(count, 3))
        flock = Flock.at_rest([bird] * count, place, heading, np.full(count, -1))
        self.flock = flock.moved(velocity=flock.bodies.cruise_speed[:, None] * flock.heading)

    def perceive(self, flock: Flock, time: float) -> WorldState:
        """Return the world: the birds in empty space."""
        return WorldState(flock, time=time, dt=DT)

    def desire(self, world: WorldState) -> Wishes:
        """Return that nobody gives way."""
        return Wishes.of(np.zeros(len(world.flock)), ruled=False)

    def combine(self, world: WorldState, wishes: Wishes) -> SteeringOutput:
        """Return the forces, and note when they were found."""
        forces = self.forces()
        self._forced = process_time()
        return SteeringOutput.of(forces)

    def forces(self) -> Float:
        """Return the forces (N, 3) [N]."""
        flock = self.flock
        near = Neighbors.within(flock.position, self.reach, flock.bodies.radius)
        around = Surroundings(
            neighbors=near, subgoal=flock.position, subgoal_velocity=flock.velocity, crowd=flock
        )
        return clip_length(self.behavior.steering_force(flock, around), flock.bodies.max_force)

    def step(self) -> tuple[float, ...]:
        """Advance; return the CPU time of each part [s]."""
        began = process_time()
        self.flock = step(self.flock, self)
        times = self._forced - began, process_time() - self._forced
        # Who leaves the cube comes back at its other side, so that there are as many neighbors.
        self.flock = self.flock.moved(position=self.flock.position % self._side)
        return times


def _with_neighbors(count: int, reach: float, rng: np.random.Generator) -> tuple[Float, float]:
    """Return places (N, 3) with `SEEN` others within reach, on average; and their cube's side."""
    place = rng.uniform(size=(count, 3))
    side = (count * 4.0 / 3.0 * np.pi * reach**3 / SEEN) ** (1.0 / 3.0)
    for _ in range(8):  # those at the sides of the cube have fewer
        near = Neighbors.within(place * side, reach, np.zeros(count))
        side *= (len(near.i) / count / SEEN) ** (1.0 / 3.0)
    return place * side, side


class FlyingInNumpy(Flying):
    """The same flock, its neighbors by scipy's tree and its forces by numpy alone."""

    def forces(self) -> Float:
        """Return the forces (N, 3) [N]."""
        flock, flocking = self.flock, self.behavior
        found = cKDTree(flock.position).query_pairs(self.reach, output_type="ndarray")
        i, j = np.concatenate([found, found[:, ::-1]]).T
        offset = flock.position[j] - flock.position[i]
        apart = length(offset)
        gap = apart - flock.bodies.radius[i] - flock.bodies.radius[j]
        push = np.clip(1.0 - gap / flocking.separation_distance, 0.0, 1.0) / apart
        count = np.maximum(np.bincount(i, minlength=len(flock)), 1)[:, None]
        separation, cohesion = Separation(), STEERING_BEHAVIORS["cohesion"](self.reach)
        force = -flocking.separation * separation.strength * _sum(i, push[:, None] * offset, count)
        middle = _sum(i, offset, count) / count
        force += flocking.cohesion * cohesion.strength / self.reach * middle
        change = _sum(i, flock.velocity[j] - flock.velocity[i], count) / count
        force += flocking.alignment / STEERING_BEHAVIORS["alignment"]().time * change
        speed = length(flock.velocity)
        gap = (flock.bodies.cruise_speed - speed) / RESPONSE_TIME
        force += flocking.cruising * (gap / speed)[:, None] * flock.velocity
        return clip_length(flock.bodies.mass[:, None] * force, flock.bodies.max_force)


def _sum(row: np.ndarray, value: Float, like: np.ndarray) -> Float:
    return np.stack([np.bincount(row, value[:, k], len(like)) for k in range(3)], axis=1)


class Walking:
    """N pedestrians on uneven ground among blocks, each on its way to random places.

    A step is the search for neighbors, steering with avoidance of the scene, the rules of
    traffic, the safety constraint, and hugging the surface.
    """

    parts = ("search and forces", "traffic", "safety", "hugging")

    def __init__(self, count: int, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        blocks = max(4, int(np.ceil(np.sqrt(count / DENSITY) / BLOCK)))
        self._half = 0.5 * BLOCK * blocks
        line = np.linspace(-self._half, self._half, 4 * blocks + 1)
        height = 0.4 * np.sin(line / 3.0)[:, None] * np.cos(line / 4.0)
        kept = np.ones((4 * blocks, 4 * blocks), bool)
        self.surface = WalkableSurface(floor(line, line, kept, height))
        middles = (np.arange(blocks) + 0.5) * BLOCK - self._half
        self.obstacles = MeshQuery(
            join([box((x - 1, y - 1, -2), (x + 1, y + 1, 3)) for x in middles for y in middles])
        )
        place, face = self._places(count)
        walker = load_character("pedestrian")
        ahead = np.tile([1.0, 0.0, 0.0], (count, 1))
        self.flock = Flock.at_rest([walker] * count, place, ahead, face)
        self._goal = self._goals(count)
        edge = np.array([self._half, self._half, 9.0])
        safety = SafetyConstraint(self.obstacles, None, self.surface, np.stack([-edge, edge]), DT)
        self._marks: list[float] = []  # when each part of a step was done
        self._traffic = _TimedTraffic(Traffic(count, DT), self._marks)
        self._safety = _TimedSafety(safety, self._marks)
        self._steering = [(1.0, Arrive()), (0.6, Separation()), (0.5, LookAheadAvoidance())]

    def _places(self, count: int) -> tuple[Float, np.ndarray]:
        """Return free places (N, 3) on the ground, 1.25 m apart, and their faces (N,)."""
        line = np.arange(1.0 - self._half, self._half - 1.0, 1.25)
        place = np.stack(np.meshgrid(line, line, [0.0], indexing="ij"), axis=-1).reshape(-1, 3)
        clear = np.abs((place[:, :2] + self._half) % BLOCK - BLOCK / 2).max(axis=1) > 1.6
        place = place[clear]
        place = place[self._rng.permutation(len(place))[:count]]
        return self.surface.locate(place, 2.0, 2.0)

    def _goals(self, count: int) -> Float:
        most = self._half - 1.0
        return self._rng.uniform(-most, most, (count, 3)) * (1.0, 1.0, 0.0)

    def step(self) -> tuple[float, ...]:
        """Advance; return the CPU time of each part [s]."""
        self._marks[:] = [process_time()]
        self.flock = step(self.flock, self, traffic=self._traffic, safety=self._safety)
        self._marks.append(process_time())
        return tuple(np.diff(self._marks))

    def perceive(self, flock: Flock, time: float) -> WorldState:
        """Return the world: the walkers in their yard."""
        return WorldState(
            flock, time=time, dt=DT, walking=self.obstacles, surface=self.surface
        )  # fmt: skip

    def desire(self, world: WorldState) -> Wishes:
        """Return how far all have to go; at its goal a walker gets another one."""
        remaining = length((self._goal - world.flock.position) * (1.0, 1.0, 0.0))
        there = remaining < 1.0
        self._course = (self._goal - world.flock.position) * (1.0, 1.0, 0.0)
        self._course /= np.maximum(remaining, 1e-9)[:, None]
        self._goal[there] = self._goals(int(there.sum()))
        return Wishes.of(remaining)

    def combine(self, world: WorldState, wishes: Wishes) -> SteeringOutput:
        """Return the forces, and note when they were found."""
        forces = self._forces(world.flock)
        self._marks.append(process_time())
        return SteeringOutput.of(forces)

    def _forces(self, flock: Flock) -> Float:
        pace = flock.bodies.cruise_speed[:, None] * self._course
        around = Surroundings(
            neighbors=Neighbors.within(flock.position, SIGHT, flock.bodies.radius),
            subgoal=flock.position + 0.5 * pace,
            subgoal_velocity=0.25 * pace,
            crowd=flock,
            obstacles=self.obstacles,
            surface=self.surface,
        )
        return blend(self._steering, flock, around)


class _TimedTraffic:
    """Traffic rules that note when they are done."""

    def __init__(self, traffic: Traffic, marks: list[float]) -> None:
        self._traffic, self._marks = traffic, marks

    def resolve(
        self, flock: Flock, desire: Float, remaining: Float, parked: Bool,
        convoy: Index | None = None, awake: Index | None = None,
    ) -> tuple[Float, Float]:  # fmt: skip
        """Return what the rules say."""
        answer = self._traffic.resolve(flock, desire, remaining, parked, convoy, awake)
        self._marks.append(process_time())
        return answer


class _TimedSafety:
    """A safety constraint that notes when it is done."""

    def __init__(self, safety: SafetyConstraint, marks: list[float]) -> None:
        self._safety, self._marks = safety, marks

    def velocity(
        self,
        flock: Flock,
        proposal: Float,
        desire: Float,
        weight: Float | None,
        queue: Index | None = None,
        awake: Index | None = None,
    ) -> Float:
        """Return the safe velocities."""
        velocity = self._safety.velocity(flock, proposal, desire, weight, queue, awake)
        self._marks.append(process_time())
        return velocity


CASES = {"flocking": Flying, "numpy": FlyingInNumpy, "walkers": Walking}
