import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces import TranslationSpace, make_space


@pytest.fixture
def walled(make, flyer):
    scene = make.scene(make.box("wall", (-0.1, -10, -1), (0.1, 10, 2)))
    return make_space("translation", scene, flyer)


def test_the_unit_cube_maps_to_the_box(walled):
    corners = walled.from_unit_cube(np.array([[0.0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5]]))
    np.testing.assert_allclose(corners[:2], walled.bounds)
    np.testing.assert_allclose(corners[2], walled.bounds.mean(axis=0))


def test_equal_z_bounds_make_it_planar(make, flyer):
    scene = make.scene(make.box("b", (3, 3, 0), (4, 4, 1)))
    world = CollisionWorld(scene, flyer, flying=True)
    space = TranslationSpace(world, np.array([[-5, -5, 1.0], [5, 5, 1.0]]))
    assert space.dimension == 2
    assert (space.from_unit_cube(np.random.default_rng(0).random((50, 2)))[:, 2] == 1.0).all()
    moved, arrived = space.move(np.array([[0, 0, 1.0]]), np.array([[1.0, 0, 3.0]]))
    assert moved.tolist() == [[1.0, 0.0, 1.0]]
    assert arrived.all()
    assert space.place(np.array([1.0, 2.0, 9.0])).tolist() == [1.0, 2.0, 1.0]


def test_connect_gives_segments_where_free_and_none_elsewhere(walled):
    start = np.array([[-3.0, 0, 0], [-3, 0, 0], [-3, 0, 3], [-3, 0, 0]])
    end = np.array([[-1.0, 5, 1], [3, 0, 0], [3, 0, 3], [-30, 0, 0]])
    ways = walled.connect(start, end)
    assert [way is not None for way in ways] == [True, False, True, False]
    np.testing.assert_array_equal(ways[0], [start[0], end[0]])


def test_free_means_within_bounds_and_clear(walled):
    points = np.array([[-3.0, 0, 0], [0, 0, 0], [-10.5, 0, 0]])
    assert walled.is_free(points).tolist() == [True, False, False]


def test_moving_stops_at_the_bounds(walled):
    moved, arrived = walled.move(np.array([[9.0, 0, 0]]), np.array([[5.0, 1, 0]]))
    assert moved.tolist() == [[10.0, 1.0, 0.0]]
    assert not arrived[0]


def test_placing_says_what_is_wrong(walled):
    with pytest.raises(PlacementError, match="out of bounds") as caught:
        walled.place(np.array([11.0, 0, 0]))
    assert caught.value.reason == "out of bounds"
    with pytest.raises(PlacementError, match="in collision with `wall`") as caught:
        walled.place(np.array([0.3, 0, 0]))
    assert caught.value.part == "wall"


def test_bad_bounds_are_refused(make, flyer):
    world = CollisionWorld(make.scene(make.box("b", (3, 3, 0), (4, 4, 1))), flyer)
    with pytest.raises(InputError, match="lower to upper"):
        TranslationSpace(world, np.array([[0, 0, 0], [1, -1, 1.0]]))
    with pytest.raises(InputError, match="finite"):
        TranslationSpace(world, np.array([[0, 0, 0], [1, np.inf, 1.0]]))
