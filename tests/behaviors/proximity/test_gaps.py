import numpy as np
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import distance

from rmp3d.behaviors.proximity.gaps import clearances, smallest_gap
from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.query import MeshQuery


@given(st.integers(0, 2**32 - 1))
def test_it_agrees_with_points_along_the_axes(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 12))
    position = rng.uniform(0, 6, (count, 3))
    radius = rng.uniform(0.1, 0.4, count)
    capsule_axis = np.sort(rng.uniform(-1, 1, (count, 2)), axis=1)
    share = np.linspace(0, 1, 201)
    axes = position[:, None] + np.outer(share, [0, 0, 1]) * 0
    axes[:, :, 2] += capsule_axis[:, :1] + share * np.ptp(capsule_axis, axis=1)[:, None]
    brute = min(
        distance.cdist(axes[i], axes[j]).min() - radius[i] - radius[j]
        for i in range(count)
        for j in range(i)
    )
    found = smallest_gap(position, radius, capsule_axis, reach=20.0)
    assert abs(found - brute) < 6e-3  # the spacing of the points, 1 cm at most


def test_a_gap_beyond_reach_and_a_single_body_have_none():
    position = np.array([[0.0, 0, 0], [5.0, 0, 0]])
    radius, capsule_axis = np.full(2, 0.5), np.zeros((2, 2))
    assert smallest_gap(position, radius, capsule_axis, reach=4.1) == 4.0
    assert smallest_gap(position, radius, capsule_axis, 20.0, np.zeros(len(radius), int)) == np.inf
    assert smallest_gap(position, radius, capsule_axis, reach=3.9) == np.inf
    assert smallest_gap(position[:1], radius[:1], capsule_axis[:1]) == np.inf


def test_clearances_of_mixed_bodies_are_those_of_each_alone():
    rng = np.random.default_rng(4)
    shape = trimesh.creation.box([2.0, 2.0, 2.0])
    query = MeshQuery(TriangleMesh(shape.vertices, shape.faces))
    position = rng.uniform(-4, 4, (30, 3))
    kind = rng.integers(0, 3, 30)
    radius, low = np.array([0.2, 0.5, 0.5])[kind], np.array([0.2, 0.5, 0.5])[kind]
    capsule_axis = np.column_stack([low, low + np.array([1.0, 0.0, 0.4])[kind]])
    found = clearances(query, position, radius, capsule_axis, 2.5)
    alone = [
        query.capsule_clearance(position[i : i + 1], tuple(capsule_axis[i]), radius[i], 2.5)[0][0]
        for i in range(30)
    ]
    np.testing.assert_array_equal(found, alone)
    assert len(clearances(query, np.zeros((0, 3)), np.zeros(0), np.zeros((0, 2)), 1.0)) == 0
