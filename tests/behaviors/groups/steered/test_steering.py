"""Groups that steer without a plan: who is placed where, who knows whom, who is steered how."""

import re

import numpy as np
import pytest

from rmp3d.behaviors.groups import Steering, Task
from rmp3d.behaviors.groups.goal_area.places import anywhere
from rmp3d.behaviors.groups.steered.mixer import SteeringMixer
from rmp3d.behaviors.groups.steered.spec import SteeringSpec
from rmp3d.behaviors.perception import Memory, Zone
from rmp3d.behaviors.steering import Seek
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length
from rmp3d.models import load_character

GROUPS = ("sheep", "wolf")


@pytest.fixture
def yard(ways):
    return ways.space(walls=[([-0.5, -10, 0], [0.5, 6, 2])])


def task_of(ways, space, count=4, own=0, region=None):
    region = region or ways.Region.box("field", [-15, -8, -1], [15, 8, 2])
    return Task(
        space=space, start=region, count=count, character=load_character("pedestrian"),
        dt=1 / 30, rng=np.random.default_rng(0), groups=GROUPS, own=own,
    )  # fmt: skip


def world_of(make, position, group_of, velocity=None, time=0.0):
    flock = make.flock(position, velocity, grounded=True)
    return WorldState(
        flock, np.array(group_of), GROUPS, bounds=np.array([[-20.0] * 3, [20] * 3]), time=time
    )


def mixture_of(count=2, own=0, regions=None, **mix):
    return SteeringMixer(SteeringSpec(**mix), GROUPS, own, regions or {}, count)


def steered(mixture, world, rows, reach=50.0):
    rows = np.array(rows)
    return mixture.steer(world, rows, Memory(Zone(reach), rows).look(world))


@pytest.mark.parametrize("count", [1, 20])
def test_members_are_placed_apart_on_free_ground_anywhere_in_the_region(ways, yard, count):
    region = ways.Region.box("field", [-6, -6, -1], [6, 6, 2])
    places = anywhere(yard, region, count, 1.0, np.random.default_rng(1))
    assert places.shape == (count, 3)
    assert region.contains(places).all()
    assert yard.is_free(places).all()
    gaps = np.linalg.norm(places[:, None] - places, axis=2) + 9.0 * np.eye(count)
    assert gaps.min() >= 1.0
    assert count == 1 or {-1.0, 1.0} == set(np.sign(places[:, 0]))


def test_the_first_place_in_a_ball_is_its_center(ways, yard):
    region = ways.Region.sphere("start", [5.0, 2.0, 0.0], 2.0)
    places = anywhere(yard, region, 1, 1.0, np.random.default_rng(1))
    np.testing.assert_allclose(places, [[5.0, 2.0, 0.0]], atol=1e-9)


def test_too_many_for_a_region_is_said_with_how_many_fit(ways, yard):
    region = ways.Region.box("corner", [5, 5, -1], [7, 7, 2])
    with pytest.raises(InputError, match=r"`corner` has room for \d+ members .* not for 90"):
        anywhere(yard, region, 90, 1.0, np.random.default_rng(1))


def test_a_point_a_region_or_the_nearest_of_a_group_is_sought(ways, make):
    world = world_of(make, [[0, 0, 0], [0, 4, 0], [6, 0, 0], [1, 7, 0]], [0, 0, 1, 1])
    regions = {"pen": ways.Region.box("pen", [8, 8, -2], [10, 10, 2])}
    for target, aim in (
        ((3.0, 1.0, 0.0), [[3, 1, 0], [3, 1, 0]]),
        ("pen", [[9, 9, 0], [9, 9, 0]]),
        ("wolf", [[6, 0, 0], [1, 7, 0]]),
    ):
        mixture = mixture_of(behaviors=["seek"], target=target, regions=regions)
        asked = steered(mixture, world, [0, 1])
        np.testing.assert_array_equal(mixture.aim, aim)
        around = make.surroundings(world.flock.select(np.array([0, 1])), np.array(aim, float))
        wish = Seek().steering_force(world.flock.select(np.array([0, 1])), around)
        np.testing.assert_allclose(asked.force, clip_length(wish, 8.0))


