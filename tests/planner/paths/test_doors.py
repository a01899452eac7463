"""Doors on a way: poses in their middle, straight before and behind them."""

import numpy as np
import pytest

from rmp3d.models import load_character
from rmp3d.planner.paths.doors import DOOR, doors_along
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.ground_heading import heading_angle

SPARE = 0.06
# Ways through the origin, which are aslant and lead beside the middle.
WAYS = [
    [[-6.0, 1.0], [-1.0, 0.2], [1.0, -0.2], [6.0, 0.0]],
    [[-6.0, -5.0], [0.0, 0.02], [6.0, 4.0]],
]


@pytest.fixture(scope="module")
def bike():
    return load_character("motorbike").body


def space_of(make, body, width):
    half = 0.5 * width
    scene = make.scene(
        make.floor((-8, -8), (8, 8)),
        make.box("left wall", (-0.15, half, 0), (0.15, 8, 3)),
        make.box("right wall", (-0.15, -8, 0), (0.15, -half, 3)),
        bounds=((-8, -8, -1), (8, 8, 4)),
    )
    return make_space("ground_heading", scene, body, turn_radius=2.5, reverses=True)


@pytest.mark.parametrize("way", WAYS)
def test_poses_at_a_door_are_straight_and_leave_the_same_room_to_both_sides(make, bike, way):
    space = space_of(make, bike, 2.0 * bike.half_width + SPARE)
    (door,) = doors_along(space, np.column_stack([way, np.zeros(len(way))]))
    assert door.room == pytest.approx(0.5 * SPARE, abs=3e-3)
    assert (np.abs(door.poses[:, 0]) > space.reach - 0.15).all()
    np.testing.assert_allclose(heading_angle(door.poses), 0.0, atol=2e-3)
    assert (np.diff(door.poses[:, 0]) > 0.0).all()
    (straight,) = space.connect(door.before[:1], door.behind[-1:])
    assert straight is not None
    assert space.world.clearance(straight, DOOR).min() == pytest.approx(door.room, abs=3e-3)


@pytest.mark.parametrize("spare", [-0.02, 2.0 * DOOR + 0.05])
def test_what_is_too_narrow_or_leaves_room_enough_is_no_door(make, bike, spare):
    space = space_of(make, bike, 2.0 * bike.half_width + spare)
    assert doors_along(space, np.array([[-6.0, 0, 0], [6.0, 0, 0]])) == []


def test_there_is_no_door_on_a_way_that_leads_nowhere(make, bike):
    space = space_of(make, bike, 1.0)
    assert doors_along(space, np.zeros((1, 3))) == []
    assert doors_along(space, np.zeros((2, 3))) == []
