"""Who waits at a lift, who has just stepped off it, and who steps on."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.moving_parts import MovingParts
from rmp3d.behaviors.moving_parts.deck import KEEPS
from rmp3d.behaviors.moving_parts.lifts import AWAY, CLEARING, LANDING, Lifts, Ride
from rmp3d.behaviors.moving_parts.ways_off import WayOff
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box
from tests.behaviors.conftest import DT, flock

UP = (0.0, 0.0, 3.0)
EDGE = 5.0  # of the lower floor [m]; the lift is behind it
TO_LIFT, FROM_LIFT = np.array([1.0, 0.0, 0.0]), np.array([-1.0, 0.0, 0.0])
DOWN = [EDGE + 1.0, 2.0, 0.0]


@pytest.fixture
def lifts():
    """A lift at the lower floor: group 0 wants up, group 1 comes down and goes on to the west."""
    parts = {
        "lower": box((0, 0, -0.3), (EDGE, 4, 0)),
        "upper": box((EDGE + 2, 0, 2.7), (EDGE + 7, 4, 3)),
        "lift": box((EDGE, 1, -0.2), (EDGE + 2, 3, 0)),
    }
    scene = rp.Scene.from_mesh(parts, roles=dict.fromkeys(parts, "ground"))
    keys = [KeyFrame(0), KeyFrame(60), KeyFrame(62, UP), KeyFrame(90, UP), KeyFrame(92)]
    scene = scene.with_motions([MotionDescription("lift", keys, "cycle", carries=True)])
    moving = MovingParts(scene, Environment.of(scene), DT)
    places = np.array([[x, y, 0.0] for x in (EDGE + 1.5, EDGE + 0.5) for y in (1.5, 2.5)])
    way = WayOff(np.array([[EDGE + 1, 2.0, 0], [0.0, 2, 0]]), 0.3)
    rides = [Ride(0, 0, 0, 1, places), Ride(1, 0, 1, 0, places, way)]
    return Lifts(rides, moving)


def wish(lifts, positions, desires, groups):
    """Look and answer once; returns what members want [m/s]."""
    agents = flock(positions, grounded=True)
    number = np.arange(len(positions))
    lifts._parts.riding = np.full(len(positions), -1)
    lifts.look(agents, np.array(groups), number)
    return lifts.resolve(agents, np.array(desires))


def test_nobody_steps_on_until_who_stepped_off_has_left_the_place_before_the_lift(lifts):
    near, away = [EDGE - 0.5, 2.0, 0.0], [EDGE - LANDING - 0.1, 2.0, 0.0]
    before = [EDGE - AWAY - 0.45, 3.3, 0.0]  # stands where members wait
    both, groups = [TO_LIFT, FROM_LIFT], [0, 1]
    for place in (DOWN, near):
        assert wish(lifts, [before, place], both, groups)[0, 0] < 0.2, place
    np.testing.assert_array_equal(wish(lifts, [before, away], both, groups)[0], TO_LIFT)


def test_for_one_that_stays_there_nobody_waits_for_ever(lifts):
    near, before = [EDGE - 0.5, 2.0, 0.0], [EDGE - AWAY - 0.45, 3.3, 0.0]
    wish(lifts, [before, DOWN], [TO_LIFT, FROM_LIFT], [0, 1])
    steps = int(CLEARING / DT) + 3
    found = [wish(lifts, [before, near], [TO_LIFT, 0 * TO_LIFT], [0, 1])[0] for _ in range(steps)]
    assert found[-5][0] < 0.2
    np.testing.assert_array_equal(found[-1], TO_LIFT)


def test_while_riders_are_to_come_those_who_wait_go_off_their_way(lifts):
    above = [EDGE + 3.0, 2.0, 3.0]
    on_way = [2.0, 2.2, 0.0]
    lifts._parts.clock[:] = 75.0  # it stands above
    found = wish(lifts, [on_way, above], [0 * TO_LIFT, 0 * TO_LIFT], [0, 1])[0]
    assert found[1] > 0.1
    found = wish(lifts, [on_way], [0 * TO_LIFT], [0])[0]
    np.testing.assert_array_equal(found, 0.0)


def test_who_steps_on_first_goes_to_the_place_farthest_from_the_door(lifts):
    waiting = [[EDGE - 2.0, 1.6, 0.0], [EDGE - 2.1, 2.4, 0.0]]
    wish(lifts, waiting, [TO_LIFT, TO_LIFT], [0, 0])
    assert [lifts._passengers[0, k].place for k in range(2)] == [0, 1]
    waiting[1] = [EDGE + 0.4, 2.4, 0.0]  # the second one comes first
    wish(lifts, waiting, [TO_LIFT, TO_LIFT], [0, 0])
    assert [lifts._passengers[0, k].place for k in range(2)] == [1, 0]


@pytest.mark.parametrize("radius", [0.2, 0.28, 0.4])
def test_places_are_farther_from_the_border_than_a_door_beside_it_needs(lifts, radius):
    deck = lifts._parts.decks[0]  # 2 m by 2 m
    places = deck.places(radius, np.array([EDGE, 2.0, 0.0]))[:, :2]
    border = np.minimum(places - deck.box[0, :2], deck.box[1, :2] - places).min(axis=1)
    assert len(places) == {0.2: 9, 0.28: 4, 0.4: 4}[radius]
    assert border.min() > radius + KEEPS
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert apart[~np.eye(len(places), dtype=bool)].min() > 2.0 * radius


def test_a_lift_with_hardly_any_room_has_one_place(lifts):
    deck = lifts._parts.decks[0]
    places = deck.places(0.92, np.array([EDGE, 2.0, 0.0]))
    np.testing.assert_allclose(places, [[EDGE + 1.0, 2.0, 0.0]], atol=1e-6)
    assert len(deck.places(0.95, np.array([EDGE, 2.0, 0.0]))) == 0
