"""Moving in a group: cohesion, alignment, flocking, and following a leader."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import Alignment, Cohesion, Flocking, FollowLeader, Separation
from rmp3d.behaviors.steering.flocking import thrust_to_cruise
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, KnownAgent
from rmp3d.geometry.errors import InputError


def agents_at_random(make, count, seed=0, spread=1.2, **changes):
    rng = np.random.default_rng(seed)
    heading = rng.normal(size=(count, 3))
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    return make.flock(
        rng.uniform(-spread, spread, (count, 3)), rng.normal(size=(count, 3)), heading=heading,
        **changes,
    )  # fmt: skip


@pytest.mark.parametrize("angle_deg", [180.0, 100.0, 30.0])
def test_cohesion_and_alignment_agree_with_a_loop(make, angle_deg):
    agents = agents_at_random(make, 30, spread=3.0)
    around = make.surroundings(agents, reach=4.0)
    pull = Cohesion(2.5, angle_deg, 1.5).steering_force(agents, around)
    match = Alignment(2.5, angle_deg, 0.5).steering_force(agents, around)
    for i in range(30):
        seen = []
        for j in range(30):
            offset = agents.position[j] - agents.position[i]
            apart = np.linalg.norm(offset)
            cosine = offset @ agents.heading[i] / max(apart, 1e-300)
            if i != j and apart <= 2.5 and np.degrees(np.arccos(cosine)) <= angle_deg:
                seen.append(j)
        if not seen:
            np.testing.assert_array_equal(pull[i], 0.0)
            np.testing.assert_array_equal(match[i], 0.0)
            continue
        middle = agents.position[seen].mean(axis=0) - agents.position[i]
        change = agents.velocity[seen].mean(axis=0) - agents.velocity[i]
        np.testing.assert_allclose(pull[i], 2.0 * 1.5 * middle / 2.5, atol=1e-12)
        np.testing.assert_allclose(match[i], 2.0 * change / 0.5, atol=1e-12)


def test_cohesion_of_all_with_all_pulls_to_the_middle_and_moves_nothing(make):
    agents = agents_at_random(make, 12, spread=0.5)
    force = Cohesion().steering_force(agents, make.surroundings(agents))
    np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=1e-12)
    middle = agents.position.mean(axis=0)
    np.testing.assert_allclose(np.cross(force, middle - agents.position), 0.0, atol=1e-12)


def test_alignment_keeps_the_momentum_while_differences_decay(make, moves):
    agents = make.flock(
        0.5 * np.eye(4)[:, :3], 0.3 * np.eye(4)[:, [1, 2, 3]], max_acceleration=np.full(4, 50.0),
        max_brake=np.full(4, 50.0), max_side_acceleration=np.full(4, 50.0),
    )  # fmt: skip
    momentum = agents.velocity.sum(axis=0)
    spread = agents.velocity - agents.velocity.mean(axis=0)
    *_, now = moves(agents, Alignment(9.0, time=0.5), 1.0, reach=9.0, dt=1e-3)
    np.testing.assert_allclose(now.velocity.sum(axis=0), momentum, atol=1e-9)
    left = now.velocity - now.velocity.mean(axis=0)
    np.testing.assert_allclose(left, spread * np.exp(-4 / 3 / 0.5), atol=1e-3)


def test_flocking_is_the_sum_of_its_parts(make):
    agents = agents_at_random(make, 40, spread=2.0)
    around = make.surroundings(agents)
    total = (
        2.0 * Separation(1.0).steering_force(agents, around)
        + 0.7 * Alignment(3.0, 135.0).steering_force(agents, around)
        + 0.7 * Cohesion(3.0, 135.0).steering_force(agents, around)
    )
    speed = np.linalg.norm(agents.velocity, axis=1)[:, None]
    total += 0.5 * 2.0 * (1.5 - speed) / RESPONSE_TIME * agents.velocity / speed
    np.testing.assert_allclose(Flocking().steering_force(agents, around), total, atol=1e-11)


def test_a_flock_comes_to_fly_one_way_at_its_speed_and_apart(make, moves):
    agents = agents_at_random(make, 30, seed=1, spread=2.5)
    one = Flocking(alignment_distance=5.0, cohesion_distance=5.0)
    *_, now = moves(agents, one, 20.0, reach=5.0)
    speed = np.linalg.norm(now.velocity, axis=1)
    np.testing.assert_allclose(speed, 1.5, atol=0.1)
    order = np.linalg.norm((now.velocity / speed[:, None]).mean(axis=0))
    start = agents.velocity / np.linalg.norm(agents.velocity, axis=1, keepdims=True)
    assert np.linalg.norm(start.mean(axis=0)) < 0.4
    assert order > 0.9
    i, j = np.triu_indices(30, 1)
    assert np.linalg.norm(now.position[i] - now.position[j], axis=1).min() > 0.6
    size = np.linalg.norm(now.position - now.position.mean(axis=0), axis=1)
    assert size.max() < 6.0


def test_a_neighborhood_out_of_range_is_refused():
    with pytest.raises(InputError, match="`angle_deg` must be above 0"):
        Cohesion(angle_deg=200.0)
    with pytest.raises(InputError, match="`distance` must be positive"):
        Flocking(alignment_distance=0.0)


def leader(agents, position, velocity, heading=(1.0, 0, 0)):
    one = np.ones((len(agents), 1))
    return KnownAgent(
        position=one * position, velocity=one * velocity, heading=one * heading,
        up=one * [0.0, 0, 1], radius=np.full(len(agents), 0.3),
        known=np.ones(len(agents), bool), age=np.zeros(len(agents)),
    )  # fmt: skip


def test_followers_come_to_be_behind_the_leader_and_apart(make, moves):
    rng = np.random.default_rng(2)
    agents = make.flock(rng.uniform(-3, 3, (5, 3)) * [1, 1, 0], grounded=True)

    def around(now, time):
        ahead = leader(now, [4.0 + time, 0, 0], [1.0, 0, 0])
        return make.surroundings(now, others={"leader": ahead})

    *_, now = moves(agents, FollowLeader(), 20.0, around)
    np.testing.assert_allclose(now.velocity, np.tile([1.0, 0, 0], (5, 1)), atol=0.1)
    behind = now.position - [24.0, 0, 0]
    assert (behind[:, 0] < -0.5).all()
    assert np.linalg.norm(behind, axis=1).max() < 4.0
    i, j = np.triu_indices(5, 1)
    assert np.linalg.norm(now.position[i] - now.position[j], axis=1).min() > 0.6


@pytest.mark.parametrize("side", [0.0, 0.15, -0.3])
def test_a_follower_in_the_way_steps_aside(make, moves, side):
    agents = make.flock([[3.0, side, 0]])

    def around(now, time):
        return make.surroundings(now, others={"leader": leader(now, [time, 0, 0], [1.0, 0, 0])})

    least = min(
        np.linalg.norm(now.position[0] - [(k + 1) / 30, 0, 0])
        for k, now in enumerate(moves(agents, FollowLeader(), 12.0, around))
    )
    assert least > 0.6
    force = FollowLeader().steering_force(agents, around(agents, 1.5))
    assert force[0, 1] * (side or 1.0) > 0.0
    np.testing.assert_allclose(force[0, [0, 2]], 0.0, atol=1e-9)


def test_a_leader_at_rest_is_stood_behind(make, moves):
    agents = make.flock([[-4.0, 2, 0]])

    def around(now, time):
        still = leader(now, [0.0, 0, 0], [0.0, 0, 0], [0.0, 1, 0])
        return make.surroundings(now, others={"leader": still})

    *_, now = moves(agents, FollowLeader(distance=0.8), 12.0, around)
    np.testing.assert_allclose(now.position[0], [0, -1.4, 0], atol=0.01)


@pytest.mark.parametrize("grounded", [False, True])
def test_the_thrust_makes_up_for_the_speed_along_the_course_or_at_rest_the_heading(make, grounded):
    agents = agents_at_random(make, 20, grounded=grounded)
    velocity = agents.velocity * (np.arange(20) % 3 > 0)[:, None]
    agents = agents.moved(velocity=velocity)
    plane = [1.0, 1.0, 0.0 if grounded else 1.0]
    speed = np.linalg.norm(velocity * plane, axis=1)
    course = np.where(speed[:, None] > 0, velocity, agents.heading) * plane
    course /= np.linalg.norm(course, axis=1, keepdims=True)
    expected = (2.0 * (1.5 - speed) / RESPONSE_TIME)[:, None] * course
    np.testing.assert_allclose(thrust_to_cruise(agents), expected, atol=1e-12)
