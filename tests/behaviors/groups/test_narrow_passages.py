"""The behavior by itself: members that are always where they are wanted."""

from pathlib import Path as File

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from behaviors import BEHAVIORS, GroupTask, flock_at_rest
from behaviors.groups import NarrowPassages, SelfGuided
from geometry import InputError
from models import load_character

DT = 1 / 30


@pytest.fixture
def task(ways):
    """Five pedestrians 30 m straight ahead, through a door of 1.2 m after 15 m."""
    character = load_character("pedestrian", File())
    walls = [([-0.1, -10, 0], [0.1, -0.6, 2.5]), ([-0.1, 0.6, 0], [0.1, 10, 2.5])]
    space = ways.space(radius=character.body.radius, walls=walls)
    path = ways.straight(30.0)
    path = type(path)(path.points - [15.0, 0, 0], path.clearance, True)
    return GroupTask(
        space=space, path=path, roadmap=None, count=5, character=character, dt=DT,
        start=ways.Region.box("start", [-19.5, -4, -1], [-12, 4, 2]),
        goal=ways.Region.box("goal", [14, -3, -1], [19, 3, 2]), rng=np.random.default_rng(0),
    )  # fmt: skip


def play(task, seconds=40.0):
    """Put every member on its subgoal each step; return run, states and formations."""
    run = NarrowPassages("line").begin(task)
    flock = flock_at_rest(
        [task.character] * task.count, run.start, np.eye(3)[:1].repeat(5, 0), np.full(5, -1)
    )
    track, shapes = [run.start], []
    for k in range(round(seconds / DT)):
        intent = run.step(flock, k * DT)
        assert np.isfinite(intent.subgoal).all()
        flock = flock.moved(position=intent.subgoal)
        track.append(intent.subgoal)
        shapes.append(run.formations[intent.formation])
    return run, np.array(track), shapes


def test_the_line_becomes_a_column_at_the_door_and_a_line_again(task):
    run, track, shapes = play(task)
    order = [shape for k, shape in enumerate(shapes) if k == 0 or shapes[k - 1] != shape]
    assert order == ["line", "column", "line"]
    assert [(c.before, c.after) for c in run.changes] == [("line", "column"), ("column", "line")]
    assert run.changes[0].length < 15.0 < run.changes[1].length
    assert [event.kind for event in run.events].count("arrived") == 5
    assert task.goal.contains(track[-1]).all()


def test_subgoals_are_free_of_the_scene_before_the_goal(task):
    _, track, _ = play(task)
    before = track[:, :, 0] < 14.0
    assert task.space.is_free(track[before]).all()


def test_members_start_free_apart_and_in_the_start_region(task):
    start = NarrowPassages("line").begin(task).start
    assert task.space.is_free(start).all()
    assert task.start.contains(start).all()
    assert pdist(start).min() > 2 * task.radius


def test_parameters_are_checked_in_the_users_words(task):
    with pytest.raises(InputError, match="no formation named `lime`; did you mean `line`"):
        NarrowPassages("lime")
    with pytest.raises(InputError, match="`spacing` must be 0 or more, got -1"):
        NarrowPassages(spacing=-1)
    with pytest.raises(InputError, match=r"`spacing` 0.3 m is too small for bodies of radius"):
        NarrowPassages(spacing=0.3).begin(task)
    with pytest.raises(InputError, match="`sensor_range` must be positive, got 0"):
        SelfGuided(sensor_range=0)
    with pytest.raises(InputError, match="`neighborhood` must be positive, got inf"):
        SelfGuided(neighborhood=np.inf)


@pytest.mark.parametrize("name", [name for name in BEHAVIORS if BEHAVIORS[name].needs_goal])
@pytest.mark.parametrize("count", [1, 2, 9])
def test_the_clearance_wanted_is_positive_and_finite(task, name, count):
    wanted = BEHAVIORS[name]().clearance_wanted(count, task.character)
    assert task.radius < wanted < 20.0
