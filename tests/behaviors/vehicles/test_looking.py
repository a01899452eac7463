"""Looking where one goes: headings with play, and walkers that turn before they go."""

import numpy as np
import pytest

from rmp3d.behaviors.vehicles import attainable, eased, hugging, looking, turning_first
from rmp3d.behaviors.vehicles.looking import turn_share
from rmp3d.geometry.surface import WalkableSurface

NOBODY = np.zeros(1, bool)


def yaw_of(vectors):
    return np.arctan2(vectors[..., 1], vectors[..., 0])


def turned_to(make, swing, sway=hugging.SWAY, seconds=6.0):
    """Headings [rad] of a body whose course swings by an angle [rad] once a second."""
    heading, seen = np.array([[1.0, 0, 0]]), []
    for time in np.arange(0.0, seconds, make.dt):
        angle = swing * np.sin(2.0 * np.pi * time)
        course = np.array([[np.cos(angle), np.sin(angle), 0.0]])
        now = yaw_of(heading) + turn_share(heading, course, sway, 0.08, make.dt) * (
            angle - yaw_of(heading)
        )
        heading = np.column_stack([np.cos(now), np.sin(now), 0.0 * now])
        seen.append(float(now[0]))
    return np.array(seen)


@pytest.mark.parametrize("sway", [hugging.SWAY, hugging.SWAY_AHEAD])
def test_a_sway_within_the_play_turns_no_heading_but_a_wider_one_does(make, sway):
    within, beyond = 0.6 * sway, 3.0 * sway
    rate = np.abs(np.diff(turned_to(make, within, sway))) / make.dt
    assert rate.max() <= looking.DRIFT + 1e-9
    assert np.ptp(turned_to(make, beyond, sway)) > beyond
    assert np.abs(np.diff(turned_to(make, within, sway=0.0))).max() / make.dt > 3.0 * looking.DRIFT


@pytest.mark.parametrize(("angle", "share"), [(0.0, 1.0), (39.0, 1.0), (180.0, looking.LEAST)])
def test_walkers_go_slowly_to_what_is_behind(make, angle, share):
    course = np.array([[np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0]])
    agents = make.flock([[0.0, 0, 0], [0.0, 1.0, 0]], grounded=True, heading=[[1.0, 0, 0]] * 2)
    both = np.repeat(course, 2, axis=0)
    np.testing.assert_allclose(
        turning_first(agents, both, np.zeros(2, bool)), share * both, atol=1e-12
    )


def test_constants_that_switch_a_rule_off_do_so_after_it_was_compiled(make, monkeypatch):
    """As `rmp3d bench motion --without` has them: compiled code would keep those it began with."""
    back = np.array([[-1.3, 0.0, 0.0]])
    alone = make.flock([[0.0, 0, 0]], grounded=True, heading=[[1.0, 0, 0]])
    stays = turning_first(alone, back, NOBODY)
    monkeypatch.setattr(looking, "SETS_OUT", 1e9)
    goes = turning_first(alone, back, NOBODY)
    assert stays[0, 0] > goes[0, 0] == pytest.approx(looking.LEAST * back[0, 0])
    monkeypatch.setattr(looking, "LEAST", 1.0)
    np.testing.assert_array_equal(turning_first(alone, back, NOBODY), back)
    shuffled, wanted = np.array([[0.0, 0.09, 0.0]]), np.array([[0.05, 0.0, 0.0]])
    waits = hugging._brisk(alone, shuffled, wanted)
    monkeypatch.setattr(hugging, "WAITS", 0.0)
    assert hugging._brisk(alone, shuffled, wanted)[0] > waits[0]


def walked(make, places, wanted, seconds=2.0):
    """Velocities and headings (T, N, 3) of walkers at rest that want to go somewhere."""
    ground = make.grid([-9.0, 9.0], [-9.0, 9.0], lambda x, y: 0.0 * x)
    surface = WalkableSurface(ground)
    agents = make.flock(places, grounded=True, heading=[[1.0, 0, 0]] * len(places), force_time=0.1)
    agents = agents.moved(face=surface.locate(agents.position)[1])
    wanted, seen = np.tile(wanted, (len(places), 1)), []
    for _ in range(round(seconds / make.dt)):
        slow = turning_first(agents, wanted, np.zeros(len(places), bool))
        velocity = eased(agents, attainable(agents, slow, make.dt), make.dt)
        moved = hugging.hug(agents, velocity, surface, make.dt, None, wanted)
        seen.append((velocity, agents.heading))
        agents = moved.moved(acceleration=(velocity - agents.velocity) / make.dt)
    return (np.array(each) for each in zip(*seen, strict=True))


