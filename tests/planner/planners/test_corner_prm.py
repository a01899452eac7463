import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.corner_prm import CornerPRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.corners import corner_roadmap, corners_of
from rmp3d.planner.roadmap.search import shortest_route
from rmp3d.planner.spaces import make_space


def length(points):
    return np.linalg.norm(np.diff(points, axis=0), axis=1).sum()


def test_the_way_around_a_block_is_the_shortest_but_for_the_room_at_its_corners(make, walker):
    block = make.box("block", (-2, -9, 0), (2, 3, 2))
    scene = make.scene(
        make.floor((-10, -10), (10, 10)), block, bounds=((-10, -10, -1), (10, 10, 4))
    )
    space = make_space("ground", scene, walker)
    way = shortest_route(corner_roadmap(space), np.array([-6.0, 0, 0]), np.array([6.0, 0, 0]))
    # Of a body without width, and of one that passes corners with a quarter of its radius to spare.
    aside = 1.25 * walker.radius
    wide = 2 * np.hypot(4 - aside, 3 + aside) + 4 + 2 * aside
    assert 2 * np.hypot(4, 3) + 4 < length(way) <= wide


def test_corners_are_found_on_every_level(make, walker):
    deck = make.box("deck", (-5, -5, 2.8), (5, 5, 3), role="ground")
    post = make.box("post", (-1, -1, -1), (1, 1, 9))
    scene = make.scene(make.floor((-9, -9), (9, 9)), deck, post, bounds=((-9, -9, -1), (9, 9, 9)))
    places = corners_of(make_space("ground", scene, walker)).places
    for z in (0.0, 3.0):
        near = places[np.abs(places[:, 2] - z) < 1e-6, :2]
        beside = (
            np.abs(np.abs(near) - 1.0 - 1.125 * walker.radius).max(axis=1) < 0.125 * walker.radius
        )
        assert beside.sum() == 4


def test_ways_over_and_under_a_bridge_are_found(bridge, walker):
    space = make_space("ground", bridge, walker)
    for start, goal in (([-9, 0, 0.3], [9, 0, 0.3]), ([0, -6, 0], [0, 6, 0])):
        result = plan(Problem(space, np.array(start), np.array(goal)), planner="corner_prm")
        assert result.certified


def test_without_corners_the_roadmap_grows_from_samples(make, walker):
    scene = make.scene(make.floor((-5, -5), (5, 5)), bounds=((-5, -5, -1), (5, 5, 3)))
    space = make_space("ground", scene, walker)
    found = plan(
        Problem(space, np.array([-4.0, 0, 0]), np.array([4.0, 0, 0])),
        planner=CornerPRM(nodes=20),
    )
    assert found.certified
    assert len(found.roadmap.configurations) >= 4


def test_flyers_are_refused_with_the_planner_to_take(rooms, walker):
    space = make_space("translation", rooms, walker)
    with pytest.raises(InputError, match="take the planner `prm`"):
        plan(Problem(space, np.array([-8.0, 0, 2]), np.array([8.0, 0, 2])), planner="corner_prm")
