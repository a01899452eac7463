"""A shrunk body's way leads the body itself."""

import dataclasses

import numpy as np

from planner.rigid.guide import SCALES, Guide
from planner.rigid.world import RigidWorld


def test_its_way_is_free_for_the_largest_body_that_found_one(window):
    world = RigidWorld(window)
    guide = Guide(world, np.random.default_rng(0))
    while not guide.is_done:
        guide.advance()
    np.testing.assert_array_equal(guide.way[0], window.start)
    np.testing.assert_allclose(np.linalg.norm(guide.way[:, 3:], axis=1), 1.0)
    robot = window.robot.transformed(SCALES[-1] * np.eye(3))
    shrunk = RigidWorld(dataclasses.replace(window, robot=robot))
    # The last step of the way ends at the goal, which is not repeated.
    ends = np.concatenate([guide.way[1:], window.goal[None]])
    assert shrunk.motions_are_free(guide.way, ends).all()
    assert 0 < guide.spent
    assert world.counts.collision > 0


def test_a_size_at_which_an_end_is_not_free_is_left_out(window):
    # Two metres ahead of its reference point the body is behind the wall; shrunk, in it.
    ahead = window.robot.transformed(None, np.array([2.0, 0.0, 0.0]))
    start = np.array([-0.8, 1.8, 0, 1, 0, 0, 0])
    world = RigidWorld(dataclasses.replace(window, robot=ahead, start=start))
    assert world.is_free(start[None])[0]
    guide = Guide(world, np.random.default_rng(0))
    guide.advance()
    assert guide.spent == 0.0
    assert len(guide.way) == 0
