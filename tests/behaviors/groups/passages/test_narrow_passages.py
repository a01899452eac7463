"""The behavior by itself: members that are always where they are wanted."""

from dataclasses import MISSING, fields, replace
from pathlib import Path as File

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from rmp3d.behaviors import GROUP_BEHAVIORS, Flock, GroupTask
from rmp3d.behaviors.groups import NarrowPassages, SelfGuided
from rmp3d.geometry import InputError
from rmp3d.models import load_character
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings

DT = 1 / 30


@pytest.fixture(scope="module")
def task(ways):
    """Five pedestrians 30 m straight ahead, through a door of 1.2 m after 15 m."""
    character = load_character("pedestrian", File())
    walls = [([-0.1, -10, 0], [0.1, -0.6, 2.5]), ([-0.1, 0.6, 0], [0.1, 10, 2.5])]
    space = ways.space(radius=character.body.radius, walls=walls)
    path = ways.straight(30.0)
    path = type(path)(path.points - [15.0, 0, 0], path.clearance, True)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=60), np.random.default_rng(0))
    return GroupTask(
        space=space, path=path, roadmap=roadmap, count=5, character=character, dt=DT,
        start=ways.Region.box("start", [-19.5, -4, -1], [-12, 4, 2]),
        goal=ways.Region.box("goal", [14, -3, -1], [19, 3, 2]), rng=np.random.default_rng(0),
    )  # fmt: skip


