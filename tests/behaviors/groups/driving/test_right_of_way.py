"""Right of way: who may go how far, and who is held by whom."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.right_of_way import NOBODY, Onward, RightOfWay

NO_BODIES = np.zeros((0, 6)), np.zeros(0, np.intp)


def cores(*places):
    """Return cores one meter long, along x, at x, y [m]."""
    return np.array([[x - 0.5, y, x + 0.5, y, 0.4, 0.0] for x, y in places])


def two(waits_for):
    """Return a road on which 0 has the right of way, and claims what lies left of 1."""
    road = RightOfWay()
    road.order |= {0: (0.0, 0), 1: (1.0, 1)}
    road.claims[0] = cores((4.2, 1.0), (3.0, 1.0), (2.0, 1.0))
    road.waits[0] = waits_for
    return road


@pytest.mark.parametrize(("waits_for", "free"), [(1, True), (NOBODY, False)])
def test_the_claim_of_one_that_waits_for_me_does_not_hold_me_as_i_leave(waits_for, free):
    away = cores((2.0, 0.0), (1.8, 0.1), (1.6, 0.2), (1.4, 0.2))
    halt = two(waits_for).stop(1, away, np.arange(4) * 0.2, *NO_BODIES)
    assert np.isinf(halt.rest) == free


def test_its_claim_still_holds_me_as_i_come_nearer():
    nearer = cores((2.0, 0.0), (2.2, 0.1), (2.4, 0.2), (2.6, 0.2))
    halt = two(1).stop(1, nearer, np.arange(4) * 0.2, *NO_BODIES)
    assert halt == (0.0, 0)


@pytest.mark.parametrize(
    ("waits_for", "gap", "free"),
    [(1, 0.12, True), (1, 0.08, False), (NOBODY, 0.12, False), (NOBODY, 0.2, True)],
)
def test_one_that_waits_for_me_is_passed_as_near_as_what_stands(waits_for, gap, free):
    """Leaving, 1 swings out to within a gap of 0, which stands beside its way."""
    road = RightOfWay()
    road.order |= {0: (0.0, 0), 1: (1.0, 1)}
    road.waits[0] = waits_for
    beside = cores((2.0, 0.8 + gap))
    leaves = cores((1.5, -0.05), (1.8, 0.0), (2.1, 0.0), (2.4, -0.2))
    halt = road.stop(1, leaves, np.arange(4) * 0.3, beside, np.array([0]))
    assert np.isinf(halt.rest) == free


@pytest.mark.parametrize(
    ("far", "speed", "stands", "free"),
    [
        (9.0, 4.0, None, True),
        (4.0, 4.0, None, False),
        (9.0, 0.0, None, False),
        (9.0, 4.0, 3.0, False),
    ],
)
def test_a_claim_is_crossed_in_time_before_the_other_comes_and_not_to_stop_in_it(
    far, speed, stands, free
):
    """0 comes along y at 4 m/s; 1 goes along x, where one may stand behind the claim."""
    road = RightOfWay()
    road.order |= {0: (0.0, 0), 1: (1.0, 1)}
    road.claims[0] = np.array([[2.0, y, 2.0, y, 0.4, 0.0] for y in np.arange(-far, 3.0, 0.4)])
    road.paces[0] = 4.0
    way = np.arange(60) * 0.2
    ahead = cores(*((x, 0.0) for x in way))
    body = NO_BODIES if stands is None else (cores((2.5 + stands, 0.0)), np.array([7]))
    halt = road.stop(1, ahead[:40], way[:40], *body, Onward(ahead, way, speed, 4.0, 3.0))
    assert np.isinf(halt.rest) == free
    assert free or halt.rest < 2.0
