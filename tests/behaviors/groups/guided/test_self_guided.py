"""Self-guided members: they go on however close others are, strays re-join, places are taken."""

from dataclasses import replace
from pathlib import Path as File

import numpy as np
import pytest

from rmp3d.behaviors import Flock, GroupTask
from rmp3d.behaviors.groups import Journey, SelfGuided
from rmp3d.behaviors.groups.goal_area.places import NoRoomError
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.world_state import WorldState
from rmp3d.models import load_character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings

DT = 1 / 30
WALLS = [([-2, -4, 0], [-1.8, 10, 2.5]), ([3, -10, 0], [3.2, 4, 2.5])]


def task_of(ways, count, walls=(), half=(3.0, 3.0), name="pedestrian"):
    """Pedestrians on a path from (-10, 0) to (10, 0), round the walls, to a goal around its end."""
    character = load_character(name, File())
    space = ways.space(radius=character.body.radius, walls=walls)
    bends = np.array([[-10.0, 0, 0], [-1.9, -6, 0], [3.1, 6, 0], [10, 0, 0]])
    corners = bends if len(walls) else bends[[0, -1]]
    share = np.linspace(0.0, len(corners) - 1.0, 150)
    points = [np.interp(share, np.arange(len(corners)), corners[:, axis]) for axis in range(3)]
    path = CertifiedPath(np.column_stack(points), np.ones(150), True)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=120), np.random.default_rng(0))
    return GroupTask(
        space=space, path=path, roadmap=roadmap, count=count, character=character, dt=DT,
        start=ways.Region.box("start", [-15, -4, -1], [-7, 4, 2]),
        goal=ways.Region.box("goal", [10 - half[0], -half[1], -1], [10 + half[0], half[1], 2]),
        rng=np.random.default_rng(0),
    )  # fmt: skip


def flock_of(task, position):
    heading = np.tile([1.0, 0, 0], (task.count, 1))
    return Flock.at_rest(
        [task.character] * task.count, position, heading, np.zeros(task.count, int)
    )


def test_whoever_is_hemmed_in_still_wants_to_go_on(ways):
    task = task_of(ways, 25)
    run = SelfGuided().begin(task)
    line = 0.6 * np.arange(5) - 9.5
    position = np.stack(np.meshgrid(line, line + 8.3, [0.0], indexing="ij"), -1).reshape(-1, 3)
    flock = flock_of(task, position)
    for step in range(5):
        intent = run.step(flock, step * DT)
    world = WorldState(flock, np.zeros(25, np.intp), ("group",), dt=DT)
    force = run.steer(world, np.arange(25), intent).force
    way = intent.subgoal - position
    course = way / np.linalg.norm(way, axis=1, keepdims=True)
    along = (force * RESPONSE_TIME / flock.bodies.mass[:, None] * course).sum(axis=1)
    assert (along >= 0.2 * flock.bodies.cruise_speed).all()
    assert (np.linalg.norm(force, axis=1) <= flock.bodies.max_force * (1 + 1e-9)).all()


@pytest.mark.slow
def test_strays_come_back_to_the_way_wherever_they_have_been_pushed_to(ways):
    """Put anywhere, members that go straight to their subgoals come to the goal, free all along."""
    task = task_of(ways, 20, WALLS, half=(4.0, 5.0))
    run = SelfGuided().begin(task)
    rng = np.random.default_rng(3)
    position = task.space.from_unit_cube(rng.random((400, 3)))
    position = position[task.space.is_free(position)][:20]
    crossed = 0
    for step in range(900):
        intent = run.step(flock_of(task, position), step * DT)
        way = intent.subgoal - position
        size = np.linalg.norm(way, axis=1, keepdims=True)
        goes = position + way * np.minimum(1.0, 0.1 / np.maximum(size, 1e-9))
        free = task.space.connects(position, goes)
        crossed += int((~free).sum())
        position = np.where(free[:, None], goes, position)
    assert task.goal.contains(position).all()
    assert intent.parked.all()
    assert crossed < 0.01 * 20 * 900
    apart = np.linalg.norm(position[:, None] - position[None], axis=2) + 9.0 * np.eye(20)
    assert apart.min() > 2 * task.radius


