import numpy as np
import pytest

from rmp3d.behaviors.steering import Arrive, Seek
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, blend
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length


def step(make, agents, behavior, subgoal, subgoal_velocity=None):
    around = make.surroundings(agents, subgoal, subgoal_velocity)
    force = blend([(1.0, behavior)], agents, around)
    velocity = clip_length(
        agents.velocity + force / agents.bodies.mass[:, None] * make.dt, agents.bodies.max_speed
    )
    return agents.moved(position=agents.position + velocity * make.dt, velocity=velocity)


def test_seek_asks_for_cruise_speed_towards_the_subgoal(make):
    rng = np.random.default_rng(0)
    agents = make.flock(rng.normal(size=(20, 3)), rng.normal(size=(20, 3)))
    goal = rng.normal(size=(20, 3))
    force = Seek().steering_force(agents, make.surroundings(agents, goal))
    wanted = agents.velocity + force / agents.bodies.mass[:, None] * RESPONSE_TIME
    np.testing.assert_allclose(np.linalg.norm(wanted, axis=1), 1.5)
    direction = (goal - agents.position) / np.linalg.norm(goal - agents.position, axis=1)[:, None]
    np.testing.assert_allclose(wanted / 1.5, direction, atol=1e-12)


def test_seek_at_its_subgoal_stops(make):
    agents = make.flock([[1.0, 2, 3]], [[0.5, 0, 0]])
    force = Seek().steering_force(agents, make.surroundings(agents, [1.0, 2, 3]))
    np.testing.assert_allclose(force, [[-0.5 * 2.0 / RESPONSE_TIME, 0, 0]])


@pytest.mark.parametrize("start", [0.05, 0.5, 3.0, 12.0])
@pytest.mark.parametrize("speed", [0.0, 1.5])
def test_arrive_comes_to_rest_without_overshooting(make, start, speed):
    agents = make.flock([[0.0, 0, 0]], [[min(speed, start), 0, 0]])
    goal = np.array([start, 0.0, 0.0])
    furthest = 0.0
    for _ in range(600):
        agents = step(make, agents, Arrive(), goal)
        furthest = max(furthest, agents.position[0, 0])
    # With gain 1.5 and response time 0.25 s the damping ratio is 0.82: 1.2 % of the last meter.
    assert furthest <= start + 0.015
    np.testing.assert_allclose(agents.position[0], goal, atol=1e-3)
    assert np.linalg.norm(agents.velocity) < 1e-3


def test_arrive_keeps_to_a_moving_subgoal_without_lag(make):
    motion = np.array([[1.0, 0.4, 0.0]])
    agents = make.flock([[-1.0, 0.5, 0]])
    goal = np.zeros((1, 3))
    for _ in range(450):
        agents = step(make, agents, Arrive(), goal, motion)
        goal = goal + motion * make.dt
    assert np.linalg.norm(agents.position - goal) < 0.05  # of which one step's motion is 0.036
    np.testing.assert_allclose(agents.velocity, motion, atol=1e-6)


def test_arrive_never_asks_for_more_than_the_largest_speed(make):
    agents = make.flock(np.zeros((1, 3)))
    around = make.surroundings(agents, [500.0, 0, 0], np.array([[5.0, 0, 0]]))
    wanted = Arrive().steering_force(agents, around) / agents.bodies.mass * RESPONSE_TIME
    assert np.linalg.norm(wanted) == pytest.approx(2.0)


def test_the_way_hardly_depends_on_the_frame_rate(make):
    ends = []
    for rate in (30, 60, 480):
        make.dt = 1.0 / rate
        agents = make.flock([[0.0, 0, 0]], [[0.0, 1.0, 0]])
        for _ in range(2 * rate):
            agents = step(make, agents, Arrive(), np.array([3.0, 1, 0]))
        ends.append(agents.position[0])
    # A step of motion at cruise speed is 0.033 m at 30 Hz; the offset is below that, and halves.
    error = np.linalg.norm(np.array(ends[:2]) - ends[2], axis=1)
    assert error[0] < 1.0 / 30.0
    assert error[1] < 0.6 * error[0]


def test_a_slow_radius_makes_the_approach_linear(make):
    agents = make.flock([[0.0, 0, 0], [8.0, 0, 0], [10.5, 0, 0]])
    force = Arrive(slow_radius=4.0).steering_force(agents, make.surroundings(agents, [10.0, 0, 0]))
    wanted = force / agents.bodies.mass[:, None] * RESPONSE_TIME
    np.testing.assert_allclose(wanted[:, 0], [1.5, 0.75, -0.1875])


def test_within_the_target_radius_it_stops(make):
    agents = make.flock([[9.8, 0, 0]], [[0.6, 0, 0]])
    around = make.surroundings(agents, [10.0, 0, 0])
    force = Arrive(target_radius=0.3, time_to_target=0.1).steering_force(agents, around)
    np.testing.assert_allclose(force, [[-2.0 * 0.6 / 0.1, 0, 0]])


def test_parameters_out_of_range_are_refused():
    with pytest.raises(InputError, match="`time_to_target` must be positive"):
        Arrive(time_to_target=0.0)
    with pytest.raises(InputError, match="`slow_radius` must be 0 or more"):
        Arrive(slow_radius=-1.0)
