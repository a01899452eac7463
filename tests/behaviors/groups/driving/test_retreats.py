"""A vehicle that finds no way on goes back by its trail."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.curve_search import room_along
from rmp3d.behaviors.groups.driving.driver import Driver
from rmp3d.behaviors.groups.driving.requests import Requests
from rmp3d.behaviors.groups.driving.retreats import ELSEWHERE, FIRST, SEARCHES, Retreats
from rmp3d.behaviors.groups.driving.route import Driven
from rmp3d.behaviors.groups.driving.trail import SAME, Trail
from rmp3d.behaviors.groups.intent import Guides

DT, RADIUS = 1.0 / 30.0, 2.5


def vehicle(gate, others=(), reverses=True):
    others = np.array(others, float).reshape(-1, 6)
    ends = np.array([-0.5, 0.5])
    return Driven(gate, np.zeros(3), 0.0, RADIUS, reverses, ends, 0.4, others)


@pytest.fixture
def trail():
    made = Trail()
    for x in np.arange(-12.0, 0.01, 0.2):
        made.add(np.array([x, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    return made


def ways(retreats, searches, *arguments):
    """Return the ways back by the trail, None for the searches without one."""
    found = [retreats.way(0, *arguments) for _ in range(searches)]
    return [way if is_back else None for way, is_back in found]


def test_it_goes_back_after_some_searches_in_vain_and_farther_each_time(gate, trail):
    retreats = Retreats(1)
    found = ways(retreats, 2 * SEARCHES, vehicle(gate), trail)
    assert [k for k, way in enumerate(found) if way] == [SEARCHES - 1, 2 * SEARCHES - 1]
    for times, way in enumerate(filter(None, found)):
        assert way.point[-1, 0] == pytest.approx(-FIRST * 2.0**times * RADIUS, abs=0.2)
        assert (way.gear < 0).all()
        assert not way.angle.any()
    retreats.note_way(0)
    again = ways(retreats, SEARCHES, vehicle(gate), trail)[-1]
    assert again.point[-1, 0] == pytest.approx(-FIRST * RADIUS, abs=0.2)


def test_it_goes_back_as_fast_as_the_room_beside_its_trail_allows(gate, trail):
    """The trail was driven as if a wall touched it, at less than half of the pace."""
    here = vehicle(gate)
    way = ways(Retreats(1), SEARCHES, here, trail)[-1]
    np.testing.assert_array_equal(way.clearance, room_along(here, way))
    assert way.clearance.min() > 0.3


def test_what_was_driven_to_and_fro_on_one_spot_is_left_out_of_the_way_back(gate, trail):
    """A car was in a pocket of `water_park` for 57 s: each way back was its last to and fro."""
    to_and_fro = [*np.arange(-0.1, -2.9, -0.1), *np.arange(-2.9, 0.01, 0.1)] * 3
    back = np.diff([0.0, *to_and_fro]) < 0.0
    for x, goes_back in zip(to_and_fro, back, strict=True):
        velocity = np.array([-1.0 if goes_back else 1.0, 0.0, 0.0])
        trail.add(np.array([x, 0.0, 0.0]), np.array([1.0, 0.0, 0.0]), velocity)
    way = ways(Retreats(1), SEARCHES, vehicle(gate), trail)[-1]
    assert way.point[-1, 0] == pytest.approx(-FIRST * RADIUS, abs=0.2)
    assert (np.diff(way.point[:, 0]) < SAME).all()
    assert (way.gear < 0).all()


def test_a_trail_keeps_what_crosses_it_in_another_direction():
    made = Trail()
    for angle in np.linspace(0.0, 1.5 * np.pi, 60):
        heading = np.array([np.cos(angle), np.sin(angle), 0.0])
        made.add(4.0 * np.array([np.sin(angle), 1.0 - np.cos(angle), 0.0]), heading, heading)
    for far in np.arange(0.2, 8.0, 0.2):  # across where it began
        made.add(np.array([-4.0, 4.0 - far, 0.0]), np.array([0.0, -1.0, 0.0]), np.array([0, -1, 0]))
    route = made.back(np.array([-4.0, -4.0, 0.0]), np.array([0.0, -1.0, 0.0]))
    assert route.station[-1] > 6.0 * np.pi + 7.0
    assert (route.gear < 0).all()


def test_ways_to_and_fro_on_one_spot_do_not_end_the_count(gate, trail):
    retreats, here = Retreats(1), vehicle(gate)
    close = replace(here, point=here.point - [0.9 * ELSEWHERE * RADIUS, 0.0, 0.0])
    found = []
    for search in range(SEARCHES):
        found += ways(retreats, 1, (here, close)[search % 2], trail)
        retreats.note_way(0)
    assert [bool(way) for way in found] == [False] * (SEARCHES - 1) + [True]


def test_the_count_begins_anew_elsewhere(gate, trail):
    retreats, here = Retreats(1), vehicle(gate)
    for away in range(3):
        there = replace(here, point=here.point - [1.1 * away * ELSEWHERE * RADIUS, 0.0, 0.0])
        assert not any(ways(retreats, SEARCHES - 1, there, trail))


def test_it_ends_before_a_body_that_stands_in_its_way(gate, trail):
    stands = [-3.0, 0.0, -3.0, 0.0, 0.4, 0.0]
    way = ways(Retreats(1), SEARCHES, vehicle(gate, stands), trail)[-1]
    rear = way.point[-1, 0] - 0.5 - 0.4
    assert -2.6 < rear < -1.9
    close = [-1.4, 0.0, -1.4, 0.0, 0.4, 0.0]
    assert not any(ways(Retreats(1), SEARCHES, vehicle(gate, close), trail))


@pytest.mark.parametrize("reverses", [True, False])
def test_one_without_a_trail_gets_away_from_who_boxes_it_in(gate, reverses):
    stands = [[-1.4, 0.0, -1.4, 0.0, 0.4, 0.0]]
    boxed = vehicle(gate, stands, reverses)
    retreats = Retreats(1)
    found = [retreats.way(0, boxed, Trail()) for _ in range(SEARCHES)]
    assert [way for way, _ in found[:-1]] == [None] * (SEARCHES - 1)
    way, is_back = found[-1]
    assert not is_back
    assert np.hypot(*(way.point[-1, :2] - [-1.4, 0.0])) > 1.4 + 0.5
    free = [retreats.way(0, vehicle(gate, reverses=reverses), Trail()) for _ in range(SEARCHES)]
    assert [way for way, _ in free] == [None] * SEARCHES


def test_one_without_a_reverse_gear_does_not(gate, trail):
    assert not any(ways(Retreats(1), 3 * SEARCHES, vehicle(gate, reverses=False), trail))


def test_a_driver_that_finds_no_curve_again_and_again_drives_back(gate, bikes, trail, monkeypatch):
    monkeypatch.setattr(Requests, "find_way", lambda *_: None)
    flock = bikes.at([[0.0, 0.0, 0.0]])
    driver = Driver(lambda *_: gate, np.arange(1), DT)
    driver._trails[0] = trail
    goal, yes = np.array([[8.0, 0.0, 0.0]]), np.ones(1, bool)
    for search in range(SEARCHES):
        assert not driver._drives, search
        driver._pause[:] = 0.0
        driver._look_for_routes(Guides({0: goal}.get, yes, yes), yes, yes, flock, flock, {})
    back = driver._drives[0]
    assert back.goes_back
    assert back.stops
    assert back.route.point[-1, 0] < -2.0


def test_a_driver_whose_route_is_closed_for_good_drives_back_too(gate, bikes, trail, monkeypatch):
    flock = bikes.at([[0.0, 0.0, 0.0]])
    driver = Driver(lambda *_: gate, np.arange(1), DT)
    driver._trails[0] = trail
    goal, yes = np.array([[8.0, 0.0, 0.0]]), np.ones(1, bool)

    def look():
        driver._look_for_routes(Guides({0: goal}.get, yes, yes), yes, yes, flock, flock, {})

    look()
    closed = driver._drives[0]
    monkeypatch.setattr(Requests, "find_way", lambda *_: None)
    for search in range(SEARCHES):
        assert driver._drives[0] is closed, search
        driver._left[0] = driver._drives.pop(0)  # to look for a way round who stands on it
        look()
    assert driver._drives[0].goes_back
    assert driver._drives[0].route.point[-1, 0] < -2.0
