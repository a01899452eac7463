"""Roadmaps of bodies that turn: built, lazy, joined, stored, asked; python-fcl judges."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.paths.thinning import thinned
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.building import build_roadmap, extend_roadmap
from rmp3d.planner.roadmap.coverage import measure_coverage
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.graphml import save_graphml
from rmp3d.planner.roadmap.merging import merged
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.search import shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.roadmap.storage import load_roadmap, save_roadmap
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes.problems.rigid_problem import RigidProblem

START = np.array([-3.0, 0, 0, 1, 0, 0, 0])
GOAL = np.array([3.0, 0, 0, 0, 1, 0, 0])


@pytest.fixture
def problem(make, make_body):
    """A board before a wall that it must go over, turning; the bounds hold all of it."""
    wall = make.box("below", (-0.5, -4, -3), (0.5, 4, -0.4)).mesh
    bounds = np.array([[-5.0, -4, -3], [5, 4, 3]])
    robot = make_body((1, 0.5, 0.2)).mesh
    return RigidProblem("board", robot, wall, True, bounds, True, "rigid", START, GOAL)


@pytest.fixture
def space(problem):
    return RigidBodySpace.of_problem(problem)


def built(space, **settings):
    given = {"nodes": 80, **settings}
    return build_roadmap(space, RoadmapSettings(**given), np.random.default_rng(0))


@pytest.mark.slow
@pytest.mark.parametrize("local_planner", ["linear", "translation_only", "potential_field"])
def test_python_fcl_finds_every_edge_free(space, local_planner):
    roadmap = built(space, local_planner=local_planner, nodes=40)
    assert len(roadmap.edges) > 40
    judge = space.world.judge
    for polyline in roadmap.polylines[::4]:
        assert judge.first_refused(polyline) < 0
    lengths = [space.distance(p[:-1], p[1:]).sum() for p in roadmap.polylines]
    np.testing.assert_allclose(roadmap.edge_length, lengths)
    turned = roadmap.configurations[:, 3:]
    assert (np.ptp(turned, axis=0).max() < 1e-12) == (local_planner == "translation_only")


@pytest.mark.slow
def test_least_clearance_is_a_lower_bound(space):
    roadmap = built(space, nodes=30)
    for polyline, least in zip(roadmap.polylines, roadmap.edge_clearance, strict=True):
        share = np.linspace(0, 1, 60)
        rows = space.interpolated(
            np.tile(polyline[0], (60, 1)), np.tile(polyline[1], (60, 1)), share
        )
        assert space.world.clearance(rows, 20.0).min() >= least - 1e-9


@pytest.mark.parametrize("rule", [{"neighbors": "star"}, {"neighbors": 0, "radius": 2.5}])
def test_edges_join_neighbors_in_the_metric_of_the_space(space, rule):
    roadmap = built(space, nodes=60, **rule)
    assert len(roadmap.edges) > 30
    if "radius" in rule:
        nodes, joined = roadmap.configurations, {tuple(pair) for pair in roadmap.edges.tolist()}
        assert roadmap.edge_length.max() <= 2.5
        for a in range(60):
            for b in range(a + 1, 60):
                near = space.distance(nodes[a, None], nodes[b, None])[0] <= 2.5
                if near and (a, b) not in joined:
                    assert space.connect(nodes[a, None], nodes[b, None])[0] is None


@pytest.mark.slow
def test_a_lazy_roadmap_finds_the_way_of_an_eager_one(space):
    eager, lazy = built(space, nodes=40), built(space, nodes=40, lazy=True)
    ways = [shortest_route(roadmap, START, GOAL) for roadmap in (eager, lazy)]
    lengths = [space.distance(way[:-1], way[1:]).sum() for way in ways]
    assert lengths[0] == pytest.approx(lengths[1], abs=1e-9)
    assert len(lazy.edges) == 0
    forest = built(space, nodes=40, forest=True)
    assert len(forest.edges) == 40 - forest.statistics.components


@pytest.mark.slow
def test_plans_are_certified_and_turn(space):
    problem = Problem(space, START, GOAL)
    found = plan(problem, planner=PRM(nodes=60), rng=np.random.default_rng(1))
    path = found.path.configurations
    assert found.certified
    assert space.world.judge.first_refused(path) < 0
    np.testing.assert_array_equal(path[[0, -1]], [START, GOAL])
    np.testing.assert_array_equal(found.path.points, path[:, :3])
    assert measure_coverage(found.roadmap, np.random.default_rng(0), 100) > 0.8
    thin = thinned(space, path)
    np.testing.assert_array_equal(thin, found.configurations)
    assert len(thin) < len(path)
    whole = space.distance(path[:-1], path[1:]).sum()
    assert space.distance(thin[:-1], thin[1:]).sum() == pytest.approx(whole)


@pytest.mark.slow
def test_a_stored_roadmap_is_read_back_and_grown(space, tmp_path):
    for name in "ab":
        save_roadmap(built(space, nodes=50), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    roadmap = load_roadmap(tmp_path / "a", space)
    np.testing.assert_array_equal(roadmap.configurations, built(space, nodes=50).configurations)
    path = query(roadmap, GOAL, START, np.random.default_rng(0))
    assert space.world.judge.first_refused(path.configurations) < 0
    grown = extend_roadmap(roadmap, RoadmapSettings(nodes=90), np.random.default_rng(1))
    assert len(grown.configurations) == 90
    save_graphml(grown, tmp_path / "a.graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml")
    rows = [
        [node[k] for k in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        for _, node in graph.nodes(data=True)
    ]
    np.testing.assert_array_equal(rows, grown.configurations)


def test_a_roadmap_of_another_problem_is_refused(problem, space, make, make_body, tmp_path):
    save_roadmap(built(space, nodes=10), tmp_path / "a")
    opposite = START * [-1, 1, 1, 1, 1, 1, 1]
    others = {
        "`freedom` is rigid there, translation": {"space": "translation", "goal": opposite},
        "`contain_body` is True there": {"contain_body": False},
        "`solids` is True there": {"solids": False},
        "`bounds` is": {"bounds": problem.bounds * 1.1},
        "another scene": {"obstacles": make.box("x", (-1, -1, -1), (1, 1, 1)).mesh},
    }  # fmt: skip
    for message, change in others.items():
        other = RigidBodySpace.of_problem(replace(problem, **change))
        with pytest.raises(RoadmapFileError, match=message):
            load_roadmap(tmp_path / "a", other)
    mirrored = replace(problem, robot=make_body((0.5, 1, 0.2)).mesh)
    with pytest.raises(RoadmapFileError, match="another body: `mesh`"):
        load_roadmap(tmp_path / "a", RigidBodySpace.of_problem(mirrored))


def test_other_starts_and_goals_fit(problem, space, tmp_path):
    save_roadmap(built(space, nodes=10), tmp_path / "a")
    other = replace(problem, start=GOAL, goal=START)
    assert len(load_roadmap(tmp_path / "a", RigidBodySpace.of_problem(other)).configurations) == 10


@pytest.mark.slow
def test_the_graph_of_the_solver_is_a_roadmap(problem, space):
    solution = plan(Problem.of_rigid(problem), seed=0, time_limit=600.0)
    nodes, components = solution.nodes, solution.components
    roadmap = solution.roadmap
    assert len(roadmap.configurations) == nodes
    assert components == len(roadmap.component_size)
    path = query(roadmap, START, GOAL, np.random.default_rng(0)).configurations
    assert space.world.judge.first_refused(path) < 0
    both = merged(roadmap, built(space, nodes=20))
    assert len(both.configurations) == solution.nodes + 20
    for (a, b), polyline in zip(both.edges.tolist(), both.polylines, strict=True):
        np.testing.assert_array_equal(polyline[[0, -1]], both.configurations[[a, b]])


@pytest.mark.slow
def test_a_question_that_the_roadmap_cannot_answer_is_solved_and_added(problem):
    first = plan(Problem.of_rigid(problem), time_limit=600.0)
    assert first.solved
    before = first.nodes
    back = Problem(first.problem.space, GOAL, START)
    again = plan(back, planner="sliding_trees", roadmap=first.roadmap, time_limit=600.0)
    assert again.solved
    assert again.nodes == before
    inside = START * [0, 1, 1, 1, 1, 1, 1] + [0, 0, -2, 0, 0, 0, 0]
    refused = plan(
        Problem(first.problem.space, START, inside), planner="sliding_trees", roadmap=again.roadmap
    )
    assert "the goal" in refused.reason
    assert not len(refused.configurations)


@pytest.mark.slow
def test_no_way_is_said(problem, make):
    closed = replace(problem, obstacles=make.box("all", (-0.5, -5, -4), (0.5, 5, 4)).mesh)
    space = RigidBodySpace.of_problem(closed)
    found = plan(Problem(space, START, GOAL), planner=PRM(nodes=10, seconds=0.05))
    with pytest.raises(NoPathError, match="no path found"):
        found.or_raise()
