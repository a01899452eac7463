import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.kernels import KernelBackend
from rmp3d.planner.collision.nearby import NearTriangles


def soup(rng, count):
    corners = rng.uniform(-20.0, 20.0, (count, 1, 3)) + rng.normal(0.0, 0.7, (count, 3, 3))
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


@pytest.mark.parametrize("flat", [False, True], ids=["soup", "one line of triangles"])
def test_every_triangle_that_refuses_a_motion_is_near_it(flat):
    rng = np.random.default_rng(3)
    mesh = soup(rng, 3000)
    if flat:  # all in one column of cells
        mesh = TriangleMesh(mesh.vertices * [1.0, 0.0, 1.0], mesh.faces)
    points = np.cumsum(rng.normal(0.0, 2.0, (150, 3)), axis=0) * [1.0, 0.02 if flat else 1.0, 1.0]
    start, end = points[:-1], points[1:]
    reach = np.array([[-0.5, -0.5, -0.2], [0.5, 0.5, 1.9]])
    rows = NearTriangles(mesh).of_motions(start, end, reach)
    assert 0 < len(rows) < (len(mesh.faces) if flat else 0.2 * len(mesh.faces))
    for face in np.setdiff1d(np.arange(len(mesh.faces)), rows)[:: 20 if not flat else 3]:
        one = KernelBackend(mesh.select([face]), (), (0.3, 1.4), 0.5, 1e-9, QueryCounts())
        assert (one.sweep(start, end) < 0).all()


def test_none_is_near_a_motion_far_away():
    mesh = soup(np.random.default_rng(4), 10)
    away = np.full((1, 3), 500.0)
    assert len(NearTriangles(mesh).of_motions(away, away, np.zeros((2, 3)))) == 0
