"""Seeking out, following and running from one other, who moves in a known way."""

import numpy as np
import pytest
from scipy.optimize import brentq

from rmp3d.behaviors.prediction import closest_approach, interception_time
from rmp3d.behaviors.steering import (
    Evade,
    Flee,
    Interpose,
    MatchVelocity,
    OffsetPursuit,
    Pursue,
    Shadow,
)
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, KnownAgent
from rmp3d.geometry.errors import InputError


def someone(count, position, velocity=(0.0, 0, 0), heading=(1.0, 0, 0), radius=0.3, age=0.0):
    one = np.ones((count, 1))
    return KnownAgent(
        position=one * position, velocity=one * velocity, heading=one * heading,
        up=one * [0.0, 0, 1], radius=np.full(count, radius), known=np.ones(count, bool),
        age=np.full(count, age),
    )  # fmt: skip


def straight(make, role, start, velocity):
    """What agents know of someone who goes straight on."""
    start, velocity = np.array(start, float), np.array(velocity, float)

    def around(agents, time):
        one = someone(len(agents), start + velocity * time, velocity)
        return make.surroundings(agents, others={role: one})

    return around


def wanted(agents, force):
    return agents.velocity + force / agents.bodies.mass[:, None] * RESPONSE_TIME


def test_interception_time_is_the_first_root():
    rng = np.random.default_rng(0)
    offset, velocity = rng.normal(0, 5, (400, 3)), rng.normal(0, 1.5, (400, 3))
    speed = rng.uniform(0.2, 3, 400)
    found = interception_time(offset, velocity, speed, 50.0)
    for o, u, s, time in zip(offset, velocity, speed, found, strict=True):
        grid = np.linspace(0, 50, 20_001)
        gap = np.linalg.norm(o + u * grid[:, None], axis=1) - s * grid
        if (gap > 0).all():
            assert time == 50.0
            continue
        k = np.argmax(gap <= 0)
        root = brentq(lambda t: np.linalg.norm(o + u * t) - s * t, grid[k - 1], grid[k])  # noqa: B023
        assert time == pytest.approx(root, abs=1e-6)


def test_interception_of_who_is_as_fast_or_there_already():
    approaching, fleeing = np.array([[4.0, 0, 0]]), np.array([[4.0, 0, 0]])
    one = np.ones(1)
    assert interception_time(approaching, np.array([[-1.0, 0, 0]]), one, 9.0)[0] == 2.0
    assert interception_time(fleeing, np.array([[1.0, 0, 0]]), one, 9.0)[0] == 9.0
    assert interception_time(np.zeros((1, 3)), np.array([[1.0, 0, 0]]), one, 9.0)[0] == 0.0
    assert interception_time(np.ones((1, 3)), np.zeros((1, 3)), 0 * one, 9.0)[0] == 9.0


def test_closest_approach_is_the_true_minimum_of_the_distance():
    rng = np.random.default_rng(1)
    offset, velocity = rng.normal(0, 3, (300, 3)), rng.normal(0, 2, (300, 3))
    time, gap = closest_approach(offset, velocity, 4.0)
    grid = np.linspace(0, 4, 4001)
    distance = np.linalg.norm(offset[:, None] + velocity[:, None] * grid[None, :, None], axis=2)
    np.testing.assert_allclose(gap, distance.min(axis=1), atol=1e-5)
    assert (np.abs(time - grid[distance.argmin(axis=1)]) < 2e-3).all()
    still, apart = closest_approach(offset, np.zeros_like(offset), 4.0)
    np.testing.assert_array_equal(still, 0.0)
    np.testing.assert_allclose(apart, np.linalg.norm(offset, axis=1))


def test_flee_starts_within_the_panic_distance_and_not_before(make):
    agents = make.flock([[0.0, 0, 0]])
    for distance, flees in ((4.001, False), (3.999, True)):
        around = make.surroundings(agents, others={"threat": someone(1, [distance, 0, 0])})
        force = Flee(panic_distance=4.0).steering_force(agents, around)
        if not flees:
            np.testing.assert_array_equal(force, 0.0)
        else:
            np.testing.assert_allclose(wanted(agents, force), [[-2.0, 0, 0]], atol=1e-12)


