"""Routes over a roadmap between any two places, and members that are led along them."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.guided.navigation import Navigator
from rmp3d.behaviors.groups.guided.roadmap_routes import RoadmapRoutes, covering_roadmap

# Two walls from opposite sides: straight on is never free, round both ends it is.
WALLS = [([-0.2, -10, 0], [0.2, 6, 2]), ([5, -6, 0], [5.4, 10, 2])]
CAGE = [([-13, -1, 0], [-12.8, 1, 2]), ([-11, -1, 0], [-10.8, 1, 2]),
        ([-13, 0.8, 0], [-10.8, 1, 2]), ([-13, -1, 0], [-10.8, -0.8, 2])]  # fmt: skip
WEST, EAST, CAGED = np.array([-15.0, 0, 0]), np.array([15.0, 0, 0]), np.array([-11.9, 0, 0])


@pytest.fixture(scope="module")
def routes(ways):
    space = ways.space(walls=[*WALLS, *CAGE])
    roadmap = covering_roadmap(space, 150, [WEST, EAST], np.random.default_rng(0))
    return RoadmapRoutes(roadmap)


def test_routes_are_shortest_and_every_motion_of_them_is_proved(routes):
    graph = nx.Graph()
    for a, b in routes.edges.tolist():
        graph.add_edge(a, b, weight=float(np.linalg.norm(routes.nodes[a] - routes.nodes[b])))
    rng = np.random.default_rng(1)
    places = routes.space.from_unit_cube(rng.random((20, 3)))
    places = places[routes.space.is_free(places)]
    for start, end in pairwise(places):
        route = routes.route(start, end)
        root, rest = routes.root(end)
        entries = routes.entries(start[None])
        way = nx.single_source_dijkstra_path_length(graph, root)
        seen = zip(entries.node[0].tolist(), entries.distance[0].tolist(), strict=True)
        expected = min(apart + way.get(node, np.inf) + rest for node, apart in seen)
        np.testing.assert_allclose(routes.distances(entries, end)[0], expected)
        if not np.isfinite(expected):
            assert route is None
            continue
        whole = np.concatenate([start[None], route])
        assert routes.space.connects(whole[:-1], whole[1:]).all()
        size = np.linalg.norm(np.diff(whole, axis=0), axis=1).sum()
        np.testing.assert_allclose(size, expected, atol=1e-9)


def test_a_roadmap_grows_until_it_joins_the_places_and_no_farther_than_four_times(ways):
    wall = [([-0.2, -10, 0], [0.2, -0.5, 2]), ([-0.2, 0.5, 0], [0.2, 10, 2])]
    space = ways.space(walls=wall)
    roadmap = covering_roadmap(space, 40, [WEST, EAST], np.random.default_rng(0))
    found = RoadmapRoutes(roadmap)
    assert np.isfinite(found.distances(found.entries(WEST[None]), EAST)[0])
    closed = ways.space(walls=[([-0.2, -10, 0], [0.2, 10, 2])])
    roadmap = covering_roadmap(closed, 40, [WEST, EAST], np.random.default_rng(0))
    assert len(roadmap.configurations) == 160
    found = RoadmapRoutes(roadmap)
    assert found.route(WEST, EAST) is None


def walk(navigator, position, destination, steps, dt=0.1, motion=None):
    """Members that go straight to their subgoals at 1 m/s; returns their tracks and guidances."""
    count = len(position)
    track, said = [position], []
    motion = np.zeros_like(position) if motion is None else motion
    for step in range(steps):
        way = navigator.lead(
            position, destination, motion, np.ones(count, bool), np.ones(count), step * dt
        )
        offset = way.subgoal - position
        size = np.linalg.norm(offset, axis=1, keepdims=True)
        position = position + offset * np.minimum(1.0, dt / np.maximum(size, 1e-9))
        destination = destination + motion * dt
        track.append(position)
        said.append(way)
    return np.array(track), said


def test_members_come_round_the_walls_to_destinations_of_their_own(routes):
    navigator = Navigator(routes, 2, 0.1)
    start, end = np.array([WEST, EAST]), np.array([EAST, WEST])
    track, said = walk(navigator, start, end, 600)
    np.testing.assert_allclose(track[-1], end, atol=1e-6)
    assert not said[0].last.any()
    assert said[-1].last.all()
    assert said[0].left.min() > 35.0  # straight on it is 30 m
    assert routes.space.connects(track[:-1].reshape(-1, 3), track[1:].reshape(-1, 3)).all()


def test_a_destination_that_moves_is_followed(routes):
    navigator = Navigator(routes, 1, 0.1)
    motion = np.array([[0.0, 0.1, 0]])
    track, said = walk(navigator, WEST[None], EAST[None], 700, motion=motion)
    np.testing.assert_allclose(track[-1, 0], EAST + np.array([0, 7.0, 0]), atol=0.2)
    np.testing.assert_array_equal(said[-1].motion, motion)


def test_where_there_is_no_way_members_stay_and_know_it(routes):
    navigator = Navigator(routes, 1, 0.1)
    track, said = walk(navigator, CAGED[None], EAST[None], 30)
    np.testing.assert_array_equal(track[-1, 0], CAGED)
    assert np.isinf(said[-1].left[0])


def test_members_that_are_not_led_any_more_begin_anew(routes):
    navigator = Navigator(routes, 1, 0.1)
    walk(navigator, WEST[None], EAST[None], 50)
    rest = np.zeros((1, 3))
    navigator.lead(WEST[None], EAST[None], rest, np.zeros(1, bool), np.ones(1), 5.0)
    track, _ = walk(navigator, EAST[None], EAST[None] + [2.0, 0, 0], 30)
    np.testing.assert_allclose(track[-1, 0], EAST + np.array([2.0, 0, 0]), atol=1e-6)
