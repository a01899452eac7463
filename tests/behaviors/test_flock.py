from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import matrix_from_quaternion


def test_a_flock_is_a_read_only_copy_with_equal_rows(make):
    position = np.zeros((3, 3))
    agents = make.flock(position)
    position[:] = 9.0
    np.testing.assert_array_equal(agents.position, 0.0)
    with pytest.raises(ValueError, match="read-only"):
        agents.velocity[0] = 1.0
    with pytest.raises(ValueError, match="`face` must have 3 rows, as `position` has"):
        agents.moved(face=np.ones(2))
    with pytest.raises(ValueError, match="`mass` must have 3 rows, as `radius` has"):
        replace(agents.bodies, mass=np.ones(2))
    with pytest.raises(ValueError, match="`bodies` must have 3 rows, as `position` has"):
        agents.moved(bodies=agents.bodies.select(np.zeros(2, int)))
    with pytest.raises(InputError, match="no array of bodies named `brake`; did you mean"):
        agents.with_bodies(brake=2.0)


def test_select_and_moved_make_new_flocks(make):
    agents = make.flock(np.arange(9.0).reshape(3, 3))
    some = agents.select(np.array([2, 0]))
    np.testing.assert_array_equal(some.position, agents.position[[2, 0]])
    assert len(some) == len(some.bodies.radius) == 2
    assert len(agents.select(np.zeros(0, int))) == 0
    moved = agents.moved(position=agents.position + 1.0)
    np.testing.assert_array_equal(agents.position[0], [0, 1, 2])
    np.testing.assert_array_equal(moved.position[0], [1, 2, 3])


def test_orientations_are_the_body_frames(make):
    heading = np.array([[0.0, 1, 0], [0.6, 0, 0.8]])
    agents = make.flock(np.zeros((2, 3)), heading=heading)
    matrix = matrix_from_quaternion(agents.orientation_wxyz)
    np.testing.assert_allclose(matrix[:, :, 0], heading, atol=1e-12)
    np.testing.assert_allclose(matrix[0, :, 2], [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(agents.bodies.max_force, 8.0)


def test_orientations_of_those_that_have_not_turned_are_taken_over(make):
    count, rng = 600, np.random.default_rng(1)
    heading = rng.normal(size=(count, 3))
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    before = make.flock(np.zeros((count, 3)), heading=heading)
    turns = np.arange(0, count, 7)
    heading = before.heading.copy()
    heading[turns] = heading[turns] @ [[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    after, fresh = before.moved(heading=heading), before.moved(heading=heading)
    after.turned_from(before, turns)  # nothing is known of those before yet
    np.testing.assert_array_equal(after.orientation_wxyz, fresh.orientation_wxyz)
    known = before.orientation_wxyz
    after = before.moved(heading=heading)
    after.turned_from(before, turns)
    np.testing.assert_array_equal(after.orientation_wxyz, fresh.orientation_wxyz)
    assert (after.orientation_wxyz != known).any(axis=1).sum() == len(turns)
