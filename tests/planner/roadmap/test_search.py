from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from rmp3d.planner.paths.polyline import total_length
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import join_ends, route_over, settled, shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space


def test_the_way_is_the_shortest_by_networkx(rooms, walker):
    space = make_space("ground", rooms, walker)
    roadmap = build_roadmap(
        space, RoadmapSettings(nodes=150, neighbors=6), np.random.default_rng(1)
    )
    rng = np.random.default_rng(0)
    compared = 0
    for _ in range(60):
        a, b = rng.integers(0, 150, 2).tolist()
        start, goal = roadmap.configurations[[a, b]]
        if space.connect(start[None], goal[None])[0] is not None:
            continue
        way = shortest_route(roadmap, start, goal)
        # networkx, on the roadmap alone: the ends' extra joins can only make it shorter
        along = nx.shortest_path_length(roadmap.graph, a, b, weight="length")
        direct = np.linalg.norm(goal - start)
        assert direct <= total_length(way) <= along + 1e-9
        graph = roadmap.graph.copy()
        for end, node in ((start, "start"), (goal, "goal")):
            order = np.argsort(np.linalg.norm(roadmap.configurations - end, axis=1))[:64]
            tiled = np.tile(end, (64, 1))
            for k, found in zip(
                order, space.connect(roadmap.configurations[order], tiled), strict=True
            ):
                if found is not None:
                    graph.add_edge(int(k), node, length=total_length(found))
        expected = nx.shortest_path_length(graph, "start", "goal", weight="length")
        assert total_length(way) == pytest.approx(expected, abs=1e-9)
        compared += 1
    assert compared >= 5


def test_the_way_runs_from_start_to_goal_over_proved_motions(rooms, walker):
    space = make_space("ground", rooms, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=100), np.random.default_rng(0))
    start, goal = np.array([-8.0, 3, 0]), np.array([8.0, -3, 0])
    way = shortest_route(roadmap, start, goal)
    np.testing.assert_array_equal(way[[0, -1]], [start, goal])
    assert space.world.polylines_are_free([way]).all()


def test_a_wide_detour_is_preferred_when_clearance_is_wanted(make, walker):
    """Two doors: a narrow one on the straight line, a wide one aside."""
    scene = make.scene(
        make.floor((-10, -6), (10, 6)),
        make.box("a", (-0.1, -6, 0), (0.1, -0.35, 2)),
        make.box("b", (-0.1, 0.35, 0), (0.1, 1.5, 2)),
        make.box("c", (-0.1, 4.5, 0), (0.1, 6, 2)),
        bounds=((-10, -6, -1), (10, 6, 3)),
    )
    space = make_space("ground", scene, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=500), np.random.default_rng(0))
    start, goal = np.array([-5.0, 0, 0]), np.array([5.0, 0, 0])
    for wanted, low, high in ((0.0, -0.1, 0.1), (1.0, 1.7, 4.3)):
        way = shortest_route(roadmap, start, goal, wanted)
        crossing = np.interp(0.0, way[:, 0], way[:, 1])
        assert low < crossing < high


def test_no_way_says_how_much_each_end_reaches(make, walker):
    scene = make.scene(
        make.floor((-10, -5), (10, 5)),
        make.box("wall", (-0.1, -6, 0), (0.1, 6, 2)),
        bounds=((-10, -5, -1), (10, 5, 3)),
    )
    space = make_space("ground", scene, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=100), np.random.default_rng(0))
    left = int((roadmap.configurations[:, 0] < 0).sum())
    with pytest.raises(NoPathError, match=r"0.56 m.*`bridge`, `medial`") as caught:
        shortest_route(roadmap, np.array([-5.0, 0, 0]), np.array([5.0, 0, 0]))
    error = caught.value
    assert (error.start_component, error.goal_component) == (left, 100 - left)
    assert (error.components, error.nodes) == (2, 100)
    assert error.sizes == (max(left, 100 - left), min(left, 100 - left))
    assert f"2 components, of {error.sizes[0]}, {error.sizes[1]}" in str(error)
    assert error.statistics == roadmap.statistics


def test_a_roadmap_without_nodes_still_sees_the_straight_way(rooms, walker):
    space = make_space("ground", rooms, walker)
    empty = Roadmap.empty(space)
    start, goal = np.array([-5.0, 0, 0]), np.array([5.0, 0, 0])
    assert total_length(shortest_route(empty, start, goal)) == pytest.approx(10.0)
    with pytest.raises(NoPathError, match="reaches 0 and the goal 0 of the roadmap's 0 nodes"):
        shortest_route(empty, start, np.array([5.0, 4, 0]))


def test_a_way_leads_over_proved_edges_only_also_where_an_untried_pair_is_shorter(rooms, walker):
    space = make_space("ground", rooms, walker)
    lazy = RoadmapSettings(nodes=100, lazy=True)
    roadmap = build_roadmap(space, lazy, np.random.default_rng(0))
    start, goal = np.array([-8.0, 3, 0]), np.array([8.0, 3, 0])
    ends = join_ends(roadmap, start, goal)
    proved = settled(roadmap, ends)
    assert len(proved.untried)
    # A pair that nobody has tried: from the node nearest to the start to that of the goal.
    gap = np.linalg.norm(roadmap.configurations[:, None] - [start, goal], axis=2)
    beside = gap.argmin(axis=0)
    unproved = replace(proved, untried=np.concatenate([proved.untried, np.sort([beside])]))
    np.testing.assert_array_equal(route_over(unproved, ends), route_over(proved, ends))
