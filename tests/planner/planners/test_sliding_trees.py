"""Whole answers, looked at by something that shares no code with the planner."""

import dataclasses
from itertools import count, pairwise
from time import perf_counter

import fcl
import networkx as nx
import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import slerp
from rmp3d.planner.collision.rigid_judge import OutOfTimeError, RigidJudge
from rmp3d.planner.planners import plan
from rmp3d.planner.problems.problem import Problem

LIMIT = 600.0  # [s]; none of them is reached, on however busy a machine


def solve(problem, **options):
    return plan(Problem.of_rigid(problem), planner="sliding_trees", **options)


def pose(x, y, z):
    return np.array([x, y, z, 1.0, 0.0, 0.0, 0.0])


def steps(path, count):
    """Every motion of a path in equal steps."""
    share = np.linspace(0.0, 1.0, count)
    for a, b in pairwise(path):
        place = a[:3] + share[:, None] * (b - a)[:3]
        turn = slerp(np.tile(a[3:], (count, 1)), np.tile(b[3:], (count, 1)), share)
        yield from np.hstack([place, turn])


def collides(problem, rows):
    objects = []
    for mesh in (problem.robot, problem.obstacles):
        model = fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices, mesh.faces)
        model.endModel()
        objects.append(fcl.CollisionObject(model))
    for row in rows:
        objects[0].setTransform(fcl.Transform(row[3:].copy(), row[:3].copy()))
        if fcl.collide(*objects, fcl.CollisionRequest(), fcl.CollisionResult()):
            return True
    return False


@pytest.mark.parametrize("name", ["window", "bends", "hooks"])
def test_paths_join_start_and_goal_and_touch_nothing(name, request):
    problem = request.getfixturevalue(name)
    solution = solve(problem, seed=0, time_limit=LIMIT)
    assert solution.solved
    assert solution.certified
    np.testing.assert_array_equal(solution.configurations[0], problem.start)
    np.testing.assert_array_equal(solution.configurations[-1], problem.goal)
    rows = np.array(list(steps(solution.configurations, 60)))
    assert not collides(problem, rows)
    assert all(problem.is_within(row) for row in rows)
    if problem.space == "planar":
        assert np.ptp(rows[:, 2:], axis=0).max() == 0.0
    sizes = (solution.nodes, solution.edges)
    graph = solution.roadmap.graph
    assert nx.has_path(graph, 0, 1)
    assert (len(graph), graph.number_of_edges()) == sizes
    assert solution.components == nx.number_connected_components(graph)


def test_same_seed_same_answer(bends):
    one, two = (solve(bends, seed=3, time_limit=LIMIT) for _ in range(2))
    assert one.configurations.tobytes() == two.configurations.tobytes()
    assert one.counts == two.counts
    other = solve(bends, seed=4, time_limit=LIMIT)
    assert other.configurations.tobytes() != one.configurations.tobytes()


def test_edges_of_the_roadmap_are_free(hooks):
    solution = solve(hooks, seed=1, time_limit=LIMIT)
    ends = [
        np.stack([solution.roadmap.graph.nodes[node]["configuration"] for node in edge])
        for edge in list(solution.roadmap.graph.edges)[::10]
    ]
    assert not any(collides(hooks, np.array(list(steps(pair, 20)))) for pair in ends)


def test_a_free_straight_motion_needs_no_search(window):
    goal = window.start + np.array([0, 0.5, 0, 0, 0, 0, 0])
    solution = solve(dataclasses.replace(window, goal=goal), seed=0, time_limit=LIMIT)
    assert solution.solved
    assert len(solution.configurations) == 2
    assert solution.nodes == 2


def test_without_obstacles_there_is_a_way(window):
    problem = dataclasses.replace(window, obstacles=None, solids=False)
    assert len(solve(problem, seed=0, time_limit=LIMIT).configurations) == 2


@pytest.mark.parametrize(
    ("place", "reason"),
    [((0.0, 1.5), "in collision"), ((9.0, 0.0), "out of bounds")],
)
def test_bad_ends_are_named(window, place, reason):
    solution = solve(dataclasses.replace(window, goal=pose(*place, 0)), seed=0, time_limit=LIMIT)
    assert not solution.solved
    assert reason in solution.reason
    assert "goal" in solution.reason
    assert solution.configurations.shape == (0, 7)


def test_inside_a_solid_is_no_place(window):
    tiny = dataclasses.replace(
        window,
        robot=window.robot.transformed(0.02 * np.eye(3)),
        start=pose(0, 1.8, 0),
    )
    assert "inside a solid" in solve(tiny, seed=0, time_limit=LIMIT).reason
    hollow = solve(dataclasses.replace(tiny, solids=False), seed=0, time_limit=0.2)
    assert "within 0.2 s" in hollow.reason


def test_what_cannot_be_solved_ends_with_the_clock(window, monkeypatch):
    looks = count()
    for module in ("sliding_trees", "planning"):
        monkeypatch.setattr(
            f"rmp3d.planner.planners.{module}.perf_counter", lambda: 0.02 * next(looks)
        )
    closed = dataclasses.replace(window, robot=window.robot.transformed(3.0 * np.eye(3)))
    closed = dataclasses.replace(
        closed,
        bounds=np.array([[-6, -2, -2], [6, 2, 2.0]]),
        start=pose(-4.5, 0, 0),
        goal=pose(4.5, 0, 0),
    )
    solution = solve(closed, seed=0, time_limit=0.3)
    assert not solution.solved
    assert "0.3 s" in solution.reason
    assert solution.nodes > 2


@pytest.mark.parametrize("compiled", [False, True])
def test_loading_kernels_is_part_of_the_time_but_compiling_is_not(window, monkeypatch, compiled):
    late = [0.0]

    def make_ready():
        late[0] += 1000.0
        return compiled

    monkeypatch.setattr("rmp3d.planner.planners.sliding_trees.compile_kernels", make_ready)
    monkeypatch.setattr(
        "rmp3d.planner.planners.sliding_trees.perf_counter", lambda: perf_counter() + late[0]
    )
    monkeypatch.setattr(
        "rmp3d.planner.planners.planning.perf_counter", lambda: perf_counter() + late[0]
    )
    solution = solve(window, seed=0, time_limit=LIMIT)
    assert solution.solved == compiled
    assert solution.seconds["compile"] >= 1000.0


def test_a_path_that_is_not_confirmed_in_time_is_no_answer(window, monkeypatch):
    def give_up(judge, path, deadline):
        raise OutOfTimeError

    monkeypatch.setattr(RigidJudge, "first_refused", give_up)
    solution = solve(window, seed=0, time_limit=LIMIT)
    assert not solution.solved
    assert "confirm" in solution.reason
    assert len(solution.configurations) == 0
    assert solution.roadmap.component[0] == solution.roadmap.component[1]


def test_a_user_may_interrupt(window):
    def stop(done, total):
        assert 0 <= done <= total
        raise KeyboardInterrupt

    solution = solve(window, seed=0, time_limit=LIMIT, progress=stop)
    assert not solution.solved
    assert solution.reason == "interrupted"


def test_unknown_spaces_are_refused(window):
    with pytest.raises(InputError, match="no space"):
        dataclasses.replace(window, space="spherical")
