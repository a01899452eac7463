"""What the filter reads of bodies in motion, by one compiled loop over them."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.safety.elongated import swing_out
from rmp3d.behaviors.safety.rows import REACTION, BodyRows
from rmp3d.behaviors.safety.stopping import braking_distance, reach_of_speed
from rmp3d.behaviors.vehicles.backing import goes_backward
from rmp3d.behaviors.vehicles.easing import easing
from rmp3d.behaviors.vehicles.forces import REST
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.borrowing import borrowed
from rmp3d.geometry.compiled import compiled, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.row_vectors import size_of, unit_of
from rmp3d.geometry.vectors import LARGER, SHORT, as_read_only

# Share of the braking that a stop counts on; the rest steers meanwhile.
GUARANTEED = 0.8
# Share of that by which bodies brake that see in time what they have to stop before (1: nobody
# looks so far ahead); it takes no more than so much room [m] besides.
GENTLE, GENTLE_ROOM = 0.4, 1.5
# Rounding of angles [rad].
TURN_SLACK = 1e-9


class LimitsOfStep(NamedTuple):
    """LimitsOfStep of N bodies in a time step.

    Attributes:
        grounded: (N,) whether it walks.
        loss: (N,) speed lost by braking [m/s].
        acceleration: (N,) [m/s^2].
        max_speed: (N,) [m/s].
        easing: (N,) share of the way to a wanted acceleration that is gone.
        turn_rate: (N,) [rad/s].
        turn_radius: (N,) [m]; 0 for a body that moves in any direction.
    """

    grounded: Bool
    loss: Float
    acceleration: Float
    max_speed: Float
    easing: Float
    turn_rate: Float
    turn_radius: Float


class _Moving(NamedTuple):
    """What changes in each step; see `BodyRows`."""

    velocity: Float
    proposal: Float
    desire: Float
    acceleration: Float
    heading: Float
    braking: Float
    reach: Float
    sight: Float
    course: Float
    turn: Float


class MovingBodies:
    """Makes the rows of bodies from step to step; their limits often stay the same.

    Args:
        dt: Time step [s].
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._known: tuple[Bodies, LimitsOfStep, Float, Float] | None = None

    def _limits(self, bodies: Bodies) -> tuple[LimitsOfStep, Float, Float]:
        """Return limits, losses (N,) by gentle braking, and forces (N, 3) [m/s] in a step."""
        if self._known is None or self._known[0] is not bodies:
            loss = bodies.max_brake * GUARANTEED * self._dt
            eases = easing(bodies, self._dt)
            gentle = np.where(eases < 1.0, GENTLE, 1.0) * loss
            force = np.stack(
                [bodies.max_acceleration, bodies.max_brake, bodies.max_side_acceleration], axis=1
            )
            limits = LimitsOfStep(
                bodies.grounded, loss, bodies.max_acceleration, bodies.max_speed, eases,
                bodies.max_turn_rate, bodies.turn_radius,
            )  # fmt: skip
            self._known = bodies, limits, gentle, force * self._dt
        return self._known[1:]

    def sights(self, flock: Flock) -> tuple[Float, Float]:
        """Return how far (N,) [m] bodies look at most, and by how much (N,) [m/s] they brake."""
        limits, _, _ = self._limits(flock.bodies)
        found = np.empty(len(flock))
        _look_out(as_read_only(flock.velocity), limits, self._dt, GENTLE, found)
        return found, limits.loss

    def rows(
        self, flock: Flock, proposal: Float, desire: Float, queue: Index | None = None
    ) -> BodyRows:
        """Return what the filter reads of the bodies; what is asked for is flat for walkers.

        Args:
            flock: The state.
            proposal: (N, 3) velocity asked for in the next step [m/s].
            desire: (N, 3) velocity wanted in the long run [m/s].
            queue: (N,) number of the queue that a body is in, -1 for none; None: nobody is in one.
        """
        bodies, count = flock.bodies, len(flock)
        limits, gentle, force = self._limits(bodies)
        numbers = ("reach", "sight", "turn")
        found = _Moving(**{
            name: np.empty(count if name in numbers else (count, 3)) for name in _Moving._fields
        })  # fmt: skip
        given = (flock.velocity, flock.acceleration, flock.heading, proposal, desire)
        velocity, acceleration, heading, proposal, desire = (
            as_read_only(np.ascontiguousarray(each, dtype=np.float64)) for each in given
        )
        backward = goes_backward(flock, proposal)

        def some(rows: slice) -> None:
            _move(
                rows.start, rows.stop, velocity, acceleration, heading, proposal, desire, backward,
                limits, self._dt, GENTLE, found,
            )  # fmt: skip

        in_blocks(some, count)
        swing = np.zeros(count)
        if bodies.elongated.any():
            swing = np.where(bodies.elongated, swing_out(bodies.far, found.turn), 0.0)
        return BodyRows(
            flock.position, found.velocity, found.proposal, found.desire, found.braking,
            found.reach, found.sight, bodies.half_width, bodies.heights, bodies.grounded,
            flock.face, limits.loss, gentle, found.acceleration, limits.easing, force,
            found.course, found.turn, bodies.max_speed, found.heading, bodies.row,
            bodies.row_count, bodies.ends, swing,
            np.full(count, -1) if queue is None else np.ascontiguousarray(queue),
        )  # fmt: skip


