"""Components and shortest paths against networkx."""

import networkx as nx
import numpy as np
import pytest

from rmp3d.geometry.graphs import (
    adjacency,
    components,
    extended,
    join_labels,
    shortest_path,
)


def random_graph(seed, count=60, edges=70):
    rng = np.random.default_rng(seed)
    return rng.integers(0, count, (edges, 2)), rng.uniform(0.0, 3.0, edges)


@pytest.mark.parametrize("seed", range(8))
def test_components_are_those_of_networkx(seed):
    edges, _ = random_graph(seed)
    graph = nx.Graph()
    graph.add_nodes_from(range(60))
    graph.add_edges_from(edges.tolist())
    label = components(60, edges)
    for group in nx.connected_components(graph):
        assert set(label[sorted(group)]) == {min(group)}
    # Joined in two parts, they come out the same.
    parts = np.arange(60)
    for half in np.array_split(edges, 2):
        join_labels(parts, half)
    np.testing.assert_array_equal(parts, label)


@pytest.mark.parametrize("seed", range(8))
def test_ways_are_as_short_as_those_of_networkx(seed):
    edges, length = random_graph(seed, edges=110)
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(60))
    graph.add_weighted_edges_from(
        (a, b, w) for (a, b), w in zip(edges.tolist(), length.tolist(), strict=True)
    )
    way = shortest_path(60, edges, length, 0, 1)
    if not nx.has_path(graph, 0, 1):
        assert len(way) == 0
        return
    assert (way[0], way[-1]) == (0, 1)
    total = sum(
        min(row["weight"] for row in graph[a][b].values())
        for a, b in zip(way[:-1].tolist(), way[1:].tolist(), strict=True)
    )
    assert total == pytest.approx(nx.dijkstra_path_length(graph, 0, 1))


def test_motions_without_length_join_too():
    way = shortest_path(3, np.array([[0, 2], [2, 1]]), np.zeros(2), 0, 1)
    np.testing.assert_array_equal(way, [0, 2, 1])


@pytest.mark.parametrize("seed", range(8))
def test_an_adjacency_extended_is_that_of_the_larger_graph(seed):
    rng = np.random.default_rng(seed)
    count, more = rng.integers(1, 20), rng.integers(0, 3)
    edges = rng.integers(0, count, (rng.integers(0, 40), 2))
    further = rng.integers(0, count + more, (rng.integers(0, 20), 2))
    whole = adjacency(np.concatenate([edges, further]), count + more)
    found = extended(adjacency(edges, count), len(edges), further, count + more)
    for one, other in zip(found, whole, strict=True):
        np.testing.assert_array_equal(one, other)
