"""Where members cross the line of an opening."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings.approach import KEEPS_LANE, SHARES, crossings


@pytest.mark.parametrize("side", [-1.0, 0.0, 1.0])
def test_a_crowd_from_any_side_uses_all_lanes_of_a_wide_opening(side):
    rng = np.random.default_rng(3)
    aside = rng.uniform(-3.0, 3.0, 30) + 2.5 * side
    before = rng.uniform(KEEPS_LANE + 0.1, SHARES, 30)
    found = crossings(before, aside, 0.68, np.full(30, 0.28), np.full(30, np.nan))
    lanes, members = np.unique(found, return_counts=True)
    np.testing.assert_allclose(lanes, [-0.68, 0.0, 0.68], atol=1e-12)
    assert members.tolist() == [10, 10, 10]
    assert (np.diff(found[np.argsort(aside)]) >= 0.0).all()  # nobody crosses another's way


@pytest.mark.parametrize("seed", range(3))
def test_all_lanes_are_used_in_each_stretch_of_a_long_line(seed):
    rng = np.random.default_rng(seed)
    before, aside = rng.uniform(SHARES, 5.0 * SHARES, 60), rng.uniform(-6.0, 2.0, 60)
    found = crossings(before, aside, 0.68, np.full(60, 0.28), np.full(60, np.nan))
    for number in range(1, 5):
        lane = found[(before >= number * SHARES) & (before < (number + 1) * SHARES)]
        members = [np.isclose(lane, each).sum() for each in (-0.68, 0.0, 0.68)]
        assert max(members) - min(members) <= 1
        assert sum(members) == len(lane)


def test_who_is_near_keeps_its_lane_and_those_behind_take_the_others():
    aside = np.concatenate([np.full(4, -0.6), np.linspace(-3.0, -1.0, 5)])
    before = np.concatenate([np.full(4, 0.5), np.full(5, SHARES - 0.1)])
    found = crossings(before, aside, 0.68, np.full(9, 0.28), np.full(9, np.nan))
    assert (found[:4] == -0.68).all()
    assert (found[4:] > -0.68).all()


def test_those_far_away_take_no_lane_from_those_who_come_first():
    """Who comes soon is on one side, and many wait on the other: still all lanes are used."""
    aside = np.concatenate([np.linspace(1.0, 3.0, 6), np.linspace(-4.0, -1.0, 24)])
    before = np.concatenate([np.full(6, 0.9 * SHARES), np.full(24, 2.2 * SHARES)])
    found = crossings(before, aside, 0.68, np.full(30, 0.28), np.full(30, np.nan))
    for some, each in ((found[:6], 2), (found[6:], 8)):
        lanes, members = np.unique(some, return_counts=True)
        np.testing.assert_allclose(lanes, [-0.68, 0.0, 0.68], atol=1e-12)
        assert members.tolist() == [each] * 3


def test_who_comes_aslant_keeps_the_lane_that_it_had():
    before, aside, radius = np.array([1.5, 1.0]), np.array([-1.2, 0.5]), np.full(2, 0.28)
    had = np.array([0.0, np.nan])
    assert crossings(before, aside, 0.68, radius, had).tolist() == [0.0, 0.68]
    far = crossings(before, aside - [2.0, 0.0], 0.68, radius, had)
    assert far[0] == -0.68  # beside it, not before it: it has no lane yet


def test_two_that_touch_and_would_cross_change_lanes():
    before, aside, radius = np.array([0.4, 0.05]), np.array([-0.47, -0.88]), np.full(2, 0.28)
    had = np.array([-0.68, 0.0])
    assert crossings(before, aside, 0.68, radius, had).tolist() == [0.0, -0.68]
    apart = crossings(before + np.array([0.3, 0.0]), aside, 0.68, radius, had)
    assert apart.tolist() == had.tolist()


def test_through_a_narrow_opening_each_goes_where_it_comes_to():
    aside = np.array([-2.0, -0.1, 0.05, 0.4])
    found = crossings(np.full(4, 3.0), aside, 0.18, np.full(4, 0.28), np.full(4, np.nan))
    np.testing.assert_array_equal(found, [-0.18, -0.1, 0.05, 0.18])
    assert len(crossings(np.zeros(0), np.zeros(0), 0.68, np.zeros(0), np.zeros(0))) == 0