@pytest.mark.parametrize("angle", [60.0, 100.0, 179.0])
def test_who_stands_with_room_turns_on_the_spot_and_goes_then(make, angle):
    wanted = 1.3 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0])
    velocity, heading = walked(make, [[0.0, 0, 0]], wanted)
    np.testing.assert_allclose(velocity[-1, 0], wanted, atol=0.05)
    moves = np.linalg.norm(velocity[:, 0], axis=1) > 0.15
    off = np.abs(looking.angle_off(heading[:, 0], velocity[:, 0]))
    assert np.degrees(off[moves]).max() < 45.0
    # Those among others step aside, as they did: nobody waits for them.
    velocity, heading = walked(make, [[0.0, 0, 0], [0.0, 0.9, 0]], wanted)
    moves = np.linalg.norm(velocity[:, 0], axis=1) > 0.15
    off = np.abs(looking.angle_off(heading[:, 0], velocity[:, 0]))
    assert angle < 90.0 or np.degrees(off[moves]).max() > 60.0


def test_who_flies_drives_or_is_oriented_goes_as_it_wants(make):
    back = np.array([[-1.0, 0, 0]])
    for changes, oriented in (
        ({"grounded": False}, NOBODY),
        ({"grounded": True, "turn_radius": 1.0}, NOBODY),
        ({"grounded": True}, ~NOBODY),
    ):
        agents = make.flock([[0.0, 0, 0]], heading=[[1.0, 0, 0]], **changes)
        np.testing.assert_array_equal(turning_first(agents, back, oriented), back)


def test_who_speeds_up_toward_what_it_wants_is_foreseen_to_come_half_the_way_there(make):
    agents = make.flock([[0.0, 0, 0]], grounded=True, velocity=[[1.0, 0.0, 0.0]])
    wanted, dt = np.array([[0.0, 1.0, 0.0]]), 0.1
    lacks = wanted - agents.velocity
    brisk, slow = agents.velocity + 0.5 * lacks * dt / 0.5, agents.velocity + 0.05 * lacks
    half = looking.foreseen(agents, brisk, wanted, 0.05)
    np.testing.assert_allclose(half, 0.5 * (brisk + wanted), atol=1e-12)
    ahead = looking.foreseen(agents, slow, wanted, dt) - slow
    assert 0.0 < ahead[0, 1] < 0.5  # no more than what it makes up in the time


def test_who_is_held_up_or_thrust_off_is_foreseen_to_go_on_as_it_does(make):
    agents = make.flock([[0.0, 0, 0]] * 2, grounded=True, velocity=[[0.3, 0.0, 0.0]] * 2)
    velocity = np.array([[0.3, 0.0, 0.0], [0.3, -0.05, 0.0]])
    wanted = np.array([[0.3, 1.0, 0.0]] * 2)
    np.testing.assert_array_equal(looking.foreseen(agents, velocity, wanted, make.dt), velocity)


@pytest.mark.parametrize("speed", [0.05, 0.12, 0.2, 0.35])
def test_who_wants_to_go_slowly_is_not_slowed_so_much_that_it_never_turns(make, speed):
    back = np.array([[-speed, 0, 0]])
    agents = make.flock([[0.0, 0, 0], [0.0, 1.0, 0]], grounded=True, heading=[[1.0, 0, 0]] * 2)
    slowed = -turning_first(agents, np.repeat(back, 2, axis=0), np.zeros(2, bool))[0, 0]
    assert slowed <= speed
    assert slowed >= min(speed, hugging.BRISK + 0.04)
    alone = make.flock([[0.0, 0, 0]], grounded=True, heading=[[1.0, 0, 0]])
    slowed = turning_first(alone, back, NOBODY)
    assert -slowed[0, 0] > hugging.SHUFFLES or speed == hugging.SHUFFLES


def test_who_goes_by_no_plan_is_slower_aside_but_does_not_stand_to_turn(make):
    """Who hides behind a block that a threat goes around was seen three times as long."""
    agents = make.flock([[0.0, 0, 0]], grounded=True, heading=[[1.0, 0, 0]])
    back = np.array([[-agents.bodies.cruise_speed[0], 0, 0]])
    stands, goes = (turning_first(agents, back, NOBODY, np.array([led])) for led in (True, False))
    assert np.linalg.norm(stands) < 0.5 * np.linalg.norm(goes)


