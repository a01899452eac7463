"""Places where rigid bodies stand level on something, apart from one another."""

from collections.abc import Callable

import numpy as np

from rmp3d.behaviors.groups.goal_area.places import NoRoomError
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import rotate
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes import Region

# Between a body as it is planned for and what carries it [m].
LIFT = 2e-3
# By how much [m] what carries it may be uneven, and how far in its corners are looked under.
EVEN, INSET = 0.01, 0.85
# Candidates drawn at a time, and how often at most.
DRAWN, ROUNDS = 4000, 40
DOWN = np.array([0.0, 0.0, -1.0])


class NoPlaceError(NoRoomError):
    """A region has too few places where bodies of this shape stand, and that can be reached."""

    def __init__(self, region: Region, most: int, count: int) -> None:
        InputError.__init__(
            self,
            f"in region `{region.name}` {most} places at rest were found that the roadmap reaches, "
            f"not {count}; take fewer members, a larger region, a smaller `gap`, more "
            "`planner.nodes`, or `rest` = `anywhere`",
        )
        self.region = region


def places_at_rest(
    space: RigidBodySpace,
    region: Region,
    gap: float,
    rng: np.random.Generator,
    turns: Float,
    most: int,
) -> Float:
    """Return free configurations (P, 7) in a region, all level and standing on something.

    A candidate is drawn in the region, turned about the vertical by one of ``turns`` (Q,) [rad],
    and let down; it counts if corners and middle of its lower side then stand on one level, and
    its reference point is still in the region. Each is ``gap`` [m] from those before it; there
    are ``most`` at most.
    """
    return _apart(space, lambda: _let_down(space, region, rng, turns), gap, most)


def places_anywhere(
    space: RigidBodySpace,
    region: Region,
    gap: float,
    rng: np.random.Generator,
    turns: Float,
    most: int,
) -> Float:
    """Return the same where nothing need be under the bodies: they are level, in the air too."""
    return _apart(space, lambda: _drawn_free(space, region, rng, turns), gap, most)


def _apart(space: RigidBodySpace, draw: Callable[[], Float], gap: float, most: int) -> Float:
    """Return drawn configurations (P, 7), ``gap`` [m] from one another, ``most`` at most."""
    found = np.zeros((0, 7))
    body = space.world.problem.robot
    pair = MeshPair(body, body)
    for _ in range(ROUNDS):
        for row in draw():
            if len(found) == most:
                return found
            if len(found) == 0 or keeps_apart(pair, found, row, np.full(len(found), gap)).all():
                found = np.concatenate([found, row[None]])
    return found


def keeps_apart(pair: MeshPair, first: Float, second: Float, gap: Float) -> Bool:
    """Return where two bodies of a shape, at (M, 7) and (M, 7) or (7,), are ``gap`` (M,) apart."""
    return pair.keeps_clear(relative(first, np.broadcast_to(second, first.shape)), gap)


def relative(first: Float, second: Float) -> Float:
    """Return the configurations (M, 7) of the first bodies in the frames of the second."""
    inverse = second[:, 3:] * [1.0, -1.0, -1.0, -1.0]
    w, v = inverse[:, :1], inverse[:, 1:]
    u, z = first[:, 3:4], first[:, 4:]
    turn = np.hstack([w * u - np.einsum("ij,ij->i", v, z)[:, None], w * z + u * v + np.cross(v, z)])
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    return np.hstack([rotate(inverse, first[:, :3] - second[:, :3]), turn])


def _drawn_free(
    space: RigidBodySpace, region: Region, rng: np.random.Generator, turns: Float
) -> Float:
    """Return free configurations (M, 7) in a region, level, turned by one of ``turns``."""
    low, high = region.bounds
    rows = np.zeros((DRAWN, 7))
    rows[:, :3] = low + rng.random((DRAWN, 3)) * (high - low)
    half = 0.5 * turns[rng.integers(len(turns), size=DRAWN)]
    rows[:, 3], rows[:, 6] = np.cos(half), np.sin(half)
    rows = rows[region.contains(rows[:, :3])]
    return rows[space.is_free(rows)]


def _let_down(
    space: RigidBodySpace, region: Region, rng: np.random.Generator, turns: Float
) -> Float:
    """Return candidates (M, 7) that were drawn free and have been let down."""
    rows = _drawn_free(space, region, rng, turns)
    rows[:, 2] -= _drop(space, rows)
    rows = rows[np.isfinite(rows[:, 2])]
    rows = rows[region.contains(rows[:, :3])]
    return rows[space.is_free(rows)]


def _drop(space: RigidBodySpace, rows: Float) -> Float:
    """Return how far (M,) [m] each can be let down; infinite if it would not stand level."""
    lower, upper = space.world.problem.robot.bounds
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    under = middle + half * np.array(
        [[x, y, -1.0] for x in (-INSET, 0.0, INSET) for y in (-INSET, 0.0, INSET)]
    )
    points = rows[:, None, :3] + rotate(rows[:, None, 3:], under[None])  # (M, 9, 3)
    obstacles = MeshQuery(space.world.surroundings)
    fall, _ = obstacles.cast_ray(points.reshape(-1, 3), DOWN, 100.0)
    fall = fall.reshape(len(rows), -1)
    level = fall.max(axis=1, initial=0.0) - fall.min(axis=1, initial=np.inf) < EVEN
    drop = fall.min(axis=1, initial=np.inf) - LIFT
    return np.where(level, drop, np.inf)
