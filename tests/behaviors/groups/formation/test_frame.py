"""Places along a path: never backwards, never outside the room, at last in their slots."""

import numpy as np
import pytest

from rmp3d.behaviors.formations import Arrow, Column, Line, SphereFormation
from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.planner.paths.corridor import Corridor

DT = 1 / 30


def begin(ways, half_width, start, length=40.0):
    return FormationFrame.from_positions(
        ways.straight(length),
        ways.room(length, half_width),
        1.0,
        1.3,
        1.8,
        1.2,
        False,
        np.asarray(start),
    )


def march(march, slots, steps, position=None):
    """Yield stations, lefts, subgoals and velocities; members are exactly at their places."""
    leader = 0.0
    for _ in range(steps):
        leader = min(leader + 1.3 * DT, march.path.length)
        here = march.position(march.station, march.aside) if position is None else position
        subgoal, velocity = march.advance(leader - slots[:, 0], slots[:, 1:], here, DT)
        yield march.station.copy(), march.aside[:, 0].copy(), subgoal, velocity


def door(s):
    return np.where((s > 15) & (s < 18), 0.1, 4.0)


@pytest.mark.parametrize("shape", [Line, Arrow, Column])
def test_places_never_go_backwards_nor_outside_the_room(ways, shape):
    start = np.column_stack([np.zeros(5), np.arange(5) - 2.0, np.zeros(5)])
    places = begin(ways, door, start)
    before = places.station.copy()
    for station, left, _, _ in march(places, shape().slots(5, 1.0), 1200):
        assert (station >= before - 1e-12).all()
        before = station
        free_left, free_right = places.corridor.at(np.clip(station, 0, 40))
        inside = (station >= 0) & (station <= 40)
        assert (left[inside] <= free_left[inside] + 1e-6).all()
        assert (-left[inside] <= free_right[inside] + 1e-6).all()
    assert station.max() > 30.0


def test_members_come_to_their_slots_at_last(ways):
    slots = Arrow().slots(5, 1.0)
    start = np.column_stack([-slots[:, 0], slots[::-1, 1], np.zeros(5)])
    *_, (station, left, _, _) = march(begin(ways, lambda s: 5.0 + 0 * s, start), slots, 1300)
    np.testing.assert_allclose(station, 40.0 - slots[:, 0], atol=0.02)
    np.testing.assert_allclose(left, slots[:, 1], atol=0.02)


def test_subgoals_move_as_they_say_and_no_faster_than_members_can(ways):
    slots = Line().slots(5, 1.0)
    start = np.column_stack([np.zeros(5), np.arange(5) - 2.0, np.zeros(5)])
    places = begin(ways, door, start)
    before = places.position(places.station, places.aside)
    for _, _, subgoal, velocity in march(places, slots, 900):
        np.testing.assert_allclose(subgoal - before, velocity * DT, atol=1e-9)
        assert np.linalg.norm(velocity, axis=1).max() <= 0.95 * 1.8 + 1e-6
        before = subgoal


def test_a_place_does_not_run_away_from_its_member(ways):
    slots = Column().slots(2, 1.0)
    start = np.array([[0.0, 0, 0], [-1, 0, 0]])
    places = begin(ways, lambda s: 5.0 + 0 * s, start)
    for station, left, _, _ in march(places, slots, 600, position=start):
        gap = np.linalg.norm(
            places.position(station, np.column_stack([left, 0 * left])) - start, axis=1
        )
        assert (gap < 2.0).all()


def test_the_place_of_a_vehicle_beside_and_ahead_of_it_goes_on(ways):
    """It neither comes sideways nor goes back: the two would wait for each other for ever."""
    beside = np.array([[2.0, 11.0, 0.0]])
    corridor = ways.room(40.0, lambda s: 20.0 + 0 * s)
    vehicle = FormationFrame.from_positions(
        ways.straight(40.0), corridor, 1.0, 1.3, 1.8, 1.2, True, beside
    )
    vehicle.station, vehicle.aside = np.zeros(1), np.zeros((1, 2))
    for _ in range(300):
        vehicle.advance(np.full(1, 9.0), np.zeros((1, 2)), beside, DT)
    assert 2.0 + 1.2 < vehicle.station[0] < 2.0 + 1.5 * 1.2 + 1e-9


def test_a_place_comes_to_its_member_that_is_ahead_of_it_but_not_past_its_slot(ways):
    members = np.array([[20.0, 1.0, 0.0], [20.0, 1.0, 0.0]])
    places = begin(ways, lambda s: 5.0 + 0 * s, np.zeros((2, 3)))
    assert not places.come_to(0, members[0], 30.0, lambda place: False)
    assert places.station[0] == 0.0
    assert places.come_to(0, members[0], 30.0, lambda place: bool(np.allclose(place, members[0])))
    np.testing.assert_allclose(places.station, [20.0, 0.0], atol=0.02)
    assert not places.come_to(0, members[0], 21.0, lambda place: True)  # it is there already
    assert places.come_to(1, members[1], 12.0, lambda place: True)
    np.testing.assert_allclose(places.station[1], 12.0, atol=0.02)


