"""Forces that grow and fade over a short time."""

import numpy as np

from rmp3d.behaviors.vehicles import eased

TIME = 0.125


def accelerations(make, wanted, **limits):
    """Of one agent that wants an acceleration in each of some steps, (K, 3)."""
    agents = make.flock([[0.0, 0, 0]], force_time=TIME, **limits)
    found = []
    for one in np.asarray(wanted, float):
        velocity = eased(agents, agents.velocity + make.dt * one, make.dt)
        found.append((velocity - agents.velocity)[0] / make.dt)
        agents = agents.moved(velocity=velocity, acceleration=[found[-1]])
    return np.array(found)


def test_a_force_comes_up_exponentially(make):
    found = accelerations(make, np.tile([2.0, 0, 0], (20, 1)))
    step = np.arange(1, 21)
    np.testing.assert_allclose(found[:, 0], 2.0 * (1.0 - np.exp(-step * make.dt / TIME)))


def test_a_force_that_reverses_at_every_step_hardly_acts(make):
    sign = np.where(np.arange(60) % 2, -1.0, 1.0)
    found = accelerations(make, 3.0 * sign[:, None] * [0.0, 1, 0])
    share = 1.0 - np.exp(-make.dt / TIME)
    # The response of a filter of first order to its fastest signal: s / (2 - s).
    np.testing.assert_allclose(np.abs(found[30:, 1]), 3.0 * share / (2.0 - share), rtol=1e-3)


def test_what_is_left_of_a_force_is_within_the_ellipse_of_the_new_motion(make):
    agents = make.flock(
        [[0.0, 0, 0]], [[0.0, 2.0, 0.0]], acceleration=[[0.0, -9.0, 0.0]], force_time=TIME,
        max_acceleration=2.0, max_brake=9.0, max_side_acceleration=1.0,
    )  # fmt: skip
    turned = agents.moved(velocity=[[2.0, 0.0, 0.0]])  # the braking of before is across it now
    change = (eased(turned, turned.velocity, make.dt) - turned.velocity)[0] / make.dt
    np.testing.assert_allclose(change, [0.0, -1.0, 0.0], atol=1e-12)


def test_what_is_left_of_a_stop_does_not_drive_back(make):
    stopped = make.flock([[0.0, 0, 0]], acceleration=[[-3.0, 0, 0]], force_time=TIME)
    assert eased(stopped, np.array([[0.2, 0, 0]]), make.dt)[0, 0] > 0.0
    # Where it wants to go back, it goes on.
    share = 1.0 - np.exp(-make.dt / TIME)
    back = eased(stopped, np.array([[-0.1, 0, 0]]), make.dt)[0, 0]
    np.testing.assert_allclose(back, -(1.0 - share) * 3.0 * make.dt - share * 0.1)


def test_at_no_time_forces_are_as_wanted(make):
    rng = np.random.default_rng(0)
    agents = make.flock(rng.normal(size=(5, 3)), rng.normal(size=(5, 3)))
    wanted = rng.normal(size=(5, 3))
    np.testing.assert_array_equal(eased(agents, wanted, make.dt), wanted)
