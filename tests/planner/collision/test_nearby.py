import numpy as np

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.collision.nearby import near_motions


def soup(rng, count):
    corners = rng.uniform(-20.0, 20.0, (count, 1, 3)) + rng.normal(0.0, 0.7, (count, 3, 3))
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def test_every_triangle_within_reach_of_a_motion_is_kept():
    rng = np.random.default_rng(3)
    mesh = soup(rng, 3000)
    points = np.cumsum(rng.normal(0.0, 1.0, (150, 3)), axis=0)
    reach = np.array([[-0.5, -0.5, -0.2], [0.5, 0.5, 1.9]])
    kept = near_motions(mesh, points[:-1], points[1:], reach)
    rows = {row.tobytes() for row in mesh.triangles.reshape(-1, 9)}
    near = {row.tobytes() for row in kept.triangles.reshape(-1, 9)}
    assert near < rows
    for share in np.linspace(0.0, 1.0, 5):
        places = points[:-1] + share * (points[1:] - points[:-1])  # (M, 3)
        low, high = places[:, None] + reach[0], places[:, None] + reach[1]
        lower, upper = mesh.triangles.min(axis=1), mesh.triangles.max(axis=1)
        touched = ((upper >= low) & (lower <= high)).all(axis=2).any(axis=0)
        assert {row.tobytes() for row in mesh.triangles[touched].reshape(-1, 9)} <= near


def test_one_triangle_is_left_where_none_is_near():
    mesh = soup(np.random.default_rng(4), 10)
    away = np.full((1, 3), 500.0)
    assert len(near_motions(mesh, away, away, np.zeros((2, 3))).faces) == 1
