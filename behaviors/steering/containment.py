"""Containment: stay within a volume."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.roam import box_of, check_box
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit

# Share of the braking that stopping before the border counts on.
CAUTION = 0.5
# Rate at which an agent outside comes back [1/s].
RETURN_GAIN = 1.5
# Shares of the cruise speed: asked for inwards by an agent that turns back, and at which it has
# turned.
INWARDS, BACK = 0.5, 0.4


@STEERING_BEHAVIORS.register("containment")
@dataclass(frozen=True)
class Containment:
    r"""Turn back before the border of a volume; come back from outside.

    At the position in a response time T, with the outward normal n of a border and the gap g that
    body and margin leave, the speed outwards may be

    .. math:: w(g) = \sqrt{2 \cdot 0.5 \, b g} \quad (g > 0), \qquad
              w(g) = \max(1.5 g, -c) \quad (g \le 0)

    with the braking b and cruise speed c. A faster agent turns back, until it moves inwards at
    :math:`0.5 c`: the force takes off what is above the lesser of w and that, as
    :math:`f = -m (v \cdot n - w) / T \, n`. So no agent slides along the border. In a box this goes
    for each of its six sides, else for the nearest point of the border. An agent clear of the
    border is asked for exactly nothing. For walkers only upright borders count.

    Reynolds 1999, "Steering behaviors for autonomous characters", steers away from the normal at
    the predicted crossing; the stopping distance makes it independent of speed and time step.

    Attributes:
        volume: ``box`` (the scene's bounds, unless ``lower`` and ``upper`` are given), ``sphere``,
            or ``mesh``: the inside of the scene's obstacles, which must be closed.
        lower: Corner of the box [m].
        upper: The opposite corner [m].
        center: Of the sphere [m].
        radius: Of the sphere [m].
        margin: Kept between body and border [m].
    """

    volume: Literal["box", "sphere", "mesh"] = "box"
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 10.0
    margin: float = 0.2
    needs: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        check_box(self.lower, self.upper)
        if not 0.0 < self.radius < np.inf:
            raise InputError(f"`radius` must be positive, got {self.radius}")
        if not 0.0 <= self.margin < np.inf:
            raise InputError(f"`margin` must be 0 or more, got {self.margin}")

    def remembered(self, flock: Flock, around: Surroundings) -> Bool:
        """Return which agents turn back from which border (N, K)."""
        outward, gap = self._borders(flock, around)
        speed = np.einsum("ni,nki->nk", flock.velocity, outward)
        start = speed > self._allowed(flock, gap)
        if around.memory is None:
            return start
        back = speed <= -BACK * flock.bodies.cruise_speed[:, None]
        return start | (around.memory & ~back)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        turning = self.remembered(flock, around) if around.memory is None else around.memory
        outward, gap = self._borders(flock, around)
        speed = np.einsum("ni,nki->nk", flock.velocity, outward)
        wanted = np.minimum(
            self._allowed(flock, gap), -INWARDS * flock.bodies.cruise_speed[:, None]
        )
        excess = np.where(turning, np.maximum(speed - wanted, 0.0), 0.0)
        return -np.einsum(
            "nk,nki->ni", flock.bodies.mass[:, None] * excess / RESPONSE_TIME, outward
        )

    def _allowed(self, flock: Flock, gap: Float) -> Float:
        """Return the speeds outwards w (N, K) [m/s] at a gap (N, K) [m]."""
        stopping = np.sqrt(2.0 * CAUTION * flock.bodies.max_brake[:, None] * np.maximum(gap, 0.0))
        back = np.maximum(RETURN_GAIN * gap, -flock.bodies.cruise_speed[:, None])
        return np.where(gap > 0.0, stopping, back)

    def _borders(self, flock: Flock, around: Surroundings) -> tuple[Float, Float]:
        """Return outward normals (N, K, 3) and the gap (N, K) [m] up to the borders."""
        rise = flock.bodies.capsule_axis.mean(axis=1)[:, None] * [0.0, 0.0, 1.0]
        future = flock.position + rise + RESPONSE_TIME * level(flock, flock.velocity)
        kept = (flock.bodies.radius + self.margin)[:, None]
        if self.volume == "sphere":
            offset = level(flock, future - np.array(self.center))
            return unit(offset)[:, None], self.radius - length(offset)[:, None] - kept
        box = box_of(self.lower, self.upper, around)
        if self.volume == "mesh" and around.obstacles is not None and len(flock):
            gap, nearest, _ = around.obstacles.closest_point(future)
            inside = np.where(around.obstacles.contains(future), 1.0, -1.0)
            outward = unit(level(flock, inside[:, None] * (nearest - future)))
            return outward[:, None], (inside * gap)[:, None] - kept
        if self.volume == "mesh" or box is None:
            return np.zeros((len(flock), 1, 3)), np.full((len(flock), 1), np.inf)
        normals = np.concatenate([-np.eye(3), np.eye(3)])
        outward = np.broadcast_to(normals, (len(flock), 6, 3)).copy()
        outward[flock.bodies.grounded, :, 2] = 0.0
        return outward, np.hstack([future - box[0], box[1] - future]) - kept
