import numpy as np
import pytest

from rmp3d.behaviors.steering import LookAheadAvoidance


@pytest.fixture
def wall(make):
    return make.box([-20.0, 0.4, -5], [20, 0.6, 5])


def test_it_pushes_away_from_a_wall_and_across_the_course(make, wall):
    rng = np.random.default_rng(0)
    position = np.column_stack([rng.uniform(-3, 3, 30), np.zeros(30), rng.uniform(-2, 2, 30)])
    velocity = np.column_stack(
        [rng.uniform(0.5, 1.5, 30), rng.uniform(-0.4, 0.4, 30), np.zeros(30)]
    )
    agents = make.flock(position, velocity)
    force = LookAheadAvoidance().steering_force(agents, make.surroundings(agents, obstacles=wall))
    assert (force[:, 1] < 0.0).all(), "the wall is at the left"
    np.testing.assert_allclose((force * velocity).sum(axis=1), 0.0, atol=1e-9)
    bound = agents.bodies.mass * LookAheadAvoidance().strength
    assert (np.linalg.norm(force, axis=1) <= bound + 1e-9).all()


@pytest.mark.parametrize(("clearance", "share"), [(0.25, 0.0), (0.125, 0.5), (0.05, 0.8), (0.3, 0)])
def test_the_push_grows_linearly_as_the_clearance_falls(make, clearance, share):
    wall = make.box([-50.0, 0, -5], [50, 1, 5])
    agents = make.flock([[0, -0.3 - clearance, 0]], [[1.0, 0, 0]])
    around = make.surroundings(agents, obstacles=wall)
    force = LookAheadAvoidance(strength=2.0).steering_force(agents, around)
    np.testing.assert_allclose(force, [[0, -2.0 * 2.0 * share, 0]], atol=1e-9)


def test_head_on_it_turns_to_the_left(make):
    wall = make.box([1.0, -50, -50], [1.2, 50, 50])
    agents = make.flock([[0.0, 0, 0]], [[1.0, 0, 0]])
    force = LookAheadAvoidance().steering_force(agents, make.surroundings(agents, obstacles=wall))
    assert force[0, 1] > 0.0
    np.testing.assert_allclose(force[0, [0, 2]], 0.0, atol=1e-9)


def test_it_looks_ahead_as_far_as_the_speed_takes_it(make):
    wall = make.box([2.0, -5, -5], [2.2, 0.05, 5])
    for speed, acts in ((1.0, False), (2.0, True)):
        agents = make.flock([[0.0, 0, 0]], [[speed, 0, 0]])
        around = make.surroundings(agents, obstacles=wall)
        force = LookAheadAvoidance(look_ahead=0.8).steering_force(agents, around)
        assert (np.abs(force).max() > 0.0) == acts


def test_walkers_are_not_pushed_up_or_down(make):
    step = make.box([0.5, -1, 0], [3, 1, 0.9])
    agents = make.flock([[0.0, 0.3, 0]], [[1.0, 0, 0]], grounded=True)
    force = LookAheadAvoidance().steering_force(agents, make.surroundings(agents, obstacles=step))
    assert force[0, 2] == 0.0
    assert np.abs(force).max() > 0.0


def test_empty_space_asks_for_nothing(make):
    agents = make.flock(np.zeros((3, 3)), np.ones((3, 3)))
    far = make.box([50.0] * 3, [51] * 3)
    for obstacles in (None, far):
        around = make.surroundings(agents, obstacles=obstacles)
        np.testing.assert_array_equal(LookAheadAvoidance().steering_force(agents, around), 0.0)


def test_a_flyer_that_steers_by_it_slides_along_a_wall(make, wall):
    agents = make.flock([[0.0, 0, 0]], [[1.4, 0.3, 0]])
    behavior = LookAheadAvoidance()
    for _ in range(90):
        force = behavior.steering_force(agents, make.surroundings(agents, obstacles=wall))
        velocity = agents.velocity + force / agents.bodies.mass[:, None] * make.dt
        agents = agents.moved(position=agents.position + velocity * make.dt, velocity=velocity)
        assert agents.position[0, 1] + 0.3 < 0.4
