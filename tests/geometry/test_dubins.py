"""Ways of turns and lines: closed forms, ends, and what driving them backward means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry.curves import drive, sample_path
from rmp3d.geometry.dubins import dubins_paths

number = st.floats(-8.0, 8.0)
pose = st.tuples(number, number, st.floats(-3.2, 3.2))


def end_of(start, curvature, length):
    for bend, way in zip(curvature, length, strict=True):
        start = drive(start, bend, way)
    return start


@given(pose, st.floats(-0.5, 0.5), st.floats(-10.0, 10.0))
def test_a_turn_stays_on_its_circle_and_going_back_comes_back(start, curvature, way):
    start = np.array(start)
    end = drive(start, curvature, way)
    assert end[2] - start[2] == pytest.approx(curvature * way, abs=1e-12)
    np.testing.assert_allclose(drive(end, curvature, -way), start, atol=1e-9)
    left = np.array([[-np.sin(p[2]), np.cos(p[2])] for p in (start, end)])
    # The center: both ends are 1 / k to its side. Times k, which may be zero.
    np.testing.assert_allclose(
        curvature * start[:2] + left[0], curvature * end[:2] + left[1], atol=1e-9
    )
    assert np.hypot(*(end - start)[:2]) <= abs(way) + 1e-12


def test_driving_straight_back_ends_behind_the_start_and_faces_as_before():
    np.testing.assert_allclose(
        drive(np.array([1.0, 2.0, np.pi / 2]), 0.0, -3.0), [1, -1, np.pi / 2]
    )


def test_driving_back_over_a_quarter_of_a_circle():
    np.testing.assert_allclose(drive(np.zeros(3), 0.5, -np.pi), [-2.0, 2.0, -np.pi / 2], atol=1e-12)


@given(pose, pose, st.floats(0.5, 3.0))
def test_every_way_of_dubins_that_exists_ends_at_the_pose(start, end, radius):
    start, end = np.array(start), np.array(end)
    curvature, length = dubins_paths(start[None], end[None], radius)
    assert (length >= 0.0).all()
    exists = np.isfinite(length[0]).all(axis=1)
    assert exists[:2].all(), "turns to one side always reach"
    for row in np.flatnonzero(exists):
        found = end_of(start, curvature[0, row], length[0, row])
        np.testing.assert_allclose(found[:2], end[:2], atol=1e-6)
        assert np.cos(found[2] - end[2]) == pytest.approx(1.0, abs=1e-9)


def test_what_is_straight_ahead_is_reached_straight():
    _, length = dubins_paths(np.zeros((1, 3)), np.array([[7.0, 0.0, 0.0]]), 2.0)
    assert length.sum(axis=2).min() == pytest.approx(7.0)


def test_a_turn_back_beside_oneself_is_half_a_circle_and_a_lane_is_changed_by_two_turns():
    _, length = dubins_paths(np.zeros((1, 3)), np.array([[0.0, 4.0, np.pi]]), 2.0)
    assert length.sum(axis=2).min() == pytest.approx(2.0 * np.pi)
    # Two circles that touch: no line between the turns.
    _, length = dubins_paths(np.zeros((1, 3)), np.array([[np.sqrt(12.0), 2.0, 0.0]]), 2.0)
    angle = np.pi / 3
    assert length.sum(axis=2).min() == pytest.approx(2 * 2.0 * angle)


@given(pose, st.lists(st.tuples(st.floats(-0.5, 0.5), st.floats(-6, 6)), min_size=1, max_size=4))
def test_samples_are_near_one_another_and_the_last_is_the_end(start, pieces):
    start = np.array(start)
    curvature, length = np.array(pieces).T
    poses, along = sample_path(start[None], curvature[None], length[None], 0.1)
    np.testing.assert_allclose(poses[0, 0], start, atol=1e-12)
    np.testing.assert_allclose(poses[0, -1], end_of(start, curvature, length), atol=1e-9)
    assert along[-1] == pytest.approx(np.abs(length).sum())
    assert (np.hypot(*np.diff(poses[0, :, :2], axis=0).T) <= 0.1 + 1e-9).all()


def test_shorter_ways_of_a_batch_stay_at_their_ends():
    start, curvature = np.zeros((2, 3)), np.zeros((2, 1))
    poses, along = sample_path(start, curvature, np.array([[-1.0], [2.0]]), 0.5)
    np.testing.assert_allclose(along, [0.0, 0.5, 1.0, 1.5, 2.0])
    np.testing.assert_allclose(poses[0, :, 0], [0, -0.5, -1, -1, -1])
    np.testing.assert_allclose(poses[1, :, 0], along)