def test_a_goal_too_small_is_refused_before_the_run_with_what_it_holds(ways):
    with pytest.raises(NoRoomError, match=r"region `goal` has room for \d+ members of radius 0.28"):
        SelfGuided().begin(task_of(ways, 30, half=(1.0, 1.0)))


def test_a_goal_too_small_for_all_groups_that_go_there_is_refused(ways):
    task = task_of(ways, 9, half=(1.5, 1.5))
    SelfGuided().begin(task)
    way = Journey(task.path, task.roadmap, task.goal, 9)
    elsewhere = ways.Region.box("goal", [-1, -1, -1], [1, 1, 2])
    ours = {"a": way, "b": way._replace(goal=elsewhere, members=90)}
    SelfGuided().begin(replace(task, groups=("a", "b"), journeys=ours))
    both = {"a": way, "b": way._replace(members=90)}
    with pytest.raises(NoRoomError, match="not for 99"):
        SelfGuided().begin(replace(task, groups=("a", "b"), journeys=both))


def test_who_was_pushed_to_where_no_place_is_in_sight_goes_round(ways):
    """It went straight for its place for ever, against the wall in between."""
    task = task_of(ways, 4, WALLS)
    run = SelfGuided().begin(task)
    run._area.taken[:] = np.arange(4)
    run._lead_to_places(np.arange(4), flock_of(task, run._area.places[:4]))
    position = np.array([[2.0, -8, 0], [1, -7, 0], [2, -5, 0], [0, -8, 0]])
    assert not task.space.connects(position, run._waypoints.subgoal).any()
    for step in range(900):
        intent = run.step(flock_of(task, position), step * DT)
        way = intent.subgoal - position
        size = np.linalg.norm(way, axis=1, keepdims=True)
        goes = position + way * np.minimum(1.0, 0.1 / np.maximum(size, 1e-9))
        free = task.space.connects(position, goes)
        position = np.where(free[:, None], goes, position)
    assert task.goal.contains(position).all()
    assert intent.parked.all()


@pytest.mark.parametrize(("name", "early"), [("car", True), ("pedestrian", False)])
def test_vehicles_have_their_places_before_they_are_in_the_goal(ways, name, early):
    """Once in it, a car did not come to a place at its side without driving back."""
    task = task_of(ways, 2, half=(4.0, 4.0), name=name)
    run = SelfGuided().begin(task)
    position = np.array([[0.5, 0, 0], [-5, 0, 0]])
    for step in range(100):
        intent = run.step(flock_of(task, position), step * DT)
    assert (run._area.taken >= 0).tolist() == [early, False]
    assert not run.arrived.any()
    if early:
        points = intent.guides.points(0)
        before = points[~task.goal.contains(points)]
        assert len(before) > 0
        np.testing.assert_allclose(before[:, 1], 0.0, atol=1e-9)
        np.testing.assert_allclose(points[-1], run._area.places[run._area.taken[0]])


@pytest.mark.parametrize(("name", "parks"), [("car", False), ("pedestrian", True)])
def test_a_vehicle_beside_the_goal_drives_on_to_its_place(ways, name, parks):
    """One stood 3 cm outside for ever, as near to its stall as those that are there."""
    task = task_of(ways, 2, half=(4.0, 4.0), name=name)
    run = SelfGuided().begin(task)
    run._area.taken[:] = [0, 1]
    inside = np.array([[13.9, 0, 0], [13.9, 2.0, 0]])
    run._area.places = run._area.places.copy()
    run._area.places[:2] = inside
    run._lead_to_places(np.arange(2), flock_of(task, inside))
    beside = inside + np.array([0.11, 0.0, 0.0])
    for step in range(10):
        intent = run.step(flock_of(task, beside), step * DT)
    assert intent.parked.tolist() == [parks, parks]
    for step in range(10):
        intent = run.step(flock_of(task, inside), step * DT)
    assert intent.parked.all()
