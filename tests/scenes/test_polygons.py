import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.polygons import triangulate


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
