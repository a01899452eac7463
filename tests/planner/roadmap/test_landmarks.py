"""Lower bounds of ways to a goal, against the ways themselves."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from rmp3d.planner.roadmap.landmarks import FEW, bounds_to_goal


class Graph:
    """A roadmap's nodes and edges."""

    def __init__(self, rng, joined):
        count = FEW + 50
        self.configurations = np.zeros((count, 3))
        chain = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
        near = np.clip(chain[::2] + rng.integers(0, 6, (len(chain[::2]), 2)), 0, count - 1)
        self.edges = np.concatenate([chain[rng.random(count - 1) < joined], near])
        self.edge_length = rng.uniform(0.5, 5.0, len(self.edges))
        self.untried = np.zeros((0, 2), np.intp)


@pytest.mark.parametrize("joined", [1.0, 0.7])
def test_no_bound_is_longer_than_the_way(joined):
    rng = np.random.default_rng(0)
    for _ in range(10):
        graph = Graph(rng, joined)
        count = len(graph.configurations)
        # A goal that joins what is far apart is a short way itself.
        joints, length = rng.choice(count, 5, replace=False), rng.uniform(0.1, 30, 5)
        bound = bounds_to_goal(graph, joints, length)
        rows, columns = np.concatenate([graph.edges.T, [joints, np.full(5, count)]], axis=1)
        cost = np.concatenate([graph.edge_length, length])
        order = np.argsort(-cost, kind="stable")  # of several edges the shortest counts
        table = np.full((count + 1, count + 1), np.inf)
        table[rows[order], columns[order]] = cost[order]
        table = np.minimum(table, table.T)
        kept = np.isfinite(table)
        ways = dijkstra(coo_array((table[kept], np.nonzero(kept))).tocsr(), indices=count)[:count]
        assert (bound <= ways).all()
        if joined == 1.0:
            assert np.median(bound / ways) > 0.3


def test_a_small_roadmap_has_none():
    graph = Graph(np.random.default_rng(0), 1.0)
    graph.configurations = graph.configurations[:10]
    assert bounds_to_goal(graph, np.array([0]), np.ones(1)) is None
