"""Weighted zones, stimuli, and what sensors read of a place ahead."""

import numpy as np
import pytest

from rmp3d.behaviors.perception import Sensor, Sensors, Stimulus, WeightedZones
from rmp3d.behaviors.perception.weighted_zones import SensitiveZone
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface


def world_of(make, position, groups=None, time=0.0, **scene):
    agents = make.flock(position, grounded=True)
    group_of = np.zeros(len(agents), int) if groups is None else np.array(groups)
    return WorldState(agents, group_of, ("own", "enemy"), time=time, **scene)


def test_weighted_zones_add_up(make):
    rng = np.random.default_rng(0)
    world = world_of(make, rng.uniform(-8, 8, (40, 3)) * [1, 1, 0])
    zones = (SensitiveZone(9.0, 90.0, 1.0), SensitiveZone(4.0, 360.0, 0.5))
    sight = WeightedZones(zones, threshold=0.2)
    i, j = sight.perceived(world, np.arange(40))
    found = set(zip(i.tolist(), j.tolist(), strict=True))
    expected = set()
    for a in range(40):
        for b in range(40):
            offset = world.flock.position[b] - world.flock.position[a]
            apart = np.linalg.norm(offset)
            ahead = a != b and offset @ world.flock.heading[a] >= apart * np.cos(np.radians(45))
            felt = max(0.0, 1 - apart / 9.0) * ahead + 0.5 * max(0.0, 1 - apart / 4.0)
            if a != b and felt >= 0.2:
                expected.add((a, b))
    assert found == expected
    assert any((b, a) not in found for a, b in found), "the one behind is not perceived"
    with pytest.raises(InputError, match="`zones` must have at least one"):
        WeightedZones(())
    with pytest.raises(InputError, match="`weight` must be positive"):
        SensitiveZone(weight=0.0)


def reading(make, time, stimulus, position=((0.0, 0, 0),), groups=None, **sensor):
    senses = Sensors(
        (Sensor("ear", **{"range": 2.0, "reading": "quality", **sensor}),), stimuli=(stimulus,)
    )
    world = world_of(make, position, groups, time)
    return senses.readings(world, np.array([0]))["ear"][0]


def test_a_stimulus_is_sensed_while_it_lasts_and_where_the_two_ranges_meet(make):
    bell = Stimulus(
        name="bell", place=(6.0, 0, 0.85), range=4.5, start=5.0, duration=2.0, every=10.0
    )
    heard = [reading(make, time, bell, detects=("bell",)) for time in (4.9, 5, 6.9, 7, 15, 17.1)]
    assert heard == [0, 1, 1, 0, 1, 0]
    assert reading(make, 5.0, bell, detects=("bell",), range=1.4) == 0.0
    assert reading(make, 5.0, bell, detects=("enemy",)) == 0.0
    assert reading(make, 5.0, bell, detects=("bell",), angle=90.0) == 1.0
    assert reading(make, 5.0, bell, detects=("bell",), angle=90.0, direction=(-1.0, 0, 0)) == 0.0
    near = Stimulus(name="bell", place=(1.5, 0, 0.85))
    np.testing.assert_allclose(
        reading(make, 0.0, near, detects=("bell",), reading="proximity"), 0.25
    )


def test_a_group_gives_a_stimulus_off_and_nobody_hears_oneself(make):
    steps = Stimulus(name="steps", place="enemy", range=3.0)
    apart = ((0.0, 0, 0), (4.0, 0, 0), (9.0, 0, 0))
    assert reading(make, 0.0, steps, apart, (0, 1, 1), detects=("steps",)) == 1.0
    assert reading(make, 0.0, steps, apart, (1, 0, 0), detects=("steps",)) == 0.0
    with pytest.raises(InputError, match="no group named `enemi`"):
        reading(make, 0.0, Stimulus(name="s", place="enemi"), detects=("s",))
    with pytest.raises(InputError, match=r"`every` 1\.0 s must not be less"):
        Stimulus(name="s", place="enemy", duration=2.0, every=1.0)


def test_a_sensor_reads_the_slope_ahead(make):
    ramp = make.grid(np.linspace(-5, 5, 11), np.linspace(-2, 2, 3), lambda x, y: 0.3 * x + 0 * y)
    world = world_of(make, [[0.0, 0, 0], [4.5, 0, 1.35]], surface=WalkableSurface(ramp))
    for direction, expected in (((1.0, 0, 0), 0.3), ((-1.0, 0, 0), -0.3), ((0.0, 1, 0), 0.0)):
        senses = Sensors((Sensor("g", "slope", direction, range=1.0),))
        found = senses.readings(world, np.arange(2))["g"]
        np.testing.assert_allclose(found[0], expected, atol=1e-9)
    assert np.isinf(
        Sensors((Sensor("g", "slope", range=1.0),)).readings(world, np.arange(2))["g"][1]
    )


def test_a_sensor_reads_whether_enemies_see_the_place_ahead(make):
    wall = MeshQuery(make.box([4.0, -1, 0], [4.2, 1, 3]))
    world = world_of(make, [[0.0, 0, 0], [8.0, 0, 0]], (0, 1), solid=wall)
    seen = {}
    for reach in (1.0, 6.0):
        senses = Sensors((Sensor("e", "exposure", range=reach, detects=("enemy",)),))
        seen[reach] = senses.readings(world, np.array([0]))["e"][0]
    assert seen == {1.0: 0.0, 6.0: 1.0}
