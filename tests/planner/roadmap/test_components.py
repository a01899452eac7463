import networkx as nx
import numpy as np
import pytest

from rmp3d.models import Body
from rmp3d.planner import Problem, RoadmapSettings, build_roadmap, make_space, plan
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.roadmap.components import NEAREST, join_components, pairs_between


def test_pairs_between_are_the_nearest_of_other_components():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [5, 0, 0], [2.5, 0, 0]])
    pairs = pairs_between(points, np.array([0, 0, 1, 2]))
    assert pairs[0].tolist() == [1, 3]  # the shortest first, each once, lower number first
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    assert len(pairs_between(points, np.zeros(4, int))) == 0


@pytest.mark.parametrize("most", [3, 40, 200])
def test_pairs_between_are_those_of_brute_force(most):
    rng = np.random.default_rng(most)
    points, component = rng.random((200, 3)), np.sort(rng.integers(0, 200 // most + 1, 200))
    gap = np.linalg.norm(points[:, None] - points, axis=2)
    gap[component[:, None] == component] = np.inf
    found = {
        (min(a, b), max(a, b))
        for a in np.flatnonzero(component > 0).tolist()
        for b in np.argsort(gap[a])[:NEAREST].tolist()
        if gap[a, b] < np.inf
    }
    assert set(map(tuple, pairs_between(points, component).tolist())) == found
    assert len(pairs_between(np.zeros((0, 3)), np.zeros(0, np.intp))) == 0


def test_joining_adds_certified_edges_and_only_between_components(bridge, walker):
    space = make_space("ground", bridge, walker)
    sparse = RoadmapSettings(nodes=150, neighbors=0, radius=1.5)
    apart = build_roadmap(space, sparse, np.random.default_rng(2))
    assert len(apart.component_size) > 10
    joined = join_components(apart, LOCAL_PLANNERS["linear"]())
    assert len(joined.component_size) < len(apart.component_size)
    added = joined.edges[len(apart.edges) :]
    assert len(added) == len(joined.polylines) - len(apart.polylines)
    assert (apart.component[added[:, 0]] != apart.component[added[:, 1]]).all()
    for points, (a, b) in zip(joined.polylines[-len(added) :], added, strict=True):
        np.testing.assert_allclose(points[[0, -1]], joined.configurations[[a, b]])
        space.world.confirm(points)


def test_a_forest_stays_a_forest(bridge, walker):
    space = make_space("ground", bridge, walker)
    for seed in range(3):
        rules = RoadmapSettings(nodes=120, neighbors=0, radius=1.5, forest=True)
        roadmap = build_roadmap(space, rules, np.random.default_rng(seed))
        joined = join_components(roadmap, LOCAL_PLANNERS["linear"](), forest=True)
        assert len(joined.edges) > len(roadmap.edges)
        assert nx.is_forest(joined.graph)
        cyclic = join_components(roadmap, LOCAL_PLANNERS["linear"]())
        assert len(joined.component_size) == len(cyclic.component_size)
        assert not nx.is_forest(cyclic.graph)  # so that the option matters


@pytest.mark.parametrize("seed", range(4))
def test_a_house_of_narrow_doors_is_solved_by_a_small_roadmap(seed):
    from pathlib import Path

    from rmp3d.models import load_character
    from rmp3d.scenes import SceneDescription, load_scene

    scene = load_scene(SceneDescription(name="patio_house"), Path())
    body: Body = load_character("pedestrian").body
    space = make_space("ground", scene, body)
    rng = np.random.default_rng([seed, 0, 0])
    problem = Problem(space, scene.region("entrance"), scene.region("garden"))
    found = plan(problem, planner=PRM(nodes=400), rng=rng).or_raise()
    assert len(found.roadmap.configurations) <= 1600
