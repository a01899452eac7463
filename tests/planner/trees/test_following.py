"""A tight passage is followed from its middle to where it opens, both ways, by proved motions."""

import numpy as np
import pytest

from rmp3d.geometry.mesh import join
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.following import OPEN, STEPS, followed
from rmp3d.planner.trees.passages import through_passages
from rmp3d.planner.trees.shrunk import ShrunkBody
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.problems.rigid_problem import RigidProblem
from tests.planner.trees.turning import result_of

START = np.array([-4.0, 0.0, 1.0, 1, 0, 0, 0])
GOAL = np.array([4.0, 0.0, -1.0, 1, 0, 0, 0])
INSIDE = np.array([0.1, 0.01, -0.01, 1, 0, 0, 0])


def channel(bounds=4.5):
    """A rod before a square channel along x that leaves it a hundredth, through a thick wall."""
    body = box((-0.5, -0.2, -0.2), (0.5, 0.2, 0.2))
    walls = []
    for axis in (1, 2):
        for sign in (-1, 1):
            lower, upper = np.full(3, -3.0), np.full(3, 3.0)
            lower[0], upper[0] = -1.0, 1.0
            lower[axis], upper[axis] = sorted((sign * 0.22, sign * 3.0))
            walls.append(box(lower, upper))
    limits = np.array([[-bounds] * 3, [bounds] * 3])
    problem = RigidProblem("p", body, join(walls), True, limits, False, "rigid", START, GOAL)
    return RigidBodySpace.of_problem(problem)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_channel_is_followed_to_where_it_opens(side):
    space = channel()
    # The wanted motion is aslant: the passage says where it leads.
    wanted = np.array([side, 0.3, -0.2, 0.1, 0.2, 0.3])
    passage, opens = result_of(followed(space, INSIDE, wanted))
    assert opens
    assert side * passage[-1, 0] > 1.1
    assert space.world.clearance(passage[-1:])[0] >= OPEN * space.reach * (1.0 - 1e-9)
    rows = np.concatenate([INSIDE[None], passage])
    assert space.world.motions_are_free(rows[:-1], rows[1:]).all()


def test_a_passage_may_be_followed_for_some_turns_only():
    space, wanted = channel(), np.array([1.0, 0, 0, 0, 0, 0])
    whole, _ = result_of(followed(space, INSIDE, wanted))
    part, opens = result_of(followed(space, INSIDE, wanted, turns=1))
    assert len(part) == STEPS < len(whole)
    assert not opens
    np.testing.assert_array_equal(part, whole[:STEPS])


def test_where_a_passage_ends_at_a_wall_it_does_not_open():
    space = channel().within(np.array([[-4.5] * 3, [0.5, 4.5, 4.5]]))
    passage, opens = result_of(followed(space, INSIDE, np.array([1.0, 0, 0, 0, 0, 0])))
    assert not opens
    assert len(passage) == 0 or passage[:, 0].max() <= 0.5


def test_the_path_of_a_shrunk_body_becomes_one_of_the_body_itself():
    space = channel()
    # Aslant in the channel, as a small body may be: the body itself is free in its middle only.
    x = np.linspace(-4.0, 4.0, 17)
    middle = np.tile(START, (17, 1))
    middle[:, 0], middle[:, 2] = x, 0.0
    turn = 0.3 * np.sin(0.5 * np.pi * x) * (np.abs(x) < 2.0)
    middle[:, 3], middle[:, 6] = np.cos(0.5 * turn), np.sin(0.5 * turn)
    ends = np.stack([START, GOAL])

    way = ShrunkBody(space, ends, lambda _lack: space, (0.0,), np.random.default_rng(0))
    path = result_of(through_passages(space, ends, middle, way._searched))
    np.testing.assert_array_equal(path[[0, -1]], ends)
    assert space.world.motions_are_free(path[:-1], path[1:]).all()


def test_where_the_body_is_free_nowhere_on_the_path_a_smaller_one_grows_there():
    space = channel()
    x = np.linspace(-4.0, 4.0, 17)
    middle = np.tile(START, (17, 1))
    middle[:, 0], middle[:, 2] = x, 0.0
    turn = 0.9 * (np.abs(x) < 2.0)  # aslant all along the channel, and before it
    middle[:, 3], middle[:, 6] = np.cos(0.5 * turn), np.sin(0.5 * turn)
    assert not space.world.is_free(middle[np.abs(x) < 1.5]).any()
    ends = np.stack([START, GOAL])

    def smaller(lack):
        return space.resized(1.0 - lack)

    way = ShrunkBody(space, ends, smaller, (0.0,), np.random.default_rng(0))
    assert len(result_of(through_passages(space, ends, middle, way._searched))) == 0
    path = result_of(through_passages(space, ends, middle, way._searched, smaller))
    np.testing.assert_array_equal(path[[0, -1]], ends)
    assert space.world.motions_are_free(path[:-1], path[1:]).all()
