"""Small meshes made in code, for the geometry tests."""

from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import TriangleMesh
from rmp3d.scenes.build.shapes import box


def sphere(radius=1.0, subdivisions=2):
    shape = trimesh.creation.icosphere(subdivisions, radius)
    return TriangleMesh(shape.vertices, shape.faces)


def l_solid():
    """An L, 2 x 2 x 1 m, with its corner at the origin and arms 1 m wide."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    below, above = np.c_[outline, np.zeros(6)], np.c_[outline, np.ones(6)]
    top = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    k, n = np.arange(6), (np.arange(6) + 1) % 6
    walls = np.concatenate([np.stack([k, n, n + 6], 1), np.stack([k, n + 6, k + 6], 1)])
    return TriangleMesh(
        np.concatenate([below, above]), np.concatenate([top[:, ::-1], top + 6, walls])
    )


def soup(count, rng, size=1.0, extent=3.0):
    corners = rng.uniform(-extent, extent, (count, 1, 3)) + rng.normal(0, size, (count, 3, 3))
    return from_triangles(corners)


def from_triangles(corners):
    corners = np.asarray(corners, float).reshape(-1, 3, 3)
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


def degenerate(rng):
    """Points, segments, slivers and whole triangles in one mesh."""
    points = np.repeat(rng.uniform(-2, 2, (10, 1, 3)), 3, axis=1)
    a, b = rng.uniform(-2, 2, (2, 10, 3))
    share = rng.uniform(0, 1, (10, 1))
    segments = np.stack([a, b, a + share * (b - a)], axis=1)
    slivers = segments + rng.normal(0, 1e-7, segments.shape)
    whole = rng.uniform(-2, 2, (10, 3, 3))
    return from_triangles(np.concatenate([points, segments, slivers, whole]))


def grid(x, y, height):
    """A height field over the lines x and y; ``height`` maps (x, y) to z."""
    x, y = np.meshgrid(x, y, indexing="ij")
    rows = np.arange(x.size).reshape(x.shape)
    a, b, c, d = rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    z = np.broadcast_to(height(x, y), x.shape)
    return TriangleMesh(np.stack([x, y, z], -1).reshape(-1, 3), faces)


def flat(lower, upper, height=0.0):
    return grid([lower[0], upper[0]], [lower[1], upper[1]], lambda x, y: height + 0.0 * x)


@pytest.fixture
def make():
    """Functions that make meshes."""
    return SimpleNamespace(
        box=box, sphere=sphere, l_solid=l_solid, soup=soup, from_triangles=from_triangles,
        degenerate=degenerate, grid=grid, flat=flat,
    )  # fmt: skip
