import numpy as np
import pytest

from rmp3d.behaviors.proximity.neighbors import Neighbors

BODY = np.random.default_rng(9).uniform(0.1, 0.5, 150)  # radii


def brute_force(position, radius):
    apart = np.linalg.norm(position[None] - position[:, None], axis=2)
    near = apart <= radius
    np.fill_diagonal(near, False)
    return set(zip(*np.nonzero(near), strict=True))


@pytest.mark.parametrize("count", [0, 1, 2, 30, 150])
@pytest.mark.parametrize("radius", [0.0, 0.5, 10.0])
def test_pairs_are_those_of_brute_force_both_ways(count, radius):
    position = np.random.default_rng(count).uniform(-2, 2, (count, 3))
    near = Neighbors.within(position, radius, BODY[:count])
    pairs = list(zip(near.i, near.j, strict=True))
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == brute_force(position, radius)
    np.testing.assert_array_equal(near.offset, position[near.j] - position[near.i])
    np.testing.assert_array_equal(near.contact, BODY[near.i] + BODY[near.j])
    assert near.agent_count == count


def test_agents_in_one_place_see_each_other():
    near = Neighbors.within(np.zeros((3, 3)), 0.0, BODY[:3])
    assert len(near.i) == 6
    np.testing.assert_array_equal(near.offset, 0.0)


def test_the_seeing_agents_of_a_part_are_renumbered_the_seen_ones_not():
    position = np.random.default_rng(1).uniform(-1, 1, (40, 3))
    everyone = Neighbors.within(position, 0.8, BODY[:40])
    rows = np.array([7, 3, 21])
    part = everyone.of(rows)
    found = {(int(rows[i]), int(j)) for i, j in zip(part.i, part.j, strict=True)}
    assert found == {(i, j) for i, j in brute_force(position, 0.8) if i in rows}
    np.testing.assert_array_equal(part.offset, position[part.j] - position[rows[part.i]])
    np.testing.assert_array_equal(part.contact, BODY[rows[part.i]] + BODY[part.j])
    assert part.agent_count == 3
    assert len(everyone.of(np.zeros(0, int)).i) == 0


def test_sums_agree_with_a_loop():
    rng = np.random.default_rng(2)
    near = Neighbors.within(rng.uniform(-1, 1, (20, 3)), 0.7, BODY[:20])
    value = rng.normal(size=(len(near.i), 3))
    expected = np.zeros((20, 3))
    for row, i in enumerate(near.i):
        expected[i] += value[row]
    np.testing.assert_allclose(near.sum(value), expected, atol=1e-12)
    assert Neighbors.within(np.zeros((1, 3)), 1.0, BODY[:1]).sum(np.zeros((0, 3))).shape == (1, 3)
