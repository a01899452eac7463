import numpy as np
import pytest

from rmp3d.geometry.query import MeshQuery
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


def test_the_first_solid_is_found(boxes):
    meshes, points = boxes
    solids = Solids(meshes, [MeshQuery(mesh).contains for mesh in meshes])
    np.testing.assert_array_equal(solids.around(points), first_around(meshes, points))


def test_points_outside_of_all_boxes_and_on_their_faces_are_sorted_into_cells_too(boxes):
    meshes, _ = boxes
    solids = Solids(meshes, [lambda points: np.ones(len(points), np.bool_)] * len(meshes))
    corners = np.concatenate([mesh.bounds for mesh in meshes])
    far = np.array([[-1e300, 0.0, 0.0], [0.0, 1e300, 0.0], [np.nan, 1.0, 1.0]])
    assert (solids.around(corners) >= 0).all()
    assert (solids.around(far) == -1).all()


def test_without_solids_nothing_is_around():
    assert (Solids([], []).around(np.zeros((3, 3))) == -1).all()
