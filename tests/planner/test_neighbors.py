from math import ceil, e, log

import numpy as np
import pytest

from planner.neighbors import neighbor_limit, neighbor_pairs
from planner.prm import RoadmapSettings, build_roadmap
from planner.spaces import make_space


@pytest.fixture
def points():
    return np.random.default_rng(0).random((60, 3))


@pytest.fixture
def distance(points):
    return np.linalg.norm(points[:, None] - points, axis=2)


def as_set(pairs):
    assert (pairs[:, 0] < pairs[:, 1]).all()
    found = {tuple(pair) for pair in pairs.tolist()}
    assert len(found) == len(pairs)
    return found


@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_the_nearest_by_brute_force(points, distance, radius):
    expected = set()
    for node in range(40, 60):
        near = [int(k) for k in np.argsort(distance[node])[1:6]]
        expected |= {tuple(sorted((node, k))) for k in near if distance[node, k] <= (radius or 9)}
    assert as_set(neighbor_pairs(points, 40, 5, radius)) == expected


def test_all_within_a_radius_by_brute_force(points, distance):
    expected = {(a, b) for b in range(40, 60) for a in range(b) if distance[a, b] <= 0.35}
    assert as_set(neighbor_pairs(points, 40, 0, 0.35)) == expected


def test_the_shortest_come_first(points, distance):
    for rule in ((7, 0.0), (0, 0.5), (7, 0.5)):
        pairs = neighbor_pairs(points, 0, *rule)
        assert (np.diff(distance[pairs[:, 0], pairs[:, 1]]) >= 0).all()


@pytest.mark.parametrize("count", [0, 1])
def test_without_others_there_are_none(count):
    assert neighbor_pairs(np.zeros((count, 3)), 0, 5).shape == (0, 2)
    assert neighbor_pairs(np.zeros((count, 3)), 0, 0, 1.0).shape == (0, 2)


def test_nothing_within_the_radius_gives_no_pairs(points):
    assert neighbor_pairs(points, 0, 0, 1e-9).shape == (0, 2)
    assert neighbor_pairs(points, 0, 5, 1e-9).shape == (0, 2)


def test_one_rule_must_be_set(points):
    with pytest.raises(ValueError, match="`limit` and `radius`"):
        neighbor_pairs(points, 0, 0)


def test_star_is_the_rule_of_karaman_and_frazzoli(rooms, walker):
    ground, air = (make_space(name, rooms, walker) for name in ("ground", "translation"))
    for count in (2, 100, 5000):
        assert neighbor_limit("star", count, ground) == ceil(1.5 * e * log(count))
        assert neighbor_limit("star", count, air) == ceil(4 / 3 * e * log(count))
    assert neighbor_limit(7, 100, ground) == 7
    assert neighbor_limit("star", 1, ground) == 1


def test_rules_of_a_roadmap(rooms, walker):
    space = make_space("translation", rooms, walker)

    def build(**settings):
        rules = RoadmapSettings(nodes=150, **settings)
        return build_roadmap(space, rules, np.random.default_rng(0))

    assert build(neighbors=0, radius=2.5).edge_length.max() <= 2.5
    assert build(neighbors=10, radius=2.5).edge_length.max() <= 2.5
    assert len(build(neighbors="star").edges) > len(build(neighbors=10).edges)
