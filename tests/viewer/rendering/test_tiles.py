import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.viewer import Camera
from rmp3d.viewer.rendering.sun import SUN_DIRECTION
from rmp3d.viewer.rendering.tiles import TILE, covered, runs, shaded_boxes

SIZE = (203, 117)  # no whole number of tiles
# Without numbers so small that dividing by the size of a tile makes them zero.
coordinates = st.floats(-60.0, 260.0, allow_subnormal=False)
boxes = st.lists(st.tuples(coordinates, coordinates, coordinates, coordinates), max_size=12)


def pixels_of(rows):
    seen = np.zeros(SIZE[::-1], np.int64)
    for left, bottom, right, top in rows.astype(int):
        seen[bottom:top, left:right] += 1
    return seen


@given(boxes)
def test_every_pixel_of_a_box_is_covered_once_and_tiles_without_a_box_are_not(corners):
    drawn = np.array(corners, float).reshape(-1, 2, 2)
    low, high = drawn.min(axis=1), drawn.max(axis=1)
    rows = np.concatenate([low, high], axis=1)
    seen = pixels_of(runs(covered(rows, SIZE)))
    for y in range(0, SIZE[1], TILE):
        for x in range(0, SIZE[0], TILE):
            touched = (
                (low[:, 0] < x + TILE) & (high[:, 0] >= x) & (low[:, 1] < y + TILE)
                & (high[:, 1] >= y)
            ).any()  # fmt: skip
            assert (seen[y : y + TILE, x : x + TILE] == int(touched)).all()


@pytest.mark.parametrize("elevation", [0.3, 1.0, np.pi / 2])
def test_shadows_of_balls_lie_in_the_boxes(elevation):
    rng = np.random.default_rng(0)
    camera = Camera(target=np.zeros(3), distance=40.0, elevation=elevation)
    center = rng.uniform([-12, -7, 1], [12, 7, 6], (30, 3))
    radius = rng.uniform(0.1, 1.0, 30)
    rows = shaded_boxes(center, center, radius, 0.0, camera, SIZE)
    assert rows is not None
    tiles = covered(rows, SIZE)
    around = rng.normal(size=(200, 3))
    surface = around / np.linalg.norm(around, axis=1)[:, None]
    for at, reach in zip(center, radius, strict=True):
        points = at + reach * surface
        share = rng.uniform(0.0, 1.0, (200, 1))
        fallen = points - share * points[:, 2:] / SUN_DIRECTION[2] * SUN_DIRECTION
        pixel = camera.project(fallen[points[:, 2] > 0], SIZE)[0]
        inside = ((pixel >= 0) & (pixel < SIZE)).all(axis=1)
        column, row = (pixel[inside] // TILE).astype(int).T
        assert tiles[row, column].all()
    assert not tiles.all()


def test_no_boxes_are_known_for_what_is_beside_the_eye():
    camera = Camera(target=np.zeros(3), distance=5.0)
    ends = np.array([[0.0, 0.0, 1.0], camera.eye])
    assert shaded_boxes(ends, ends, np.full(2, 0.3), 0.0, camera, SIZE) is None


def test_nobody_covers_nothing():
    none = np.empty((0, 3))
    rows = shaded_boxes(none, none, np.empty(0), 0.0, Camera(), SIZE)
    assert rows.shape == (0, 4)
    assert runs(covered(rows, SIZE)).shape == (0, 4)