def play(task, seconds=32.0, parameters=NarrowPassages("line")):  # noqa: B008
    """Put every member on its subgoal each step; return run, states and formations."""
    task.rng.bit_generator.state = np.random.default_rng(0).bit_generator.state
    run = parameters.begin(task)
    flock = Flock.at_rest(
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


@pytest.fixture(scope="module")
def played(task):
    """What `play` gives for a line."""
    return play(task)


def test_the_line_becomes_a_column_at_the_door_and_a_line_again(task, played):
    run, track, shapes = played
    order = [shape for k, shape in enumerate(shapes) if k == 0 or shapes[k - 1] != shape]
    assert order == ["line", "column", "line"]
    assert [(c.before, c.after) for c in run.changes] == [("line", "column"), ("column", "line")]
    assert run.changes[0].length < 15.0 < run.changes[1].length
    assert [event.kind for event in run.events].count("arrived") == 5
    assert task.goal.contains(track[-1]).all()


def test_a_change_that_leaves_formation_and_spacing_as_they_are_is_no_event(task):
    run, track, shapes = play(task, 9.0)
    assert shapes[-1] == "column"
    before = len(run.events)
    run.change(NarrowPassages("wedge"), None)
    heading = np.eye(3)[:1].repeat(5, 0)
    flock = Flock.at_rest([task.character] * 5, track[-1], heading, np.full(5, -1))
    run.step(flock, 9.0)
    assert run.formations[-1] == "wedge"
    assert not [event for event in run.events[before:] if event.kind == "spacing"]


IN_FILE = 0.3  # [m] aside


def entering(track):
    """Return the positions (n, 3) when the first is at the door, and the order through it."""
    first = int(np.argmax((track[:, :, 0] > -0.1).any(axis=1)))
    return track[first], np.argsort(np.argmax(track[:, :, 0] > 0.0, axis=0))


def test_all_are_in_file_when_the_first_enters(task, played):
    at_door, order = entering(played[1])
    assert np.abs(at_door[:, 1]).max() < IN_FILE
    gaps = -np.diff(at_door[order, 0])
    spacing = NarrowPassages("line").planned(task)[0].options[-1].spacing
    np.testing.assert_allclose(gaps, spacing, atol=0.15)


@pytest.mark.parametrize(("order", "behind"), [("left", "reversed"), ("middle", "kept")])
def test_the_file_is_in_the_order_asked_for_and_so_is_the_line_behind(task, order, behind):
    run, track, _ = play(task, parameters=NarrowPassages(order=order, order_behind=behind))
    at_door, through = entering(track)
    left = run.start[:, 1]
    key = {"left": -left, "middle": np.abs(left - 0.5 * (left.min() + left.max()))}[order]
    assert (np.diff(key[through]) > -0.4).all(), "the middle has two of about the same distance"
    assert through[0] == np.argmin(key)
    assert np.abs(at_door[:, 1]).max() < IN_FILE
    behind_door = track[int(np.argmax((track[:, :, 0] > 10.0).any(axis=1)))]
    side = {"kept": 1.0, "reversed": -1.0}[behind]
    assert (np.argsort(side * behind_door[:, 1]) == np.argsort(left)).all()


def test_orders_are_checked_in_the_users_words():
    with pytest.raises(InputError, match=r"`order`: .*nearest"):
        NarrowPassages(order="up")
    with pytest.raises(InputError, match=r"`order_behind`: .*reversed"):
        NarrowPassages(order_behind="mirrored")


def test_subgoals_are_free_of_the_scene_before_the_goal(task, played):
    _, track, _ = played
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


@pytest.mark.slow
@pytest.mark.parametrize("held", [False, True])
def test_behind_the_door_the_leader_waits_for_all_ranks_but_not_for_ever(task, held):
    """Four ranks of five; one member is held in the door, or nobody."""
    task = replace(task, count=20, dt=0.1, rng=np.random.default_rng(0))
    run = NarrowPassages({"name": "line", "abreast": 5}).begin(task)
    flock = Flock.at_rest(
        [task.character] * 20, run.start, np.eye(3)[:1].repeat(20, 0), np.full(20, -1)
    )
    shut, leader, error = [], [], []
    for k in range(900 if held else 330):
        intent = run.step(flock, 0.1 * k)
        position = intent.subgoal.copy()
        if held:
            stuck = (flock.position[:, 0] > 0.0) & (run.measures()["slot"] == 19)
            position[stuck] = flock.position[stuck]
        flock = flock.moved(position=position)
        told = run.measures()
        shut.append(run.formations[intent.formation] != "line by 5" or not run.changes)
        leader.append(told["leader"] - 15.0)
        error.append(told["error"])
    depth = 3 * run.plan["spacing"][-1]
    out = np.flatnonzero(~np.array(shut))
    assert leader[out[0]] < depth, "the front spreads before the last ranks are out"
    leader, error = np.array(leader)[out], np.array(error)[out]
    assert leader[-1] > 6.0
    if not held:
        complete = np.flatnonzero(error < 0.25)[0]
        assert leader[complete] == pytest.approx(depth, abs=1.0)
        assert error[complete : complete + 40].max() < 0.25, "and is kept from there on"


# From where to where the corridor is how wide [m], and which share of the spacing is left there.
STEPS = [
    (-46, -26, 20.0, "line", 1.0),
    (-26, -10, 9.0, "line", 0.85),
    (-10, 18, 5.6, "arrow", 0.7),
    (18, 30, 1.2, "column", 1.0),
    (30, 46, 20.0, "line", 1.0),
]


def test_the_widest_formation_that_fits_is_used_where_a_corridor_narrows_in_steps(ways):
    character = load_character("pedestrian", File())
    walls = [
        ([start, *sorted((side * 0.5 * width, side * 10.0))[:1], 0],
         [end, *sorted((side * 0.5 * width, side * 10.0))[1:], 2.5])
        for start, end, width, _, _ in STEPS if width < 20.0 for side in (-1, 1)
    ]  # fmt: skip
    space = ways.space(radius=character.body.radius, walls=walls, half=46)
    path = ways.straight(88.0)
    path = type(path)(path.points - [44.0, 0, 0], path.clearance, True)
    region = ways.Region.box("all", [-45, -9, -1], [45, 9, 2])
    task = GroupTask(
        space=space, path=path, roadmap=None, count=9, character=character, dt=DT, start=region,
        goal=region, rng=np.random.default_rng(0),
    )  # fmt: skip
    plan, _ = NarrowPassages("line", ("arrow",)).planned(task)
    spacing = plan.options[0].spacing
    for start, end, width, name, share in STEPS:
        # The leader is in the stretch, and so is the last of an arrow; but the members are in file
        # when they come to where only the column fits.
        ahead = plan.options[-1].depth + 0.5 if end == 18 else 0.0
        for x in np.linspace(start + 4.5, end - 4.5 - ahead, 5):
            option = plan.options[plan.option_at(x + 44.0)]
            assert (option.formation, option.spacing) == (name, pytest.approx(share * spacing))
            assert option.width + 2 * task.radius < width
    for j, choice in enumerate(plan.choice):
        # Swept bodies of all slots, by the space itself rather than by the measured room.
        slots = plan.options[choice].slots
        place = path.at(plan.station[j] - slots[:, 0]) + slots[:, 1:2] * [0.0, 1.0, 0.0]
        assert space.is_free(place[plan.station[j] >= slots[:, 0]]).all()
    assert 0.85 in {round(option.spacing / spacing, 2) for option in plan.options}


@pytest.mark.parametrize("reference", ["center", "neighbor"])
def test_with_other_references_all_arrive_in_formation_too(task, reference):
    run, _, _ = play(task, parameters=NarrowPassages("line", reference=reference))
    assert [event.kind for event in run.events].count("arrived") == 5
    assert run.figures["reference"] == reference
    assert [(c.before, c.after) for c in run.changes] == [("line", "column"), ("column", "line")]
    assert run.formation_error < 0.1


@pytest.mark.parametrize(("reference", "followers"), [("path", []), ("leader", [0, 1, 3, 4]),
                                                      ("center", [0, 1, 3, 4])])  # fmt: skip
def test_who_follows_when_the_leading_member_is_held_aside(task, reference, followers):
    """The member in the first slot of a line is held 0.4 m to the left of where it should be."""
    run = NarrowPassages("line", reference=reference).begin(task)
    flock = Flock.at_rest(
        [task.character] * 5, run.start, np.eye(3)[:1].repeat(5, 0), np.full(5, -1)
    )
    for k in range(round(6.0 / DT)):
        intent = run.step(flock, k * DT)
        first = int(np.flatnonzero(run.measures()["slot"] == 0)[0])
        moved = intent.subgoal + (np.arange(5) == first)[:, None] * [0.0, 0.4 * (k * DT > 3.0), 0]
        flock = flock.moved(position=moved)
    slots = run.measures()["place"]
    others = np.arange(5) != first
    aside = intent.subgoal[others, 1] - slots[others, 1]
    if followers:
        assert (aside > 0.05).all()
    else:
        assert np.abs(aside).max() < 0.02


def test_walkers_are_refused_places_above_one_another(task):
    with pytest.raises(InputError, match="the formation `sphere` has places above and below"):
        NarrowPassages("sphere").begin(task)
    with pytest.raises(InputError, match=r"no formation named `wegde`; did you mean `wedge`"):
        NarrowPassages(alternatives=("wegde",))


def test_all_stay_where_they_are_while_all_are_in_the_goal_and_no_longer(task):
    run, track, _shapes = play(task)
    places = track[-1]
    off = places.copy()
    off[:, 0] -= np.sign(off[:, 0] - 16.5) * 1.2  # in the goal, and not at their places
    outside = off.copy()
    outside[0, 0] = 13.5
    for position, stay in ((off, True), (outside, False), (off, True)):
        flock = Flock.at_rest(
            [task.character] * task.count, position, np.eye(3)[:1].repeat(5, 0), np.full(5, -1)
        )
        parked = run.step(flock, 40.0).parked
        assert parked.tolist() == [stay] * task.count


def test_what_is_measured_has_the_same_shapes_from_start_to_end(task, played):
    run = NarrowPassages("line").begin(task)
    before = {name: np.shape(value) for name, value in run.measures().items()}
    done, _, _ = played
    after = done.measures()
    assert before == {name: np.shape(value) for name, value in after.items()}
    assert after["marching"] == 0
    assert after["error"] == after["width"] == 0.0
    assert done.figures["narrowest"]["width"] == pytest.approx(1.2, abs=0.35)
    assert done.figures["narrowest"]["station"] == pytest.approx(15.0, abs=0.5)
    assert sum(done.figures["planned_lengths"].values()) == pytest.approx(30.0, abs=0.05)


def test_another_formation_is_preferred_behind_the_passage(task):
    *_, shapes = play(task, parameters=NarrowPassages("arrow", after_passages=("line",)))
    order = [shape for k, shape in enumerate(shapes) if k == 0 or shapes[k - 1] != shape]
    assert order == ["arrow", "column", "line"]


def has_defaults(name):
    return all(
        f.default is not MISSING or f.default_factory is not MISSING
        for f in fields(GROUP_BEHAVIORS[name])
    )


# Bodies that are carried go as close past things as their proofs allow, and want no clearance.
WITH_GOAL = [
    name
    for name in GROUP_BEHAVIORS
    if GROUP_BEHAVIORS[name].needs_goal and has_defaults(name) and name != "carried"
]


@pytest.mark.parametrize("name", WITH_GOAL)
@pytest.mark.parametrize("count", [1, 2, 9])
def test_the_clearance_wanted_is_positive_and_finite(task, name, count):
    wanted = GROUP_BEHAVIORS[name]().clearance_wanted(count, task.character)
    assert task.radius < wanted < 20.0