def test_flee_is_the_opposite_of_seeking_at_the_largest_speed(make):
    rng = np.random.default_rng(2)
    agents = make.flock(rng.normal(0, 3, (20, 3)), rng.normal(size=(20, 3)))
    around = make.surroundings(agents, others={"threat": someone(20, [1.0, 2, 3])})
    velocity = wanted(agents, Flee().steering_force(agents, around))
    away = agents.position - [1.0, 2, 3]
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    np.testing.assert_allclose(velocity, 2.0 * away, atol=1e-12)


def test_a_threat_seen_a_while_ago_is_where_it_must_be_by_now(make):
    agents = make.flock([[0.0, 0, 0]])
    threat = someone(1, [-3.0, 3, 0], [3.0, 0, 0], age=1.0)
    force = Flee().steering_force(agents, make.surroundings(agents, others={"threat": threat}))
    np.testing.assert_allclose(wanted(agents, force), [[0.0, -2.0, 0]], atol=1e-12)


@pytest.mark.parametrize("prediction", ["intercept", "travel", "turning"])
def test_a_pursuer_catches_a_slower_quarry(make, moves, prediction):
    agents = make.flock([[0.0, 0, 0]], [[2.0, 0, 0]])
    around = straight(make, "quarry", [6.0, -4, 2], [0.0, 1.2, 0.3])
    gaps = [
        np.linalg.norm(now.position[0] - np.array([6, -4, 2]) - np.array([0, 1.2, 0.3]) * k / 30)
        for k, now in enumerate(moves(agents, Pursue(prediction), 10.0, around), 1)
    ]
    assert min(gaps) < 0.3


def test_a_pursuer_never_catches_a_faster_quarry_that_runs_off(make, moves):
    agents = make.flock([[0.0, 0, 0]], [[2.0, 0, 0]])
    around = straight(make, "quarry", [3.0, 0, 0], [2.2, 0.1, 0])
    before = 3.0
    for k, now in enumerate(moves(agents, Pursue(), 10.0, around), 1):
        gap = np.linalg.norm(now.position[0] - [3.0 + 2.2 * k / 30, 0.1 * k / 30, 0])
        assert gap >= before - 1e-9
        before = gap


def test_pursuit_by_interception_is_a_straight_line(make, moves):
    offset, motion = np.array([[4.0, -3, 1]]), np.array([[0.0, 1.0, 0.0]])
    time = interception_time(offset, motion, np.array([2.0]), 9.0)[0]
    course = (offset[0] + motion[0] * time) / (2.0 * time)
    agents = make.flock([[0.0, 0, 0]], 2.0 * course[None])
    around = straight(make, "quarry", offset[0], motion[0])
    for k, now in enumerate(moves(agents, Pursue(), 0.9 * time, around), 1):
        np.testing.assert_allclose(now.position[0], 2.0 * course * k / 30, atol=0.01)


def test_evade_runs_from_where_the_threat_will_be(make):
    agents = make.flock([[0.0, 0, 0]])
    threat = someone(1, [-4.0, 1, 0], [2.0, 0, 0])
    around = make.surroundings(agents, others={"threat": threat})
    straight_away = wanted(agents, Flee().steering_force(agents, around))[0]
    assert straight_away[0] > 0.0
    evading = wanted(agents, Evade(max_prediction=9.0).steering_force(agents, around))[0]
    # It will pass 1 m to the left, after 2 s: straight to the right is the way off its line.
    np.testing.assert_allclose(evading, [0.0, -2.0, 0.0], atol=1e-12)
    one_second = Evade(prediction="travel", max_prediction=1.0).steering_force(agents, around)
    np.testing.assert_allclose(
        wanted(agents, one_second)[0], 2.0 * np.array([2.0, -1, 0]) / np.sqrt(5), atol=1e-12
    )


def test_evade_stays_ahead_of_an_equal_for_longer_than_standing(make, moves):
    agents = make.flock([[0.0, 0, 0]])
    around = straight(make, "threat", [-5.0, 0.2, 0], [1.9, 0, 0])
    for k, now in enumerate(moves(agents, Evade(panic_distance=4.0), 10.0, around), 1):
        assert np.linalg.norm(now.position[0] - [-5 + 1.9 * k / 30, 0.2, 0]) > 0.6


