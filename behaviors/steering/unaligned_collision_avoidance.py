"""Unaligned collision avoidance: give way to others on a collision course, in good time."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.prediction import closest_approach
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length, length, unit

# A meeting nearer in time than this is dodged as if it were so far off [s].
SHORTEST_NOTICE = 0.2
# A miss by less than this share of the distance to keep counts as head-on.
HEAD_ON = 0.3


@STEERING_BEHAVIORS.register("unaligned_collision_avoidance")
@dataclass(frozen=True)
class UnalignedCollisionAvoidance:
    r"""Dodge the neighbors that one would meet, as far as all go straight on.

    Relative position p and velocity v give the closest approach in time
    :math:`t = -p \cdot v / v^2` and the miss vector :math:`q = p + v t`. If the gap
    :math:`\|q\|` is less than c, the two radii and the margin, they meet. Each of those met within
    the horizon is dodged by an acceleration away from it that makes up half of what is missing
    (the other one does its half), so that the earliest count most:

    .. math:: f = -m \sum \frac{c - \|q\|}{t^2} \, q / \|q\|

    at most the side acceleration. It points aside, or against or along the own motion, whichever
    the geometry says. Where the miss is small both pass on the left of the relative motion, on
    which all agree, so that many that meet in one place go round it; at rest in one place the lower
    row goes to -x. Upright bodies of walkers are parted in plan.

    Reynolds 1999, "Steering behaviors for autonomous characters". Departures: the true minimum
    of the distance (a well-known version takes :math:`|p| - |v| t`, which is no distance), both
    radii, all meetings instead of the earliest, and pushes as strong as the time left needs.

    Attributes:
        horizon: Meetings farther off are left alone [s].
        margin: Between the bodies when they pass [m].
    """

    horizon: float = 2.5
    margin: float = 0.2
    needs: ClassVar[tuple[str, ...]] = ("neighbors",)

    def __post_init__(self) -> None:
        if not 0.0 < self.horizon < np.inf:
            raise InputError(f"`horizon` must be positive, got {self.horizon}")
        if not 0.0 <= self.margin < np.inf:
            raise InputError(f"`margin` must be 0 or more, got {self.margin}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        near = around.neighbors
        if around.crowd is None or len(near.i) == 0:
            return np.zeros_like(flock.position)
        offset = _between_axes(flock, around.crowd, near)
        velocity = around.crowd.velocity[near.j] - flock.velocity[near.i]
        velocity = np.where(
            flock.bodies.grounded[near.i, None], velocity * [1.0, 1.0, 0.0], velocity
        )
        time, gap = closest_approach(offset, velocity, self.horizon)
        keep = near.contact + self.margin
        pair = np.flatnonzero(gap < keep)
        miss = offset[pair] + time[pair, None] * velocity[pair]
        left = self._left(flock, near, pair, velocity[pair])
        head_on = gap[pair] < HEAD_ON * keep[pair]
        aside = np.where(head_on[:, None], left, -unit(miss))
        missing = keep[pair] + np.einsum("ij,ij->i", miss, aside)
        notice = np.maximum(time[pair], SHORTEST_NOTICE)
        push = missing / notice**2
        total = np.zeros((len(near.i), 3))
        total[pair] = push[:, None] * aside
        dodge = clip_length(near.sum(total), flock.bodies.max_side_acceleration)
        return level(flock, flock.bodies.mass[:, None] * dodge)

    def _left(self, flock: Flock, near: Neighbors, pair: Index, velocity: Float) -> Float:
        """Return the left (M, 3) of the agents' motion relative to the others'; at rest, by row."""
        left = unit(np.cross(flock.up[near.i[pair]], -velocity))
        by_row = np.where(near.lower[pair], -1.0, 1.0)[:, None] * [1.0, 0.0, 0.0]
        return np.where(length(left)[:, None] > 0.0, left, by_row)


def _between_axes(flock: Flock, crowd: Flock, near: Neighbors) -> Float:
    """Return offsets (P, 3) [m] between the nearest points of upright segments; level for walkers.

    Walkers that are not at the same height keep their vertical gap.
    """
    offset = near.offset.copy()
    low = offset[:, 2] + crowd.bodies.capsule_axis[near.j, 0] - flock.bodies.capsule_axis[near.i, 1]
    high = (
        offset[:, 2] + crowd.bodies.capsule_axis[near.j, 1] - flock.bodies.capsule_axis[near.i, 0]
    )
    offset[:, 2] = np.where(low > 0.0, low, np.where(high < 0.0, high, 0.0))
    return offset
