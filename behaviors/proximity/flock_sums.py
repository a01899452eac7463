"""The three sums of flocking over each agent's neighbors, in one compiled pass over the pairs."""

from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled


class ViewArc(NamedTuple):
    """A neighborhood: a distance [m], and an angle to the heading, 180 for all round [degrees]."""

    distance: float
    angle_deg: float


class FlockSums(NamedTuple):
    """What flocking needs to know of each agent's neighbors; zero where nobody is in view.

    Attributes:
        crowding: (N, 3) sum of directions to the neighbors, each weighted with how far it is
            within the personal distance D: 1 at contact, 0 at a gap of D.
        change: (N, 3) mean velocity of those in view, relative to the agent's own [m/s].
        middle: (N, 3) mean offset of those in view [m].
    """

    crowding: Float
    change: Float
    middle: Float


def flock_sums(
    near: Neighbors,
    heading: Float,
    velocity: Float,
    crowd_velocity: Float,
    separation: ViewArc,
    alignment: ViewArc,
    cohesion: ViewArc,
) -> FlockSums:
    """Return the sums of separation, alignment and cohesion.

    Two agents in one place count as if the one of the lower row stood at -x.

    Args:
        near: Pairs; ``near.j`` are rows of the crowd.
        heading: (N, 3) unit, of the agents.
        velocity: (N, 3) of the agents [m/s].
        crowd_velocity: (M, 3) of everybody [m/s].
        separation: Who is kept apart from; its distance D is between the bodies.
        alignment: Whose velocities count.
        cohesion: Whose places count.
    """
    sums = np.zeros((near.agent_count, 11))
    _add(
        near.i, near.j, near.offset, near.contact, near.lower, heading, crowd_velocity,
        separation.distance, _least_cosine(separation),
        alignment.distance, _least_cosine(alignment),
        cohesion.distance, _least_cosine(cohesion), sums,
    )  # fmt: skip
    crowding, change, middle = (np.empty((near.agent_count, 3)) for _ in range(3))
    _average(sums, velocity, crowding, change, middle)
    return FlockSums(crowding, change, middle)


def _least_cosine(view: ViewArc) -> float:
    return float(np.cos(np.radians(view.angle_deg))) if view.angle_deg < 180.0 else -2.0


@compiled
def _add(
    near_i, near_j, offset, contact, lower, heading, crowd_velocity, personal, apart_cosine,
    align_distance, align_cosine, cohere_distance, cohere_cosine, sums,
):  # fmt: skip
    """Add to a row for each agent: crowding (3), velocities (3), offsets (3), and two numbers.

    One row, not five arrays: the seen ones lie anywhere in memory.
    """
    round_about = max(apart_cosine, align_cosine, cohere_cosine) < -1.0
    for k in range(near_i.shape[0]):
        i, j = near_i[k], near_j[k]
        x, y, z = offset[k, 0], offset[k, 1], offset[k, 2]
        apart = np.sqrt(x * x + y * y + z * z)
        push = min(1.0, 1.0 - (apart - contact[k]) / personal)
        ahead = 0.0
        if not round_about:
            ahead = x * heading[i, 0] + y * heading[i, 1] + z * heading[i, 2]
        if apart == 0.0:
            sums[i, 0] += push if lower[k] else -push
        elif push > 0.0 and ahead >= apart * apart_cosine:
            push /= apart
            sums[i, 0] += push * x
            sums[i, 1] += push * y
            sums[i, 2] += push * z
        if apart <= align_distance and ahead >= apart * align_cosine:
            sums[i, 3] += crowd_velocity[j, 0]
            sums[i, 4] += crowd_velocity[j, 1]
            sums[i, 5] += crowd_velocity[j, 2]
            sums[i, 9] += 1.0
        if apart <= cohere_distance and ahead >= apart * cohere_cosine:
            sums[i, 6] += x
            sums[i, 7] += y
            sums[i, 8] += z
            sums[i, 10] += 1.0


@compiled
def _average(sums, velocity, crowding, change, middle):
    for i in range(sums.shape[0]):
        aligned, cohering = max(1.0, sums[i, 9]), max(1.0, sums[i, 10])
        for axis in range(3):
            crowding[i, axis] = sums[i, axis]
            change[i, axis] = (sums[i, 3 + axis] - sums[i, 9] * velocity[i, axis]) / aligned
            middle[i, axis] = sums[i, 6 + axis] / cohering
