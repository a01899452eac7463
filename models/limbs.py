"""Bricks of bodies: rings across the x axis, and limbs."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.shapes import loft


def limb(rows: Sequence[tuple[Sequence[float], float, float]]) -> TriangleMesh:
    """Return a five-sided limb through rows (center, half depth along x, half width along y)."""
    angle = np.arange(5) * 2 * np.pi / 5
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return loft([np.array(center) + circle * (a, b, 0.0) for center, a, b in rows])


def oval(x: float, half_width: float, half_height: float, z: float = 0.0, sides: int = 8) -> Float:
    """Return a ring (K, 3) across the x axis, its middle at height z."""
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    y, up = half_width * np.cos(angle), half_height * np.sin(angle)
    return np.stack([np.full(sides, x), y, z + up], axis=1)


def barrel(rows: Sequence[tuple[float, float, float, float]], sides: int = 8) -> TriangleMesh:
    """Return a solid along x through rows (x, middle height, half width, half height)."""
    return loft([oval(x, half, tall, z, sides) for x, z, half, tall in rows])
