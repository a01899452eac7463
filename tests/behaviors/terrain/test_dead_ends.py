"""Dead ends: closed off by one who stands in the way; a ring has none."""

import numpy as np
import pytest

from rmp3d.behaviors.terrain.dead_ends import dead_ends
from rmp3d.behaviors.terrain.ground import ground_of
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes.build.shapes import floor

GAP = 2.0


def closed_in(free, gap=GAP):
    """The middles of cells of 1 m, and which of them can be closed off, where ``free`` (I, J)."""
    xs, ys = (np.arange(count + 1.0) for count in free.shape)
    surface = WalkableSurface(floor(xs, ys, free))
    point = ground_of(surface, 1.0).point
    return point, dead_ends(surface, 1.0, None, 0.3, 0.3, 1.4, gap)


def test_an_alley_off_a_square_is_a_dead_end_beyond_who_stands_in_it():
    free = np.zeros((24, 12), bool)
    free[:12], free[12:, 5:8] = True, True
    point, closed = closed_in(free)
    assert closed[point[:, 0] > 12.0 + GAP].all()
    assert not closed[(point[:, 0] > 12.0) & (point[:, 0] < 11.0 + GAP)].any()
    middle = np.linalg.norm(point[:, :2] - 6.0, axis=1) < 4.0
    assert not closed[middle].any()


def test_a_ring_has_no_dead_end_but_its_corners():
    free = np.ones((20, 20), bool)
    free[4:16, 4:16] = False
    point, closed = closed_in(free)
    inward = np.abs(point[:, :2] - 10.0).max(axis=1) < 8.0
    assert inward.any()
    assert not closed[inward].any()


def test_a_ring_cut_at_one_place_is_an_alley_with_two_ends():
    free = np.ones((20, 20), bool)
    free[4:16, 4:16] = False
    free[9:11, :4] = False
    point, closed = closed_in(free)
    assert closed[(np.abs(point[:, 0] - 10.0) < 5.0) & (point[:, 1] < 4.0)].all()


@pytest.mark.parametrize("gap", [1.5, 2.5])
def test_what_can_be_closed_off_is_what_brute_force_finds(gap):
    import networkx as nx

    free = np.random.default_rng(3).random((9, 9)) < 0.75
    xs = np.arange(10.0)
    surface = WalkableSurface(floor(xs, xs, free))
    ground = ground_of(surface, 1.0)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(ground.point)))
    graph.add_edges_from(zip(ground.origin.tolist(), ground.link.tolist(), strict=True))
    expected = np.zeros(len(ground.point), bool)
    for stand in ground.point:
        apart = np.linalg.norm(ground.point - stand, axis=1) > gap
        parts = nx.connected_components(graph.subgraph(np.flatnonzero(apart).tolist()))
        parts = sorted(parts, key=lambda part: (-len(part), min(part)))
        for part in parts[1:]:
            expected[list(part)] = True
    found = dead_ends(surface, 1.0, None, 0.3, 0.3, 1.4, gap)
    np.testing.assert_array_equal(found, expected)
    assert 0 < expected.sum() < len(expected)
