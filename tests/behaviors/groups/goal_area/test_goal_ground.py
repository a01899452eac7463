"""Who has arrived in a region that spans a floor and a deck over it."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.goal_area.goal_ground import GoalGround
from rmp3d.geometry import join
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.planner.spaces import GroundSpace
from rmp3d.scenes import Region

SPAN = Region.box("goal", [4, -3, -1], [12, 3, 5])
ON_FLOOR, ON_DECK = [[8.0, 1.0, 0.0], [5.0, -2.0, 0.0]], [[8.0, 1.0, 2.5], [11.0, -1.0, 2.5]]


@pytest.fixture
def space(make):
    """A floor with a deck over a part of it, and a ramp outside the goal that joins both."""
    line = np.linspace(-20.0, 20.0, 3)
    floor = make.grid(line, line, lambda x, y: 0.0 * x)
    deck = make.grid(np.array([0.0, 14.0]), np.array([-4.0, 4.0]), lambda x, y: 2.5 + 0.0 * x)
    ramp = make.grid(np.array([-5.0, 0.0]), np.array([-1.0, 1.0]), lambda x, y: 0.5 * (x + 5.0))
    own = object.__new__(GroundSpace)
    own.surface = WalkableSurface(join([floor, deck, ramp]))
    return own


def test_only_who_is_on_the_ground_that_the_path_leads_to_has_arrived(space):
    up = GoalGround(space, SPAN, np.array([8.0, 0.0, 2.5]))
    down = GoalGround(space, SPAN, np.array([8.0, 0.0, 0.0]))
    places = np.array([*ON_FLOOR, *ON_DECK, [-10.0, 0.0, 0.0], [2.0, 0.0, 2.5]])
    np.testing.assert_array_equal(up.contains(places), [False, False, True, True, False, False])
    np.testing.assert_array_equal(down.contains(places), [True, True, False, False, False, False])


def test_a_floor_that_is_joined_with_the_deck_inside_the_goal_counts(space):
    whole = Region.box("goal", [-12, -3, -1], [12, 3, 5])
    goal = GoalGround(space, whole, np.array([8.0, 0.0, 2.5]))
    assert goal.contains(np.array([*ON_FLOOR, *ON_DECK, [-2.0, 0.0, 1.5]])).all()


def test_without_ground_the_region_alone_counts():
    goal = GoalGround(None, SPAN, np.zeros(3))
    np.testing.assert_array_equal(
        goal.contains(np.array([*ON_FLOOR, [0.0, 0.0, 9.0]])), [True, True, False]
    )
