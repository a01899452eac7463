"""The circle around a ward: places, options, and members that are always where they are wanted."""

from pathlib import Path as File

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from rmp3d.behaviors import Flock, GroupTask
from rmp3d.behaviors.groups import CircleFollowing
from rmp3d.behaviors.groups.passages.circle_slots import arcs, options_of, radius_of
from rmp3d.geometry import InputError
from rmp3d.models import load_character

DT = 1 / 10


def task_of(ways, walls, count=7, kind="ground", model="pedestrian"):
    character = load_character(model, File())
    space = ways.space(kind, radius=character.body.radius, walls=walls)
    height = 0.0 if kind == "ground" else 2.0
    path = ways.straight(30.0, kind == "ground")
    path = type(path)(path.points - [15.0, 0, -height], path.clearance, kind == "ground")
    return GroupTask(
        space=space, path=path, roadmap=None, count=count, character=character, dt=DT,
        start=ways.Region.box("start", [-19.5, -5, -1], [-11, 5, 4]),
        goal=ways.Region.box("goal", [12, -5, -1], [19.5, 5, 4]), rng=np.random.default_rng(0),
    )  # fmt: skip


def corridor(half):
    return [([-3, -10, 0], [3, -half, 2.5]), ([-3, half, 0], [3, 10, 2.5])]


def play(task, behavior, seconds=60.0):
    run = behavior.begin(task)
    flock = Flock.at_rest(
        [task.character] * task.count, run.start, run.heading, np.full(task.count, -1)
    )
    track, radius, shapes = [run.start], [], []
    for k in range(round(seconds / DT)):
        intent = run.step(flock, k * DT)
        flock = flock.moved(position=intent.subgoal)
        track.append(intent.subgoal)
        radius.append(run.measures()["radius"])
        shapes.append(run.formations[intent.formation])
    return run, np.array(track), np.array(radius), shapes


SHAPES = st.sampled_from(["ring", "sphere"])


@given(st.integers(1, 25), st.floats(0.3, 2.0), st.floats(1.0, 4.0), SHAPES)
def test_in_no_option_two_places_are_nearer_than_allowed(count, tightest, wide, shape):
    directions = CircleFollowing(shape=shape).directions(count)
    smallest, spacing = radius_of(directions, tightest), tightest * wide
    largest = radius_of(directions, spacing)
    for option in options_of(directions, largest, smallest, spacing, tightest):
        assert (option.slots[0] == 0.0).all()
        assert len(option.slots) == count + 1
        assert pdist(option.slots).min() > tightest * (1.0 - 1e-9)


def test_the_options_get_narrower_in_turn():
    directions = CircleFollowing().directions(8)
    options = options_of(directions, 3.0, 1.0, 1.2, 0.7)
    widths = [option.half_width for option in options]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0.0
    assert [option.rank for option in options] == sorted(option.rank for option in options)


def test_arcs_lie_behind_the_ward_and_keep_to_their_width():
    slots = arcs(11, 1.0, 0.8, 1.5)
    assert (slots[:, 0] > 0.0).all()
    assert np.abs(slots[:, 1]).max() <= 1.0 + 1e-9
    radius = np.linalg.norm(slots, axis=1) / 1.5
    assert radius == pytest.approx(np.round(radius))


def test_in_the_open_each_keeps_its_angle_around_the_ward(ways):
    task = task_of(ways, [])
    run, track, radius, shapes = play(task, CircleFollowing(radius=2.0), 15.0)
    ward = run.figures["ward"]
    assert set(shapes) == {"circle"}
    assert radius == pytest.approx(np.full(len(radius), 2.0))
    late = track[80:130]
    offset = np.delete(late - late[:, [ward]], ward, axis=1)
    assert np.linalg.norm(offset, axis=2) == pytest.approx(np.full(offset.shape[:2], 2.0), abs=0.05)
    assert (
        np.ptp(np.unwrap(np.arctan2(offset[..., 1], offset[..., 0]), axis=0), axis=0).max() < 0.05
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("half", "through"), [(2.4, {"circle"}), (1.1, {"arc of 2", "arc of 3"}), (0.5, {"column"})]
)
def test_the_circle_shrinks_then_opens_and_closes_again_at_the_old_angles(ways, half, through):
    task = task_of(ways, corridor(half), 10)
    run, track, radius, shapes = play(task, CircleFollowing(radius=2.2), 45.0)
    ward = track[:-1, run.figures["ward"], 0]
    inside = (ward > -2.0) & (ward < 2.0)
    assert set(np.array(shapes)[inside]) <= through
    order = [shape for k, shape in enumerate(shapes) if k == 0 or shapes[k - 1] != shape]
    assert len(order) == (1 if through == {"circle"} else 3)
    if through == {"circle"}:
        assert 0.0 < radius[inside].max() < 2.2
    assert radius[0] == radius[-1] == pytest.approx(2.2)
    before_goal = track[track[:, :, 0].max(axis=1) < 12.0]
    assert task.space.is_free(before_goal[::3].reshape(-1, 3)).all()
    assert [event.kind for event in run.events].count("arrived") == task.count


def test_a_sphere_surrounds_a_flyer_on_all_sides(ways):
    task = task_of(ways, [], 9, "translation", "bird")
    run, track, _, _ = play(task, CircleFollowing(shape="sphere", radius=1.6), 3.0)
    ward = run.figures["ward"]
    offset = np.delete(track[-1] - track[-1, ward], ward, axis=0)
    assert (offset.max(axis=0) > 0.5).all()
    assert (offset.min(axis=0) < -0.5).all()


def test_what_cannot_be_done_is_refused_in_the_users_words(ways):
    task = task_of(ways, [])
    with pytest.raises(InputError, match=r"`spacing` 0.2 m is too small for bodies of radius"):
        CircleFollowing(spacing=0.2).begin(task)
    with pytest.raises(InputError, match=r"`radius` 0.3 m is too small for 6 bodies of radius"):
        CircleFollowing(radius=0.3).begin(task)
    with pytest.raises(InputError, match="only members that fly can surround others as a `sphere`"):
        CircleFollowing(shape="sphere").begin(task)
    with pytest.raises(InputError, match="`radius` must be 0 or more, got -1"):
        CircleFollowing(radius=-1)
