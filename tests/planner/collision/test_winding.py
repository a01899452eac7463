import numpy as np
import pytest
import trimesh

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.collision.winding import is_inside, winding_number


def test_winding_number_of_a_torus_is_one_in_its_tube_and_zero_elsewhere():
    shape = trimesh.creation.torus(2.0, 0.5, 24, 16)
    mesh = TriangleMesh(shape.vertices, shape.faces)
    points = np.random.default_rng(0).uniform(-3, 3, (300, 3)) * [1, 1, 0.3]
    to_tube = np.hypot(np.hypot(points[:, 0], points[:, 1]) - 2.0, points[:, 2])
    clear = np.abs(to_tube - 0.5) > 0.06  # the mesh is not quite the torus
    expected = (to_tube < 0.5).astype(float)
    np.testing.assert_allclose(winding_number(mesh, points)[clear], expected[clear], atol=1e-9)


def test_inside_does_not_depend_on_which_way_faces_turn():
    shape = trimesh.creation.box([2, 2, 2])
    points = np.array([[0.0, 0, 0], [0.9, -0.9, 0.9], [1.1, 0, 0]])
    for faces in (shape.faces, shape.faces[:, ::-1]):
        inside = is_inside(TriangleMesh(shape.vertices, faces), points)
        assert inside.tolist() == [True, True, False]


@pytest.mark.parametrize("count", [0, 1])
def test_winding_number_of_few_points(count):
    shape = trimesh.creation.box([2, 2, 2])
    mesh = TriangleMesh(shape.vertices, shape.faces)
    assert winding_number(mesh, np.zeros((count, 3))).shape == (count,)
