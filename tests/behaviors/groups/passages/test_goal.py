"""The goal of a group in formation: from where on its members have places in it."""

from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.behaviors.groups.passages.goal import GroupGoal
from rmp3d.scenes import Region


@pytest.mark.parametrize(("radius", "opens"), [(0.0, 50.0), (3.5, 46.5)])
def test_members_get_their_places_where_they_begin_to_turn_to_them(ways, radius, opens):
    parameters = SimpleNamespace(turn_radius=radius)
    task = SimpleNamespace(
        path=ways.straight(60.0), goal=Region.box("goal", [50, -5, -1], [60, 5, 2]),
        character=SimpleNamespace(parameters=parameters),
    )  # fmt: skip
    plan = SimpleNamespace(options=[SimpleNamespace(slots=np.array([[20.0, 0, 0]]))], choice=[0])
    given: list[int] = []
    area = SimpleNamespace(
        taken=np.array([-1]), stalls=None, angle=None, inside=task.goal.contains,
        admit=lambda members, *_: given.extend(members.tolist()),
    )  # fmt: skip
    goal = GroupGoal(task, area, plan, 1.0)
    for station, admitted in ((opens - 0.3, []), (opens + 0.3, [0])):
        frame = SimpleNamespace(
            station=np.array([station]), levels=None, in_reach=lambda at: np.ones(len(at), bool)
        )
        position = np.array([[station, 0.0, 0.0]])
        there = goal.enter(SimpleNamespace(frame=frame), None, station, position, np.zeros(1, bool))
        assert given == admitted
        assert there.tolist() == [bool(station > 50.0)]


@pytest.mark.parametrize(("angle", "keeps"), [(None, True), (0.5, False)])
def test_vehicles_that_stand_in_stalls_leave_a_formation_that_fits_in_the_goal(ways, angle, keeps):
    task = SimpleNamespace(
        path=ways.straight(60.0), goal=Region.box("goal", [50, -5, -1], [61, 5, 2]),
        character=SimpleNamespace(parameters=SimpleNamespace(turn_radius=3.5)),
    )  # fmt: skip
    slots = np.array([[0.0, 2.0, 0.0], [4.0, -2.0, 0.0]])
    plan = SimpleNamespace(options=[SimpleNamespace(slots=slots)], choice=[0])
    given: list[int] = []
    area = SimpleNamespace(
        taken=np.array([-1, -1]), stalls=SimpleNamespace(), angle=angle, inside=task.goal.contains,
        admit_abreast=lambda members, *_: given.extend(members.tolist()),
    )  # fmt: skip
    goal = GroupGoal(task, area, plan, 1.0)
    station = np.array([47.0, 43.0])  # the first is a turn radius before the goal
    frame = SimpleNamespace(
        station=station, levels=None, in_reach=lambda at: np.ones(len(at), bool)
    )
    members, late = SimpleNamespace(frame=frame), np.zeros(2, bool)
    followers = SimpleNamespace(have_reached=lambda _, at: np.ones(len(at), bool))
    goal.enter(members, followers, 47.0, station[:, None] * [1.0, 0.0, 0.0], late)
    assert given == ([] if keeps else [0])
