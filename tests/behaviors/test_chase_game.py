"""The game of the chase: no time left within the gap, little for who is slower, none to lose."""

import numpy as np
import pytest

from behaviors.chase_game import places_of, time_left, worst_left
from behaviors.ground import ground_of
from geometry.surface import Surface
from scenes.build.shapes import floor


@pytest.fixture(scope="module")
def square():
    line = np.linspace(-6.0, 6.0, 7)
    return Surface(floor(line, line, np.ones((6, 6), bool)))


def left(surface, speed, pursuit):
    return time_left(surface, 1.0, None, 0.3, 0.3, 0.3, 1.4, speed, pursuit, 1.0)


def test_within_the_gap_there_is_no_time_left_and_beyond_there_is(square):
    places, spacing = places_of(square, 1.0, None, 0.3, 0.3, 1.4)
    point = ground_of(square, 1.0).point[places]
    apart = np.linalg.norm(point[:, None] - point[None], axis=2)
    np.testing.assert_array_equal(left(square, 2.0, 1.0) == 0.0, apart <= 1.0 + 0.5 * spacing)


def test_who_is_slower_is_caught_and_who_is_faster_has_never_less_time(square):
    slow, fast = left(square, 0.5, 1.0), left(square, 3.0, 1.0)
    assert slow.max() < 40.0
    assert (fast >= slow).all()
    assert fast.max() > slow.max()


def test_the_worst_case_is_that_of_all_places_the_pursuer_can_be_at():
    times = np.array([[9.0, 4.0], [9.0, 2.0]])
    found = worst_left(times, np.array([1.0, np.inf]), np.array([0.0, 5.0]))
    np.testing.assert_array_equal(found, [9.0, -np.inf])
    found = worst_left(times, np.array([1.0, 2.0]), np.array([0.0, 1.5]))
    np.testing.assert_array_equal(found, [9.0, 4.0])
