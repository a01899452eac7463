"""Right of way: who may go how far, and who is held by whom."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.right_of_way import NOBODY, RightOfWay

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