def test_a_place_comes_to_its_member_also_where_its_slot_is_hardly_ahead(ways):
    """Between the two is no row of the table of the path."""
    places = begin(ways, lambda s: 5.0 + 0 * s, np.zeros((1, 3)))
    for start in np.linspace(0.0, 0.05, 11):
        places.station[0], slot = start, start + places.spacing + 0.005
        assert places.come_to(0, np.array([20.0, 0.0, 0.0]), slot, lambda place: True)
        assert start + places.spacing <= places.station[0] <= slot


def test_positions_are_on_the_path_and_to_its_left(ways):
    places = begin(ways, lambda s: 5.0 + 0 * s, np.zeros((1, 3)))
    station, left = np.array([0.0, 3.33, 40.0, 42.0]), np.array([0.0, 1.5, -2.0, 0.5])
    expected = np.column_stack([station, left, np.zeros(4)])
    np.testing.assert_allclose(
        places.position(station, np.column_stack([left, 0 * left])), expected, atol=1e-9
    )


def test_beginning_takes_members_where_they_stand(ways):
    start = np.random.default_rng(0).uniform(-3, 0, (6, 3)) * [1, 1, 0]
    places = begin(ways, lambda s: 5.0 + 0 * s, start)
    np.testing.assert_allclose(places.position(places.station, places.aside), start, atol=1e-9)


@pytest.mark.parametrize("lag", [0.5, 1.0, 1.1, 2.0, 3.7])
def test_nobody_is_left_behind_before_a_door_when_the_others_widen(ways, lag):
    """The leader is through and the line is formed again while the last is before the door."""
    start = np.array([[17.2, 0, 0], [17.2 - lag, 0, 0], [17.2 - 2 * lag, 0, 0]])
    places = begin(ways, lambda s: np.where((s > 14.6) & (s < 15.4), 0.1, 4.0), start)
    slots = Line().slots(3, 2.3)
    leader = 17.2
    for _ in range(600):
        leader = min(leader + 0.3 * DT, 20.0)
        here = places.position(places.station, places.aside)
        places.advance(leader - slots[:, 0], slots[:, 1:], here, DT)
    np.testing.assert_allclose(places.station, 20.0, atol=0.02)
    np.testing.assert_allclose(places.aside, slots[:, 1:], atol=0.02)


@pytest.fixture
def flight(ways):
    """A straight path in space through a round window: 4 m of room, 1 m from 15 to 18 m."""
    station = np.linspace(0.0, 40.0, 201)
    free = np.where((station > 15) & (station < 18), 1.0, 4.0)
    around = np.repeat(free[:, None], 16, axis=1)
    room = Corridor(station, free, free, 0.4, free, free, around)
    path = ways.straight(40.0, grounded=False)

    def begin(start):
        return FormationFrame.from_positions(
            path, room, 1.0, 3.0, 5.0, 1.2, False, np.asarray(start, float)
        )

    return begin


def test_flyers_take_slots_above_and_below_and_draw_together_in_a_window(flight):
    slots = SphereFormation().slots(12, 1.6)
    start = np.column_stack([-slots[:, 0], slots[:, 1:]])
    places, leader, inside = flight(start), 0.0, []
    for _ in range(1200):
        leader = min(leader + 3.0 * DT, 40.0)
        here = places.position(places.station, places.aside)
        places.advance(leader - slots[:, 0], slots[:, 1:], here, DT)
        away = np.hypot(*places.aside.T)
        rows = (places.station > 15.2) & (places.station < 17.8)
        inside += away[rows].tolist()
    assert len(inside) > 0
    assert max(inside) <= 1.0 + 1e-6
    np.testing.assert_allclose(places.aside, slots[:, 1:], atol=0.02)
    assert np.ptp(places.aside[:, 1]) > 2.0


def test_the_deviation_is_ahead_left_and_up_of_the_place(flight):
    places = flight([[0.0, 0.0, 0.0], [-1.0, 2.0, 1.0]])
    moved = np.array([[0.3, -0.2, 0.1], [-1.5, 2.0, 2.0]])
    expected = [[0.3, -0.2, 0.1], [-0.5, 0.0, 1.0]]
    np.testing.assert_allclose(places.deviation(moved), expected, atol=1e-9)


def test_who_is_beside_its_lane_with_its_place_or_its_body_is_not_in_it(ways):
    places = begin(ways, lambda s: 4.0 + 0 * s, np.zeros((3, 3)))
    places.aside = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    offset = np.array([[0.5, 0.1, 0], [0, 0, 0], [0, 1, 0]])
    position = places.position(places.station, places.aside) + offset
    kept = places.in_lane(np.tile([1.0, 0.0], (3, 1)), position)
    assert kept.tolist() == [True, False, False]
