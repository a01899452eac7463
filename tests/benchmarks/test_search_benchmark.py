"""The searches of the benchmark, on maps whose answers are known."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from benchmarks.search import search
from benchmarks.search_cases import CASES, LEARNING
from rmp3d.behaviors.groups import GoalSearch
from tests.behaviors.groups.search.maps import map_on


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
    return map_on(graph)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("count", [1, 4])
def test_nobody_finds_the_goal_sooner_than_the_all_knowing(name, count):
    known = star(5, 3)
    assert search(known, GoalSearch(rule="all_knowing"), count, 0)[:2] == (3.0, 3.0)
    for seed in range(5):
        first, there, _ = search(known, CASES[name], count, seed)
        assert 3.0 <= first <= there < np.inf
        if name == "told":
            assert there <= first + 6.0  # the farthest is at the end of another arm
        if name == "walked back" and count == 1:
            assert there == first + 6.0  # back to the start, and again to the goal


def test_one_member_with_memory_looks_into_each_arm_at_most_once():
    known = star(5, 3)
    for name in ("memory", "told"):
        times = {search(known, CASES[name], 1, seed).first for seed in range(40)}
        assert times == {3.0, 9.0, 15.0, 21.0, 27.0}


def test_members_spread_and_follow_trails_that_others_lay():
    known = star(8, 3)
    trails, memory = (
        np.mean([search(known, CASES[name], 8, seed)[:2] for seed in range(20)], axis=0)
        for name in ("trails", "memory")
    )
    assert trails[0] < 0.9 * memory[0]
    assert trails[1] < 0.4 * memory[1]


@pytest.mark.parametrize("name", LEARNING)
def test_with_full_trust_in_an_earlier_run_all_go_straight_to_the_goal(name):
    known, behavior = star(8, 3), replace(CASES[name], recall="full")
    for seed in range(5):
        first = search(known, behavior, 8, seed)
        again = search(known, behavior, 8, 100 + seed, first.learned)
        # One in a hundred choices leaves a trail.
        assert again.first == 3.0
        assert again.all_there <= first.all_there