@released
def _move(
    begin, end, velocity, acceleration, heading, proposal, desire, backward, limits, dt, gentle,
    found,
):  # fmt: skip
    """Fill in rows of what changes in a step.

    Only a turn radius limits turns; the course of a body at rest is its heading, or opposite where
    it shall go ``backward``.
    """
    velocity, acceleration, heading = borrowed((velocity, acceleration, heading))
    proposal, desire, backward = borrowed((proposal, desire, backward))
    limits, found = borrowed((limits, found))
    for i in range(begin, end):
        flat = 0.0 if limits.grounded[i] else 1.0
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2] * flat
        _put(found.velocity, i, (x, y, z))
        _put(found.proposal, i, (proposal[i, 0], proposal[i, 1], proposal[i, 2] * flat))
        _put(found.desire, i, (desire[i, 0], desire[i, 1], desire[i, 2] * flat))
        ax, ay, az = acceleration[i, 0], acceleration[i, 1], acceleration[i, 2] * flat
        _put(found.acceleration, i, (ax, ay, az))
        ahead = unit_of(heading[i, 0], heading[i, 1], heading[i, 2] * flat, SHORT, LARGER)
        _put(found.heading, i, ahead)
        _stop(i, x, y, z, limits, dt, gentle, found)
        speed = size_of(x, y, z)
        if speed > REST:
            _put(found.course, i, unit_of(x, y, z, SHORT, LARGER))
        else:
            sign = -1.0 if backward[i] else 1.0
            _put(found.course, i, (sign * ahead[0], sign * ahead[1], sign * ahead[2]))
        if limits.turn_radius[i] > 0.0:
            rate = min(limits.turn_rate[i], speed / limits.turn_radius[i])
            found.turn[i] = rate * dt + TURN_SLACK
        else:
            found.turn[i] = np.pi


@compiled
def _stop(i, x, y, z, limits, dt, gentle, found):
    """Fill in by which displacement a body stops, and how far it comes and looks at most."""
    loss = limits.loss[i]
    speed = sqrt(x * x + y * y + z * z)
    scale = braking_distance(speed, loss, dt) / speed if speed > 1e-12 else 0.0
    _put(found.braking, i, (x * scale, y * scale, z * scale))
    found.reach[i], found.sight[i] = _reach_and_sight(i, x, y, z, limits, dt, gentle)


@compiled
def _reach_and_sight(i, x, y, z, limits, dt, gentle):
    """Return how far a body comes at most until it stops, and how far it looks [m]."""
    speed = sqrt(x * x + y * y + z * z)
    fastest = min(max(limits.max_speed[i], speed), speed + limits.acceleration[i] * dt)
    reach = reach_of_speed(fastest, limits.loss[i], dt) + 1e-9
    if limits.easing[i] < 1.0:
        return reach, min(reach / gentle + REACTION * size_of(x, y, z), reach + GENTLE_ROOM)
    return reach, reach


@compiled
def _look_out(velocity, limits, dt, gentle, found):
    """Write how far bodies look (N,) [m]; walkers no less than in plan."""
    for i in range(velocity.shape[0]):
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        _, found[i] = _reach_and_sight(i, x, y, z, limits, dt, gentle)


@compiled
def _put(target, i, value):
    target[i, 0], target[i, 1], target[i, 2] = value
