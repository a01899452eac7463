"""How many triangles queries look at, against a count over all leaves."""

import numpy as np

from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.looks import mean_looks, mean_looks_up
from rmp3d.geometry.query import MeshQuery


def fan(count: int, seed: int = 0) -> TriangleMesh:
    """Steep triangles that all cross in one place."""
    angle = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, count)
    side = 5.0 * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    corners = np.stack([side, -side, np.tile([0.0, 0.0, 4.0], (count, 1))], axis=1)
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def test_looks_are_the_triangles_of_leaves_nearer_than_the_nearest_triangle():
    query = MeshQuery(fan(100))
    points = np.random.default_rng(1).uniform(-6.0, 6.0, (40, 3))
    distance = query.nearest(points, (0.1, 0.5), 2.0)[0]
    tree = query.tree
    box, size = tree.boxes[tree.first_leaf :], np.diff(tree.ranges[tree.first_leaf :])[:, 0]
    low, high = points + np.array([0, 0, 0.1]), points + np.array([0, 0, 0.5])
    off = np.maximum(
        np.maximum(box[None, :, :3] - high[:, None], low[:, None] - box[None, :, 3:]), 0
    )
    counted = ((off**2).sum(axis=2) <= distance[:, None] ** 2) @ size
    looks, near = mean_looks(query, points, (0.1, 0.5), 2.0)
    assert looks == counted.mean()
    assert near == (distance <= 1.0).mean()


def test_a_point_amid_crossing_triangles_looks_at_most_of_them():
    query = MeshQuery(fan(200))
    assert mean_looks(query, np.zeros((3, 3)), (0.0, 1.0), 1.0)[0] > 100.0
    assert mean_looks_up(query, np.array([[0.0, 0.0, -1.0]])) > 100.0
    assert mean_looks_up(query, np.array([[30.0, 0.0, -1.0]])) == 0.0


def test_no_points_look_at_nothing():
    assert mean_looks(MeshQuery(fan(5)), np.zeros((0, 3)), (0.0, 1.0), 1.0) == (0.0, 0.0)
