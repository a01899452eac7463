"""A shrunk body's way leads the body itself."""

import dataclasses

import numpy as np

from rmp3d.geometry.mesh import join
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.guide import Guide
from rmp3d.planner.trees.turns import Search
from rmp3d.scenes.build.shapes import box


def guide_of(problem):
    space = RigidBodySpace.of_problem(problem)
    return Guide(space, problem.start, problem.goal, np.random.default_rng(0))


def test_its_last_way_is_free_for_the_body_itself(window):
    guide = guide_of(window)
    while not guide.is_done:
        guide.advance()
    for way in (guide.answer, guide.path):
        np.testing.assert_array_equal(way[0], window.start)
        np.testing.assert_allclose(np.linalg.norm(way[:, 3:], axis=1), 1.0)
        # The last step of the way ends at the goal, which is not always repeated.
        ends = np.concatenate([way[1:], window.goal[None]])
        assert RigidBodySpace.of_problem(window).world.motions_are_free(way, ends).all()
    np.testing.assert_array_equal(guide.answer[-1], window.goal)
    assert 0 < guide.spent


def test_a_search_that_takes_long_is_begun_afresh(window, monkeypatch):
    monkeypatch.setattr("rmp3d.planner.trees.shrunk.PATIENCE", 1.0)
    begun = []
    monkeypatch.setattr(
        "rmp3d.planner.trees.guiding_way.Search",
        lambda *args: begun.append(Search(*args)) or begun[-1],
    )
    closed = join([window.obstacles, box((-0.05, -3, -3), (0.05, 3, 3))])
    guide = guide_of(dataclasses.replace(window, obstacles=closed))
    while len(begun) < 4:
        guide.advance()
    assert not any(search.graph.is_joined for search in begun)
    assert len(guide.path) == len(guide.answer) == 0


def test_a_size_at_which_an_end_is_not_free_is_left_out(window):
    # Two metres ahead of its reference point the body is behind the wall; shrunk, in it.
    ahead = window.robot.transformed(None, np.array([2.0, 0.0, 0.0]))
    start = np.array([-0.8, 1.8, 0, 1, 0, 0, 0])
    problem = dataclasses.replace(window, robot=ahead, start=start)
    assert RigidBodySpace.of_problem(problem).world.is_free(start[None])[0]
    guide = guide_of(problem)
    guide.advance()
    assert guide.spent <= 2.0  # start and goal are looked at, and nothing is searched
    assert len(guide.path) == 0
