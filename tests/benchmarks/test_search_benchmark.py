"""The searches of the benchmark, on maps whose answers are known."""

import networkx as nx
import numpy as np
import pytest

from benchmarks.search import RULES, search
from rmp3d.behaviors.groups.search.search_map import SearchMap


def star(arms, steps):
    """Place 0 in the middle of ``arms`` of so many links of one meter; the goal ends the first."""
    graph = nx.star_graph(0)
    number = 2
    for arm in range(arms):
        here = 0
        for step in range(steps):
            there = 1 if (arm, step) == (0, steps - 1) else number
            number += there != 1
            graph.add_edge(here, there)
            here = there
    links = np.array(sorted(tuple(sorted(edge)) for edge in graph.edges))
    return SearchMap(None, np.zeros((number, 3)), links, np.ones(len(links)), [], 0.0)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("count", [1, 4])
def test_nobody_finds_the_goal_sooner_than_the_all_knowing(rule, count):
    known = star(5, 3)
    for seed in range(5):
        found, there = search(known, count, rule, seed)
        assert 3.0 <= found <= there
        assert there <= found + 6.0  # the farthest from the goal is at the end of another arm


def test_one_adaptive_member_looks_into_each_arm_at_most_once():
    known = star(5, 3)
    times = {search(known, 1, "adaptive", seed)[0] for seed in range(40)}
    assert times == {3.0, 9.0, 15.0, 21.0, 27.0}


def test_many_adaptive_members_share_the_arms():
    known = star(8, 3)
    adaptive = [search(known, 8, "adaptive", seed)[0] for seed in range(20)]
    random_walk = [search(known, 8, "random_walk", seed)[0] for seed in range(20)]
    assert np.mean(adaptive) < 0.5 * np.mean(random_walk)
