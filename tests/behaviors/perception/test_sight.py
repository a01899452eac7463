"""Lines of sight against the nearest hits of rays."""

import numpy as np
import pytest

from rmp3d.behaviors.perception.sight import lines_are_clear
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery


@pytest.mark.parametrize("seed", range(3))
def test_a_line_is_clear_where_the_ray_hits_nothing_before_its_end(seed):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(-5, 5, (300, 1, 3)) + rng.normal(0, 0.6, (300, 3, 3))
    query = MeshQuery(TriangleMesh(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3)))
    start = rng.uniform(-6, 6, (400, 3))
    end = start + rng.normal(0, 3, start.shape)
    size = np.linalg.norm(end - start, axis=1)
    distance, _ = query.cast_ray(start, (end - start) / size[:, None])
    clear = lines_are_clear(query, start, end)
    np.testing.assert_array_equal(clear, distance > size)
    assert clear.any()
    assert not clear.all()


def test_lines_along_the_axes_through_the_sides_of_boxes_are_told_exactly(make):
    query = MeshQuery(make.box([1, -1, -1], [2, 1, 1]))
    start = np.zeros((4, 3))
    end = np.array([[3.0, 0, 0], [0.99, 0, 0], [0, 5, 0], [3, 0, 4]])
    assert lines_are_clear(query, start, end).tolist() == [False, True, True, True]
    assert lines_are_clear(query, start, start).all()
