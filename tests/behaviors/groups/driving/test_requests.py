"""Walkers leave the lane of a vehicle that they hold up."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.requests import AFTER, LONGEST, Requests, lane
from rmp3d.behaviors.groups.driving.requests import LANE as LENGTH
from rmp3d.behaviors.groups.driving.right_of_way import EACH
from rmp3d.behaviors.groups.driving.route import Route, RouteAtWork
from rmp3d.behaviors.traffic.lanes import PACE, leaving

LANE = np.array([[x, 0.0, x, 0.0, 0.33, 0.0, 1.0, 0.0, 0.0] for x in np.arange(0.0, 5.1, 0.4)])


def test_who_is_in_a_lane_leaves_it_aside_and_ahead(make):
    flock = make.flock([[3.0, 0.2, 0.0], [3.0, -0.2, 0.0]])
    wish = leaving(flock, np.zeros((2, 3)), LANE, np.array([True, True]))
    assert wish[0, 1] > 0.0 > wish[1, 1]
    assert (wish[:, 0] > 0.0).all()
    assert np.linalg.norm(wish, axis=1) == pytest.approx(PACE * flock.bodies.cruise_speed)


def test_who_is_in_the_middle_of_a_lane_leaves_it_to_the_right(make):
    wish = leaving(make.flock([3.0, 0.0, 0.0]), np.zeros((1, 3)), LANE, np.array([True]))
    assert wish[0, 1] < 0.0


def test_who_stands_in_a_lane_asked_for_in_vain_goes_ahead_off_what_is_beside_it(make):
    flock = make.flock([3.0, 0.2, 0.0])
    vain = np.column_stack([LANE[:, :8], np.ones(len(LANE))])
    x, y, _ = leaving(flock, np.zeros((1, 3)), vain, np.array([True]))[0]
    assert x > -3.0 * y > 0.0
    moving = replace(flock, velocity=np.array([[0.3, 0.0, 0.0]]))
    aside = leaving(moving, np.zeros((1, 3)), vain, np.array([True]))
    assert (aside == leaving(moving, np.zeros((1, 3)), LANE, np.array([True]))).all()


def test_a_lane_goes_on_straight_where_a_short_route_does_but_not_where_it_ends():
    """Who stands behind those asked keeps them in the lane."""
    count = 11
    point = np.column_stack([np.linspace(0.0, 1.0, count), np.zeros((count, 2))])
    gear, station = np.ones(count, np.intp), np.linspace(0.0, 1.0, count)
    route = Route(point, np.zeros(count), gear, station, np.ones(count))
    cores = route.cores(np.array([-0.5, 0.5]), 0.3)
    ends = [lane(RouteAtWork(route, cores, 0.0, stops))[-1] for stops in (False, True)]
    assert ends[0][:2] == pytest.approx([0.5 + LENGTH, 0.0], abs=EACH)
    assert ends[1][:2] == pytest.approx([1.5, 0.0])


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
