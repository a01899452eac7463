"""Configurations over which a path may be cheaper than the one that there is."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.rotations import angle_between, turned
from rmp3d.planner.costs import Cost
from rmp3d.planner.spaces import RigidBodySpace, Space, TranslationSpace
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.planner.spaces.directions import random_directions

ATTEMPTS = 8  # times the number wanted, of samples that may be refused
NEAR = 0.3  # share of samples near the path that there is
SPREAD = (0.1, 2.0)  # how far from it, times the radius: the range
ANY_TURN = 0.2  # share of the others that are turned at random


def informed_samples(
    space: Space,
    cost: Cost,
    path: Float,
    best: float,
    count: int,
    rng: np.random.Generator,
) -> Float:
    """Return free configurations (M, W) over which a path may cost less than ``best``.

    A path over x costs no less than the lower bounds from start to x and from x to goal. For
    bodies that fly positions are drawn from the ellipsoid that follows (Gammell, Srinivasa and
    Barfoot 2014, "Informed RRT*"), and orientations near those between start and goal, as far
    away as what is left allows; on the ground from the whole surface. Some are drawn near the path
    (Kim and others 2015, "Cloud RRT*", and Joshi and Tsiotras 2019 do alike).

    Args:
        space: What is sampled.
        cost: Of paths.
        path: (K, W) the best one.
        best: Its cost.
        count: How many are drawn; fewer are free.
        rng: Source of randomness.
    """
    near = int(NEAR * count)
    drawn = np.concatenate(
        [_near(space, path, near, rng), spread_samples(space, cost, path, best, count - near, rng)]
    )
    drawn = drawn[_may_gain(space, cost, path, best, drawn)][:count]
    return drawn[space.is_free(drawn)]


def _may_gain(space: Space, cost: Cost, path: Float, best: float, drawn: Float) -> np.ndarray:
    """Return over which configurations (M, W) a path may cost less than ``best``."""
    start, goal = np.broadcast_to(path[0], drawn.shape), np.broadcast_to(path[-1], drawn.shape)
    bound = cost.least(space, start, drawn) + cost.least(space, drawn, goal)
    may: np.ndarray = bound < best
    return may


def _near(space: Space, path: Float, count: int, rng: np.random.Generator) -> Float:
    """Return configurations (M, W) around random vertices and points between them."""
    row = rng.integers(0, max(1, len(path) - 1), count)
    ahead = np.minimum(row + 1, len(path) - 1)
    here = space.interpolated(path[row], path[ahead], rng.random(count))
    reach = space.world.body.radius
    size = reach * np.exp(rng.uniform(np.log(SPREAD[0]), np.log(SPREAD[1]), count))
    moved, arrived = space.move(here, size[:, None] * random_directions(space, count, rng))
    return moved[arrived]


def spread_samples(
    space: Space, cost: Cost, path: Float, best: float, count: int, rng: np.random.Generator
) -> Float:
    """Return configurations (M, W), free or not, over which a path may cost less than ``best``.

    They are all over the part of the space where that is so; see `informed_samples`.
    """
    rows = _drawn(space, cost, path, best, count, rng)
    return rows[_may_gain(space, cost, path, best, rows)][:count]


def uniform_samples(
    space: Space,
    cost: Cost,
    start: Float,
    goal: Float,
    best: float,
    count: int,
    rng: np.random.Generator,
) -> Float:
    """Return free configurations (M, W), uniform among those over which a path may cost less.

    They are drawn from the whole space, positions that fly from the ellipsoid, and refused where
    no path through them is worth it. So where a body turns, all turns are as likely; of those
    drawn, far fewer may be worth it than of `spread_samples`.

    Args:
        space: What is sampled.
        cost: Of paths.
        start: (W,).
        goal: (W,).
        best: Cost of the best path.
        count: How many are drawn, before any is refused.
        rng: Source of randomness.
    """
    rows = _all_over(space, count, rng)
    if isinstance(space, RigidBodySpace | TranslationSpace):
        place = in_ellipsoid(start[:3], goal[:3], best / cost.per_meter(space), count, rng)
        free = space.freedom[:3] > 0.0
        rows[:, :3][:, free] = place[:, free]
        rows = rows[in_bounds(rows, space.bounds)]
    rows = rows[_may_gain(space, cost, np.stack([start, goal]), best, rows)]
    return rows[space.is_free(rows)]


def _drawn(
    space: Space, cost: Cost, path: Float, best: float, count: int, rng: np.random.Generator
) -> Float:
    """Return configurations (M, W) among which those are that may be worth it."""
    if isinstance(space, RigidBodySpace | TranslationSpace):
        budget = best / cost.per_meter(space)
        rows = _all_over(space, count, rng)
        place = in_ellipsoid(path[0, :3], path[-1, :3], budget, count, rng)
        free = space.freedom[:3] > 0.0
        rows[:, :3][:, free] = place[:, free]
        rows = rows[in_bounds(rows, space.bounds)]
        if isinstance(space, RigidBodySpace) and space.turns:
            rows = _turned(space, path, budget, rows, rng)
        return rows
    return _all_over(space, ATTEMPTS * count, rng)


def _all_over(space: Space, count: int, rng: np.random.Generator) -> Float:
    return space.from_unit_cube(rng.random((count, space.dimension)))


def in_ellipsoid(
    start: Float, goal: Float, budget: float, count: int, rng: np.random.Generator
) -> Float:
    """Return points (count, 3), uniform in the ellipsoid of points on a way no longer than that.

    Args:
        start: (3,) one focus [m].
        goal: (3,) the other.
        budget: Length [m] of the way from one over the point to the other.
        count: How many.
        rng: Source of randomness.
    """
    axes, half = _ellipsoid(start, goal, budget)
    ball = rng.normal(size=(count, 3))
    ball *= (rng.random(count) ** (1.0 / 3.0) / np.linalg.norm(ball, axis=1))[:, None]
    return 0.5 * (start + goal) + (ball * half) @ axes.T


def box_of_ellipsoid(start: Float, goal: Float, budget: float) -> Float:
    """Return the corners (2, 3) of the box around the ellipsoid of `in_ellipsoid`."""
    axes, half = _ellipsoid(start, goal, budget)
    reach = np.linalg.norm(axes * half, axis=1)
    middle = 0.5 * (start + goal)
    return np.stack([middle - reach, middle + reach])


def _ellipsoid(start: Float, goal: Float, budget: float) -> tuple[Float, Float]:
    """Return the axes, columns (3, 3), and the half lengths (3,) [m] of the ellipsoid."""
    apart = goal - start
    between = float(np.linalg.norm(apart))
    budget = max(budget, between)
    along = apart if between > 0.0 else np.array([1.0, 0.0, 0.0])
    axes = np.linalg.qr(np.column_stack([along, np.eye(3)]))[0]
    across = np.sqrt(budget**2 - between**2)
    return axes, 0.5 * np.array([budget, across, across])


def _turned(
    space: RigidBodySpace, path: Float, budget: float, rows: Float, rng: np.random.Generator
) -> Float:
    """Return rows (M, 7) turned as far from the turns between start and goal as is affordable."""
    start, goal = np.broadcast_to(path[0], rows.shape), np.broadcast_to(path[-1], rows.shape)
    moved = np.linalg.norm(rows[:, :3] - start[:, :3], axis=1)
    moved += np.linalg.norm(rows[:, :3] - goal[:, :3], axis=1)
    least = space.reach * angle_between(start[:, 3:], goal[:, 3:])
    angle = np.clip(0.5 * (budget - moved - least) / space.reach, 0.0, np.pi)
    out = space.interpolated(start, goal, rng.random(len(rows)))
    axis = random_directions(space, len(rows), rng)[:, 3:]
    size = np.linalg.norm(axis, axis=1, keepdims=True)
    axis = np.divide(axis, size, out=np.zeros_like(axis), where=size > 0.0)
    share = rng.random(len(rows)) ** (1.0 / (3.0 if space.kind == "rigid" else 1.0))
    affordable = turned(out[:, 3:], (angle * share)[:, None] * axis)
    any_turn = rng.random((len(rows), 1)) < ANY_TURN
    return np.hstack([rows[:, :3], np.where(any_turn, rows[:, 3:], affordable)])
