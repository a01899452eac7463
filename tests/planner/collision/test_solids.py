import numpy as np
import pytest

from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.collision import solids as module
from rmp3d.planner.collision.solids import Solids
from rmp3d.scenes.build.shapes import box


@pytest.fixture
def boxes():
    """Return closed boxes, some of which overlap or contain others, and points around them."""
    rng = np.random.default_rng(8)
    low = rng.uniform(0.0, 10.0, (12, 3))
    return [box(a, a + rng.uniform(0.5, 5.0, 3)) for a in low], rng.uniform(0.0, 12.0, (700, 3))


def first_around(meshes, points):
    """Return the first mesh (M,) that contains each point, -1 for none, one mesh after another."""
    inside = np.array([MeshQuery(mesh).contains(points) for mesh in meshes])
    return np.where(inside.any(axis=0), inside.argmax(axis=0), -1)


@pytest.mark.parametrize("most", [1, 10**9])
def test_the_first_solid_is_found_in_a_table_and_in_order(boxes, monkeypatch, most):
    monkeypatch.setattr(module, "MOST_PAIRS", most)
    meshes, points = boxes
    solids = Solids(meshes, [MeshQuery(mesh).contains for mesh in meshes])
    np.testing.assert_array_equal(solids.around(points), first_around(meshes, points))


def test_without_solids_nothing_is_around():
    assert (Solids([], []).around(np.zeros((3, 3))) == -1).all()
