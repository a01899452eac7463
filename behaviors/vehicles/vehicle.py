"""The contract of a vehicle, and the last stage of a step: every member moves as its own does."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles.leaning import within_limits
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.own_code import given_object
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models.vehicle import BUILT_IN, VEHICLES


class Motion(NamedTuple):
    """How N members move in one step.

    Attributes:
        velocity: (N, 3) in which they move [m/s]; its z means nothing to walkers.
        dt: Time step [s].
        steering: How they are asked to turn; None: they face as the vehicle does by itself.
        surface: What walkers walk on, or None.
        others: What walkers that take other steps walk on, by these [m].
        wanted: (N, 3) velocities that they want in the long run [m/s], which say where they look;
            None: those in which they move.
        led: (N,) members that go by a plan, which turn on the spot; or all.
    """

    velocity: Float
    dt: float
    steering: SteeringOutput | None = None
    surface: WalkableSurface | None = None
    others: Mapping[float, WalkableSurface | None] = MappingProxyType({})
    wanted: Float | None = None
    led: Bool | bool = True

    def select(self, rows: Index) -> "Motion":
        """Return the motion of some of the members."""
        asked = self.steering
        if asked is not None:
            asked = SteeringOutput(asked.force[rows], asked.turning[rows], asked.oriented[rows])
        wanted = None if self.wanted is None else self.wanted[rows]
        led = self.led if isinstance(self.led, bool) else self.led[rows]
        return self._replace(velocity=self.velocity[rows], steering=asked, wanted=wanted, led=led)


class Vehicle(Protocol):
    """A kind of vehicle: a class without parameters, registered in `VEHICLES`.

    What limits the motion of each body (thrust, brake, turn radius, speeds) is in its
    `rmp3d.behaviors.bodies.Bodies`, and holds before the vehicle moves: the velocity is attainable
    and safe.

    Attributes:
        grounded: Whether it walks on the surface. If so, its safety is proved in plan.
        space: The planner's space for its paths: ``ground``, ``translation`` or ``rigid``.
    """

    grounded: ClassVar[bool]
    space: ClassVar[str]

    def move(self, flock: Flock, motion: Motion) -> Flock:
        """Return the flock after one step.

        The new position is ``flock.position + motion.velocity * motion.dt``; for walkers in plan
        (``motion.surface.walk``). A vehicle that goes elsewhere is not safe. The attitude of one
        that walks is cut to the body's `max_pitch` and `max_roll`.
        """
        ...


def move(flock: Flock, motion: Motion, only: Index | None = None) -> Flock:
    """Return the flock after one step of every member's vehicle.

    Args:
        flock: All N.
        motion: How they move.
        only: (n,) rows, in ascending order, of those to be returned; the others stay where they
            are, and are looked at only. None: all.
    """
    kinds = _kinds(flock, motion)
    if len(kinds) == 1:
        ((name, surface, _),) = kinds
        return _moved(name, flock, motion._replace(surface=surface), only)
    changes = {name: np.array(getattr(flock, name)) for name in flock.arrays}
    for name, surface, rows in kinds:
        own = motion.select(rows)._replace(surface=surface)
        asked = None if only is None else np.flatnonzero(np.isin(rows, only))
        part = _moved(name, flock.select(rows), own, asked)
        for array, value in changes.items():
            value[rows if asked is None else rows[asked]] = getattr(part, array)
    moved = flock.moved(**changes)
    return moved if only is None else moved.select(only)


def _kinds(flock: Flock, motion: Motion) -> list[tuple[str, WalkableSurface | None, Index]]:
    """Return the vehicles, what they move on, and the rows of each."""
    found = []
    for name, rows in flock.bodies.rows_of_vehicle.items():
        left = np.ones(len(rows), np.bool_)
        for step, surface in motion.others.items():
            own = flock.bodies.max_step[rows] == step
            left &= ~own
            found.append((name, surface, rows[own]))
        found.append((name, motion.surface, rows[left]))
    return [(name, surface, rows) for name, surface, rows in found if len(rows)]


def _moved(name: str, flock: Flock, motion: Motion, only: Index | None) -> Flock:
    """Return the flock, or some of it, after a step; the bodies of walkers hold no other poses."""
    if only is not None:
        flock, motion = flock.some(only), motion.select(only)
    vehicle: Vehicle = VEHICLES[name]()
    moved = given_object(vehicle.move(flock, motion), Flock, vehicle, "move")
    return within_limits(moved) if vehicle.grounded and name not in BUILT_IN else moved
