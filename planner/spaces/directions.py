"""Directions in which a body can move, and the one in which its clearance grows fastest."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.spaces import Space

STEP = 1e-6  # [m] of the differences that give the gradient


def is_level(space: Space) -> bool:
    """Return whether motions are directions in plan: on the ground, and in a plane."""
    return bool(space.freedom[2] == 0.0)


def within_space(space: Space, vectors: Float) -> Float:
    """Return the part of displacements (M, 3) or (M, F) that the body can follow."""
    return vectors * space.freedom[: vectors.shape[1]]


def random_directions(space: Space, count: int, rng: np.random.Generator) -> Float:
    """Return displacements (count, F) of one meter, every direction equally likely.

    Where the body turns, the distance that the reference point moves and the distance that the
    rotation moves the farthest point make up the meter.
    """
    vectors = within_space(space, rng.normal(size=(count, len(space.freedom))))
    size = length(vectors[:, :3]) + length(vectors[:, 3:])
    return np.divide(vectors, size[:, None], out=np.zeros_like(vectors), where=size[:, None] > 0.0)


def clearance_and_gradient(
    space: Space, configurations: Float, columns: int = 3
) -> tuple[Float, Float]:
    """Return the clearance (M,) [m] of configurations (M, W), and its gradient.

    The gradient (M, columns) is a unit vector; of the position alone (three columns), straight
    away from the nearest obstacle point, in space, also where the body moves in plan only. It
    comes from forward differences, good to 1e-5; farther from everything than the bounds are
    large it is zero.
    """
    cap = float(length(space.bounds[1] - space.bounds[0])) + space.world.body.radius
    steps = STEP * np.concatenate([np.zeros((1, columns)), np.eye(columns)])
    count = len(configurations)
    probes = space.shifted(
        np.repeat(configurations, len(steps), axis=0), np.tile(steps, (count, 1))
    )
    values = space.world.clearance(probes, cap).reshape(count, len(steps))
    return values[:, 0], unit(values[:, 1:] - values[:, :1])
