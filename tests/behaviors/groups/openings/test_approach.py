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
    off = np.hypot(before, np.maximum(np.abs(aside) - 0.68, 0.0))
    for number in range(3):
        rows = off // SHARES == number
        assert spread(found[rows]) <= 1
        order = np.argsort(np.arctan2(aside[rows], before[rows]))
        assert (np.diff(found[rows][order]) >= 0.0).all()  # nobody crosses another's way


def spread(lane):
    """Return how many more go in one of three lanes than in another."""
    members = [int(np.isclose(lane, each, atol=1e-9).sum()) for each in (-0.68, 0.0, 0.68)]
    assert sum(members) == len(lane)
    return max(members) - min(members)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_stream_along_the_wall_uses_all_lanes_at_its_head(side):
    """Those in front are nearest to the far jamb: all would go along it, one after the other."""
    x, y = np.meshgrid(np.linspace(1.7, 8.0, 12), [0.3, 1.0, 1.7])
    aside, before = side * x.ravel(), y.ravel()
    found = crossings(before, aside, 0.68, np.full(36, 0.28), np.full(36, np.nan))
    head = np.hypot(before, np.abs(aside) - 0.68) < SHARES
    assert spread(found[head]) <= 1
    assert side * (found[head & (before < 0.5)].mean() - found[head & (before > 1.5)].mean()) > 0.0


@pytest.mark.parametrize("seed", range(3))
def test_all_lanes_are_used_in_each_ring_of_a_long_line(seed):
    rng = np.random.default_rng(seed)
    before, aside = rng.uniform(SHARES, 5.0 * SHARES, 60), rng.uniform(-6.0, 2.0, 60)
    found = crossings(before, aside, 0.68, np.full(60, 0.28), np.full(60, np.nan))
    off = np.hypot(before, np.maximum(np.abs(aside) - 0.68, 0.0))
    for number in range(1, 5):
        assert spread(found[off // SHARES == number]) <= 1


def test_who_is_near_keeps_its_lane_and_those_behind_take_the_others():
    aside = np.concatenate([np.full(4, -0.6), np.linspace(-3.0, -1.0, 5)])
    before = np.concatenate([np.full(4, 0.5), np.full(5, 0.7 * SHARES)])
    found = crossings(before, aside, 0.68, np.full(9, 0.28), np.full(9, np.nan))
    assert (found[:4] == -0.68).all()
    assert (found[4:] > -0.68).all()


def test_those_far_away_take_no_lane_from_those_who_come_first():
    """Who comes soon is on one side, and many wait on the other: still all lanes are used."""
    aside = np.concatenate([np.linspace(1.0, 3.0, 6), np.linspace(-4.0, -1.0, 24)])
    before = np.concatenate([np.full(6, 0.6 * SHARES), np.full(24, 2.05 * SHARES)])
    found = crossings(before, aside, 0.68, np.full(30, 0.28), np.full(30, np.nan))
    assert spread(found[:6]) == spread(found[6:]) == 0


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
