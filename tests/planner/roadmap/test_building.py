from itertools import count

import networkx as nx
import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.paths.polyline import densified, total_length
from rmp3d.planner.roadmap.building import build_roadmap, extend_roadmap
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space


@pytest.fixture(params=["ground", "translation"])
def space(request, rooms, walker):
    return make_space(request.param, rooms, walker)


def build(space, seed=0, progress=None, **settings):
    settings = RoadmapSettings(**settings)
    return build_roadmap(space, settings, np.random.default_rng(seed), progress)


def content(roadmap):
    arrays = (roadmap.configurations, roadmap.clearance, roadmap.edges, roadmap.edge_clearance)
    return b"".join(a.tobytes() for a in (*arrays, *roadmap.polylines))


@pytest.mark.parametrize("sampler", ["uniform", "halton", "gaussian"])
def test_the_same_seed_gives_the_same_roadmap(rooms, walker, sampler):
    first, again = (
        build(make_space("ground", rooms, walker), seed=4, nodes=150, sampler=sampler)
        for _ in range(2)
    )
    assert content(first) == content(again)


def test_the_number_of_nodes_is_as_asked(space):
    for nodes in (1, 2, 100):
        assert len(build(space, nodes=nodes).configurations) == nodes


@pytest.mark.parametrize("forest", [False, True])
@pytest.mark.parametrize("wanted", [1, 50, 120])
def test_building_stops_at_the_node_that_connects_as_many_as_are_wanted(space, wanted, forest):
    roadmap = build(space, nodes=0, connected_nodes=wanted, forest=forest)
    count = len(roadmap.configurations)
    assert content(roadmap) == content(build(space, nodes=count, forest=forest))
    assert roadmap.statistics.largest_component >= wanted
    if wanted > 1:
        assert build(space, nodes=count - 1).statistics.largest_component < wanted


def test_a_roadmap_grown_from_one_that_connected_nodes_stopped_is_that_built_at_once(space):
    stopped = build(space, nodes=0, connected_nodes=50)
    grown = extend_roadmap(stopped, RoadmapSettings(nodes=200), np.random.default_rng(0))
    assert content(grown) == content(build(space, nodes=200))


def test_seconds_stop_the_building(space, monkeypatch):
    looks = count()
    monkeypatch.setattr("rmp3d.planner.roadmap.building.perf_counter", lambda: 0.01 * next(looks))
    roadmap = build(space, nodes=0, seconds=0.05)
    assert roadmap.seconds >= 0.05
    assert len(roadmap.configurations) > 0


def test_a_time_limit_ends_within_a_batch(rooms, walker, monkeypatch):
    space = make_space("translation", rooms, walker)
    looks = count()
    monkeypatch.setattr("rmp3d.planner.roadmap.building.perf_counter", lambda: float(next(looks)))
    cut = build(space, nodes=10_000, seconds=5.0)
    whole = build(space, nodes=len(cut.configurations))
    assert 0 < len(cut.configurations) < 40  # of some 50 free ones among the first 64
    assert content(cut) == content(whole)


@pytest.mark.parametrize("rules", [
    {"nodes": 60},
    {"nodes": 100_000, "connected_nodes": 60},
    {"nodes": 60, "connected_nodes": 100_000},
    {"nodes": 60, "connected_nodes": 100_000, "seconds": 60.0},
    {"nodes": 100_000, "connected_nodes": 60, "seconds": 60.0},
    {"nodes": 100_000, "connected_nodes": 100_000, "seconds": 0.02},
    {"nodes": 60, "connected_nodes": 100_000, "seconds": 60.0, "until_solved": True},
    {"nodes": 100_000, "connected_nodes": 60, "seconds": 60.0, "until_solved": True},
])  # fmt: skip
def test_the_first_rule_reached_stops(space, rules):
    # The goal is within a wall, so that `until_solved` is never reached.
    z = 0.0 if space.grounded else 1.0
    ends = np.array([-8.0, 4.0, z]), np.array([0.0, 4.0, z])
    roadmap = build_roadmap(space, RoadmapSettings(**rules), np.random.default_rng(0), ends=ends)
    nodes, largest = len(roadmap.configurations), roadmap.statistics.largest_component
    assert nodes <= rules["nodes"]
    reached = [
        nodes == rules["nodes"],
        largest >= rules.get("connected_nodes", np.inf),
        roadmap.seconds >= rules.get("seconds", np.inf),
    ]
    assert sum(reached) == 1


