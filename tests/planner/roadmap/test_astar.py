import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmp3d.geometry.graphs import adjacency
from rmp3d.planner.roadmap.astar import RisingGraph


def random_graph(seed, count):
    """Points in a square, edges somewhat longer than the straight line, pairs joined twice too."""
    rng = np.random.default_rng(seed)
    points = rng.random((count, 2))
    edges = rng.integers(0, count, (2 * count, 2))
    straight = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    cost = straight * rng.uniform(1.0, 2.0, len(edges))
    return points, edges, cost


def by_networkx(edges, cost, start, goal):
    graph = nx.MultiGraph()
    graph.add_nodes_from([start, goal])
    for (a, b), weight in zip(edges.tolist(), cost.tolist(), strict=True):
        if np.isfinite(weight):
            graph.add_edge(a, b, weight=weight)
    try:
        return nx.shortest_path_length(graph, start, goal, weight="weight")
    except nx.NetworkXNoPath:
        return None


def check(graph, edges, cost, start, goal):
    way = graph.shortest(start)
    expected = by_networkx(edges, cost, start, goal)
    if expected is None:
        assert way is None
        return None
    nodes, rows = way
    assert (nodes[0], nodes[-1]) == (start, goal)
    steps = np.sort(np.stack([nodes[:-1], nodes[1:]], axis=1), axis=1)
    np.testing.assert_array_equal(np.sort(edges[rows], axis=1), steps)
    assert cost[rows].sum() == pytest.approx(expected, abs=1e-12)
    return rows


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_the_cheapest_way_by_networkx_also_when_costs_rise(seed, count):
    points, edges, cost = random_graph(seed, count)
    rng = np.random.default_rng(seed)
    goal = 0
    straight = np.linalg.norm(points - points[goal], axis=1)
    graph = RisingGraph(adjacency(edges, count), cost, straight, goal)
    for _ in range(12):
        rows = check(graph, edges, cost, int(rng.integers(1, count)), goal)
        if rows is None or len(rows) == 0:
            rows = rng.integers(0, len(edges), 2)
        dearer = cost[rows] * rng.choice([1.0, 1.5], len(rows))
        dearer[rng.random(len(rows)) < 0.3] = np.inf
        graph.raise_cost(rows, dearer)
        cost[rows] = np.maximum(cost[rows], dearer)


def test_the_same_start_and_goal_is_a_way_of_no_edges():
    graph = RisingGraph(adjacency(np.array([[0, 1]]), 2), np.ones(1), np.zeros(2), 1)
    nodes, rows = graph.shortest(1)
    assert nodes.tolist() == [1]
    assert len(rows) == 0


def test_a_graph_without_edges_has_no_way():
    graph = RisingGraph(adjacency(np.zeros((0, 2), np.intp), 3), np.zeros(0), np.zeros(3), 2)
    assert graph.shortest(0) is None


def test_edges_that_cost_nothing_are_edges():
    graph = RisingGraph(adjacency(np.array([[0, 1], [1, 2]]), 3), np.zeros(2), np.zeros(3), 2)
    assert graph.shortest(0)[0].tolist() == [0, 1, 2]
