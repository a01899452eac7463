"""Routes over a shared roadmap are as short as any search finds, and every motion is free."""

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.crowd import routes
from rmp3d.behaviors.groups.crowd.routes import (
    ROUND,
    SharedRoutes,
    cut_corners,
    pulled,
    route_lengths,
    shorter_of,
)
from rmp3d.behaviors.groups.guided.roadmap_routes import Entries, covering_roadmap, grown_around
from tests.behaviors.groups.conftest import space

WALLS = [([-0.1, -10, 0], [0.1, 4, 2]), ([6, -4, 0], [6.2, 10, 2])]


@pytest.fixture(scope="module")
def walled():
    return space(walls=WALLS)


@pytest.fixture(scope="module")
def shared(walled):
    rng = np.random.default_rng(0)
    ends = [np.array([-15.0, 0, 0]), np.array([15.0, 0, 0])]
    return SharedRoutes(covering_roadmap(walled, 120, ends, rng))


def some_places(walled, count):
    drawn = walled.from_unit_cube(np.random.default_rng(1).random((4 * count, 3)))
    return drawn[walled.is_free(drawn)][:count]


def test_every_motion_of_a_route_is_free_and_leads_to_its_end(walled, shared):
    places = some_places(walled, 80)
    start, end = places[:40], places[40:]
    for own, goal, route in zip(start, end, shared.routes(start, end), strict=True):
        points = np.concatenate([own[None], route])
        assert (route[-1] == goal).all()
        assert walled.connects(points[:-1], points[1:]).all()


def prices_of(shared):
    """The price of each edge: its length, half as dear again without room at its nodes."""
    start, end = shared.nodes[shared.edges[:, 0]], shared.nodes[shared.edges[:, 1]]
    world = shared.space.world
    room = np.clip(world.clearance(shared.nodes, 9.0) / (3.0 * world.body.radius), 0.0, 1.0)
    narrow = 1.0 - 0.5 * (room[shared.edges[:, 0]] + room[shared.edges[:, 1]])
    return np.linalg.norm(end - start, axis=1) * (1.0 + 0.5 * narrow)


