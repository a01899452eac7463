"""Every perception against brute force, pair by pair."""

import numpy as np
import pytest

from rmp3d.behaviors.perception import (
    PERCEPTIONS,
    FieldOfView,
    Sensor,
    Sensors,
    ViewCone,
    WeightedZones,
    Zone,
)
from rmp3d.behaviors.perception.weighted_zones import SensitiveZone
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery

WALL = ([2.0, -3.0, -1.0], [2.5, 3.0, 3.0])


def world_of(make, count=40, seed=0, wall=WALL, grounded=False):
    rng = np.random.default_rng(seed)
    position = rng.uniform(-6, 6, (count, 3)) * [1, 1, 0.2]
    heading = rng.normal(size=(count, 3))
    heading[:, 2] *= 0.2
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    flock = make.flock(position, heading=heading, grounded=grounded)
    scene = None if wall is None else MeshQuery(make.box(*wall))
    return WorldState(flock, np.arange(count) % 3, ("sheep", "wolf", "dog"), scene, scene)


def brute(world, rows, rule):
    """Pairs (own, other) for which the rule holds, in order."""
    return [
        (own, other)
        for own, row in enumerate(rows)
        for other in range(len(world.flock))
        if other != row and rule(row, other)
    ]


def angle_to(world, i, j):
    offset = world.middle[j] - world.middle[i]
    cosine = offset @ world.flock.heading[i] / np.linalg.norm(offset)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


def apart(world, i, j):
    return np.linalg.norm(world.middle[j] - world.middle[i])


def enters_box(start, end, lower, upper):
    """Whether a segment meets a box: clipped axis by axis."""
    first, last = 0.0, 1.0
    for a, b, low, high in zip(start, end, lower, upper, strict=True):
        if a == b:
            if not low <= a <= high:
                return False
            continue
        near, far = sorted(((low - a) / (b - a), (high - a) / (b - a)))
        first, last = max(first, near), min(last, far)
    return first <= last


def hidden(world, i, j):
    ends = [world.eye[j], world.middle[j], world.foot[j]]
    return all(enters_box(world.eye[i], end, *WALL) for end in ends)


ROWS = np.arange(1, 40, 2)
RULES = {
    "weighted_zones": (
        WeightedZones((SensitiveZone(5.0, 120.0), SensitiveZone(3.0, 360.0, 0.5)), 0.2),
        lambda w, i, j: (
            max(0.0, 1 - apart(w, i, j) / 5) * (angle_to(w, i, j) <= 60)
            + 0.5 * max(0.0, 1 - apart(w, i, j) / 3)
            >= 0.2
        ),
    ),
    "zone": (Zone(4.0), lambda w, i, j: apart(w, i, j) <= 4),
    "field_of_view": (
        FieldOfView(5.0, 120.0),
        lambda w, i, j: apart(w, i, j) <= 5 and angle_to(w, i, j) <= 60,
    ),
    "view_cone": (
        ViewCone(7.0, 150.0, 1.0),
        lambda w, i, j: (
            apart(w, i, j) <= 7
            and (angle_to(w, i, j) <= 75 or apart(w, i, j) <= 1)
            and not hidden(w, i, j)
        ),
    ),
    "sensors": (
        Sensors((Sensor("left", "distance", (0, 1, 0), 90.0, 3.0, ("wolf",)),
                 Sensor("nose", "quality", (1, 0, 0), 20.0, 5.0))),
        lambda w, i, j: (
            (w.group_of[j] == 1 and apart(w, i, j) <= 3.6 and left_of(w, i, j) <= 45)
            or (apart(w, i, j) <= 5.6 and angle_to(w, i, j) <= 10)
        ),
    ),
}  # fmt: skip


def left_of(world, i, j):
    left = np.cross(world.flock.up[i], world.flock.heading[i])
    offset = world.middle[j] - world.middle[i]
    cosine = offset @ left / np.linalg.norm(offset) / np.linalg.norm(left)
    return np.degrees(np.arccos(np.clip(cosine, -1, 1)))


