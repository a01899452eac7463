import itertools
from math import ceil, e, log

import numpy as np
import pytest

from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.neighbors import neighbor_limits, neighbor_pairs
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.metric import STRAIGHT


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


def pairs_of(points, old, limit, radius=0.0, metric=STRAIGHT):
    return neighbor_pairs(points, old, np.full(len(points) - old, limit), radius, metric)


@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_the_nearest_before_each_by_brute_force(points, distance, radius):
    expected = set()
    for node in range(40, 60):
        near = [int(k) for k in np.argsort(distance[node, :node])[:5]]
        expected |= {(k, node) for k in near if distance[node, k] <= (radius or 9)}
    assert as_set(pairs_of(points, 40, 5, radius)) == expected


def test_all_within_a_radius_by_brute_force(points, distance):
    expected = {(a, b) for b in range(40, 60) for a in range(b) if distance[a, b] <= 0.35}
    assert as_set(pairs_of(points, 40, 0, 0.35)) == expected


RULES = [(7, 0.0), (0, 0.5), (7, 0.5)]


@pytest.mark.parametrize("rule", RULES)
def test_node_by_node_and_for_each_the_nearest_first(points, distance, rule):
    pairs = pairs_of(points, 0, *rule)
    assert (np.diff(pairs[:, 1]) >= 0).all()
    same = pairs[1:, 1] == pairs[:-1, 1]
    assert (np.diff(distance[pairs[:, 0], pairs[:, 1]])[same] >= 0).all()


class Circle:
    """Angles [rad] on a circle of radius 1: each has two images, as a rotation has."""

    def distance(self, start, end):
        around = np.abs(end - start)[:, 0]
        return np.minimum(around, 2 * np.pi - around)

    def images(self, angles):
        return np.stack([angles, angles - np.sign(angles) * 2 * np.pi])


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("metric", [STRAIGHT, Circle()])
def test_batches_do_not_matter(points, rule, metric):
    if metric is not STRAIGHT:
        points = (points[:, :1] - 0.5) * 2 * np.pi
    limits = np.arange(60) // 9 + 3 if rule[0] else np.zeros(60, int)
    cuts = [0, 1, 2, 17, 40, 60]
    parts = [
        neighbor_pairs(points[:b], a, limits[a:b], rule[1], metric)
        for a, b in itertools.pairwise(cuts)
    ]
    whole = neighbor_pairs(points, 0, limits, rule[1], metric)
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert len(whole) > 60


@pytest.mark.parametrize("count", [0, 1])
def test_without_others_there_are_none(count):
    assert pairs_of(np.zeros((count, 3)), 0, 5).shape == (0, 2)
    assert pairs_of(np.zeros((count, 3)), 0, 0, 1.0).shape == (0, 2)


def test_nothing_within_the_radius_gives_no_pairs(points):
    assert pairs_of(points, 0, 0, 1e-9).shape == (0, 2)
    assert pairs_of(points, 0, 5, 1e-9).shape == (0, 2)


def test_one_rule_must_be_set(points):
    with pytest.raises(ValueError, match="`limit` and `radius`"):
        pairs_of(points, 0, 0)


def test_star_is_the_rule_of_karaman_and_frazzoli(rooms, walker):
    ground, air = (make_space(name, rooms, walker) for name in ("ground", "translation"))
    counts = np.array([2, 100, 5000])
    assert neighbor_limits("star", counts, ground).tolist() == [
        ceil(1.5 * e * log(n)) for n in counts
    ]
    assert neighbor_limits("star", counts, air).tolist() == [
        ceil(4 / 3 * e * log(n)) for n in counts
    ]
    assert neighbor_limits(7, counts, ground).tolist() == [7, 7, 7]
    assert neighbor_limits("star", np.array([1]), ground).tolist() == [1]


def test_rules_of_a_roadmap(rooms, walker):
    space = make_space("translation", rooms, walker)

    def build(**settings):
        rules = RoadmapSettings(nodes=150, **settings)
        return build_roadmap(space, rules, np.random.default_rng(0))

    assert build(neighbors=0, radius=2.5).edge_length.max() <= 2.5
    assert build(neighbors=10, radius=2.5).edge_length.max() <= 2.5
    assert len(build(neighbors="star").edges) > len(build(neighbors=10).edges)
