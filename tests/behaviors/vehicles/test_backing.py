"""Driving backward: the body faces ahead, the turn radius holds, and gears change at rest."""

import numpy as np
import pytest

from rmp3d.behaviors.vehicles import attainable, fly
from rmp3d.behaviors.vehicles.hugging import hug
from rmp3d.geometry.surface import WalkableSurface

RADIUS, BACK = 2.0, 0.6


def car(make, speed=0.0, **changes):
    one = {"turn_radius": RADIUS, "max_reverse_speed": BACK, "max_turn_rate": 3.0, **changes}
    values = {key: np.array([value]) for key, value in one.items()}
    return make.flock(np.zeros((1, 3)), [[speed, 0.0, 0.0]], **values)


def backed(make, agents, wanted, seconds):
    """Yield the car as it is asked, step by step, to move by ``wanted`` backward."""
    for _ in range(round(seconds / make.dt)):
        wish = wanted(agents) if callable(wanted) else np.array([wanted], float)
        velocity = attainable(agents, wish, make.dt, np.array([True]))
        agents = fly(agents, velocity, make.dt)
        yield agents


def test_it_ends_straight_behind_its_start_and_faces_as_before(make):
    *_, now = backed(make, car(make), [-5.0, 0, 0], 4.0)
    assert -BACK * 4.0 < now.position[0, 0] < -0.7 * BACK * 4.0
    np.testing.assert_allclose(now.position[0, 1:], 0.0, atol=1e-12)
    np.testing.assert_allclose(now.heading, [[1.0, 0, 0]], atol=1e-12)
    assert -now.velocity[0, 0] == pytest.approx(BACK, abs=1e-6)


def test_backward_too_it_drives_circles_of_its_turn_radius_and_faces_against_its_motion(make):
    def aside(agents):
        return -3.0 * agents.heading + 3.0 * np.cross([0.0, 0, 1], agents.heading)

    states = list(backed(make, car(make), aside, 60.0))
    track = np.array([now.position[0] for now in states])[-1100:]
    middle = 0.5 * (track.max(axis=0) + track.min(axis=0))
    np.testing.assert_allclose(np.linalg.norm(track - middle, axis=1), RADIUS, atol=0.02)
    for now in states[10:]:
        speed = np.linalg.norm(now.velocity[0])
        np.testing.assert_allclose(now.velocity[0] / speed, -now.heading[0], atol=1e-9)


def test_one_under_way_stops_before_it_goes_back_and_never_turns_about(make):
    agents = car(make, 2.0)
    along, heading = [2.0], agents.heading[0]
    for now in backed(make, agents, [-2.0, 1.0, 0], 3.0):
        along.append(float(now.velocity[0] @ now.heading[0]))
        assert now.heading[0] @ heading > 0.99
        heading = now.heading[0]
    way = np.sign(np.round(along, 9))
    change = np.flatnonzero(np.diff(way))
    assert list(way[change]) == [1.0, 0.0], "ahead, at rest, backward"
    assert (np.diff(along) >= -4.0 * make.dt - 1e-9).all(), "no harder than the brake"
    assert min(along) >= -BACK - 1e-9


def test_one_that_backs_up_stops_before_it_goes_ahead(make):
    *_, agents = backed(make, car(make), [-1.0, 0, 0], 2.0)
    speeds = []
    for _ in range(60):
        agents = fly(agents, attainable(agents, np.array([[1.0, 0, 0]]), make.dt), make.dt)
        speeds.append(agents.velocity[0, 0])
        np.testing.assert_allclose(agents.heading, [[1.0, 0, 0]], atol=1e-12)
    assert np.abs(speeds).min() < 1e-9
    assert speeds[-1] > 0.8


def test_who_cannot_go_back_stands_where_it_is_asked_to(make):
    *_, now = backed(make, car(make, max_reverse_speed=0.0), [-1.0, 0.0, 0], 2.0)
    np.testing.assert_allclose(now.position, 0.0, atol=1e-12)


def test_a_wish_ahead_is_followed_as_by_one_that_cannot_reverse(make):
    rng = np.random.default_rng(4)
    both = car(make), car(make, max_reverse_speed=0.0)
    for wish in rng.normal(0, 1.5, (150, 1, 3)) * [1, 1, 0]:
        both = [fly(each, attainable(each, wish, make.dt), make.dt) for each in both]
        assert both[0].position.tobytes() == both[1].position.tobytes()
        assert both[0].heading.tobytes() == both[1].heading.tobytes()


def test_backing_down_a_slope_the_nose_points_up(make):
    ground = make.grid(np.linspace(-8, 8, 5), np.linspace(-8, 8, 5), lambda x, y: 0.3 * x)
    surface = WalkableSurface(ground)
    at, face = surface.locate(np.array([[2.0, 0.3, 0.6]]), 1.0, 1.0)
    agents = car(make, lean=1.0, grounded=True).moved(position=at, face=face)
    for _ in range(90):
        velocity = attainable(agents, np.array([[-1.0, 0.0, 0]]), make.dt, np.array([True]))
        agents = hug(agents, velocity, surface, make.dt)
    assert agents.position[0, 0] < 1.0
    assert agents.heading[0, 2] == pytest.approx(np.sin(np.arctan(0.3)), abs=1e-3)
    assert agents.heading[0, 0] > 0.9
