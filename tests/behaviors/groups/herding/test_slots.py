"""Places behind a flock against their closed form; ways to them that do not cross."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.behaviors.groups.herding.slots import assigned, slots

C, R, M, EPS = np.array([3.0, -1.0, 0.5]), 4.0, 2.5, 1.0
EAST = np.array([1.0, 0.0, 0.0])


@pytest.mark.parametrize("shape", ["line", "arc"])
def test_one_shepherd_stands_straight_behind(shape):
    heading = np.array([0.6, 0.8, 0.0])
    np.testing.assert_allclose(slots(shape, C, heading, R, M, 1, EPS), [C - (R + M) * heading])


@pytest.mark.parametrize("count", [2, 3, 7])
def test_a_line_lies_across_at_its_depth_with_equal_spacing(count):
    places = slots("line", C, EAST, R, M, count, EPS) - C
    np.testing.assert_allclose(places[:, 0], -(R + M))
    np.testing.assert_allclose(np.diff(places[:, 1]), (2 * R - EPS) / (count - 1))
    np.testing.assert_allclose(places.mean(axis=0), [-(R + M), 0, 0], atol=1e-12)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_an_arc_lies_on_the_semicircle_behind_with_equal_angles(count):
    places = slots("arc", C, EAST, R, M, count, EPS) - C
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), R + M)
    angles = np.arctan2(places[:, 1], -places[:, 0])
    np.testing.assert_allclose(np.diff(angles), np.pi / count)
    np.testing.assert_allclose(angles, -angles[::-1], atol=1e-12)
    assert (places[:, 0] < 0.0).all()


def test_a_line_behind_a_small_flock_leaves_its_bodies_room():
    places = slots("line", C, EAST, 0.2, M, 3, 5.0, 1.2)
    np.testing.assert_allclose(np.diff(places[:, 1]), 1.2)
    np.testing.assert_allclose(places.mean(axis=0), C - (0.2 + M) * EAST)


def crosses(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9


@given(st.integers(0, 10_000), st.integers(2, 6), st.sampled_from(["line", "arc"]))
def test_straight_ways_to_assigned_places_do_not_cross(seed, count, shape):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi)
    heading = np.array([np.cos(angle), np.sin(angle), 0.0])
    places = slots(shape, C, heading, R, M, count, EPS)
    start = np.column_stack([rng.uniform(-12, 12, (count, 2)), np.full(count, C[2])])
    taken = assigned(np.linalg.norm(start[:, None] - places, axis=2))
    assert sorted(taken) == list(range(count))
    for i in range(count):
        for j in range(i):
            assert not crosses(start[i], places[taken[i]], start[j], places[taken[j]])


def test_places_without_a_way_are_taken_last():
    taken = assigned(np.array([[np.inf, 5.0, 1.0], [2.0, np.inf, 1.5]]))
    assert taken.tolist() == [2, 0]
