"""Shun: fear that falls off with distance, calming, and room from walls."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import Shun
from rmp3d.geometry.errors import InputError


def asked(make, agents, behavior, **around):
    return behavior.steering_force(agents, make.surroundings(agents, reach=20.0, **around))


def test_fear_falls_off_to_nothing_at_the_fear_distance(make):
    one = Shun(distance=4.0, strength=3.0)
    for apart in (0.5, 2.0, 3.9, 4.0, 6.0):
        agents = make.flock([[0.0, 0, 0], [apart, 0, 0]])
        push = agents.bodies.mass[0] * 3.0 * max(0.0, 1.0 - apart / 4.0)
        np.testing.assert_allclose(asked(make, agents, one), [[-push, 0, 0], [push, 0, 0]])


def test_all_who_are_near_count_together(make):
    agents = make.flock([[0.0, 0, 0], [2.0, 0, 0], [0, 2.0, 0]])
    force = asked(make, agents, Shun(distance=4.0, strength=3.0))
    np.testing.assert_allclose(force[0], [-3.0, -3.0, 0], atol=1e-12)


def test_who_is_alone_comes_to_rest(make):
    agents = make.flock([[0.0, 0, 0]], [[1.0, -2.0, 0]])
    np.testing.assert_allclose(asked(make, agents, Shun(calming=0.5)), [[-1.0, 2.0, 0]])


def test_walls_and_borders_push_off_only_within_their_distance(make):
    wall = make.box([1.0, -5, -2], [2.0, 5, 2])
    bounds = np.array([[-20.0] * 3, [20.0] * 3])
    one = Shun(wall_distance=2.0, wall_strength=3.0)
    for x, push in ((0.7, -3.0), (-0.3, -1.5), (-1.3, 0.0), (-19.7, 3.0), (-18.7, 1.5)):
        agents = make.flock([[x, 0, 0]], grounded=True)
        force = asked(make, agents, one, obstacles=wall, bounds=bounds)
        np.testing.assert_allclose(force, [[agents.bodies.mass[0] * push, 0, 0]], atol=1e-9)
    assert not asked(make, agents, Shun(), obstacles=wall, bounds=bounds).any()


@pytest.mark.parametrize("option", ["distance", "strength", "calming", "wall_distance"])
def test_numbers_below_zero_are_refused(option):
    with pytest.raises(InputError, match=f"`{option}` must be"):
        Shun(**{option: -1.0})
