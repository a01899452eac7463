"""Directions in which a body can move, and the one in which its clearance grows fastest."""

import numpy as np

from geometry import Float
from geometry.vectors import length, unit
from planner.spaces import Space

STEP = 1e-6  # [m] of the differences that give the gradient


def is_level(space: Space) -> bool:
    """Return whether motions are directions in plan: on the ground, and in a plane."""
    return space.grounded or space.dimension == 2


def within_space(space: Space, vectors: Float) -> Float:
    """Return the part of vectors (M, 3) that the body can follow: all of it, or that in plan."""
    return vectors * [1.0, 1.0, 0.0] if is_level(space) else vectors


def random_directions(space: Space, count: int, rng: np.random.Generator) -> Float:
    """Return unit vectors (count, 3), every direction of the space equally likely."""
    return unit(within_space(space, rng.normal(size=(count, 3))))


def clearance_and_gradient(space: Space, configurations: Float) -> tuple[Float, Float]:
    """Return the clearance (M,) [m] of configurations (M, 3), and its gradient (M, 3).

    The gradient is a unit vector straight away from the nearest obstacle point, in space, also
    where the body moves in plan only. It comes from forward differences, good to 1e-5; farther
    from everything than the bounds are large it is zero.
    """
    cap = float(length(space.bounds[1] - space.bounds[0])) + space.world.body.radius
    probes = configurations[:, None] + STEP * np.concatenate([np.zeros((1, 3)), np.eye(3)])
    values = space.world.clearance(probes.reshape(-1, 3), cap).reshape(-1, 4)
    return values[:, 0], unit(values[:, 1:] - values[:, :1])
