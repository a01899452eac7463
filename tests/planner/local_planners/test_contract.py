"""What every registered local planner promises."""

import numpy as np
import pytest

from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces import SPACES, make_space
from rmp3d.planner.spaces.bounds import in_bounds


@pytest.fixture(params=[*SPACES, "planar"])
def space(request, rooms, walker, make_body):
    if request.param == "planar":
        plane = np.array([[-10.0, -5, 0.1], [10, 5, 0.1]])
        return make_space("translation", rooms, walker, bounds=plane)
    if request.param == "rigid":
        bounds = np.array([[-9.0, -5, 0], [9, 5, 2.5]])
        return make_space("rigid", rooms, make_body((0.6, 0.4, 0.2)), bounds=bounds)
    return make_space(request.param, rooms, walker)


@pytest.mark.parametrize("name", LOCAL_PLANNERS)
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


@pytest.mark.parametrize("name", LOCAL_PLANNERS)
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


@pytest.mark.parametrize("name", LOCAL_PLANNERS)
def test_a_configuration_is_joined_to_itself(space, name):
    point = space.place(np.array([5.0, 0, 1.0]))[None]
    (way,) = LOCAL_PLANNERS[name]().connect(space, point, point)
    np.testing.assert_array_equal(way, np.concatenate([point, point]))


@pytest.mark.parametrize("name", LOCAL_PLANNERS)
def test_nothing_to_join(space, name):
    none = np.zeros((0, space.width))
    assert LOCAL_PLANNERS[name]().connect(space, none, none) == []
