"""Thousands of steps over the uneven and the two-level scene: never off it, never to another level.

The judges know nothing of how walks are made: a closed form for the distance to one triangle,
trimesh for the distance to all, and the steepest slope for what a step can climb.
"""

from pathlib import Path

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length
from rmp3d.scenes import SceneDescription, load_scene


@pytest.fixture(scope="module", params=["rock_valley", "city"])
def surface(request):
    return WalkableSurface(load_scene(SceneDescription(name=request.param), Path()).walkable)


def distance_to_segments(point, ends):
    """Distances (...) from points (..., 3) to segments (..., 2, 3)."""
    start, along = ends[..., 0, :], ends[..., 1, :] - ends[..., 0, :]
    share = ((point - start) * along).sum(axis=-1) / (along**2).sum(axis=-1)
    return length(point - start - np.clip(share, 0.0, 1.0)[..., None] * along)


def distance_to_triangles(point, triangle):
    """Distances (M,) from points to triangles (M, 3, 3): to the plane inside, else to an edge."""
    a = triangle[:, 0]
    normal = np.cross(triangle[:, 1] - a, triangle[:, 2] - a)
    normal /= length(normal)[:, None]
    height = np.einsum("ij,ij->i", point - a, normal)
    inside = np.ones(len(point), bool)
    nearest = np.full(len(point), np.inf)
    for k in range(3):
        ends = triangle[:, [k, (k + 1) % 3]]
        left = np.cross(ends[:, 1] - ends[:, 0], point - ends[:, 0])
        inside &= np.einsum("ij,ij->i", left, normal) >= 0.0
        nearest = np.minimum(nearest, distance_to_segments(point, ends))
    return np.where(inside, np.abs(height), nearest)


def wanderers(surface, count, rng):
    area = np.cumsum(surface.mesh.areas)
    face = np.searchsorted(area, rng.uniform(0.0, area[-1], count))
    share = rng.dirichlet([1.0, 1.0, 1.0], count)
    return np.einsum("ij,ijk->ik", share, surface.mesh.triangles[face]), face


@pytest.mark.slow
@pytest.mark.parametrize("longest", [0.15, 6.0])
def test_wanderers_stay_on_the_surface_and_on_their_level(surface, longest):
    rng = np.random.default_rng(0)
    point, face = wanderers(surface, 400, rng)
    angle = rng.uniform(0.0, 2 * np.pi, len(point))
    stride = rng.uniform(0.0, longest, len(point))
    steepest = np.tan(np.arccos(surface.mesh.normals[:, 2].min()))
    ends = []
    for _ in range(125):
        angle += 0.3 * rng.normal(size=len(point))
        way = stride[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        after, face, arrived = surface.walk(point, face, way)
        assert distance_to_triangles(after, surface.mesh.triangles[face]).max() < 1e-9
        moved = after - point
        across = length(moved[:, :2])
        assert (across <= stride + 1e-9).all()
        assert (np.abs(moved[:, 2]) <= steepest * across + 1e-9).all()
        np.testing.assert_allclose(moved[arrived, :2], way[arrived], atol=1e-9)
        ends.append(after[~arrived])
        angle[~arrived] += np.pi
        point = after
    stopped = np.concatenate(ends)
    assert len(stopped) > 50
    gap = distance_to_segments(stopped[-2000:, None], surface.border[None])
    assert (gap.min(axis=1) < 2e-3).all(), "walks end at a border only"
    walkable = trimesh.Trimesh(surface.mesh.vertices, surface.mesh.faces, process=False)
    _, distance, _ = trimesh.proximity.closest_point_naive(walkable, point)
    assert distance.max() < 1e-6
    assert np.ptp(point[:, 2]) > 2.0, "they are on several levels, or up the slopes"