@pytest.mark.parametrize("name", list(PERCEPTIONS))
@pytest.mark.parametrize("seed", range(3))
def test_who_is_perceived_is_what_the_rule_says_pair_by_pair(make, name, seed):
    perception, rule = RULES[name]
    world = world_of(make, seed=seed)
    i, j = perception.perceived(world, ROWS)
    expected = brute(world, ROWS, lambda a, b: rule(world, a, b))
    assert expected
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == expected


@pytest.mark.parametrize("name", list(PERCEPTIONS))
@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_members_and_an_empty_scene_are_no_trouble(make, name, count):
    world = world_of(make, count, wall=None)
    i, j = PERCEPTIONS[name]().perceived(world, np.arange(count))
    assert i.shape == j.shape
    assert (i != j).all()


@pytest.mark.parametrize("name", list(PERCEPTIONS))
def test_two_in_one_place_perceive_each_other(make, name):
    flock = make.flock(np.zeros((2, 3)))
    world = WorldState(flock, np.zeros(2, np.intp), ("one",), None, None)
    i, j = PERCEPTIONS[name]().perceived(world, np.arange(2))
    assert (i.tolist(), j.tolist()) == ([0, 1], [1, 0])


def test_a_walker_sees_the_head_of_one_behind_a_low_wall_but_not_of_one_behind_a_high_wall(make):
    flock = make.flock([[0, 0, 0], [4, 0, 0]], grounded=True)
    for height, count in ((1.2, 1), (1.6, 0)):
        scene = MeshQuery(make.box([2, -9, 0], [2.1, 9, height]))
        world = WorldState(flock, np.zeros(2, np.intp), ("one",), scene, scene)
        assert len(ViewCone(9.0, 90.0).perceived(world, np.array([0]))[0]) == count


def test_decor_and_other_bodies_hide_nobody(make):
    flock = make.flock([[0, 0, 0], [2, 0, 0], [4, 0, 0]])
    world = WorldState(flock, np.zeros(3, np.intp), ("one",), None, None)
    assert ViewCone(9.0, 30.0).perceived(world, np.array([0]))[1].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("sensor", "expected"),
    [
        (Sensor("s", "distance", range=3.0), 1.4),
        (Sensor("s", "proximity", range=2.8), 0.5),
        (Sensor("s", "quality", range=3.0, detects=("wolf",)), 1.0),
        (Sensor("s", "quality", range=3.0, detects=("dog",)), 0.0),
        (Sensor("s", "distance", range=3.0, detects=("obstacle",)), 1.7),
        (Sensor("s", "distance", (-1, 0, 0), 60.0, 3.0), 1.7),
        (Sensor("s", "distance", (1, 0, 0), 20.0, 3.0), 3.0),
        (Sensor("s", "proximity", (1, 0, 0), 20.0, 3.0), 0.0),
        (Sensor("s", "quality", (-1, 0, 0), 20.0, 3.0), 1.0),
    ],
)
def test_a_sensor_reads_distance_proximity_or_quality(make, sensor, expected):
    """A wolf with its middle 2 m to the left, a wall 2 m behind; bodies of radius 0.3 m."""
    flock = make.flock([[0, 0, 0], [0, 2, 0]])
    scene = MeshQuery(make.box([-3, -5, -5], [-2, 5, 5]))
    world = WorldState(flock, np.array([0, 1]), ("sheep", "wolf", "dog")[:2], scene, scene)
    readings = Sensors((sensor,)).readings(world, np.array([0]))
    np.testing.assert_allclose(readings["s"], [expected], atol=1e-9)


@pytest.mark.parametrize(
    ("make_it", "said"),
    [
        (lambda: Zone(0.0), "`radius` must be positive"),
        (lambda: FieldOfView(angle=361.0), "at most 360"),
        (lambda: ViewCone(memory=-1.0), "`memory`"),
        (lambda: Sensor("s", direction=(0, 0, 0)), "`direction`"),
        (lambda: Sensors(()), "at least one"),
        (lambda: Sensors((Sensor("s"), Sensor("s"))), "one name"),
    ],
)
def test_impossible_options_are_refused(make_it, said):
    with pytest.raises(InputError, match=said):
        make_it()
