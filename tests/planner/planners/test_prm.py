from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.errors import GoalError, StartError, out_of_time
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.spaces import make_space

START, GOAL = np.array([-8.0, 4.0, 0]), np.array([8.0, 4.0, 0])


def run(space, start=START, goal=GOAL, seed=0, progress=None, **settings):
    problem, rng = Problem(space, start, goal), np.random.default_rng(seed)
    return plan(problem, planner=PRM(**settings), rng=rng, progress=progress).or_raise()


def test_a_roadmap_too_small_is_grown_until_there_is_a_path(make, walker):
    walls = [
        make.box("a", (-3.1, -5, 0), (-2.9, 3.5, 2)),
        make.box("b", (2.9, -3.5, 0), (3.1, 5, 2)),
    ]
    scene = make.scene(make.floor((-10, -5), (10, 5)), *walls, bounds=((-10, -5, -1), (10, 5, 3)))
    found = run(make_space("ground", scene, walker), nodes=5, start=[-8.0, -4, 0])
    assert found.certified
    assert found.roadmap.statistics.nodes in (10, 20, 40, 80, 160)
    assert found.counts.collision > found.roadmap.statistics.collision_queries


def test_the_same_seed_gives_the_same_plan(rooms, walker):
    first, again = (run(make_space("ground", rooms, walker), nodes=60) for _ in range(2))
    assert first.path.points.tobytes() == again.path.points.tobytes()


def test_growing_ends_and_says_that_there_is_no_path(make, walker):
    scene = make.scene(make.floor((-10, -5), (10, 5)), make.box("wall", (0, -6, 0), (0.2, 6, 2)))
    space = make_space("ground", scene, walker)
    with pytest.raises(NoPathError, match="no path found") as caught:
        run(space, nodes=30)
    assert caught.value.nodes == 480  # doubled while not above 800
    assert not isinstance(caught.value, InputError)


def test_the_time_limit_bounds_the_growing(make, walker):
    scene = make.scene(make.floor((-10, -5), (10, 5)), make.box("wall", (0, -6, 0), (0.2, 6, 2)))
    space = make_space("ground", scene, walker)
    with pytest.raises(NoPathError):
        run(space, nodes=0, seconds=0.02)


def test_bad_ends_are_bad_input_found_before_anything_is_built(rooms, walker):
    space = make_space("ground", rooms, walker)

    def progress(done, total):
        raise AssertionError("built a roadmap for nothing")

    for bad in ({"start": np.array([0.0, 3, 0])}, {"goal": np.array([0.0, 3, 0])}):
        with pytest.raises((StartError, GoalError)) as caught:
            run(space, progress=progress, nodes=50, **bad)
        assert isinstance(caught.value, InputError)
        assert caught.value.part == "right wall"


def test_a_start_inside_a_solid_is_told(make, flyer):
    scene = make.scene(make.box("rock", (-3, -3, -3), (3, 3, 3)), bounds=((-9, -9, -9), (9, 9, 9)))
    space = make_space("translation", scene, flyer)
    with pytest.raises(StartError, match="is inside rock"):
        run(space, start=np.zeros(3), goal=np.array([6.0, 0, 0]), nodes=50)
    with pytest.raises(GoalError, match="is out of bounds"):
        run(space, start=np.array([6.0, 0, 0]), goal=np.array([10.0, 0, 0]), nodes=50)


def test_ctrl_c_before_there_is_a_path_is_passed_on(make, walker):
    scene = make.scene(make.floor((-10, -5), (10, 5)), make.box("wall", (0, -6, 0), (0.2, 6, 2)))
    space = make_space("ground", scene, walker)

    def progress(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(space, progress=progress, nodes=400)


def test_ctrl_c_after_enough_was_built_gives_the_path(rooms, walker):
    space = make_space("ground", rooms, walker)

    def progress(done, total):
        if done > 150:
            raise KeyboardInterrupt

    found = run(space, progress=progress, nodes=5000)
    assert found.roadmap.interrupted
    assert found.path.length > 16


@pytest.mark.parametrize("backend", ["auto", "fcl"])
def test_both_backends_plan_alone(rooms, walker, backend):
    space = make_space("ground", rooms, walker, backend=backend)
    assert run(space, nodes=60, neighbors=5).path.length < 19


def test_the_time_limit_is_for_each_leg_and_the_reason_names_it(make, walker, monkeypatch):
    scene = make.scene(make.floor((-10, -5), (10, 5)), make.box("wall", (0, -6, 0), (0.2, 6, 2)))
    problem = Problem(make_space("ground", scene, walker), START, GOAL)
    first = plan(problem, planner=PRM(nodes=40), time_limit=60.0)
    assert first.reason.startswith("no path found: the start reaches")
    begun = replace(first.roadmap, seconds=1000.0)  # in an earlier run
    looks = count()
    monkeypatch.setattr("rmp3d.planner.roadmap.building.perf_counter", lambda: 0.02 * next(looks))
    more = plan(problem, planner=PRM(nodes=2000), roadmap=begun, time_limit=0.3)
    assert more.nodes > first.nodes
    assert more.reason.startswith("no path found within 0.3 s")
    assert more.reason.endswith(("or more time", "run it again"))


def test_a_time_limit_that_compiling_took_asks_for_a_second_run():
    assert out_of_time(20.0, 17.04) == (
        "no path found within 20 s, of which 17 s compiled the kernels; run it again"
    )
    assert out_of_time(20.0, 0.1, "; try more") == "no path found within 20 s; try more"
