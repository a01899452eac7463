"""Unaligned collision avoidance: make way for those on a collision course, in good time."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from behaviors.behavior import STEERING, Surroundings, level
from behaviors.flock import Flock
from behaviors.neighbors import Neighbors
from behaviors.prediction import closest_approach
from geometry.arrays import Float
from geometry.errors import InputError
from geometry.vectors import clip_length, length, unit

# A meeting nearer in time than this is dodged as if it were so far off [s].
SHORTEST_NOTICE = 0.2
# A miss by less than this [m] counts as head-on: there is no side to tell.
DEAD_CENTER = 1e-6


@STEERING.register("unaligned_collision_avoidance")
@dataclass(frozen=True)
class UnalignedCollisionAvoidance:
    r"""Dodge the neighbor that one would meet first, as far as both go straight on.

    Relative position p and velocity v give the closest approach in time
    :math:`t = -p \cdot v / v^2` and the miss vector :math:`q = p + v t`. If the gap
    :math:`\|q\|` is less than c, the two radii and the margin, they meet. Of those met within the
    horizon the earliest is dodged by an acceleration away from it that makes up half of what is
    missing (the other one does its half):

    .. math:: f = -m \frac{c - \|q\|}{t^2} \, q / \|q\|

    at most the side acceleration. It points aside, or against or along the own motion, whichever
    the geometry says. Head-on, with no miss vector, everyone dodges to the own left; at rest in
    one place the lower row goes to -x. Upright bodies of walkers, and of others above or below
    them, are parted in plan.

    Reynolds 1999, "Steering behaviors for autonomous characters". Departures: the true minimum
    of the distance (a well-known version takes :math:`|p| - |v| t`, which is no distance), both
    radii, and a push that is as strong as the time left needs.

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
        force = np.zeros_like(flock.position)
        if around.crowd is None or len(near.i) == 0:
            return force
        offset = _between_spines(flock, around.crowd, near)
        velocity = around.crowd.velocity[near.j] - flock.velocity[near.i]
        velocity = np.where(flock.grounded[near.i, None], velocity * [1.0, 1.0, 0.0], velocity)
        time, gap = closest_approach(offset, velocity, self.horizon)
        keep = near.contact + self.margin
        meeting = np.flatnonzero(gap < keep)
        order = meeting[np.lexsort((gap[meeting], time[meeting], near.i[meeting]))]
        rows, first = np.unique(near.i[order], return_index=True)
        pair = order[first]
        miss = offset[pair] + time[pair, None] * velocity[pair]
        aside = -unit(miss)
        lost = length(miss) < DEAD_CENTER
        aside[lost] = self._own_side(flock, near, pair[lost])
        notice = np.maximum(time[pair], SHORTEST_NOTICE)
        push = (keep[pair] - gap[pair]) / notice**2
        dodge = clip_length(push[:, None] * aside, flock.side_acceleration[rows])
        force[rows] = flock.mass[rows, None] * dodge
        return level(flock, force)

    def _own_side(self, flock: Flock, near: Neighbors, pair: np.ndarray) -> Float:
        """Return the agents' left (M, 3), across their motion; for those at rest, along x."""
        rows = near.i[pair]
        course = unit(level(flock, flock.velocity)[rows])
        left = unit(np.cross(flock.up[rows], course))
        by_row = np.where(near.lower[pair], -1.0, 1.0)[:, None] * [1.0, 0.0, 0.0]
        return np.where(length(left)[:, None] > 0.0, left, by_row)


def _between_spines(flock: Flock, crowd: Flock, near: Neighbors) -> Float:
    """Return offsets (P, 3) [m] between the nearest points of upright segments; level for walkers.

    Walkers that are not at the same height keep their vertical gap.
    """
    offset = near.offset.copy()
    low = offset[:, 2] + crowd.spine[near.j, 0] - flock.spine[near.i, 1]
    high = offset[:, 2] + crowd.spine[near.j, 1] - flock.spine[near.i, 0]
    offset[:, 2] = np.where(low > 0.0, low, np.where(high < 0.0, high, 0.0))
    return offset
