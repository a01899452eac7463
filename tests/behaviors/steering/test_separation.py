import numpy as np
import pytest

from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering import Separation


def test_separation_parts_two_agents_in_one_place(make):
    agents = make.flock(np.zeros((2, 3)))
    force = Separation().steering_force(agents, make.surroundings(agents))
    assert force[0, 0] < 0.0 < force[1, 0]
    np.testing.assert_allclose(force[:, 1:], 0.0)


def test_separation_parts_two_members_of_a_group_in_one_place(make):
    agents = make.flock([[9.0, 9, 9], [9, 9, 5], [0, 0, 0], [0, 0, 0]])
    for rows in ([2, 3], [1, 2, 3], [3, 2]):
        rows = np.array(rows)
        group = agents.select(rows)
        everyone = Neighbors.within(agents.position, 3.0, agents.bodies.radius)
        around = make.surroundings(group)
        around = type(around)(**{**around.__dict__, "neighbors": everyone.of(rows)})
        force = np.zeros((4, 3))
        force[rows] = Separation().steering_force(group, around)
        assert force[2, 0] < 0.0 < force[3, 0]


def test_equal_masses_push_each_other_equally(make):
    rng = np.random.default_rng(0)
    agents = make.flock(rng.uniform(-1, 1, (30, 3)), radius=rng.uniform(0.1, 0.4, 30))
    force = Separation().steering_force(agents, make.surroundings(agents))
    assert np.abs(force).max() > 0.5
    np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize(("gap", "share"), [(0.0, 1.0), (0.1, 0.75), (0.3, 0.25), (0.4, 0), (1, 0)])
def test_the_push_falls_linearly_from_contact_to_the_personal_distance(make, gap, share):
    agents = make.flock([[0.0, 0, 0], [0, 0.8 + gap, 0]], radius=[0.3, 0.5])
    force = Separation(0.4, 1.5).steering_force(agents, make.surroundings(agents))
    np.testing.assert_allclose(force, [[0, -3.0 * share, 0], [0, 3.0 * share, 0]], atol=1e-12)


def test_many_neighbors_add_up_like_a_loop(make):
    rng = np.random.default_rng(1)
    agents = make.flock(rng.uniform(-1, 1, (25, 3)), mass=rng.uniform(1, 5, 25))
    expected = np.zeros((25, 3))
    for i in range(25):
        for j in range(25):
            offset = agents.position[j] - agents.position[i]
            apart = np.linalg.norm(offset)
            if i != j:
                push = 1.5 * max(0.0, 1.0 - max(0.0, apart - 0.6) / 0.4)
                expected[i] -= agents.bodies.mass[i] * push * offset / apart
    found = Separation(0.4, 1.5).steering_force(agents, make.surroundings(agents))
    np.testing.assert_allclose(found, expected, atol=1e-9)
