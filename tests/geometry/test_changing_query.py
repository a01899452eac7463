"""A query of a mesh and of triangles that come and go answers as one of them all."""

import numpy as np
import pytest

from rmp3d.geometry.changing_query import ChangingQuery
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery


def triangles(count, rng):
    return rng.uniform(-5.0, 5.0, (count, 1, 3)) + rng.normal(0.0, 0.3, (count, 3, 3))


def query_of(corners):
    return MeshQuery(
        TriangleMesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    )


@pytest.mark.parametrize("fixed", [0, 1, 6, 300])
def test_answers_are_those_of_all_triangles_however_often_these_change(fixed):
    rng = np.random.default_rng(fixed)
    base = triangles(fixed, rng)
    changing = ChangingQuery(query_of(base) if fixed else None)
    points = rng.uniform(-6.0, 6.0, (60, 3))
    ways = rng.normal(size=(60, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    for count in (3, 900, 1, 0, 40):
        others = triangles(count, rng)
        changing.put(others)
        if fixed + count == 0:
            assert (changing.nearest(points, (0.0, 1.0), 2.0)[0] == 2.0).all()
            continue
        both = query_of(np.concatenate([base, others]))
        distance, _, face = changing.nearest(points, (0.0, 1.0))
        expected, _, expected_face = both.nearest(points, (0.0, 1.0))
        np.testing.assert_array_equal(distance, expected)
        np.testing.assert_array_equal(face, expected_face)
        np.testing.assert_array_equal(
            changing.cast_ray(points, ways, 9.0)[0], both.cast_ray(points, ways, 9.0)[0]
        )
        np.testing.assert_array_equal(
            changing.sweep_capsule(points, points + ways, (0.0, 1.0), 0.1)[0],
            both.sweep_capsule(points, points + ways, (0.0, 1.0), 0.1)[0],
        )
        np.testing.assert_array_equal(changing.mesh.triangles, both.mesh.triangles)
