"""Small problems built in code."""

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.planner.problem import Problem

STILL = np.array([1.0, 0.0, 0.0, 0.0])


def box(low, high):
    low, high = np.array(low, float), np.array(high, float)
    shape = trimesh.creation.box(high - low)
    return TriangleMesh(np.array(shape.vertices) + 0.5 * (low + high), np.array(shape.faces))


def pose(x, y, z, quaternion=STILL):
    return np.concatenate([[x, y, z], quaternion])


@pytest.fixture
def window():
    """A plate on edge before a wide window in a wall: it must lie down to pass."""
    wall = [
        box((-0.1, -3, -3), (0.1, -0.8, 3)),
        box((-0.1, 0.8, -3), (0.1, 3, 3)),
        box((-0.1, -0.8, -3), (0.1, 0.8, -0.45)),
        box((-0.1, -0.8, 0.45), (0.1, 0.8, 3)),
    ]
    return Problem(
        "window", box((-0.15, -0.5, -0.5), (0.15, 0.5, 0.5)), join(wall), True,
        np.array([[-2, -2, -2], [2, 2, 2.0]]), False, "rigid", pose(-1.5, 0, 0), pose(1.5, 0, 0),
    )  # fmt: skip


@pytest.fixture
def bends():
    """A box in the plane between walls that leave a way on alternate sides."""
    walls = [
        box((i * 2 - 3.2, -5 if i % 2 else -4, -1), (i * 2 - 2.8, 4 if i % 2 else 5, 1))
        for i in range(4)
    ]
    return Problem(
        "bends", box((-0.3, -0.3, -0.3), (0.3, 0.3, 0.3)), join(walls), True,
        np.array([[-5, -5, 0], [5, 5, 0.0]]), True, "planar", pose(-4.5, 0, 0), pose(4.5, 0, 0),
    )  # fmt: skip


@pytest.fixture
def hooks():
    """Two open rings, one hanging in the other."""
    ring = trimesh.creation.torus(1.0, 0.2, 40, 10)
    mesh = TriangleMesh(np.array(ring.vertices), np.array(ring.faces))
    center = mesh.triangles.mean(axis=1)
    ring = mesh.select(np.abs(np.arctan2(center[:, 1], center[:, 0])) > 0.5)
    side = np.sqrt(0.5)
    return Problem(
        "hooks", ring, ring, False, np.array([[-4, -4, -4], [4, 4, 4.0]]), False, "rigid",
        pose(-1, 0, 0, [side, side, 0, 0]), pose(3.5, 0, 0),
    )  # fmt: skip
