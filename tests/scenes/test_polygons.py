import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.scenes.polygons import triangulate, triangulate_all


def areas(corners, faces):
    a, b, c = np.moveaxis(corners[faces], 1, 0)
    return np.cross(b - a, c - a) / 2


@given(st.lists(st.floats(0.2, 1.0), min_size=3, max_size=20), st.integers(0, 2), st.booleans())
def test_a_star_shaped_polygon_is_covered_once(radii, axis, backward):
    angle = np.arange(len(radii)) * 2 * np.pi / len(radii)
    flat = np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    corners = np.insert(flat, axis, 0.5, axis=1)[:: -1 if backward else 1]
    faces = triangulate(corners)
    parts = areas(corners, faces)
    after = np.roll(corners, -1, axis=0)
    newell = np.cross(corners, after).sum(axis=0) / 2
    newell = np.where(np.arange(3) == axis, newell, 0.0)
    assert faces.shape == (len(radii) - 2, 3)
    assert parts.sum(axis=0)[axis] == pytest.approx(newell[axis])
    assert np.abs(parts[:, axis]).sum() == pytest.approx(abs(newell[axis]))


def test_a_doorway_is_left_open():
    outline = [(0, 0), (1, 0), (1, 2), (2, 2), (2, 0), (3, 0), (3, 3), (0, 3)]
    corners = np.array([(x, 0.0, z) for x, z in outline], float)
    parts = areas(corners, triangulate(corners))
    assert np.abs(parts[:, 1]).sum() == pytest.approx(7.0)


@given(
    st.lists(st.lists(st.floats(0.2, 1.0), min_size=3, max_size=7), max_size=8),
    st.integers(0, 2),
    st.booleans(),
)
def test_many_polygons_are_cut_as_one_by_one(polygons, axis, backward):
    rings = []
    for radii in polygons:
        angle = np.arange(len(radii)) * 2 * np.pi / len(radii)
        flat = np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
        rings.append(np.insert(flat, axis, 0.5, axis=1)[:: -1 if backward else 1])
    count = np.array([len(ring) for ring in rings], np.intp)
    points = np.concatenate([np.empty((0, 3)), *rings])
    faces, owner = triangulate_all(points, np.arange(len(points)), count)
    assert np.array_equal(owner, np.repeat(np.arange(len(rings)), count - 2))
    for row, ring in enumerate(rings):
        parts = areas(points, faces[owner == row])[:, axis]
        alone = areas(ring, triangulate(ring))[:, axis]
        assert parts.sum() == pytest.approx(alone.sum())
        assert np.abs(parts).sum() == pytest.approx(np.abs(alone).sum())


def test_a_polygon_far_from_the_origin_is_cut_the_right_way():
    outline = np.array([(0, 0), (1, 0), (1, 2), (2, 2), (2, 0), (3, 0), (3, 3), (0, 3)], float)
    corners = np.insert(outline * 0.01 + 5e6, 2, 5e6, axis=1)
    assert areas(corners, triangulate(corners))[:, 2].sum() == pytest.approx(7e-4, rel=1e-3)
