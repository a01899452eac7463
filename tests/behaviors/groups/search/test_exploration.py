"""Choosing where to search next, on graphs that networkx draws."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.search.exploration import Exploration
from rmp3d.behaviors.groups.search.learning import LEAST, MOST, Learning, LinkWeights
from rmp3d.geometry import InputError
from tests.behaviors.groups.search.maps import map_on

# A start, a fork into a side of two links that ends, and a path of two links to the goal.
FORK = nx.Graph([(0, 2), (2, 3), (3, 4), (2, 5), (5, 1)])


def exploration_of(graph, seed=0, count=1, *, memory=True, weights=True, learning=None):
    known = map_on(graph)
    shared = LinkWeights(known, learning or Learning(), weights)
    rng = np.random.default_rng(seed)
    return Exploration(known, count, shared, rng, memory=memory)


def explore(graph, seed=0, count=1, steps=10_000, until=None, **options):
    """Walk in turn until all places, or the one named, are visited; return what was walked."""
    exploration = exploration_of(graph, seed, count, **options)
    walked = [[0] for _ in range(count)]
    for step in range(steps):
        member = step % count
        walked[member].append(exploration.next_walk(member).place)
        seen = set().union(*walked)
        if seen == set(graph) or until in seen:
            break
    return exploration, walked


def drawn(kind, seed):
    return {
        "tree": nx.random_labeled_tree(30, seed=seed),
        "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 6)),
        "random": nx.connected_watts_strogatz_graph(30, 4, 0.3, seed=seed),
    }[kind]


@pytest.mark.parametrize("weights", [True, False])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["tree", "grid", "random"])
def test_one_member_visits_every_place_walking_only_links(kind, seed, weights):
    graph = drawn(kind, seed)
    _, (walked,) = explore(graph, seed, weights=weights)
    assert set(walked) == set(graph)
    assert all(graph.has_edge(a, b) for a, b in pairwise(walked))


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize("kind", ["tree", "grid", "random"])
def test_marks_of_others_never_hide_a_place_for_good(kind, memory):
    graph = drawn(kind, 1)
    exploration, _ = explore(graph, count=5)
    for a, b in graph.edges:  # as if all had been found dead, from both ends
        exploration.weights.close_dead_end(a, b)
        exploration.weights.close_dead_end(b, a)
    known, rng = map_on(graph), np.random.default_rng(3)
    late = Exploration(known, 1, exploration.weights, rng, memory=memory)
    seen = {late.next_walk(0).place for _ in range(20_000)}
    assert seen == set(graph)


def test_on_a_tree_no_link_is_walked_more_than_twice():
    graph = nx.random_labeled_tree(40, seed=3)
    _, (walked,) = explore(graph, weights=False)
    pairs = [frozenset(pair) for pair in pairwise(walked)]
    assert max(pairs.count(pair) for pair in set(pairs)) <= 2


def test_the_direction_into_a_dead_end_weakens_link_by_link_as_a_member_comes_out():
    for seed in range(10):
        exploration = exploration_of(FORK, seed)
        walks = [exploration.next_walk(0) for _ in range(6)]
        weights = exploration.weights
        if walks[1].place != 3:
            continue
        assert [walk.place for walk in walks] == [2, 3, 4, 3, 2, 5]
        assert [walk.met for walk in walks] == ["", "", "", "dead_end", "", ""]
        assert weights.of(3, 4) == weights.of(2, 3) == 0.1
        assert weights.of(4, 3) == weights.of(3, 2) == weights.of(2, 5) == 1.0
        break
    else:
        pytest.fail("no seed went into the side")


def test_a_cycle_is_cut_out_of_the_route():
    graph = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 1), (1, 4)])
    seen = 0
    for seed in range(20):
        exploration = exploration_of(graph, seed, learning=Learning(walked=1.0))
        walks = [exploration.next_walk(0) for _ in range(5)]
        if walks[1].place != 4:
            seen += 1
            assert walks[4].met == "cycle"
            assert exploration.route(0) == [0, 1, walks[4].place]
    assert seen > 5


def test_directions_are_chosen_in_proportion_to_the_square_of_their_weights():
    known = map_on(nx.star_graph(3))
    chosen = []
    rng = np.random.default_rng(0)
    for _ in range(900):
        weights = LinkWeights(known, Learning())
        weights.weight[:, 0] = [2.0, 4.0, 2.0]
        chosen.append(weights.choose(0, [1, 2, 3], rng))
    share = np.bincount(chosen, minlength=4)[1:] / len(chosen)
    # Three standard deviations of a share of 900 draws are at most 0.05.
    assert share == pytest.approx([1 / 6, 4 / 6, 1 / 6], abs=0.05)


def test_without_weights_all_stays_one_and_counts_alike():
    exploration, _ = explore(nx.star_graph(5), count=4, weights=False)
    exploration.find(0)
    assert (exploration.weights.weight == 1.0).all()
    assert (exploration.weights.chosen == 0).all()


def test_who_finds_the_goal_lays_a_trail_that_points_to_it():
    exploration, ((*_, last),) = explore(FORK, seed=1, until=1)
    assert last == 1
    assert exploration.find(0) == [0, 2, 5, 1]
    weights = exploration.weights
    assert weights.of(0, 2) == weights.of(2, 5) == weights.of(5, 1) == 11.0
    assert weights.of(1, 5) == weights.of(5, 2) == 1.0
    assert weights.of(2, 0) < 1.0  # nothing behind the start


def test_a_trail_is_followed_even_over_what_the_own_memory_has_closed():
    exploration = exploration_of(FORK, count=2, learning=Learning(reward=1e6))
    while exploration.at(0) != 4:
        exploration.next_walk(0)
    # Another one has found the goal; the member comes back from its dead end and reads that.
    exploration.weights.reward([0, 2, 5, 1])
    places = [exploration.next_walk(0) for _ in range(4)]
    assert [(walk.place, walk.how) for walk in places] == [
        (3, "back"), (2, "back"), (5, "trail"), (1, "trail"),
    ]  # fmt: skip
    # It leads back as well: from the start on, a member that has closed everything goes again.
    exploration.weights.doubt([0, 2, 5, 1], 0.0)
    exploration.weights.reward([5, 2, 3, 4])
    assert [exploration.next_walk(0).place for _ in range(4)] == [5, 2, 3, 4]


@pytest.mark.parametrize("memory", [True, False])
def test_a_trail_to_where_no_goal_is_any_more_weakens_until_the_goal_is_found(memory):
    graph = FORK.copy()
    graph.add_edges_from([(5, 6), (6, 7)])
    exploration = exploration_of(graph, seed=2, count=3, memory=memory)
    exploration.weights.reward([0, 2, 3, 4])  # the goal was at 4
    met = []
    for step in range(300):
        walk = exploration.next_walk(step % 3)
        met.append(walk.met)
        if walk.place == 1:
            break
    else:
        pytest.fail("the goal was not found")
    assert "false_trail" in met
    assert not exploration.weights.is_trail(3, 4)


def turns_until_found(known, weights, seed, count=10):
    """Return how many places each member has gone to when one comes to the goal."""
    exploration = Exploration(known, count, weights, np.random.default_rng(seed))
    for step in range(100_000):
        if exploration.next_walk(step % count).place == 1:
            exploration.find(step % count)
            return step / count
    return pytest.fail("the goal was not found")


def turns_again(seed, moved, **recall):
    """Return the turns of a second search, for a goal at the same end of a tree or far from it."""
    tree = nx.random_labeled_tree(40, seed=seed)
    tree = nx.relabel_nodes(tree, {place: place + 2 for place in tree})
    far = nx.single_source_shortest_path_length(tree, 2)
    old = max(tree, key=far.get)
    from_old = nx.single_source_shortest_path_length(tree, old)
    elsewhere = max((place for place in tree if far[place] >= 3), key=from_old.get)
    first, second = (
        map_on(nx.compose(tree, nx.Graph([(0, 2), (1, goal)])))
        for goal in (old, elsewhere if moved else old)
    )
    weights, later = LinkWeights(first, Learning()), LinkWeights(second, Learning())
    turns_until_found(first, weights, seed)
    if recall:
        later.begin_with(weights.learned({}), **recall)
    return turns_until_found(second, later, 1000 + seed)


def test_faded_weights_help_and_hardly_delay_the_search_for_a_goal_that_has_moved():
    seeds = range(12)
    faded, full = {"faded": True}, {"faded": False}
    cases = [(False, {}), (False, faded), (True, {}), (True, faded), (True, full)]
    same, same_faded, moved, moved_faded, moved_full = (
        np.mean([turns_again(seed, elsewhere, **recall) for seed in seeds])
        for elsewhere, recall in cases
    )
    assert same_faded < 0.9 * same
    assert moved_faded < 2.0 * moved
    assert moved_full > 4.0 * moved


def test_a_trail_round_a_cycle_weakens_until_it_lets_members_go():
    graph = nx.Graph([(0, 2), (2, 3), (3, 4), (4, 2), (4, 1)])
    exploration = exploration_of(graph)
    exploration.weights.reward([2, 3, 4, 2])
    for _ in range(200):
        if exploration.next_walk(0).place == 1:
            break
    else:
        pytest.fail("walks round and round")


def test_a_finder_walks_back_to_the_start_and_lays_each_link_when_it_stands_at_it():
    exploration, _ = explore(FORK, seed=1, until=1)
    exploration.find(0, walk_back=True)
    weights = exploration.weights
    assert exploration.is_laying(0)
    assert exploration.at(0) == 5
    assert not weights.is_trail(5, 1)
    exploration.next_walk(0)
    assert weights.is_trail(5, 1)
    assert not weights.is_trail(2, 5)
    assert exploration.next_walk(0) == (0, "lays", "")
    assert exploration.next_walk(0) == (2, "trail", "")
    assert weights.is_trail(0, 2)
    assert not exploration.is_laying(0)
    while exploration.at(0) != 1:
        exploration.next_walk(0)
    exploration.find(0, walk_back=True)
    assert not exploration.is_laying(0)  # it lays once


def test_a_finder_that_a_trail_has_led_does_not_walk_back():
    exploration = exploration_of(FORK)
    exploration.weights.reward([0, 2, 5, 1])
    while exploration.at(0) != 1:
        exploration.next_walk(0)
    exploration.find(0, walk_back=True)
    assert not exploration.is_laying(0)


def test_a_member_that_turns_back_comes_to_the_place_that_it_left():
    exploration = exploration_of(FORK)
    assert exploration.turn_back(0) is None
    exploration.next_walk(0)
    exploration.next_walk(0)
    assert exploration.turn_back(0) == 2
    assert exploration.at(0) == 2
    while exploration.at(0) != 4:
        exploration.next_walk(0)
    assert exploration.next_walk(0).place == 3
    assert exploration.turn_back(0) == 4  # on its way back, it turns into the dead end again


def test_all_is_forgotten_in_time_and_weights_stay_in_their_range():
    weights = LinkWeights(map_on(nx.path_graph(3)), Learning(reward=70.0, evaporation=0.5))
    weights.reward([0, 1])
    weights.reward([0, 1])
    for _ in range(9):
        weights.close_dead_end(1, 2)
    assert weights.of(0, 1) == MOST
    assert LEAST <= weights.of(1, 2) < 0.5
    weights.forget(1.0)
    assert weights.of(0, 1) == pytest.approx(1.0 + 0.5 * (MOST - 1.0))


def test_members_spread_over_what_nobody_has_looked_at():
    _, walked = explore(nx.star_graph(12), count=4)
    ends = [place for route in walked for place in route if place != 0]
    # 13 places are to be seen; with equal chances about 12 * (1 + 1/2 + ... + 1/12) = 37 looks are.
    assert len(ends) < 20


def test_parameters_are_checked_in_the_users_words():
    with pytest.raises(InputError, match="`dead_end` must be above 0 and at most 1, got 0"):
        Learning(dead_end=0.0)
    with pytest.raises(InputError, match=r"`reward` must be 0 or more, got -0.5"):
        Learning(reward=-0.5)
    with pytest.raises(InputError, match="`evaporation` must be from 0 to 1, got 2"):
        Learning(evaporation=2)