@pytest.mark.parametrize("quarry", [[8.0, 0.4, 0.2], [8.0, 0, 0]])
def test_a_fly_by_passes_at_the_distance(make, moves, quarry):
    agents = make.flock([[0.0, 0, 0]], [[2.0, 0, 0]])
    around = straight(make, "quarry", quarry, [0.0, 0, 0])
    gaps = [
        np.linalg.norm(now.position[0] - quarry)
        for now in moves(agents, OffsetPursuit(distance=1.0), 4.2, around)
    ]
    # The bodies have radii of 0.3 m each, so the centers pass at 1.6 m; never nearer.
    assert 1.5 < min(gaps) < 1.75


def test_a_place_beside_a_quarry_is_taken_and_kept(make, moves):
    agents = make.flock([[0.0, 0, 0]])
    around = straight(make, "quarry", [3.0, 0, 0], [1.2, 0, 0])
    *_, now = moves(agents, OffsetPursuit(place=(-1.0, 2.0, 0.5)), 20.0, around)
    np.testing.assert_allclose(now.position[0], [3 + 24 - 1, 2, 0.5], atol=0.05)
    np.testing.assert_allclose(now.velocity[0], [1.2, 0, 0], atol=1e-3)


def test_a_place_must_have_three_numbers():
    with pytest.raises(InputError, match="`place` must be"):
        OffsetPursuit(place=(1.0, 2.0))


@pytest.mark.parametrize("time", [0.25, 1.0])
def test_velocities_are_matched_exponentially(make, moves, time):
    agents = make.flock([[0.0, 0, 0]])
    around = straight(make, "quarry", [9.0, 0, 0], [0.4, 0.3, -0.2])
    *_, now = moves(agents, MatchVelocity(time), 1.0, around, dt=1e-3)
    expected = (1.0 - np.exp(-1.0 / time)) * np.array([0.4, 0.3, -0.2])
    np.testing.assert_allclose(now.velocity[0], expected, atol=1e-3)


def test_a_shadow_keeps_its_distance_speed_and_heading(make, moves):
    agents = make.flock([[-4.0, 2, 0]])
    around = straight(make, "quarry", [0.0, 0, 0], [0.9, 0.3, 0.1])
    *_, now = moves(agents, Shadow(distance=1.5), 15.0, around)
    gap = np.linalg.norm(now.position[0] - 15.0 * np.array([0.9, 0.3, 0.1]))
    assert gap == pytest.approx(1.5 + 0.6, abs=0.05)
    np.testing.assert_allclose(now.velocity[0], [0.9, 0.3, 0.1], atol=1e-3)
    direction = np.array([0.9, 0.3, 0.1]) / np.linalg.norm([0.9, 0.3, 0.1])
    np.testing.assert_allclose(now.heading[0], direction, atol=1e-3)


@pytest.mark.parametrize(("share", "x"), [(0.5, 1.0), (0.25, 0.0), (1.0, 3.0)])
def test_interpose_comes_to_the_point_between_two(make, moves, share, x):
    agents = make.flock([[0.0, -3, 1]])

    def around(now, time):
        quarry, ward = someone(1, [3.0, 2, 0]), someone(1, [-1.0, 2, 0])
        return make.surroundings(now, others={"quarry": quarry, "ward": ward})

    *_, now = moves(agents, Interpose(share), 12.0, around)
    np.testing.assert_allclose(now.position[0], [x, 2, 0], atol=1e-3)


def test_interpose_keeps_between_two_that_move_on(make, moves):
    agents = make.flock([[0.0, -3, 1]])

    def around(now, time):
        quarry = someone(1, [3.0 + time, 2, 0], [1.0, 0, 0])
        ward = someone(1, [-1.0 + time, 0.5 * time, 0], [1.0, 0.5, 0])
        return make.surroundings(now, others={"quarry": quarry, "ward": ward})

    *_, now = moves(agents, Interpose(), 12.0, around)
    np.testing.assert_allclose(now.position[0], [13, 1 + 3, 0], atol=0.06)
