"""What every registered local planner promises."""

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces import SPACES, GroundHeadingSpace, make_space
from rmp3d.planner.spaces.bounds import in_bounds

DRIVING = ("dubins", "reeds_shepp")


@pytest.fixture(params=[*SPACES, "planar"])
def space(request, rooms, walker, vehicle, make_body):
    if request.param == "planar":
        plane = np.array([[-10.0, -5, 0.1], [10, 5, 0.1]])
        return make_space("translation", rooms, walker, bounds=plane)
    if request.param == "rigid":
        bounds = np.array([[-9.0, -5, 0], [9, 5, 2.5]])
        return make_space("rigid", rooms, make_body((0.6, 0.4, 0.2)), bounds=bounds)
    if request.param == "ground_heading":
        return make_space(request.param, rooms, vehicle, turn_radius=1.5)
    return make_space(request.param, rooms, walker)


@pytest.fixture(params=LOCAL_PLANNERS)
def name(request, space):
    driving = isinstance(space, GroundHeadingSpace)
    if request.param in DRIVING and not driving:
        with pytest.raises(InputError, match="for vehicles with a turn radius"):
            LOCAL_PLANNERS[request.param]().sampled(space)
        pytest.skip("only vehicles drive")
    if request.param == "translation_only" and driving:
        with pytest.raises(InputError, match="a vehicle turns as it drives"):
            LOCAL_PLANNERS[request.param]().sampled(space)
        pytest.skip("a vehicle turns as it drives")
    return request.param


def test_ways_run_from_start_to_end_and_are_free(space, name):
    sampled = LOCAL_PLANNERS[name]().sampled(space)
    points = sampled.from_unit_cube(np.random.default_rng(0).random((200, sampled.dimension)))
    points = points[space.is_free(points)]
    start, end = points[: len(points) // 2], points[len(points) // 2 :][: len(points) // 2]
    ways = LOCAL_PLANNERS[name]().connect(space, start, end)
    assert len(ways) == len(start)
    found = [row for row, way in enumerate(ways) if way is not None]
    assert 0.2 * len(ways) < len(found) < len(ways)
    for row in found:
        np.testing.assert_array_equal(ways[row][[0, -1]], [start[row], end[row]])
        assert space.world.is_free(densified(ways[row], 0.05, space)).all()
        assert in_bounds(ways[row], space.bounds).all()
        space.world.confirm(ways[row])


def test_the_same_pair_gives_the_same_way(space, name):
    points = space.from_unit_cube(np.random.default_rng(1).random((40, space.dimension)))
    points = points[space.is_free(points)][:20]
    start, end = points[:10], points[10:]
    ways = LOCAL_PLANNERS[name]().connect(space, start, end)
    for row in range(10):  # alone, and among others
        (alone,) = LOCAL_PLANNERS[name]().connect(space, start[row, None], end[row, None])
        assert (alone is None) == (ways[row] is None)
        if alone is not None:
            np.testing.assert_array_equal(alone, ways[row])


def test_a_configuration_is_joined_to_itself(space, name):
    point = space.place(np.array([5.0, 0, 1.0]))[None]
    (way,) = LOCAL_PLANNERS[name]().connect(space, point, point)
    np.testing.assert_array_equal(way, np.concatenate([point, point]))


def test_nothing_to_join(space, name):
    none = np.zeros((0, space.width))
    assert LOCAL_PLANNERS[name]().connect(space, none, none) == []
