"""Centering moves a configuration to the middle of a passage."""

import numpy as np

from rmp3d.geometry.mesh import join
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.centering import ROOM, centered
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.problems.rigid_problem import RigidProblem

IDENTITY = np.array([0.0, 0, 0, 1, 0, 0, 0])


def space_between(*obstacles):
    body = box((-0.5, -0.2, -0.2), (0.5, 0.2, 0.2))
    bounds = np.array([[-5.0] * 3, [5.0] * 3])
    problem = RigidProblem(
        "p", body, join(list(obstacles)), True, bounds, False, "rigid", IDENTITY, IDENTITY
    )
    return RigidBodySpace.of_problem(problem)


def test_a_body_between_two_walls_comes_to_their_middle():
    low, high = box((-3, -1, -3), (3, -0.3, 3)), box((-3, 0.3, -3), (3, 1.5, 3))
    space = space_between(low, high)
    begun = IDENTITY + np.array([0.2, 0.03, 0, 0, 0, 0.02, 0.05])
    begun[3:] /= np.linalg.norm(begun[3:])
    rows, gaps = centered(space, begun[None])
    # The room is 0.1 on both sides; it ends where a step gains less than 2 %.
    assert 0.095 < gaps[0] <= 0.1 + 1e-9
    np.testing.assert_allclose(space.world.clearance(rows), gaps, rtol=1e-9)


def test_where_there_is_room_or_contact_nothing_moves():
    space = space_between(box((-3, -1, -3), (3, -0.3, 3)))
    far = IDENTITY + np.array([0, ROOM * 2.0, 0, 0, 0, 0, 0])
    touching = IDENTITY - np.array([0, 0.2, 0, 0, 0, 0, 0])
    begun = np.stack([far, touching])
    rows, gaps = centered(space, begun)
    np.testing.assert_array_equal(rows, begun)
    np.testing.assert_allclose(gaps, [ROOM * space.reach, 0.0])


def test_a_locked_axis_stays():
    space = space_between(box((-3, -1, -3), (3, -0.21, 3)))
    free = space.locked()
    rows, gaps = centered(free, IDENTITY[None])
    np.testing.assert_array_equal(rows[0, 3:], IDENTITY[3:])
    assert gaps[0] > 0.1
    assert len(centered(free, np.zeros((0, 7)))[0]) == 0
