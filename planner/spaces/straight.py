"""Straight motions of a space whose motions are lines between their ends."""

import numpy as np

from geometry import Float
from planner.spaces.bounds import in_bounds
from planner.spaces.world import World


def straight_motions(world: World, bounds: Float, start: Float, end: Float) -> list[Float | None]:
    """Return the motions (2, W) from start[i] to end[i], (M, W) each, that are proved free.

    None for those that are not, or that have an end outside the bounds (2, 3).
    """
    inside = in_bounds(start, bounds) & in_bounds(end, bounds)
    inside[inside] = world.motions_are_free(start[inside], end[inside])
    pairs = np.stack([start, end], axis=1)
    return [pair if free else None for pair, free in zip(pairs, inside.tolist(), strict=True)]
