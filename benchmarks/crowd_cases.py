"""Crowds in free space with a start and a goal for each member: the symmetric cases.

A member wants to go straight to its goal at its cruise speed and slows down before it. Traffic
rules and the safety constraint are those of `rmp3d run`; there is no plan, for nothing is in the
way but the others.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.steering_behavior import SteeringOutput, force_towards
from rmp3d.behaviors.step import Wishes, step
from rmp3d.behaviors.traffic import Traffic
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

DT = 1.0 / 30.0
# Share of the braking force that slows down before a goal.
GENTLE = 0.5
# A member this near to its goal has arrived, times its radius.
THERE = 0.15


def free_flock(
    position: Float, *, radius: Float | float, cruise_speed: float, max_speed: float, force: float
) -> Flock:
    """Return spheres (N, 3) at rest, of unit mass, that push in any direction with ``force``."""
    bodies = Bodies.alike(
        len(position), radius=radius, max_speed=max_speed, cruise_speed=cruise_speed,
        max_acceleration=force, max_brake=force,
        max_side_acceleration=force, max_turn_rate=9.0, max_pitch=0.0,
    )  # fmt: skip
    return Flock.at_rest(bodies, position)


@dataclass(eq=False)
class FreeCrowd:
    """N spheres in free space, each on its way to a goal of its own.

    Attributes:
        flock: Present state.
        goal: (N, 3) [m].
        dt: Time step [s].
        time: Of the present state [s].
        arrival: (N,) when each was at its goal first [s]; infinite before that.
        least_gap: Smallest gap between two bodies on the whole way so far [m].
        overlaps: Pairs that overlapped in a step, summed over the steps.
    """

    flock: Flock
    goal: Float
    dt: float = DT
    time: float = 0.0
    least_gap: float = np.inf
    overlaps: int = 0
    arrival: Float = field(init=False)

    def __post_init__(self) -> None:
        self.safety = SafetyConstraint(dt=self.dt)
        self.traffic = Traffic(len(self.flock), self.dt)
        self.arrival = np.full(len(self.flock), np.inf)
        self._is_there = np.zeros(len(self.flock), np.bool_)

    @property
    def there(self) -> Bool:
        """(N,) members at their goals; a member pushed off its goal by two radii is not."""
        return self._is_there

    def step(self) -> None:
        """Advance by a time step, and look at the gaps on the way."""
        before = self.flock
        self.flock = step(before, self, self.time, traffic=self.traffic, safety=self.safety)
        self.time += self.dt
        gap, overlaps = swept_gap(before.position, self.flock.position, before.bodies.radius)
        self.least_gap = min(self.least_gap, gap)
        self.overlaps += overlaps

    def perceive(self, flock: Flock, time: float) -> WorldState:
        """Return the world: free space."""
        return WorldState(flock, time=time, dt=self.dt)

    def desire(self, world: WorldState) -> Wishes:
        """Note which members are at their goals; return how far all have to go."""
        flock = world.flock
        left = length(self.goal - flock.position)
        near, far = left < THERE * flock.bodies.radius, left > 2.0 * flock.bodies.radius
        self._is_there = near | (self._is_there & ~far)
        self.arrival[self._is_there & np.isinf(self.arrival)] = world.time
        return Wishes.of(left, self._is_there)

    def combine(self, world: WorldState, wishes: Wishes) -> SteeringOutput:
        """Return the forces that lead straight to the goals."""
        flock, left = world.flock, wishes.remaining
        pace = np.minimum(
            flock.bodies.cruise_speed, np.sqrt(2.0 * GENTLE * flock.bodies.max_brake * left)
        )
        pace = np.minimum(pace, left / (4.0 * self.dt))
        course = unit(self.goal - flock.position)
        return SteeringOutput.of(force_towards(flock, pace[:, None] * course))

    def run(self, seconds: float) -> Iterator[Flock]:
        """Step until all have arrived, for ``seconds`` at most; yield every state."""
        while not self._is_there.all() and self.time < seconds:
            self.step()
            yield self.flock


def swept_gap(start: Float, end: Float, radius: Float) -> tuple[float, int]:
    """Return the smallest gap [m] of spheres that move straight, and how many pairs overlap.

    A closed form for every pair near enough to meet; pairs farther apart than that do not count,
    and the gap is infinite if there are no others.
    """
    moved = length(end - start)
    pairs = near_pairs(start, radius + moved + 0.5)
    if len(pairs) == 0:
        return np.inf, 0
    i, j = pairs.T
    offset, motion = start[j] - start[i], (end - start)[j] - (end - start)[i]
    size = np.maximum(np.einsum("ij,ij->i", motion, motion), 1e-300)
    share = np.clip(-np.einsum("ij,ij->i", offset, motion) / size, 0.0, 1.0)
    gap = length(offset + share[:, None] * motion) - radius[i] - radius[j]
    return float(gap.min()), int((gap < 0.0).sum())


def head_on() -> FreeCrowd:
    """Two members exactly head-on along an axis, each to where the other one starts."""
    place = np.array([[-10.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    flock = free_flock(place, radius=0.5, cruise_speed=1.0, max_speed=2.0, force=4.0)
    return FreeCrowd(flock, place[::-1].copy())


def lattices(side: int = 10, spacing: float = 2.0) -> FreeCrowd:
    """Two square lattices of side x side members that cross head-on, each in line with another."""
    line = spacing * (np.arange(side) - 0.5 * (side - 1))
    y, z = (grid.ravel() for grid in np.meshgrid(line, line, indexing="ij"))
    west = np.column_stack([np.full(side * side, -10.0), y, z])
    place = np.concatenate([west, west * [-1.0, 1.0, 1.0]])
    flock = free_flock(place, radius=0.5, cruise_speed=1.0, max_speed=2.0, force=4.0)
    return FreeCrowd(flock, place * [-1.0, 1.0, 1.0])


def antipodes(size: float = 100.0, rings: float = 0.1, dt: float = DT) -> FreeCrowd:
    """Members on a sphere, each going to the opposite side: by default RVO2-3D's example.

    They stand on circles of latitude ``rings`` [rad] apart, 2 pi / 4 times as far along them:
    812 members for 0.1. On a sphere of radius ``size`` = 100 m there are 10 m between the circles.
    """
    latitude = np.arange(0.0, np.pi, rings)
    place = size * np.concatenate([_ring(angle, 0.25 * rings) for angle in latitude])
    flock = free_flock(place, radius=1.5, cruise_speed=1.0, max_speed=2.0, force=4.0)
    return FreeCrowd(flock, -place, dt)


def _ring(angle: float, spacing: float) -> Float:
    """Return places (K, 3) on the circle of latitude of a unit sphere."""
    size = np.sin(angle)
    count = int(np.ceil(size / spacing))
    turn = 2.0 * np.pi * np.arange(count) / max(count, 1)
    return np.column_stack([
        size * np.cos(turn), size * np.sin(turn), np.full(count, np.cos(angle)),
    ])  # fmt: skip


SYMMETRIC: dict[str, Callable[[], FreeCrowd]] = {
    "two members exactly head-on": head_on,
    "100 against 100, exact lattices head-on": lattices,
    "812 on a sphere of 100 m, each to the opposite side": antipodes,
    "the same on a sphere of 40 m": partial(antipodes, 40.0),
}
