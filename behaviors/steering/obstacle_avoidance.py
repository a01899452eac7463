"""Obstacle avoidance: keep a cylinder ahead free, of triangle meshes and of spheres."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import (
    RESPONSE_TIME,
    STEERING_BEHAVIORS,
    Surroundings,
    level,
    offset_to,
)
from rmp3d.behaviors.terrain.ahead import Spheres, first_touch, sphere_array
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.vectors import length, unit

# Below this part across the course, the direction away from an obstacle does not tell which side.
HEAD_ON = 0.25
# Sine of the angle between course and surface from which on the push is a full one.
OBLIQUE = 0.3
# Directions that are tried round what is dead ahead, in the plane across the course: (left, up).
SIDES = np.array(
    [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]], float
)  # fmt: skip


@STEERING_BEHAVIORS.register("obstacle_avoidance")
@dataclass(frozen=True)
class ObstacleAvoidance:
    r"""Push sideways, away from what the body would touch first, and brake if it is too near.

    The cylinder ahead is as wide as the body with a margin, and as long as it goes in
    ``look_ahead`` seconds, L. What the body would touch first in it, at distance d, is the
    threat; with n the direction from the touched point to the body there, v the course, and
    :math:`s = -v \cdot n` how steeply it leads into the threat, the push is

    .. math:: f = m a \min(1, s / 0.3) (1 - d / L) \, \perp_v n / \|\perp_v n\|

    with the largest side acceleration a: up and down as well as left and right, except for
    walkers. Where the threat is dead ahead the push is to the side on which a body could go
    farthest askew, the left if all are equal. Of the speed, what comes nearer at more than
    :math:`\sqrt{2 \cdot 0.5 \, b s d}`, from which braking b does not stop at ease, is taken off.
    Nothing ahead asks for exactly nothing, so does a wall that is passed along or left; and one
    that is passed almost along asks for almost nothing, however near it is.

    Reynolds 1999, "Steering behaviors for autonomous characters", with the exact first contact
    with triangles in place of bounding spheres, and with braking.

    Attributes:
        look_ahead: How far ahead in time the way is kept free [s].
        margin: Added to the radius [m].
        spheres: [x, y, z, radius] of obstacles that are not in the scene [m].
        ignores_beyond: Whether what is farther ahead than the subgoal is ignored, as by one that
            comes to stand in front of a wall (Reynolds 1999). Without a subgoal all counts.
    """

    look_ahead: float = 1.5
    margin: float = 0.15
    spheres: Spheres = ()
    ignores_beyond: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.look_ahead < np.inf:
            raise InputError(f"`look_ahead` must be positive, got {self.look_ahead}")
        if not 0.0 <= self.margin < np.inf:
            raise InputError(f"`margin` must be 0 or more, got {self.margin}")
        sphere_array(self.spheres)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        motion = level(flock, flock.velocity)
        speed = length(motion)
        course = unit(motion)
        reach = speed * self.look_ahead
        distance, away = self._touch(flock, around, np.arange(len(flock)), course, reach)
        if self.ignores_beyond:
            to_go = length(offset_to(flock, around.subgoal))
            distance = np.where((to_go > 0.0) & (distance > to_go), np.inf, distance)
        rows = np.flatnonzero(np.isfinite(distance) & (speed > 0.0))
        force = np.zeros((len(flock), 3))
        if len(rows) == 0:
            return force
        ahead, length_ahead, course = distance[rows], reach[rows], course[rows]
        across = away[rows].copy()
        across[flock.bodies.grounded[rows], 2] = 0.0
        across -= np.einsum("ij,ij->i", across, course)[:, None] * course
        blocked = np.flatnonzero(length(across) < HEAD_ON)
        across[blocked] = self._way_round(flock, around, rows[blocked], course[blocked])
        into = np.clip(-np.einsum("ij,ij->i", away[rows], course), 0.0, 1.0)
        urgency = flock.bodies.max_side_acceleration[rows] * (1.0 - ahead / length_ahead)
        urgency *= np.minimum(into / OBLIQUE, 1.0)
        allowed = np.sqrt(flock.bodies.max_brake[rows] * ahead * into)
        excess = np.maximum(speed[rows] * into - allowed, 0.0) / RESPONSE_TIME
        push = urgency[:, None] * unit(across) - excess[:, None] * course
        force[rows] = flock.bodies.mass[rows, None] * push
        return force

    def _touch(
        self, flock: Flock, around: Surroundings, rows: Index, course: Float, reach: Float
    ) -> tuple[Float, Float]:
        return first_touch(
            around.obstacles, sphere_array(self.spheres), flock.position[rows], course, reach,
            flock.bodies.capsule_axis[rows], flock.bodies.radius[rows] + self.margin,
        )  # fmt: skip

    def _way_round(self, flock: Flock, around: Surroundings, rows: Index, course: Float) -> Float:
        """Return the directions (M, 3) across courses (M, 3) in which there is most room askew."""
        axes = frame(course, flock.up[rows])
        sides = np.einsum("mij,kj->mki", axes[:, :, 1:], SIDES)
        askew = unit(course[:, None] + unit(sides))
        reach = 2.0 * length(flock.velocity[rows]) * self.look_ahead + flock.bodies.radius[rows]
        repeated = np.repeat(rows, len(SIDES))
        room, _ = self._touch(
            flock, around, repeated, askew.reshape(-1, 3), np.repeat(reach, len(SIDES))
        )
        room = np.minimum(room.reshape(len(rows), len(SIDES)), reach[:, None])
        room[flock.bodies.grounded[rows, None] & (SIDES[:, 1] != 0.0)] = -1.0
        # Room that is equal but for rounding is equal.
        best = np.argmax(np.round(room, 6), axis=1)
        return sides[np.arange(len(rows)), best]
