"""Distances to the triangles of a scene, by trimesh."""

import numpy as np
import pytest
import trimesh


@pytest.fixture
def nearest_per_face():
    """A function that returns the distance (M, F) and nearest point (M, F, 3) of each face."""

    def find(points, mesh):
        triangles = np.repeat(mesh.triangles[None], len(points), axis=0).reshape(-1, 3, 3)
        rows = np.repeat(points, len(mesh.faces), axis=0)
        nearest = trimesh.triangles.closest_point(triangles, rows).reshape(len(points), -1, 3)
        return np.linalg.norm(nearest - points[:, None], axis=2), nearest

    return find
