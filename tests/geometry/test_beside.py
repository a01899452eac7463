"""Distances in plan to what is in a layer of heights."""

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.beside import distance_beside
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery

CAP = 2.0


def by_samples(triangles, point, low, high):
    """Return the distance (K,) in plan of a point to many points of triangles in a layer."""
    share = np.linspace(0.0, 1.0, 60)
    b, c = (each.ravel() for each in np.meshgrid(share, share))
    weight = np.stack([1.0 - b, b * (1.0 - c), b * c], axis=1)
    points = np.einsum("pk,tkx->tpx", weight, triangles).reshape(-1, 3)
    inside = (points[:, 2] >= low) & (points[:, 2] <= high)
    gap = np.hypot(*(points[inside, :2] - point[:2]).T)
    return min(CAP, float(gap.min(initial=CAP)))


def soup(rng, count):
    corners = rng.uniform(-2.0, 2.0, (count, 1, 3)) + rng.uniform(-0.5, 0.5, (count, 3, 3))
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


@pytest.mark.parametrize("count", [1, 30])
def test_no_sample_in_the_layer_is_nearer_and_one_is_hardly_farther(count):
    rng = np.random.default_rng(count)
    mesh = soup(rng, count)
    points = rng.uniform(-2.0, 2.0, (60, 3))
    low, high = points[:, 2], points[:, 2] + rng.uniform(0.2, 1.5, 60)
    found = distance_beside(MeshQuery(mesh).arrays, points, low, high, CAP)
    sampled = [
        by_samples(mesh.triangles.reshape(-1, 3, 3), *row)
        for row in zip(points, low, high, strict=True)
    ]
    assert (found <= np.array(sampled) + 1e-12).all()
    # Samples are at most 1/59 of a side of 1.7 m apart; a tip in the layer may lie between.
    assert np.mean(found >= np.array(sampled) - 0.04) > 0.95
    assert 0.0 < np.mean(found < CAP) <= 1.0


def test_a_tilted_layer_sees_what_a_level_one_sees_of_the_scene_without_the_tilt():
    rng = np.random.default_rng(3)
    mesh = soup(rng, 30)
    points, tilt = rng.uniform(-2.0, 2.0, (60, 3)), rng.uniform(-1.0, 1.0, (60, 2))
    low, high = points[:, 2], points[:, 2] + rng.uniform(0.2, 1.5, 60)
    found = distance_beside(MeshQuery(mesh).arrays, points, low, high, CAP, tilt)
    for k in range(60):
        plane = (mesh.vertices - points[k])[:, :2] @ tilt[k]
        upright = TriangleMesh(mesh.vertices - plane[:, None] * [0.0, 0.0, 1.0], mesh.faces)
        at = points[k : k + 1], low[k : k + 1], high[k : k + 1]
        expected = distance_beside(MeshQuery(upright).arrays, *at, CAP)
        np.testing.assert_allclose(found[k], expected[0], atol=1e-9)
    assert 0.1 < np.mean((found > 0.0) & (found < CAP))


def test_a_box_counts_where_it_is_in_the_layer_and_not_where_it_ends_below():
    shape = trimesh.creation.box([2.0, 2.0, 1.0])
    mesh = MeshQuery(TriangleMesh(shape.vertices, shape.faces)).arrays
    points = np.array([[2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.3, 0.2, 0.0]])

    def at(low, high):
        return distance_beside(mesh, points, np.full(3, low), np.full(3, high), 9.0)

    np.testing.assert_allclose(at(0.0, 0.4), [1.0, np.sqrt(2.0), 0.7], atol=1e-12)
    np.testing.assert_allclose(at(0.3, 0.9), [1.0, np.sqrt(2.0), 0.0], atol=1e-12)
    np.testing.assert_array_equal(at(0.51, 3.0), 9.0)
    np.testing.assert_array_equal(at(-3.0, -0.51), 9.0)
    assert len(distance_beside(mesh, points[:0], np.zeros(0), np.zeros(0), 9.0)) == 0


def test_what_is_seen_edge_on_has_no_inside():
    """Rounding must not make a wall askew cover what is in line with it."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0.0, 2.0 * np.pi, 500)
    along = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    corners = np.stack([along, 2.0 * along, 1.5 * along + [0.0, 0.0, 1.0]], axis=1)
    far = [
        distance_beside(
            MeshQuery(TriangleMesh(wall, np.array([[0, 1, 2]]))).arrays,
            np.array([3.0 * way]), np.array([0.2]), np.array([0.7]), 9.0,
        )[0]
        for wall, way in zip(corners, along, strict=True)
    ]  # fmt: skip
    np.testing.assert_allclose(far, 1.1, atol=1e-9)
