"""Straight motions of a space whose motions are lines between their ends."""

import numpy as np

from rmp3d.geometry import Bool, Float
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.planner.spaces.world import CollisionQueries


def straight_motions(
    world: CollisionQueries, bounds: Float, start: Float, end: Float
) -> list[Float | None]:
    """Return the motions (2, W) from start[i] to end[i], (M, W) each, that are proved free.

    None for those that are not, or that have an end outside the bounds (2, 3).
    """
    pairs = np.stack([start, end], axis=1)
    proved = motions_are_proved(world, bounds, start, end).tolist()
    return [pair if free else None for pair, free in zip(pairs, proved, strict=True)]


def motions_are_proved(world: CollisionQueries, bounds: Float, start: Float, end: Float) -> Bool:
    """Return which motions start[i] -> end[i], (M, W) each, are proved free and within bounds."""
    proved = in_bounds(start, bounds) & in_bounds(end, bounds)
    proved[proved] = world.motions_are_free(start[proved], end[proved])
    return proved
