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
        taken=np.array([-1]), stalls=None, inside=task.goal.contains,
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
