"""Rooms, doors and columns laid at random, and places all over them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.crowd_scenes import Box
from rmp3d.geometry.arrays import Float

# Walls are so thick and so high, doors are so wide [m].
THICK, HIGH = 0.2, 2.5
DOORS = 1.1, 2.5
# Doors begin so far from the ends of their walls, columns from the outer walls [m].
OFF = 0.8
# Sides of columns [m].
SIDES = 0.4, 1.6
# So many places are tried for each that is looked for.
TRIES = 10_000


def rooms(rng: np.random.Generator, count: tuple[int, int], half: float) -> list[Box]:
    """Return walls between rooms in so many columns and rows of a square, each with a door.

    Args:
        rng: Where the doors are, and how wide.
        count: Columns and rows.
        half: Half a side of the square [m].
    """
    walls: list[Box] = []
    edges = [np.linspace(-half, half, each + 1) for each in count]
    for across in (0, 1):
        ends = edges[1 - across]
        for at in edges[across][1:-1]:
            for low, high in pairwise(ends):
                door = rng.uniform(*DOORS)
                middle = rng.uniform(low + 0.5 * door + OFF, high - 0.5 * door - OFF)
                for begin, end in ((low, middle - 0.5 * door), (middle + 0.5 * door, high)):
                    corners = np.array([[at - 0.5 * THICK, begin], [at + 0.5 * THICK, end]])
                    near, far = corners[:, :: -1 if across else 1].tolist()
                    walls.append(([*near, 0.0], [*far, HIGH]))
    return walls


def outside(half: float) -> list[Box]:
    """Return the walls round a square."""
    far = half + THICK
    return [
        ([-far, -far, 0.0], [-half, far, HIGH]),
        ([half, -far, 0.0], [far, far, HIGH]),
        ([-half, -far, 0.0], [half, -half, HIGH]),
        ([-half, half, 0.0], [half, far, HIGH]),
    ]


def blocks(rng: np.random.Generator, count: int, half: float) -> list[Box]:
    """Return columns anywhere in a square."""
    found: list[Box] = []
    for _ in range(count):
        side = rng.uniform(*SIDES, 2)
        low = rng.uniform(OFF - half, half - OFF - side)
        found.append(([*low.tolist(), 0.0], [*(low + side).tolist(), HIGH]))
    return found


def places(
    rng: np.random.Generator,
    count: int,
    half: float,
    walls: Sequence[Box],
    apart: float,
    off: float,
) -> Float:
    """Return places (count, 2) [m] anywhere in a square, so far apart, and so far off walls.

    Raises:
        ValueError: If there is no room for so many.
    """
    low = np.array([box[0][:2] for box in walls]).reshape(-1, 2) - off
    high = np.array([box[1][:2] for box in walls]).reshape(-1, 2) + off
    found = np.zeros((0, 2))
    for _ in range(TRIES * count):
        new = rng.uniform(off - half, half - off, 2)
        inside = ((low < new) & (new < high)).all(axis=1).any()
        if not inside and (np.linalg.norm(found - new, axis=1) > apart).all():
            found = np.vstack([found, new])
            if len(found) == count:
                return found
    raise ValueError(f"no room for {count} that keep {apart} m apart; fewer")
