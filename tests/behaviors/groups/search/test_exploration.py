"""Choosing where to search next, on graphs that networkx draws."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.search.exploration import LEAST, Exploration, Learning
from rmp3d.behaviors.groups.search.search_map import SearchMap
from rmp3d.geometry import InputError


def map_on(graph):
    links = np.array(sorted(tuple(sorted(edge)) for edge in graph.edges))
    count = len(graph)
    return SearchMap(None, np.zeros((count, 3)), links, np.ones(len(links)), [], 0.0)


def explore(graph, seed=0, count=1, steps=10_000, rule="adaptive", learning=None):
    """Walk in turn until all places are visited; return the exploration and the places walked."""
    known = map_on(graph)
    rng = np.random.default_rng(seed)
    exploration = Exploration(known, count, rule, learning or Learning(), rng)
    walked = [[0] for _ in range(count)]
    for step in range(steps):
        member = step % count
        walked[member] += exploration.next_walk(member).places
        if len(set().union(*walked)) == len(graph):
            break
    return exploration, walked


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["tree", "grid", "random"])
def test_one_member_visits_every_place_walking_only_links(kind, seed):
    graph = {
        "tree": nx.random_labeled_tree(30, seed=seed),
        "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 6)),
        "random": nx.connected_watts_strogatz_graph(30, 4, 0.3, seed=seed),
    }[kind]
    _, (walked,) = explore(graph, seed)
    assert set(walked) == set(graph)
    assert all(graph.has_edge(a, b) for a, b in pairwise(walked))


def test_on_a_tree_no_link_is_walked_more_than_twice():
    graph = nx.random_labeled_tree(40, seed=3)
    _, (walked,) = explore(graph)
    pairs = [frozenset(pair) for pair in pairwise(walked)]
    assert max(pairs.count(pair) for pair in set(pairs)) <= 2


def test_a_dead_end_is_left_for_the_last_open_choice_and_its_links_weaken():
    graph = nx.Graph([(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)])
    learning = Learning(dead_end=0.5, walked=1.0)
    known = map_on(graph)
    for seed in range(10):
        exploration = Exploration(known, 1, "adaptive", learning, np.random.default_rng(seed))
        walks = [exploration.next_walk(0) for _ in range(4)]
        side = walks[1].places + walks[2].places
        assert walks[3] == ([side[0], 1], "dead_end", 2)
        weak = {known.link(side[0], side[1]), known.link(1, side[0])}
        assert set(np.flatnonzero(exploration.weight == 0.5)) == weak
        assert exploration.next_walk(0).places == [6 - side[0]]


def test_a_cycle_is_cut_out_of_the_route_and_weakens():
    graph = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 1), (1, 4)])
    known = map_on(graph)
    seen = 0
    for seed in range(20):
        learning = Learning(cycle=0.5, walked=1.0, dead_end=1.0)
        exploration = Exploration(known, 1, "adaptive", learning, np.random.default_rng(seed))
        walks = [exploration.next_walk(0) for _ in range(5)]
        if walks[1].places == [4]:
            continue
        seen += 1
        assert walks[4][1:] == ("cycle", 3)
        cycle = [known.link(1, 2), known.link(2, 3), known.link(3, 1)]
        assert set(np.flatnonzero(exploration.weight == 0.5)) == set(cycle)
        assert exploration.route[0] == [0, 1, *walks[4].places]
    assert seen > 5


def test_links_are_chosen_in_proportion_to_their_weights():
    known = map_on(nx.star_graph(3))
    chosen = []
    for seed in range(600):
        exploration = Exploration(known, 1, "adaptive", Learning(), np.random.default_rng(seed))
        exploration.weight[:] = [1.0, 2.0, 5.0]
        chosen += exploration.next_walk(0).places
    share = np.bincount(chosen, minlength=4)[1:] / len(chosen)
    # Three standard deviations of a share of 600 draws are 0.06.
    assert share == pytest.approx([0.125, 0.25, 0.625], abs=0.06)


def test_a_random_walk_learns_nothing():
    exploration, walked = explore(nx.star_graph(5), rule="random_walk")
    assert (exploration.weight == 1.0).all()
    assert exploration.dead_ends == 0
    assert set(walked[0]) == set(range(6))


def test_the_route_that_found_the_goal_is_reinforced_and_all_is_forgotten_in_time():
    known = map_on(nx.path_graph(4))
    learning = Learning(reward=8.0, walked=1.0, evaporation=0.5)
    exploration = Exploration(known, 1, "adaptive", learning, np.random.default_rng(0))
    for _ in range(2):
        exploration.next_walk(0)
    exploration.reward(0)
    assert exploration.weight.tolist() == [8.0, 8.0, 1.0]
    exploration.forget(1.0)
    assert exploration.weight == pytest.approx([4.5, 4.5, 1.0])


def test_members_learn_from_one_another():
    exploration, walked = explore(nx.star_graph(12), count=4)
    # A tenth of a dead end's weight is left: nearly all look into ends that nobody has seen.
    ends = [place for route in walked for place in route if place != 0]
    assert len(ends) < 20
    assert exploration.weight.min() >= LEAST


def test_parameters_are_checked_in_the_users_words():
    with pytest.raises(InputError, match="`dead_end` must be above 0 and at most 1, got 0"):
        Learning(dead_end=0.0)
    with pytest.raises(InputError, match=r"`reward` must be 1 or more, got 0.5"):
        Learning(reward=0.5)
    with pytest.raises(InputError, match="`evaporation` must be from 0 to 1, got 2"):
        Learning(evaporation=2)
