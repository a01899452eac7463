"""Walkers leave the lane of a vehicle that they hold up."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.requests import AFTER, LONGEST, Requests
from rmp3d.behaviors.traffic.lanes import PACE, leaving

LANE = np.array([[x, 0.0, x, 0.0, 0.33, 0.0, 1.0, 0.0] for x in np.arange(0.0, 5.1, 0.4)])


def test_who_is_in_a_lane_leaves_it_aside_and_ahead(make):
    flock = make.flock([[3.0, 0.2, 0.0], [3.0, -0.2, 0.0]])
    wish = leaving(flock, np.zeros((2, 3)), LANE, np.array([True, True]))
    assert wish[0, 1] > 0.0 > wish[1, 1]
    assert (wish[:, 0] > 0.0).all()
    assert np.linalg.norm(wish, axis=1) == pytest.approx(PACE * flock.bodies.cruise_speed)


def test_who_is_in_the_middle_of_a_lane_leaves_it_to_the_right(make):
    wish = leaving(make.flock([3.0, 0.0, 0.0]), np.zeros((1, 3)), LANE, np.array([True]))
    assert wish[0, 1] < 0.0


@pytest.mark.parametrize("place", [[3.0, 2.0, 0.0], [-1.5, 0.2, 0.0], [3.0, 0.0, 3.0]])
def test_who_is_beside_behind_or_above_a_lane_goes_on(place, make):
    wish = np.array([[0.3, 0.4, 0.0]])
    assert (leaving(make.flock(place), wish, LANE, np.array([True])) == wish).all()


def test_a_vehicle_asks_after_a_while_and_no_more_when_it_drives_back():
    requests = Requests(1, dt=0.5)
    yes, no = np.array([True]), np.array([False])
    for _ in range(int((AFTER + LONGEST) / 0.5)):
        before = requests.asking.copy()
        requests.note(yes, yes, no)
    assert before.all()
    assert requests.asking.all()
    requests.note(no, no, no)
    assert requests.asking.all()
    requests.note(no, no, yes)
    assert not requests.asking.any()
