"""Making way for others in good time."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import Seek, UnalignedCollisionAvoidance
from rmp3d.behaviors.steering_behavior import steer


def dodge(make, position, velocity, **changes):
    agents = make.flock(position, velocity, **changes)
    around = make.surroundings(agents, reach=20.0)
    force = steer(UnalignedCollisionAvoidance(), agents, around).force
    return force / agents.bodies.mass[:, None]


def test_courses_that_pass_clear_are_left_alone(make):
    for miss, acts in ((0.81, False), (0.79, True)):
        found = dodge(make, [[0.0, 0, 0], [4, miss, 0]], [[1.0, 0, 0], [-1, 0, 0]])
        assert found.any() == acts


def test_the_radius_of_the_other_counts(make):
    position, velocity = [[0.0, 0, 0], [4, 1.0, 0]], [[1.0, 0, 0], [-1, 0, 0]]
    assert not dodge(make, position, velocity).any()
    assert dodge(make, position, velocity, radius=[0.3, 0.6]).any()


def test_the_push_is_what_half_of_the_gap_needs_in_the_time_left(make):
    found = dodge(make, [[0.0, 0, 0], [4, 0.4, 0]], [[1.0, 0, 0], [-1, 0, 0]])
    # They meet after 2 s with 0.4 m where 0.8 m is wanted: 0.2 m each, a = 2 d / t^2.
    np.testing.assert_allclose(found, [[0, -0.1, 0], [0, 0.1, 0]], atol=1e-12)


def test_it_dodges_in_space_and_by_speed(make):
    above = dodge(make, [[0.0, 0, 0], [4, 0, 0.4]], [[1.0, 0, 0], [-1, 0, 0]])
    assert above[0, 2] < 0.0 < above[1, 2]
    overtaken = dodge(make, [[0.0, 0, 0], [2.0, -2.4, 0]], [[1.0, 0, 0], [0, 1.0, 0]])
    assert np.abs(overtaken[:, :2]).min() > 0.01, "aside and slower or faster"


def test_head_on_both_go_to_their_left(make):
    found = dodge(make, [[0.0, 0, 0], [3, 0, 0]], [[1.0, 0, 0], [-1, 0, 0]])
    assert found[0, 1] > 0.02
    np.testing.assert_allclose(found[1], -found[0], atol=1e-12)


def test_two_in_one_place_at_rest_part(make):
    found = dodge(make, np.zeros((2, 3)), np.zeros((2, 3)))
    assert found[0, 0] < 0.0 < found[1, 0]


def test_an_earlier_meeting_counts_more(make):
    three = dodge(
        make, [[0.0, 0, 0], [2, 0.4, 0], [4, -0.4, 0]], [[1.0, 0, 0], [-1, 0, 0], [-1, 0, 0]]
    )
    # 0.4 m are missing after 1 s on one side, after 2 s on the other.
    np.testing.assert_allclose(three[0], [0, -0.4 + 0.1, 0], atol=1e-12)


def test_walkers_on_another_level_are_no_matter(make):
    found = dodge(make, [[0.0, 0, 0], [3, 0.1, 3.2]], [[1.0, 0, 0], [-1, 0, 0]], grounded=True)
    assert not found.any()


@pytest.mark.parametrize("count", [2, 6])
@pytest.mark.parametrize("grounded", [False, True])
def test_agents_that_cross_in_the_middle_do_not_touch(make, moves, count, grounded):
    angle = 2 * np.pi * (np.arange(count) + 0.3 * (np.arange(count) % 2)) / count
    start = 6.0 * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    agents = make.flock(start, -0.25 * start, grounded=grounded)
    avoid, seek = UnalignedCollisionAvoidance(), Seek()

    class Both:
        def steering_force(self, flock, around):
            return 3.0 * avoid.steering_force(flock, around) + seek.steering_force(flock, around)

    least = np.inf
    for now in moves(agents, Both(), 9.0, subgoal=-start, reach=12.0):
        i, j = np.triu_indices(count, 1)
        least = min(least, np.linalg.norm(now.position[i] - now.position[j], axis=1).min())
    assert least > 0.6
    assert np.linalg.norm(now.position + start, axis=1).max() < 3.0


def test_many_meetings_add_up_like_a_loop(make):
    rng = np.random.default_rng(5)
    position, velocity = rng.normal(0, 3, (25, 3)), rng.normal(0, 1, (25, 3))
    found = dodge(make, position, velocity)
    assert (np.linalg.norm(found, axis=1) > 0.1).sum() > 5
    for i in range(25):
        total = np.zeros(3)
        for j in range(25):
            p, v = position[j] - position[i], velocity[j] - velocity[i]
            t = np.clip(-(p @ v) / max(v @ v, 1e-300), 0.0, 2.5)
            miss = p + v * t
            if i == j or np.linalg.norm(miss) >= 0.8:
                continue
            aside = -miss / np.linalg.norm(miss)
            if np.linalg.norm(miss) < 0.3 * 0.8:
                aside = np.cross([0.0, 0, 1], -v) / np.linalg.norm(np.cross([0.0, 0, 1], v))
            total += (0.8 + miss @ aside) / max(t, 0.2) ** 2 * aside
        size = np.linalg.norm(total)
        np.testing.assert_allclose(found[i], total * min(1.0, 4.0 / max(size, 1e-300)), atol=1e-9)