def test_edges_are_free_when_stepped_finely_by_the_other_backend(rooms, walker, space):
    name = "ground" if space.grounded else "translation"
    fcl = make_space(name, rooms, walker, backend="fcl")
    roadmap = build(space, nodes=60)
    points = np.concatenate([densified(way, 0.05) for way in roadmap.polylines])
    assert fcl.world.is_free(points).all()


def test_edges_join_their_nodes(space):
    roadmap = build(space, nodes=100)
    for (a, b), points in zip(roadmap.edges, roadmap.polylines, strict=True):
        assert a < b
        np.testing.assert_array_equal(points[[0, -1]], roadmap.configurations[[a, b]])


def test_the_clearance_of_an_edge_is_a_lower_bound(space):
    roadmap = build(space, nodes=60)
    for points, bound in zip(roadmap.polylines, roadmap.edge_clearance, strict=True):
        true = space.world.clearance(densified(points, 0.01), 2.8).min()
        assert bound <= true + 1e-9
        assert bound >= true - 0.5 * space.world.body.radius - 0.01


def test_a_forest_has_no_cycles_and_the_same_components(space):
    forest = build(space, nodes=150, forest=True, neighbors=8)
    numbers = forest.statistics
    assert numbers.edges == numbers.nodes - numbers.components
    assert numbers.components == build(space, nodes=150, neighbors=8).statistics.components


def test_the_graph_says_what_the_arrays_say(space):
    roadmap = build(space, nodes=120)
    graph = roadmap.graph
    assert graph.number_of_nodes() == 120
    assert graph.number_of_edges() == len(roadmap.edges)
    assert nx.number_connected_components(graph) == roadmap.statistics.components
    assert len(max(nx.connected_components(graph), key=len)) == (
        roadmap.statistics.largest_component
    )
    for a, b, edge in graph.edges(data=True):
        assert edge["length"] == edge["weight"] == total_length(edge["polyline"])
        np.testing.assert_array_equal(graph.nodes[min(a, b)]["configuration"], edge["polyline"][0])
    np.testing.assert_allclose(
        list(nx.get_node_attributes(graph, "clearance").values()), roadmap.clearance
    )


def test_ctrl_c_keeps_what_was_built(space):
    calls = []

    def progress(done, total):
        calls.append((done, total))
        if len(calls) == 2:
            raise KeyboardInterrupt

    roadmap = build(space, progress=progress, nodes=500)
    assert roadmap.interrupted
    assert roadmap.statistics.interrupted
    assert len(roadmap.configurations) == calls[-1][0] > 0
    assert roadmap.graph.number_of_edges() == len(roadmap.edges) > 0
    # and can be gone on with
    more = extend_roadmap(roadmap, RoadmapSettings(nodes=300), np.random.default_rng(1))
    assert len(more.configurations) == 300
    assert not more.interrupted


def test_extension_keeps_the_old_part(space):
    small = build(space, nodes=80)
    large = extend_roadmap(small, RoadmapSettings(nodes=160), np.random.default_rng(9))
    np.testing.assert_array_equal(large.configurations[:80], small.configurations)
    np.testing.assert_array_equal(large.edges[: len(small.edges)], small.edges)
    assert large.counts.collision > small.counts.collision
    assert large.seconds > small.seconds


def same(one, other):
    return content(one) == content(other) and one.untried.tolist() == other.untried.tolist()


