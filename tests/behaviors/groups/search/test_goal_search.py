"""Searching by itself: members that are always where they are wanted."""

from dataclasses import replace
from pathlib import Path as File

import numpy as np
import pytest

from rmp3d.behaviors import Flock, GroupTask
from rmp3d.behaviors.groups import GoalSearch
from rmp3d.behaviors.groups.search.learning import FADED
from rmp3d.behaviors.groups.search.search_run import GoalSearchRun
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


OPTIONS = {
    "told": {"rule": "told"},
    "trails": {"rule": "trails"},
    "walked_back": {"rule": "trails", "laid": "walked_back"},
    "forgetful": {"rule": "trails", "memory": False},
    "weightless": {"rule": "trails", "weights": False},
    "random_walk": {"rule": "random_walk"},
    "all_knowing": {"rule": "all_knowing"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONS)
def test_the_goal_is_found_and_reached_by_all(task, name):
    behavior = GoalSearch(**OPTIONS[name], nodes=200)
    rule = behavior.rule
    run, flock, series = play(task, behavior, 2000.0)
    kinds = [event.kind for event in run.events]
    assert task.goal.contains(flock.position).all()
    assert kinds.count("found") == 1
    assert kinds.count("told") == (rule == "told")
    assert ("lays_trail" in kinds) == (name == "walked_back")
    found = next(event for event in run.events if event.kind == "found")
    assert (run.figures["finder"], run.figures["time_found"]) == (
        found.member,
        round(found.time, 3),
    )
    assert series[-1]["searching"] == 0.0
    assert series[0]["weights"].shape == (len(run.plan["edges"]), 2)
    assert (series[-1]["trail"] > 0) == behavior.weighs
    assert (series[-1]["weights"] != 1.0).any() == behavior.weighs
    assert task.space.world.is_free(run.plan["nodes"]).all()
    # Without weights there is nothing to keep.
    assert (run.learned_roadmap().learned is not None) == behavior.weighs


def test_who_comes_to_a_goal_that_a_rise_hides_has_found_it(task, monkeypatch):
    monkeypatch.setattr(GoalSearchRun, "_sees_goal", lambda _, at: np.zeros(len(at), np.bool_))
    run, _, _ = play(task, GoalSearch(nodes=100), 150.0)
    assert "found" in [event.kind for event in run.events]


def again(task, roadmap, goal=None):
    """Return the task of a second run on a roadmap."""
    changed = {"roadmap": roadmap, "rng": np.random.default_rng(7)}
    if goal is not None:
        found = plan(
            Problem(task.space, task.start, goal), planner=PRM(nodes=200), roadmap=roadmap,
            rng=np.random.default_rng(0),
        )  # fmt: skip
        changed |= {"goal": goal, "path": found.path}
    return GroupTask(**{**vars(task), **changed})


@pytest.mark.slow
def test_a_second_run_begins_wiser_and_a_goal_that_has_moved_is_found_again(task, ways):
    behavior = GoalSearch(rule="trails", nodes=200, recall="full")
    first, _, _ = play(task, behavior)
    kept = first.learned_roadmap()
    second = behavior.begin(again(task, kept))
    assert second.figures["runs_before"] == 1
    assert np.array_equal(second.measures()["weights"], first.measures()["weights"])
    faded = GoalSearch(rule="trails", nodes=200).begin(again(task, kept))
    assert faded.measures()["weights"] == pytest.approx(
        np.clip(first.measures()["weights"], *FADED), abs=0
    )
    run, _, _ = play(again(task, kept), behavior)
    assert run.figures["time_found"] < 0.9 * first.figures["time_found"]
    assert run.learned_roadmap().learned.provenance["runs"] == 2
    moved = ways.Region.box("other", [13, 7, -1], [19, 9.5, 2])
    elsewhere = again(task, kept, moved)
    run, flock, _ = play(elsewhere, behavior, 2000.0)
    assert moved.contains(flock.position).all()
    assert "false_trail" in {event.kind for event in run.events}


def test_weights_of_another_map_are_refused_or_left_out(task):
    behavior = GoalSearch(nodes=200)
    run = behavior.begin(task)
    kept = run.learned_roadmap()
    with pytest.raises(InputError, match=r"another search map.*place_distance 4.*recall = 'none'"):
        GoalSearch(nodes=200, place_distance=3.0).begin(again(task, kept))
    with pytest.raises(InputError, match="another search map"):
        GoalSearch(nodes=300).begin(again(task, kept))
    for options in ({"recall": "none"}, {"weights": False}, {"rule": "all_knowing"}):
        fresh = GoalSearch(nodes=200, place_distance=3.0, **options).begin(again(task, kept))
        assert fresh.figures["runs_before"] == 0


def test_the_same_seed_searches_alike(task, ways):
    runs = []
    for _ in range(2):
        again = GroupTask(**{**vars(task), "rng": np.random.default_rng(5)})
        run, flock, _ = play(again, GoalSearch(nodes=200), seconds=8.0)
        runs.append((run.events, flock.position))
    assert runs[0][0] == runs[1][0]
    assert np.array_equal(runs[0][1], runs[1][1])


def test_a_vehicle_sees_as_far_as_its_places_are_apart():
    car, walker = (load_character(name, File()) for name in ("car", "pedestrian"))
    usual = GoalSearch()
    assert [usual.sees(car), usual.sees(walker)] == [8.75, 4.0]
    assert usual.covers(car) == usual.sees(car), "else it has to drive into each corner"
    assert GoalSearch(sensor_range=5.0).sees(car) == 5.0


def test_vehicles_search_where_they_lose_the_least_time(task):
    car = load_character("car", File())
    run = GoalSearch(nodes=200).begin(replace(task, character=car))
    flock = Flock.at_rest([car] * 4, run.start, np.eye(3)[:1].repeat(4, 0), np.full(4, -1))
    assert run.step(flock, 0.0).guides.by_time


def test_parameters_are_checked_in_the_users_words():
    with pytest.raises(
        InputError, match=r"`rule` must be one of told.*`adaptive` is called `told`"
    ):
        GoalSearch(rule="adaptive")
    with pytest.raises(InputError, match="`laid` must be at_once or walked_back, got 'never'"):
        GoalSearch(laid="never")
    with pytest.raises(InputError, match="`recall` must be faded, full or none, got False"):
        GoalSearch(recall=False)
    with pytest.raises(InputError, match="`sensor_range` must be 0 or more, got -1"):
        GoalSearch(sensor_range=-1)
    with pytest.raises(InputError, match=r"`detour` must be 1 or more, got 0.5"):
        GoalSearch(detour=0.5)
    with pytest.raises(InputError, match="`nodes` must be from 1 to 20000, got 0"):
        GoalSearch(nodes=0)
