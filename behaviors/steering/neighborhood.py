"""Which of the neighbors count: those within a distance and an angle of the heading."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


def in_view(flock: Flock, near: Neighbors, distance: float, angle_deg: float) -> Bool:
    """Return which pairs (P,) are within ``distance`` [m] and ``angle_deg`` of the heading.

    The angle is between the heading and the direction to the other, so that 180 sees all round
    and 135 leaves a blind cone behind (Reynolds 1999, figure 13). One in the same place counts.
    """
    apart = length(near.offset)
    seen = apart <= distance
    if angle_deg < 180.0:
        ahead = np.einsum("ij,ij->i", near.offset, flock.heading[near.i])
        seen &= ahead >= apart * np.cos(np.radians(angle_deg))
    return seen


def mean_over(near: Neighbors, seen: Bool, value: Float) -> tuple[Float, Bool]:
    """Return the mean (N, 3) of a (P, 3) quantity over the pairs in view, and if any are."""
    count = np.bincount(near.i[seen], minlength=near.agent_count)[:, None]
    total = near.sum(np.where(seen[:, None], value, 0.0))
    return total / np.maximum(count, 1), count[:, 0] > 0


def check_neighborhood(distance: float, angle_deg: float) -> None:
    """Refuse a neighborhood that is out of range."""
    if not 0.0 < distance < np.inf:
        raise InputError(f"`distance` must be positive, got {distance}")
    if not 0.0 < angle_deg <= 180.0:
        raise InputError(f"`angle_deg` must be above 0 and at most 180, got {angle_deg}")