STAR, FOREST, LAZY = {"neighbors": "star"}, {"forest": True}, {"lazy": True}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sampler", "rule"),
    [
        *((sampler, {}) for sampler in ("uniform", "halton", "gaussian", "mixture")),
        *(("uniform", rule) for rule in (STAR, FOREST, LAZY)),
    ],
)
def test_growing_in_steps_gives_the_roadmap_of_one_step(rooms, walker, sampler, rule):
    space = make_space("ground", rooms, walker)
    whole = build(space, seed=3, nodes=100, sampler=sampler, **rule)
    grown = Roadmap.empty(space)
    for nodes in (1, 40, 64, 81, 82, 100):
        rules = RoadmapSettings(nodes=nodes, sampler=sampler, **rule)
        grown = extend_roadmap(grown, rules, np.random.default_rng(3))
    assert same(grown, whole)


def test_a_sequence_goes_on_whatever_the_rng(space):
    settings = {"sampler": "halton", "neighbors": 3}
    whole = build(space, nodes=128, **settings)
    small = build(space, nodes=70, **settings)
    large = extend_roadmap(small, RoadmapSettings(nodes=128, **settings), np.random.default_rng(8))
    assert same(large, whole)


def test_an_interrupted_roadmap_goes_on_as_if_nothing_had_been(space):
    def interrupt(done, total):
        if done > 100:
            raise KeyboardInterrupt

    part = build(space, seed=5, progress=interrupt, nodes=400)
    assert 100 < len(part.configurations) < 400
    whole = extend_roadmap(part, RoadmapSettings(nodes=400), np.random.default_rng(5))
    assert same(whole, build(space, seed=5, nodes=400))


def test_progress_is_reported_up_to_the_end(space):
    calls = []
    build(space, nodes=130, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (130, 130)
    assert calls == sorted(calls)


def test_work_is_counted(space):
    numbers = build(space, nodes=50).statistics
    assert numbers.collision_queries > numbers.attempts >= 50
    assert numbers.distance_queries >= 50


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"nodes": -1}, "`nodes` must not be negative"),
        ({"nodes": 0}, "one of `nodes`, `connected_nodes` and `seconds`"),
        ({"neighbors": -1}, "`neighbors` must not be negative"),
        ({"neighbors": 0}, "needs a `radius`"),
        ({"lazy": True, "forest": True}, "`lazy` leaves open"),
        ({"lazy": True, "connected_nodes": 9}, "`lazy` leaves open"),
        ({"seconds": float("inf")}, "`seconds` must not be negative"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        RoadmapSettings(**settings)


def test_until_solved_stops_as_soon_as_start_and_goal_are_joined(space):
    z = 0.0 if space.grounded else 1.0
    ends = np.array([-8.0, 4.0, z]), np.array([8.0, 4.0, z])
    for lazy in (False, True):
        rules = RoadmapSettings(nodes=5000, until_solved=True, lazy=lazy)
        roadmap = build_roadmap(space, rules, np.random.default_rng(0), ends=ends)
        assert 0 < len(roadmap.configurations) < 1000
        assert len(shortest_route(roadmap, *ends)) > 2


def test_until_solved_stops_at_the_other_rules_if_there_is_no_way(make, walker):
    wall = make.box("wall", (-0.1, -6, 0), (0.1, 6, 2))
    scene = make.scene(make.floor((-10, -5), (10, 5)), wall, bounds=((-10, -5, -1), (10, 5, 3)))
    ends = np.array([-5.0, 0, 0]), np.array([5.0, 0, 0])
    rules = RoadmapSettings(nodes=90, until_solved=True)
    space = make_space("ground", scene, walker)
    roadmap = build_roadmap(space, rules, np.random.default_rng(0), ends=ends)
    assert len(roadmap.configurations) == 90


def test_until_solved_needs_ends(space):
    with pytest.raises(ValueError, match="`until_solved` needs `ends`"):
        build(space, until_solved=True)
