"""`heading` of a group: where its members look at the start."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.scenario.loading import load


def looking(scenario):
    """Return the headings (N,) at the start [degrees]."""
    heading = rp.Simulation.of(scenario).flock.heading
    return np.degrees(np.arctan2(heading[:, 1], heading[:, 0]))


def of(**group):
    """Return a scenario of one group on the plain."""
    scene = rp.Scene.load("plain")
    behavior = {"name": "steering", "behaviors": ["wander"]}
    given = {"behavior": behavior, "members": 2, "start": (0, 0, 0)} | group
    return rp.Scenario(scene=scene, groups=[rp.Group(**given)])


def test_members_look_where_the_group_says():
    np.testing.assert_allclose(looking(of(heading=-90)), -90.0, atol=1e-6)


def test_without_it_they_look_as_their_behavior_says():
    behavior = {"name": "steering", "behaviors": ["wander"], "heading": (0.0, 1.0, 0.0)}
    np.testing.assert_allclose(looking(of(behavior=behavior)), 90.0, atol=1e-6)
    np.testing.assert_allclose(looking(of(behavior=behavior, heading=10)), 10.0, atol=1e-6)


def test_it_is_kept_in_a_file(tmp_path):
    path = of(heading=37.5).save(tmp_path / "looking.toml")
    again = rp.Scenario.load(path)
    assert again.groups[0].heading == 37.5
    np.testing.assert_allclose(looking(again), 37.5, atol=1e-6)


def test_a_behavior_with_a_goal_begins_with_it():
    scenario = load("parking", ["groups.0.heading=180", "planner.nodes=60"])
    np.testing.assert_allclose(np.abs(looking(scenario)), 180.0, atol=1e-6)


def test_vehicles_begin_along_their_way():
    with pytest.raises(InputError, match=r"`groups\[0\].heading`: `car` cannot turn on the spot"):
        looking(of(character="car", heading=0.0, members=1))


def test_a_number_out_of_range_is_refused():
    with pytest.raises(InputError, match=r"heading`?.*-?360"):
        of(heading=720.0)
