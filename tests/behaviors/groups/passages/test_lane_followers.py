"""Vehicles in formation: where they are guided to."""

from types import SimpleNamespace

import numpy as np

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.lane_followers import LaneFollowers
from tests.behaviors.groups.driving.test_lanes import motorbike, one

__all__ = ["motorbike"]


def beyond_40():
    return SimpleNamespace(
        taken=np.array([0]),
        course=None,
        inside=lambda at: at[:, 0] > 40,
        near=lambda reach: np.maximum(reach, 0.1),
    )


def test_one_with_a_place_that_it_does_not_come_straight_to_keeps_to_its_lane(ways, motorbike):
    room = ways.room(60.0, lambda s: 5.0 + 0 * s)
    flock = one(motorbike, [20.0, 0.0, 0.0], 3.0)
    frame = FormationFrame.from_positions(
        ways.straight(60.0), room, 1.0, 4.0, 8.0, 5.0, True, flock.position
    )
    followers = LaneFollowers(SimpleNamespace(frame=frame), beyond_40())
    for heads, goes_to in ((False, [43.0, 0.0, 0.0]), (True, [50.0, 3.0, 0.0])):
        in_goal = np.array([heads])
        goal = np.array([[50.0, 3.0, 0.0]])
        subgoal, _velocity = followers.lead(flock, flock.position, flock.velocity, goal, in_goal)
        intent = Intent.towards(flock, subgoal)
        guides = followers.completed(intent, flock, np.zeros((1, 2)), in_goal).guides
        points = guides.points(0)
        np.testing.assert_allclose(points[-1], goes_to)
        # The way to a place leads along the lane, up to the goal.
        np.testing.assert_allclose(points[:20], np.arange(21, 41)[:, None] * [1.0, 0, 0])
        assert len(points) == (21 if heads else 23)


def test_one_that_is_parked_before_its_stall_stands_and_one_at_it_drives_in(ways, motorbike):
    room = ways.room(60.0, lambda s: 5.0 + 0 * s)
    stall = np.array([[50.0, 3.0, 0.0]])
    cases = {38.0: (False, True), 45.0: (True, False), 49.9: (True, True)}
    for x, (is_parked, drives) in cases.items():
        flock = one(motorbike, [x, 3.0, 0.0], 1.0)
        frame = FormationFrame.from_positions(
            ways.straight(60.0), room, 1.0, 4.0, 8.0, 5.0, True, flock.position
        )
        followers = LaneFollowers(SimpleNamespace(frame=frame), beyond_40())
        intent = Intent.towards(flock, stall, np.array([True]))
        intent = followers.completed(intent, flock, np.zeros((1, 2)), np.array([True]))
        assert intent.parked.tolist() == [is_parked]
        assert (intent.guides.pace > 0.0).tolist() == [drives]