def test_whom_nobody_knows_nobody_is_steered_by(make):
    world = world_of(make, [[0, 0, 0], [0, 4, 0], [30, 0, 0]], [0, 0, 1], [[1, 0, 0]] * 3)
    for behaviors, role in ((["seek"], "target"), (["pursue"], "quarry"), (["flee"], "threat")):
        mixture = mixture_of(behaviors=behaviors, **{role: "wolf"})
        asked = steered(mixture, world, [0, 1], reach=10.0)
        assert not asked.force.any()
        assert np.isnan(mixture.aim).all()


def test_a_role_that_is_not_stated_falls_back_to_a_target_that_is_a_group(make):
    world = world_of(
        make, [[0, 0, 0], [5, 0, 0], [0, 3, 0]], [0, 0, 1], [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    )
    first = steered(mixture_of(behaviors=["pursue"], target="wolf"), world, [0, 1]).force
    second = steered(mixture_of(behaviors=["pursue"], quarry="wolf"), world, [0, 1]).force
    np.testing.assert_array_equal(first, second)
    assert first.any()


def test_a_quarry_is_kept_until_another_is_clearly_nearer(make):
    mixture = mixture_of(1, behaviors=["pursue"], quarry="wolf")
    chosen = []
    for gap in (4.0, 3.9, 3.3, 3.1, 4.5, 4.9):
        world = world_of(make, [[0, 0, 0], [4, 0, 0], [-gap, 0, 0]], [0, 1, 1])
        steered(mixture, world, [0])
        chosen.append(int(mixture.other("quarry")[0]))
    assert chosen == [1, 1, 1, 2, 2, 2]


def test_flockmates_are_of_the_own_group_and_all_others_keep_apart(make):
    world = world_of(make, [[0, 0, 0], [1.5, 0, 0], [-0.7, 0, 0]], [0, 0, 1])
    pull = steered(mixture_of(1, behaviors=["cohesion"]), world, [0]).force[0]
    assert pull[0] > 0.0
    wide = [{"name": "cohesion", "among": "wolf"}]
    assert steered(mixture_of(1, behaviors=wide), world, [0]).force[0, 0] < 0.0
    push = steered(mixture_of(1, behaviors=["separation"]), world, [0]).force[0]
    assert push[0] > 0.0
    own = [{"name": "separation", "among": "own", "distance": 2.0}]
    assert steered(mixture_of(1, behaviors=own), world, [0]).force[0, 0] < 0.0


def test_no_behavior_at_all_is_standing_still(make):
    world = world_of(make, [[0, 0, 0]], [0], [[0.1, 0.2, 0]])
    force = steered(mixture_of(1, behaviors=[]), world, [0]).force
    np.testing.assert_allclose(force, [[-0.8, -1.6, 0]])


def test_what_a_behavior_remembers_is_kept_and_can_be_forgotten(make):
    world = world_of(make, [[0, 0, 0], [3, 0, 0]], [0, 0])
    mixture = mixture_of(2, behaviors=["wander"])
    first = steered(mixture, world, [0, 1]).force
    again = [steered(mixture, world, [0, 1]).force for _ in range(20)][-1]
    assert np.abs(again - first).max() > 1e-3
    mixture.forget()
    np.testing.assert_array_equal(steered(mixture, world, [0, 1]).force, first)


def test_a_caught_quarry_is_told_once_until_it_is_off_again(ways, make):
    space = ways.space()
    task = task_of(ways, space, 1, own=1)
    run = Steering(behaviors=["pursue"], quarry="sheep", catch=0.5).begin(task)
    for time, gap in enumerate((3.0, 1.0, 0.9, 4.0, 1.0)):
        world = world_of(make, [[gap, 0, 0], [0, 0, 0]], [0, 1], time=float(time))
        run.look(world, np.array([1]))
    assert [(event.time, event.kind, event.text) for event in run.events] == [
        (1.0, "caught", "caught member 0 of sheep"),
        (4.0, "caught", "caught member 0 of sheep"),
    ]


def test_who_has_caught_a_quarry_does_not_run_into_it(ways, make):
    run = Steering(behaviors=["pursue"], quarry="sheep", catch=0.5).begin(
        task_of(ways, ways.space(), 1, own=1)
    )
    wish = []
    for gap in (6.0, 0.9, 0.8, 0.61):  # between middles; bodies touch at 0.6 m
        world = world_of(make, [[gap, 0, 0], [0, 0, 0]], [0, 1], [[0.3, 0.0, 0], [0, 0, 0]])
        run.look(world, np.array([1]))
        own = np.array([1])
        force = run.steer(world, own, run.step(world.flock.select(own), 0.0)).force[0]
        wish.append(np.linalg.norm(force) / world.flock.bodies.mass[1] * RESPONSE_TIME)
    assert wish[0] == pytest.approx(RESPONSE_TIME * world.flock.bodies.max_acceleration[1])
    assert wish[0] > wish[1] > wish[2] == pytest.approx(wish[3]) == pytest.approx(0.3)


def test_members_look_where_the_heading_says_or_each_its_own_way(ways):
    task = task_of(ways, ways.space(), 30)
    run = Steering(behaviors=["wander"], heading=(0.0, 2.0, 0.0)).begin(task)
    np.testing.assert_array_equal(run.heading, np.tile([0, 2.0, 0], (30, 1)))
    angles = np.arctan2(*Steering(behaviors=["wander"]).begin(task).heading[:, 1::-1].T)
    assert np.ptp(angles) > 4.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"behaviors": ["sek"]}, "did you mean `seek`"),
        ({"behaviors": [{"name": "arrive", "gian": 1.0}]}, "did you mean `gain`"),
        ({"behaviors": [{"weight": 1.0}]}, "`behaviors[0]`: needs a `name`"),
        ({"behaviors": [{"name": "wander", "weight": -1.0}]}, "`weight` must be a number"),
        ({"behaviors": [{"name": "wander", "probability": 2.0}]}, "at most 1"),
        ({"behaviors": [{"name": "wander", "among": 3}]}, "`among`"),
        ({"behaviors": ["wander"], "combining": "sum"}, "no combining scheme named `sum`"),
        ({"behaviors": ["wander"], "perception": "zones"}, "did you mean `zone`"),
        ({"behaviors": ["wander"], "perception": {"name": "zone", "radius": -1}}, "`radius`"),
        ({"behaviors": ["wander"], "catch": -1.0}, "`catch`"),
        ({"behaviors": ["wander"], "heading": (0.0, 0.0, 0.0)}, "`heading`"),
    ],
)
def test_wrong_options_are_refused_by_key(options, said):
    with pytest.raises(InputError, match=re.escape(said)):
        Steering(**options)


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ({"behaviors": ["pursue"]}, "`quarry`: `pursue` needs the name of a group"),
        ({"behaviors": ["pursue"], "quarry": "wolv"}, "did you mean `wolf`"),
        ({"behaviors": ["seek"]}, "`target`: `seek` needs a point, a region or a group"),
        ({"behaviors": ["seek"], "target": "meadow"}, "no group or region named `meadow`"),
        ({"behaviors": ["docking"], "target": (0.0, 0, 0)}, "`target_heading`: `docking`"),
        ({"behaviors": [{"name": "cohesion", "among": "dogs"}]}, "no group named `dogs`"),
    ],
)
def test_what_a_behavior_lacks_is_said_before_the_run(mix, said):
    with pytest.raises(InputError, match=re.escape(said)):
        mixture_of(**mix)


def test_more_behaviors_than_a_group_may_have_are_refused():
    with pytest.raises(InputError, match="`behaviors`: at most 200, given 201"):
        Steering(behaviors=["wander"] * 201)
