import networkx as nx
import numpy as np

from rmp3d.behaviors.groups.guided.shortest_paths import DEARER, ShortestPathTree, prices
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings

GOAL = np.array([15.0, 0, 0])
WALLS = [([-0.2, -10, 0], [0.2, 6, 2]), ([5, -6, 0], [5.4, 10, 2])]


def test_ways_are_the_shortest_of_the_roadmap_and_proved(ways):
    space = ways.space(walls=WALLS)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=150), np.random.default_rng(0))
    found = ShortestPathTree(roadmap, GOAL)
    rng = np.random.default_rng(1)
    position = space.from_unit_cube(rng.random((40, 3)))
    position = position[space.is_free(position)]
    routes = found.routes(position)
    assert sum(route is not None for route in routes) > 0.8 * len(position)
    graph = nx.Graph()
    points = np.concatenate([roadmap.configurations, GOAL[None]])
    pairs = [tuple(pair) for pair in roadmap.edges.tolist()]
    near = np.argsort(np.linalg.norm(roadmap.configurations - GOAL, axis=1))[:64]
    ends = space.connects(roadmap.configurations[near], np.tile(GOAL, (len(near), 1)))
    pairs += [(int(node), len(points) - 1) for node in near[ends]]
    for a, b in pairs:
        graph.add_edge(a, b, weight=float(np.linalg.norm(points[a] - points[b])))
    way = nx.single_source_dijkstra_path_length(graph, len(points) - 1)
    for start, route in zip(position, routes, strict=True):
        if route is None:
            continue
        np.testing.assert_array_equal(route[-1], GOAL)
        whole = np.concatenate([start[None], route])
        assert space.connects(whole[:-1], whole[1:]).all()
        first = int(np.flatnonzero((points == route[0]).all(axis=1))[0])
        size = np.linalg.norm(np.diff(route, axis=0), axis=1).sum()
        np.testing.assert_allclose(size, way[first], atol=1e-9)


def test_where_no_node_is_in_sight_there_is_no_way(ways):
    cage = [([-13, -1, 0], [-12.8, 1, 2]), ([-11, -1, 0], [-10.8, 1, 2]),
            ([-13, 0.8, 0], [-10.8, 1, 2]), ([-13, -1, 0], [-10.8, -0.8, 2])]  # fmt: skip
    space = ways.space(walls=cage)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=60), np.random.default_rng(0))
    routes = ShortestPathTree(roadmap, GOAL).routes(np.array([[-11.9, 0, 0], [0.0, 5, 0]]))
    assert routes[0] is None
    assert routes[1] is not None


def test_a_crowd_in_one_gap_leads_through_the_other(ways):
    wall = [
        ([-0.2, -10, 0], [0.2, -5, 2]),
        ([-0.2, -2, 0], [0.2, 3, 2]),
        ([-0.2, 6, 0], [0.2, 10, 2]),
    ]
    space = ways.space(walls=wall)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=300), np.random.default_rng(0))
    free = ShortestPathTree(roadmap, np.array([8.0, -3, 0]))
    rng = np.random.default_rng(1)
    crowd = np.array([-0.8, -3.5, 0]) + rng.uniform(-1, 1, (25, 3)) * [1, 1, 0]

    def gap(found):
        (route,) = found.routes(np.array([[-9.0, -3, 0]]))
        whole = np.concatenate([[[-9.0, -3, 0]], route])
        share = np.interp(0.0, whole[:, 0], np.arange(len(whole)))
        return np.interp(share, np.arange(len(whole)), whole[:, 1])

    assert gap(free) < -2.0
    assert gap(free.past(crowd)) > 3.0
    assert gap(free) < -2.0, "the tree that was asked stays as it was"


def test_prices_are_lengths_and_dearer_by_each_member_nearby():
    start, end = np.array([[0.0, 0, 0], [0, 9, 0]]), np.array([[4.0, 0, 0], [4.0, 9, 3]])
    np.testing.assert_allclose(prices(start, end, np.zeros((0, 3))), [4.0, 5.0])
    crowd = np.array([[0.0, 0.5, 0], [0.0, -0.5, 0], [40, 0, 0]])
    np.testing.assert_allclose(prices(start, end, crowd), [4.0 * (1 + DEARER * (2 + 2) / 5), 5.0])
    assert prices(np.zeros((0, 3)), np.zeros((0, 3)), crowd).shape == (0,)
