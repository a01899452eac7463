"""What is known of members in and outside their goals, group by group."""

from types import SimpleNamespace

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.verification.places import ArrivalCheck

FRAMES = 9


@pytest.mark.parametrize(("first", "second"), [(7, 3), (3, 7)])
def test_the_last_one_outside_counts_whichever_group_it_is_of(first, second):
    scenario = rp.Scenario.load("crossing")
    check = ArrivalCheck(scenario.table, scenario.scene, [0.3, 0.3])
    middle = [region.center for region in check.regions]
    position = np.tile(middle, (FRAMES, 1, 1))  # one member of each group, in its goal
    position[: first + 1, 0, 0] += 100.0
    position[: second + 1, 1, 0] += 100.0
    there = np.ones((FRAMES, 2), np.bool_)
    block = SimpleNamespace(first=20, motions=FRAMES - 1, position=position, there=there)
    check.note(block, np.array([0, 1]))
    assert check.last_near == 20 + max(first, second)
    np.testing.assert_array_equal(check.last_outside, [20 + first, 20 + second])