def test_routes_that_are_searched_for_one_by_one_are_those_of_the_table(
    walled, shared, monkeypatch
):
    places = some_places(walled, 80)
    start, end = places[:40], places[40:]
    kept = shared.routes(start, end)
    monkeypatch.setattr(routes, "KEPT", 0)
    searched = shared.past(np.zeros((0, 3)))
    for one, other in zip(kept, searched.routes(start, end), strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(searched._far) == 0


def test_a_roadmap_grown_around_a_place_joins_it(walled):
    rng = np.random.default_rng(0)
    roadmap = covering_roadmap(walled, 2, [], rng)
    place = np.array([[3.0, 9.0, 0.0]])
    for reach in (2.0, 4.0, 8.0):
        roadmap = grown_around(roadmap, place, reach, rng)
    start = np.array([[-15.0, -9.0, 0.0]])
    roadmap = grown_around(roadmap, start, 8.0, rng)
    assert (roadmap.configurations == place).all(axis=1).any()
    assert SharedRoutes(roadmap).routes(start, place)[0] is not None


def test_ways_are_as_long_as_another_search_finds_and_routes_are_no_dearer(walled, shared):
    places = some_places(walled, 24)
    start, end = places[:12], places[12:]
    graph = nx.Graph()
    for (a, b), price in zip(shared.edges.tolist(), prices_of(shared), strict=True):
        graph.add_edge(a, b, weight=price)
    leave, enter = shared.entries(start), shared.entries(end)
    ways = shared.ways(leave, enter)
    lengths = route_lengths(start, shared.routes(start, end))
    for row in range(12):
        far = [
            first + nx.shortest_path_length(graph, a, b, weight="weight") + last
            for a, first in zip(leave.node[row], leave.distance[row], strict=True)
            for b, last in zip(enter.node[row], enter.distance[row], strict=True)
            if np.isfinite(first) and np.isfinite(last)
        ]
        assert ways.length[row] == pytest.approx(min(far))
        assert lengths[row] <= min(far) + 1e-9


def test_there_is_no_route_into_a_closed_room():
    closed = space(walls=[
        ([5, -3, 0], [5.2, 3, 2]), ([11, -3, 0], [11.2, 3, 2]),
        ([5, -3.2, 0], [11.2, -3, 2]), ([5, 3, 0], [11.2, 3.2, 2]),
    ])  # fmt: skip
    rng = np.random.default_rng(0)
    shared = SharedRoutes(covering_roadmap(closed, 60, [np.array([-5.0, 0, 0])], rng))
    start = np.array([[-5.0, 0, 0], [-6.0, 1, 0]])
    end = np.array([[8.0, 0, 0], [-12.0, 0, 0]])
    inside, outside = shared.routes(start, end)
    assert inside is None
    assert (outside[-1] == end[1]).all()


def test_a_place_that_sees_none_of_the_nearest_nodes_sees_others(shared):
    found = shared.entries(np.array([[0.5, -9.5, 0], [-0.5, -9.5, 0]]))
    assert np.isfinite(found.distance).any(axis=1).all()
    assert isinstance(found, Entries)


def test_corners_that_can_be_left_out_are(walled):
    line = np.linspace([-15.0, 0, 0], [-5.0, 0, 0], 6)
    kept = pulled(walled, line[None], np.array([6]))
    assert np.flatnonzero(kept[0]).tolist() == [5]


def test_corners_are_left_out_as_if_they_were_tried_one_by_one(walled):
    """A walk along random points: from each one on to the last in a row that it sees."""
    rng = np.random.default_rng(4)
    lines = np.concatenate([rng.uniform(-9, 9, (12, 9, 2)), np.zeros((12, 9, 1))], axis=2)
    count = rng.integers(2, 10, 12)
    kept = pulled(walled, lines, count)
    for line, size, own in zip(lines, count.tolist(), kept, strict=True):
        expected, anchor = [size - 1], 0
        for corner in range(2, size):
            if not walled.connects(line[anchor][None], line[corner][None])[0]:
                anchor = corner - 1
                expected.append(anchor)
        assert np.flatnonzero(own).tolist() == sorted(expected)


def test_a_jam_makes_the_way_through_it_dearer(walled, shared):
    start, end = np.array([[-3.0, 5.0, 0]]), np.array([[3.0, 5.0, 0]])
    crowd = np.random.default_rng(0).normal([0, 6, 0], 0.5, (40, 3))
    dearer = shared.past(crowd)
    before = shared.ways(shared.entries(start), shared.entries(end)).length
    assert dearer.ways(dearer.entries(start), dearer.entries(end)).length > before
    assert (shared.ways(shared.entries(start), shared.entries(end)).length == before).all()


def test_few_members_on_a_roadmap_too_large_for_tables_make_none(walled, shared, monkeypatch):
    start, end = some_places(walled, 4).reshape(2, 2, 3)
    monkeypatch.setattr(routes, "KEPT", len(shared.nodes) ** 2 - 1)
    large = shared.past(np.zeros((0, 3)))
    for one, other in zip(shared.routes(start, end), large.routes(start, end), strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(large._far) == 0


def test_of_two_ways_the_shorter_one_is_taken_and_one_is_better_than_none():
    long, short = np.array([[0.0, 3, 0], [4, 3, 0]]), np.array([[4.0, 0, 0]])
    routes = [long, short, None, short, None]
    shorter_of(np.zeros((5, 3)), routes, [short, long, long, None, None])
    wanted = [short, short, long, short, None]
    assert all(found is want for found, want in zip(routes, wanted, strict=True))


def test_a_corner_that_is_far_round_is_cut_as_far_as_the_point_behind_it_is_seen(walled):
    start = np.array([[-8.0, 0, 0], [-8.0, 0, 0], [-8.0, 0, 0]])
    far, short, over = (
        np.array(route)
        for route in (
            [[-3.0, 9, 0], [-2.0, -6, 0]],  # nothing between: nearly straight
            [[-5.0, 0.5, 0], [-2.0, 0, 0]],  # hardly round
            [[0.0, 9.5, 0], [5, 0, 0]],  # over the end of a wall
        )
    )
    routes = [far, short, over, None]
    start = np.concatenate([start, start[:1]])
    before = route_lengths(start, routes)
    cut_corners(walled, start, routes)
    after = route_lengths(start, routes)
    assert after[0] < before[0] - ROUND
    assert routes[1] is short
    assert after[2] < before[2] - 2.0
    assert routes[3] is None
    for own, route in zip(start[:3], routes[:3], strict=True):
        points = np.concatenate([own[None], route])
        assert walled.connects(points[:-1], points[1:]).all()
