"""Searching by itself: members that are always where they are wanted."""

from pathlib import Path as File

import numpy as np
import pytest

from rmp3d.behaviors import Flock, GroupTask
from rmp3d.behaviors.groups import GoalSearch
from rmp3d.geometry import InputError
from rmp3d.models import load_character
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem

DT = 1 / 10


@pytest.fixture
def task(ways):
    """Four pedestrians in a hall with two walls between them and the goal, and a side room."""
    character = load_character("pedestrian", File())
    walls = [
        ([-8, -10, 0], [-7.8, 6, 2.5]), ([6, -6, 0], [6.2, 10, 2.5]),
        ([-7.8, 0, 0], [0, 0.2, 2.5]),
    ]  # fmt: skip
    space = ways.space(radius=character.body.radius, walls=walls)
    start = ways.Region.box("start", [-19, -4, -1], [-14, 4, 2])
    goal = ways.Region.box("goal", [14, -3, -1], [19, 3, 2])
    found = plan(Problem(space, start, goal), planner=PRM(nodes=200), rng=np.random.default_rng(0))
    return GroupTask(
        space=space, path=found.path, roadmap=found.roadmap, count=4, character=character, dt=DT,
        start=start, goal=goal, rng=np.random.default_rng(0),
    )  # fmt: skip


def play(task, behavior, seconds=400.0):
    """Move every member by half a meter a step at most to where it is wanted."""
    run = behavior.begin(task)
    flock = Flock.at_rest(
        [task.character] * task.count, run.start, np.eye(3)[:1].repeat(4, 0), np.full(4, -1)
    )
    series = [run.measures()]
    for k in range(round(seconds / DT)):
        intent = run.step(flock, k * DT)
        offset = intent.subgoal - flock.position
        size = np.maximum(np.linalg.norm(offset, axis=1, keepdims=True), 1e-9)
        flock = flock.moved(position=flock.position + offset * np.minimum(1.0, 0.3 / size))
        series.append({name: np.copy(value) for name, value in run.measures().items()})
        if [event.kind for event in run.events].count("arrived") == task.count:
            break
    return run, flock, series


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["adaptive", "random_walk", "all_knowing"])
def test_the_goal_is_found_told_and_reached_by_all(task, rule):
    run, flock, series = play(task, GoalSearch(rule=rule, nodes=200))
    kinds = [event.kind for event in run.events]
    assert task.goal.contains(flock.position).all()
    assert kinds.count("found") == 1
    assert kinds.count("told") == (rule != "all_knowing")
    found = next(event for event in run.events if event.kind == "found")
    assert (run.figures["finder"], run.figures["time_found"]) == (
        found.member,
        round(found.time, 3),
    )
    assert series[-1]["searching"] == 0.0
    assert series[0]["weights"].shape == (len(run.plan["edges"]),)
    rewarded = series[-1]["weights"].max() > 1.0
    assert rewarded == (rule == "adaptive")
    if rule == "adaptive":
        walls = task.space.world
        assert walls.is_free(run.plan["nodes"]).all()


def test_the_same_seed_searches_alike(task, ways):
    runs = []
    for _ in range(2):
        again = GroupTask(**{**vars(task), "rng": np.random.default_rng(5)})
        run, flock, _ = play(again, GoalSearch(nodes=200), seconds=8.0)
        runs.append((run.events, flock.position))
    assert runs[0][0] == runs[1][0]
    assert np.array_equal(runs[0][1], runs[1][1])


def test_parameters_are_checked_in_the_users_words():
    with pytest.raises(InputError, match="`sensor_range` must be positive, got 0"):
        GoalSearch(sensor_range=0)
    with pytest.raises(InputError, match=r"`detour` must be 1 or more, got 0.5"):
        GoalSearch(detour=0.5)
    with pytest.raises(InputError, match="`nodes` must be from 1 to 20000, got 0"):
        GoalSearch(nodes=0)
