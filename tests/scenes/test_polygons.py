import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry import InputError
from rmp3d.scenes import polygons
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


@pytest.mark.parametrize("count", [6, 12, 24])
@pytest.mark.parametrize("inner", [1.0, 0.5])
def test_last_bits_do_not_decide_how_a_regular_polygon_is_cut(count, inner):
    angle = np.arange(count) * 2 * np.pi / count + 0.3
    radius = np.where(np.arange(count) % 2, inner, 1.0)
    corners = np.stack([radius * np.cos(angle) + 5, radius * np.sin(angle) - 3, angle * 0], 1)
    rng, rows = np.random.default_rng(0), np.arange(count)
    for _ in range(10):
        moved = np.nextafter(corners, rng.choice([-np.inf, np.inf], corners.shape))
        assert np.array_equal(triangulate(moved), triangulate(corners))
        at_once, _ = triangulate_all(moved, rows, np.array([count]))
        assert np.array_equal(at_once, triangulate_all(corners, rows, np.array([count]))[0])


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


def ring(radii):
    angle = np.arange(len(radii)) * 2 * np.pi / len(radii)
    return radii[:, None] * np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)


def comb(teeth):
    x = np.arange(4 * teeth) // 2 * 1.0
    y = np.tile([0.0, 1.0, 1.0, 0.0], teeth)
    return np.stack([[*x, x[-1], 0.0], [*y, -1.0, -1.0], np.zeros(len(x) + 2)], 1)


@pytest.mark.parametrize(
    "corners", [ring(np.where(np.arange(20_000) % 2, 0.6, 1.0)), comb(5000)], ids=["star", "comb"]
)
def test_twenty_thousand_corners_are_cut_exactly(corners):
    """Each of them was looked at for each triangle before; this took minutes."""
    parts = areas(corners, triangulate(corners))[:, 2]
    x, y = corners[:, 0], corners[:, 1]
    whole = (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2
    assert parts.sum() == pytest.approx(whole)
    assert np.abs(parts).sum() == pytest.approx(abs(whole))


def test_many_small_concave_polygons_are_cut_at_once():
    points = np.array([[0, 0, 0], [2, 0, 0], [0.1, 0.1, 0], [0, 2, 0]], float)
    faces, owner = triangulate_all(points, np.tile(np.arange(4), 5_000), np.full(5_000, 4))
    assert np.array_equal(owner, np.repeat(np.arange(5_000), 2))
    assert np.array_equal(faces.reshape(-1, 2, 3), np.tile(triangulate(points), (5_000, 1, 1)))


@given(st.lists(st.tuples(*[st.floats()] * 3), min_size=4, max_size=30))
def test_corners_without_any_order_or_sense_end_too(corners):
    with np.errstate(all="ignore"):
        faces = triangulate(np.array(corners))
    assert faces.shape == (len(corners) - 2, 3)
    assert 0 <= faces.min()
    assert faces.max() < len(corners)


def test_a_polygon_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(polygons, "BUDGET", 100_000)
    with pytest.raises(InputError, match="up to 2,000 corners would take minutes"):
        triangulate(ring(np.where(np.arange(2000) % 2, 0.6, 1.0)))


@pytest.mark.parametrize("seed", range(6))
def test_few_and_many_corners_are_cut_by_the_same_lines(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, 60))
    ring = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    ring *= rng.choice([1.0, 0.4, rng.random()], (60, 1))
    by_python = triangulate(ring)
    monkeypatch.setattr(polygons, "FEW", 0)
    np.testing.assert_array_equal(triangulate(ring), by_python)
