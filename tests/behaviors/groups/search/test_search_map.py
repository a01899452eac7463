"""The thinned map of a search, against networkx on the whole roadmap."""

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.search.search_map import map_of
from rmp3d.geometry import InputError
from rmp3d.models import load_character
from rmp3d.planner.roadmap.building import build_roadmap, with_nodes
from rmp3d.planner.roadmap.repair import ChangingRoadmap
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space
from tests.rmp3d.test_changing_scenes import rooms

START, GOAL = np.array([-18.0, 0.0, 0.0]), np.array([18.0, 0.0, 0.0])
OTHER = np.array([-12.0, 8.0, 0.0])
SPACING = 4.0


@pytest.fixture(scope="module")
def roadmap(request):
    from tests.behaviors.groups.conftest import space

    walls = [([-8, -10, 0], [-7.8, 6, 2.5]), ([6, -6, 0], [6.2, 10, 2.5])]
    settings = RoadmapSettings(nodes=300)
    return build_roadmap(space(walls=walls), settings, np.random.default_rng(0))


def graph_of(known):
    graph = nx.Graph()
    for (a, b), size in zip(known.links.tolist(), known.length.tolist(), strict=True):
        graph.add_edge(a, b, weight=size)
    return graph


@pytest.mark.parametrize("detour", [2.0, np.inf])
def test_the_map_joins_start_and_goal_and_covers_the_roadmap(roadmap, detour):
    known = map_of(roadmap, START, GOAL, SPACING, detour, 0.9)
    assert known.places[:2] == pytest.approx(np.stack([START, GOAL]))
    assert nx.is_connected(graph_of(known))
    assert len(graph_of(known)) == len(known.places)
    apart = np.linalg.norm(roadmap.configurations[:, None] - known.places[None], axis=2)
    assert apart.min(axis=1).max() <= SPACING


def test_start_and_goal_move_nothing_else(roadmap):
    maps = [map_of(roadmap, START, goal, SPACING, 3.0, 0.9) for goal in (GOAL, OTHER)]
    for known in maps:
        assert known.nodes[:2].tolist() == [-1, -2]
        assert known.places[2:] == pytest.approx(roadmap.configurations[known.nodes[2:]])
        assert [len(known.at[end]) for end in (0, 1)] == [1, 1]
    first, second = (known.nodes[known.links][2:] for known in maps)
    assert np.array_equal(first, second)


def test_the_map_of_a_map_is_the_same(roadmap):
    """So weights that are kept with the roadmap of a map fit the next one."""
    known = map_of(roadmap, START, GOAL, SPACING, 3.0, 0.9)
    once_more = map_of(known.roadmap, START, GOAL, SPACING, 3.0, 0.9)
    assert np.array_equal(known.nodes[known.links], once_more.nodes[once_more.links])


def test_without_detours_the_map_is_a_tree(roadmap):
    assert nx.is_tree(graph_of(map_of(roadmap, START, GOAL, SPACING, np.inf, 0.9)))


def test_no_link_is_left_that_has_a_short_way_round(roadmap):
    known = map_of(roadmap, START, GOAL, SPACING, 2.0, 0.9)
    graph = graph_of(known)
    for (a, b), size in zip(known.links.tolist(), known.length.tolist(), strict=True):
        graph.remove_edge(a, b)
        round_it = nx.single_source_dijkstra_path_length(graph, a).get(b, np.inf)
        shorter = [s for s in known.length if s < size]
        assert round_it > 2.0 * size or max(shorter, default=0.0) < size <= round_it
        graph.add_edge(a, b, weight=size)


def test_ways_lead_from_place_to_place_and_are_free(roadmap):
    known = map_of(roadmap, START, GOAL, SPACING, 3.0, 0.9)
    for (a, b), size in zip(known.links.tolist(), known.length.tolist(), strict=True):
        way = known.path(a, b)
        assert way[[0, -1]] == pytest.approx(known.places[[a, b]])
        assert known.path(b, a) == pytest.approx(way[::-1])
        assert roadmap.space.world.motions_are_free(way[:-1], way[1:]).all()
        over = np.linalg.norm(np.diff(known.paths[known.link(a, b)], axis=0), axis=1).sum()
        assert over == pytest.approx(size)


def test_where_the_roadmap_is_in_pieces_the_path_joins_them(roadmap):
    few = with_nodes(Roadmap.empty(roadmap.space), np.array([START, GOAL]))
    with pytest.raises(InputError, match="no way over the roadmap leads from the start"):
        map_of(few, START, GOAL, SPACING, 3.0, 0.9)
    path = np.array([START, [-7.9, 8.0, 0.0], [6.1, -8.0, 0.0], GOAL])
    known = map_of(few, START, GOAL, SPACING, 3.0, 0.9, path)
    assert nx.has_path(graph_of(known), 0, 1)


def test_a_link_in_which_a_part_stands_leads_round_it_until_the_part_goes():
    scene = rooms(there=False)
    space = make_space("ground", scene, load_character("pedestrian").body)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=200), np.random.default_rng(0))
    known = map_of(roadmap, np.array([1.0, 1, 0]), np.array([11.0, 5, 0]), SPACING, 3.0, 0.0)
    before = [known.path(a, b) for a, b in known.links.tolist()]
    space.world.show(["barrier"])
    mended = ChangingRoadmap(roadmap, ())
    mended.show(["barrier"], np.random.default_rng(1))
    changed = known.take(mended.roadmap)
    now = [known.path(a, b) for a, b in known.links.tolist()]
    assert {link for link, path in enumerate(now) if path is not before[link]} <= changed
    free = space.world.polylines_are_free(now)
    assert set(np.flatnonzero(~free).tolist()) == known.closed
    assert changed - known.closed
    space.world.show([])
    assert known.take(roadmap) == changed
    assert not known.closed
    again = [known.path(a, b) for a, b in known.links.tolist()]
    assert all(one is other for one, other in zip(again, before, strict=True))
