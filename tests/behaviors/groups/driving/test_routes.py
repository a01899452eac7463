"""Routes are proved free by the planner's own proof, and no turn in them is too tight."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors import Flock
from rmp3d.behaviors.groups.driving.curve_search import room_along
from rmp3d.behaviors.groups.driving.ends import beside, ends_along, tangent_ends
from rmp3d.behaviors.groups.driving.gaps import gaps_between
from rmp3d.behaviors.groups.driving.route import Driven
from rmp3d.behaviors.groups.driving.routes import (
    BESIDE,
    can_turn_round,
    find_apart,
    find_route,
    find_shelter,
    find_way_back,
    first_ahead,
)
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.ground_heading import posed
from rmp3d.scenes import Scene

THROUGH = np.array([[x, 0.0, 0.0, 0.0] for x in (-3.0, 0.0, 3.0, 8.0)])
LEFT = np.array([11.0, 8.0, 5.0, 0.0])
NOBODY = np.zeros((0, 6))


def at(space, flock, others=NOBODY):
    x, y = flock.heading[0, :2]
    return Driven(
        space, flock.position[0], float(np.arctan2(y, x)), 2.5, True, flock.bodies.ends[0],
        float(flock.bodies.half_width[0]), others,
    )  # fmt: skip


def proved(space, route):
    poses = posed(route.point, route.angle)
    return space.world.motions_are_free(poses[:-1], poses[1:]).all()


@pytest.mark.parametrize(
    "pose", [[-5.1, -1.3, 0.0], [-4.75, -3.0, 1.5], [-5.1, 0.5, 1.2], [-9.0, 4.0, 3.0]]
)
def test_a_route_from_beside_an_entrance_leads_in_and_is_proved_free(gate, bikes, pose):
    route = find_route(at(gate, bikes.at([pose])), THROUGH, LEFT)
    assert proved(gate, route)
    np.testing.assert_allclose(route.point[-1, 1], 0.0, atol=1e-6)
    assert np.cos(route.angle[-1]) == pytest.approx(1.0)
    step = np.diff(route.station)
    turn = np.abs(np.diff(route.angle))
    assert (turn <= step / 2.5 + 1e-6)[step > 1e-3].all()
    course = np.diff(route.point[:, :2], axis=0)
    ahead = course[:, 0] * np.cos(route.angle[1:]) + course[:, 1] * np.sin(route.angle[1:])
    inner = np.diff(route.gear) == 0
    assert (np.sign(ahead) == route.gear[1:])[inner & (step > 0.05)].all()


def test_what_carries_the_ground_is_not_beside_a_route(gate, deck, bikes):
    """On a ramp with an underside cars drove each bend at 0.7 m/s, as if beside a wall."""
    vehicle = at(gate, bikes.at([[-10.0, 0.0, 0.0]]))
    route = find_route(vehicle, THROUGH, LEFT)
    over = room_along(replace(vehicle, space=deck), route)
    in_gate, in_yard = np.abs(route.point[:, 0]) < 3.0, route.point[:, 0] < -8.0
    np.testing.assert_allclose(over[in_gate], route.clearance[in_gate], atol=0.02)
    assert over[in_yard].min() > 0.35


def test_one_without_a_reverse_gear_gets_routes_ahead_only(gate, bikes):
    vehicle = at(gate, bikes.at([[-12.0, 4.0, 3.0]]))
    route = find_route(replace(vehicle, reverses=False), THROUGH, LEFT)
    assert (route.gear == 1).all()
    assert proved(gate, route)


def test_the_dearer_the_way_back_is_the_less_a_route_leads_back(gate, bikes):
    vehicle, back = at(gate, bikes.at([[-12.0, 0.0, 3.0]])), []
    for price in (1.0, 8.0):
        route = find_route(replace(vehicle, back_price=price), THROUGH, LEFT)
        back.append(float(np.diff(route.station)[route.gear[1:] < 0].sum()))
    assert back[1] < back[0] - 0.5


def test_the_first_end_that_is_reached_ahead_is_found_or_none(gate, bikes):
    vehicle = at(gate, bikes.at([[-14.0, 0.0, 0.0]]))
    in_wall, far, near = [0.0, 5.0, 0.0, 0.0], [-6.0, 3.0, 0.3, 0.0], [-9.0, 0.0, 0.0, 0.0]
    ends = np.array([near, in_wall, far])
    assert first_ahead(vehicle, ends, np.array([2, 0, 1])) == 2
    assert first_ahead(vehicle, ends[1:2], np.zeros(1, np.intp)) == -1


def test_a_route_ends_where_it_can_be_gone_on_from_if_there_is_one(gate, bikes):
    """A pose 2 m before a wall is free, near, and a trap without a reverse gear."""
    vehicle = replace(at(gate, bikes.at([[-14.0, 0.0, 0.0]])), reverses=False)
    trap, ends = [-6.2, 4.0, 0.0, 0.0], [[0.0, 0.0, 0.0, 0.0], [8.0, 0.0, 0.0, 0.0]]
    price = np.array([2.0, 6.0, 0.0])
    route = find_route(vehicle, np.array([trap, *ends]), price)
    assert route.goes_on
    np.testing.assert_allclose(route.point[-1, 1], 0.0, atol=1e-6)
    beyond = [12.0, 0.0, 0.0, 9.0]
    route = find_route(vehicle, np.array([trap, beyond]), price[[0, 2]])
    assert not route.goes_on, "nothing else is reached"
    np.testing.assert_allclose(route.point[-1, :2], trap[:2], atol=1e-6)


def test_bodies_that_stand_are_driven_around_or_there_is_no_route(gate, bikes):
    vehicle = at(gate, bikes.at([[-14.0, 0.0, 0.0]]))
    ends = np.array([[-5.0, 0.0, 0.0, 0.0]])
    inside = np.array([[-9.0, 0.0, -9.0, 0.0, 0.5, 0.0]])
    route = find_route(replace(vehicle, others=inside), ends, np.zeros(1))
    cores = route.cores(vehicle.ends, vehicle.half_width)
    assert gaps_between(cores, inside).min() >= BESIDE - 1e-9
    assert route.station[-1] > 9.0
    in_gate = np.array([[0.0, 0.0, 0.0, 0.0, 0.5, 0.0]])
    assert find_route(replace(vehicle, others=in_gate), THROUGH[2:], LEFT[2:]) is None


def test_an_end_on_another_level_is_not_reached_below_it(gate, bikes):
    """Seen from above, a lane of a car park lies over that of the deck below."""
    vehicle = at(gate, bikes.at([[-14.0, 0.0, 0.0]]))
    ends = np.array([[-8.0, 0.0, 0.0, 3.0], [-6.0, 0.0, 0.0, 0.0]])
    route = find_route(vehicle, ends, np.array([0.0, 9.0]))
    np.testing.assert_allclose(route.point[-1], [-6.0, 0.0, 0.0], atol=1e-6)
    assert find_route(vehicle, ends[:1], np.zeros(1)) is None


def test_ends_have_the_height_of_the_guide_and_are_not_far_ahead():
    climbs = np.array([[0.0, 0.0, 0.0], [22.0, 0.0, 3.0], [22.0, 6.0, 3.0], [0.0, 6.0, 3.0]])
    ends, price = ends_along(climbs, 0.0, 2.5, stops=True)
    np.testing.assert_allclose(ends[:, 3], 3.0 * ends[:, 0] / 22.0)
    assert ends[:, 0].max() <= 6.0 * 2.5
    assert len(price) == len(ends)


def test_how_far_a_place_is_beside_a_guide():
    guide = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 6.0, 3.0]])
    assert beside(guide, np.array([2.0, -1.5, 0.0])) == pytest.approx(1.5)
    assert beside(guide, np.array([4.0, 6.0, 0.0])) == pytest.approx(6.0 / np.sqrt(5.0))
    assert beside(guide, np.array([-3.0, 4.0, 0.0])) == pytest.approx(5.0)


def test_a_shelter_is_clear_of_what_others_claim(gate, bikes):
    vehicle = at(gate, bikes.at([[-6.0, 0.0, 0.0]]))
    claimed = np.array([[-12.0, 0.0, 0.0, 0.0, 0.4, 0.0]])
    route = find_shelter(vehicle, claimed)
    assert proved(gate, route)
    last = route.cores(vehicle.ends, vehicle.half_width)[-1:]
    assert gaps_between(last, claimed).min() > BESIDE


def test_one_that_stands_close_to_others_gets_away_from_them(gate, bikes):
    ahead = np.array([[-7.6, 0.0, -7.2, 0.0, 0.3, 0.0]])
    vehicle = at(gate, bikes.at([[-9.3, 0.0, 0.0]]), ahead)
    route = find_apart(vehicle)
    cores = route.cores(vehicle.ends, vehicle.half_width)[[0, -1]]
    before, after = gaps_between(cores, ahead)[:, 0]
    assert 0.0 < before < 0.5 < after
    assert proved(gate, route)
    assert find_apart(replace(vehicle, others=NOBODY)) is None
    far = np.array([[9.0, 6.0, 9.4, 6.0, 0.3, 0.0]])
    assert find_apart(replace(vehicle, others=far)) is None, "it is far away already"


def test_the_way_back_on_a_route_has_the_opposite_gears(gate, bikes):
    route = find_route(at(gate, bikes.at([[-4.75, -3.0, 1.5]])), THROUGH, LEFT)
    back = route.back(len(route.gear) - 1, 0)
    np.testing.assert_array_equal(back.point, route.point[::-1])
    assert (back.gear[1:] == -route.gear[:0:-1]).all()


def test_where_it_cannot_turn_a_vehicle_follows_its_guide_backward(gate, bikes):
    back = np.array([[x, 0.0, np.pi, 0.0] for x in (1.0, -2.0)])
    vehicle = at(gate, bikes.at([[3.0, 0.1, 0.0]]))
    assert find_way_back(vehicle, THROUGH, LEFT) is None, "they do not lie behind it"
    route = find_way_back(vehicle, back, np.array([3.0, 0.0]))
    assert (route.gear == -1).all()
    assert np.cos(route.angle[-1]) == pytest.approx(1.0)
    np.testing.assert_allclose(route.point[-1, :2], [1.0, 0.0], atol=1e-6)
    assert proved(gate, route)
    assert route.goes_on


def test_a_way_back_to_where_nothing_leads_on_is_known_as_a_dead_end(gate, bikes):
    """Before a wall, with its back to it: no curve leads farther, whether it turns or not."""
    vehicle = at(gate, bikes.at([[-12.0, 4.0, np.pi]]))
    trap, beyond = [-6.2, 4.0, 0.0, 0.0], [12.0, 0.0, 0.0, 9.0]
    route = find_way_back(vehicle, np.array([trap, beyond]), np.array([6.0, 0.0]))
    np.testing.assert_allclose(route.point[-1, :2], trap[:2], atol=1e-6)
    assert not route.goes_on


def test_to_a_pose_of_a_tangent_one_turn_and_a_line_lead():
    place = np.array([9.0, 4.0, 0.0])
    ends = tangent_ends(np.zeros(3), 0.0, place, 3.0)
    for (x, y, angle, _), side in zip(ends, (1.0, -1.0), strict=True):
        to_middle = np.array([0.0, 3.0 * side]) - (x, y)
        left_of_line = np.cos(angle) * to_middle[1] - np.sin(angle) * to_middle[0]
        assert left_of_line == pytest.approx(3.0 * side)
        assert np.cos(angle) * to_middle[0] + np.sin(angle) * to_middle[1] < 0.0
    assert len(tangent_ends(np.zeros(3), 0.0, np.array([0.5, 2.0, 0.0]), 3.0)) == 1


def test_one_that_rolls_ahead_is_not_sent_back_where_one_that_stands_is(gate, bikes):
    flock = bikes.at([[-12.0, 0.0, 0.0]])
    ends = np.array([[-10.0, 3.0, 0.0, 0.0]])
    stands = at(gate, flock).by_time(flock.bodies, 0, 0.0)
    rolls = at(gate, flock).by_time(flock.bodies, 0, 3.0)
    assert rolls.back_price == pytest.approx(4.0 / 0.8)
    first = [find_route(vehicle, ends, np.zeros(1)).gear[0] for vehicle in (stands, rolls)]
    assert first == [-1, 1]


@pytest.mark.parametrize(("pose", "free"), [([-12.0, 0.0, 1.0], True), ([-1.0, 0.0, 0.0], False)])
def test_a_vehicle_can_turn_round_in_a_yard_but_not_in_a_corridor(gate, bikes, pose, free):
    assert can_turn_round(at(gate, bikes.at([pose]))) == free


def test_one_that_rather_drives_round_than_back_turns_by_more_than_half_a_circle(gate, bikes):
    vehicle = at(gate, bikes.at([[-12.0, 0.0, 0.0]]))
    behind = np.array([[-12.0, 1.0, np.deg2rad(-120.0), 0.0]])
    back = find_route(vehicle, behind, np.zeros(1))
    assert (back.gear < 0).any()
    round_it = find_route(replace(vehicle, change_price=100.0), behind, np.zeros(1))
    assert (round_it.gear == 1).all()
    assert np.ptp(round_it.angle) > np.pi
    assert proved(gate, round_it)


def test_one_that_goes_about_keeps_off_the_wall_where_there_is_room(gate, bikes):
    vehicle = at(gate, bikes.at([[-12.0, 0.0, np.pi]]))
    ends = np.array([[-4.6, 2.0, 0.5 * np.pi, 0.0], [-8.0, 2.0, 0.5 * np.pi, 0.0]])
    nearest, roomy = (
        find_route(replace(vehicle, about=about), ends, np.array([0.0, 30.0]))
        for about in (False, True)
    )
    assert nearest.end_among(ends) == 0
    assert roomy.end_among(ends) == 1
    assert roomy.clearance[1:].min() > nearest.clearance.min()


def test_over_the_crest_of_a_ramp_a_car_drives_ahead():
    """Coarse curves keep off the edge; the first free one of these went back and forth for 10 m."""
    car = load_character("car")
    scene = Scene.load("crossing")
    space = make_space("ground_heading", scene, car.body, turn_radius=3.5, reverses=True)
    place, face = space.surface.locate(np.array([[-9.83, 0.37, 3.23]]), 0.1, 0.1)
    heading = np.array([[np.cos(0.157), -np.sin(0.157), 0.0]])
    vehicle = replace(at(space, Flock.at_rest([car], place, heading, face)), turn_radius=3.5)
    ends = np.array([[x, 0.0, 0.0, 3.6] for x in (-7.0, -5.3, -2.8, 0.7, 5.9, 11.2)])
    route = find_route(vehicle, ends, 46.0 - ends[:, 0])
    assert (route.gear == 1).all()
    assert proved(space, route)
