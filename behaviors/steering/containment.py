"""Containment: stay within a volume."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from behaviors.behavior import RESPONSE_TIME, STEERING, Surroundings, level
from behaviors.flock import Flock
from behaviors.steering.roam import box_of, check_box
from geometry.arrays import Float
from geometry.errors import InputError
from geometry.query import MeshQuery
from geometry.vectors import length, unit

# Share of the braking that stopping before the border counts on.
CAUTION = 0.5
# Rate at which who is outside comes back [1/s].
RETURN_GAIN = 1.5


@STEERING.register("containment")
@dataclass(frozen=True)
class Containment:
    r"""Turn back before the border of a volume; come back from outside.

    At the position in a response time T, with the outward normal n of the nearest border and the
    room g that body and margin leave, the speed outwards may be

    .. math:: w(g) = \sqrt{2 \cdot 0.5 \, b g} \quad (g > 0), \qquad
              w(g) = \max(1.5 g, -c) \quad (g \le 0)

    with the braking b and cruise speed c; what is above is taken off: f = -m (v n - w) / T n. In a
    box this goes for each of its six sides. Who stays clear of the border is asked for exactly
    nothing. For walkers only upright borders count.

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

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        rise = flock.spine.mean(axis=1)[:, None] * [0.0, 0.0, 1.0]
        future = flock.position + rise + RESPONSE_TIME * level(flock, flock.velocity)
        if self.volume == "sphere":
            outward = level(flock, future - np.array(self.center))
            room = self.radius - length(outward)
            return self._held(flock, unit(outward), room)
        if self.volume == "mesh":
            return self._in_mesh(flock, around.obstacles, future)
        box = box_of(self.lower, self.upper, around)
        force = np.zeros_like(flock.position)
        if box is None:
            return force
        for axis in range(3):
            for side, room in ((-1.0, future[:, axis] - box[0, axis]),
                               (1.0, box[1, axis] - future[:, axis])):  # fmt: skip
                outward = np.zeros_like(force)
                outward[:, axis] = side
                force += self._held(flock, level(flock, outward), room)
        return force

    def _in_mesh(self, flock: Flock, obstacles: MeshQuery | None, future: Float) -> Float:
        if obstacles is None or len(flock) == 0:
            return np.zeros_like(flock.position)
        gap, nearest, _ = obstacles.closest_point(future)
        inside = np.where(obstacles.contains(future), 1.0, -1.0)
        outward = unit(level(flock, inside[:, None] * (nearest - future)))
        return self._held(flock, outward, inside * gap)

    def _held(self, flock: Flock, outward: Float, room: Float) -> Float:
        """Return the force (N, 3) that keeps the speed outward to what ``room`` (N,) allows."""
        room = room - flock.radius - self.margin
        stopping = np.sqrt(2.0 * CAUTION * flock.braking * np.maximum(room, 0.0))
        back = np.maximum(RETURN_GAIN * room, -flock.cruise_speed)
        allowed = np.where(room > 0.0, stopping, back)
        speed = np.einsum("ij,ij->i", flock.velocity, outward)
        excess = np.maximum(speed - allowed, 0.0) * (length(outward) > 0.0)
        return -(flock.mass * excess / RESPONSE_TIME)[:, None] * outward