def test_an_animal_on_four_legs_stands_to_turn_though_it_goes_by_no_plan(make, monkeypatch):
    """A sheep that set out the other way slid aside or backward for 4 percent of the time."""
    agents = make.flock([[0.0, 0, 0]], grounded=True, heading=[[1.0, 0, 0]], lean=1.0)
    back = np.array([[-agents.bodies.cruise_speed[0], 0, 0]])
    led, free = (turning_first(agents, back, NOBODY, np.array([led])) for led in (True, False))
    np.testing.assert_array_equal(led, free)
    monkeypatch.setattr(looking, "FOUR_LEGS", 1.0)
    goes = turning_first(agents, back, NOBODY, np.array([False]))
    assert np.linalg.norm(free) < 0.5 * np.linalg.norm(goes)


def test_who_is_asked_about_has_room_as_every_pair_says(make):
    place = np.random.default_rng(2).uniform(0, 14, (90, 3)) * [1.0, 1.0, 0.0]
    agents = make.flock(place, grounded=True)
    asked = np.arange(90) % 3 > 0
    apart = np.linalg.norm(place[:, None] - place, axis=2) + 9.0 * np.eye(90)
    reach = agents.bodies.half_width + 0.5 * looking.ROOM
    alone = ~(apart <= reach[:, None] + reach).any(axis=1)
    assert 0 < alone.sum() < 90
    np.testing.assert_array_equal(looking.with_room(agents, asked), asked & alone)


@pytest.mark.parametrize(("led", "shakes"), [(True, True), (False, False)])
def test_who_is_pressed_by_its_steering_to_one_side_and_the_other_does_not_shake_its_head(
    make, led, shakes
):
    """Three of two hundred in a town turned 8 degrees to and fro in each step."""
    ground = WalkableSurface(make.grid([-9.0, 9.0], [-9.0, 9.0], lambda x, y: 0.0 * x))
    walker = make.flock([[0.0, 0, 0]], grounded=True, heading=[[1.0, 0, 0]])
    walker = walker.moved(face=ground.locate(walker.position)[1])
    creeps, seen = np.array([[0.03, 0.0, 0.0]]), []
    for step in range(40):
        wanted = np.array([[0.0, 1.3 * (-1.0) ** (step // 2), 0.0]])
        walker = hugging.hug(walker, creeps, ground, make.dt, None, wanted, np.array([led]))
        seen.append(yaw_of(walker.heading)[0])
    assert (np.ptp(seen) > np.radians(5.0)) == shakes
    assert shakes or np.ptp(seen) < np.radians(0.5)


def test_who_waits_steps_to_and_fro_without_turning_to_it_and_who_sets_out_turns(make):
    """Two people before the door of a lift turned to and fro all the time."""
    ground = WalkableSurface(make.grid([-9.0, 9.0], [-9.0, 9.0], lambda x, y: 0.0 * x))
    agents = make.flock([[0.0, 0, 0]], grounded=True, heading=[[1.0, 0, 0]])
    agents = agents.moved(face=ground.locate(agents.position)[1])
    for share, turns in ((0.1, False), (0.5, True)):
        wanted = share * agents.bodies.cruise_speed[0] * np.array([[1.0, 0.0, 0.0]])
        walker, seen = agents, []
        for time in np.arange(0.0, 2.0, make.dt):
            velocity = np.array([[0.0, 0.09 * np.sin(3.0 * np.pi * time), 0.0]])
            walker = hugging.hug(walker, velocity, ground, make.dt, None, wanted)
            seen.append(yaw_of(walker.heading)[0])
        assert (np.ptp(seen) > np.radians(30.0)) == turns
        assert turns or np.ptp(seen) < np.radians(1.0)


def test_of_some_of_a_flock_that_move_the_others_are_looked_at(make):
    place = np.random.default_rng(2).uniform(0, 14, (90, 3)) * [1.0, 1.0, 0.0]
    agents, rows = make.flock(place, grounded=True), np.arange(0, 90, 4)
    everyone = looking.with_room(agents, np.ones(90, bool))
    some = agents.some(rows)
    found = looking.with_room(some, np.ones(len(rows), bool))
    np.testing.assert_array_equal(found, everyone[rows])
    np.testing.assert_array_equal(some.position, place[rows])
    assert 0 < found.sum() < len(rows)
