"""How near moving parts come to members, and where members are to make room for them."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.moving_parts.deck import KEEPS
from rmp3d.behaviors.moving_parts.parts import MovingParts
from rmp3d.behaviors.safety.covered import Covered
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box
from tests.behaviors.conftest import flock

DT = 1.0 / 30.0
RADIUS = 0.3


def parts_of(**ways):
    """Return moving parts: boxes by corners, and how far (3,) each goes in 4 s."""
    shapes = {"floor": box((-5, -5, -1), (5, 5, 0))}
    motions = []
    for name, (low, high, way) in ways.items():
        shapes[name] = box(low, high)
        motions.append(MotionDescription(name, [KeyFrame(0.0), KeyFrame(4.0, way)], "stay"))
    scene = rp.Scene.from_mesh(shapes, roles={"floor": "ground"}).with_motions(motions)
    return MovingParts(scene, Environment.of(scene), DT)


def run(parts, place, steps=150):
    """Let parts move before a member that stands; return it, and what it covers."""
    stands = flock([place], grounded=True, radius=RADIUS)
    for _ in range(steps):
        parts.look(stands, Covered.at_rest(stands))
        parts.advance()
    return stands


def places(parts):
    """Return the corners (12, 3) of each part's triangles where it is now."""
    rows = zip(parts.parts, parts.clock, strict=True)
    return [part.at(np.array([clock]))[0].reshape(-1, 3) for part, clock in rows]


# A cart comes along y from the south; the leaf of a door slides in from the north-east.
CART = ((-1.2, -3.0, 0.1), (-0.2, -1.6, 1.4), (0.0, 6.0, 0.0))
LEAF = ((0.2, 1.2, 0.02), (0.28, 2.0, 2.2), (0.0, -2.0, 0.0))


def test_between_two_parts_that_wait_for_one_there_is_room_for_it_to_come_out():
    parts = parts_of(cart=CART, leaf=LEAF)
    run(parts, [0.0, 0.0, 0.0])
    assert (parts.waited > 1.0).all()
    cart, leaf = places(parts)
    corner, end = [-0.2, cart[:, 1].max()], [0.2, leaf[:, 1].min()]
    assert np.hypot(*np.subtract(end, corner)) > 2.0 * RADIUS + KEEPS


def test_who_stands_between_two_parts_leaves_both():
    south = ((-0.5, -3.0, 0.1), (0.5, -1.6, 1.4), (0.0, 6.0, 0.0))
    east = ((1.6, -0.5, 0.1), (3.0, 0.5, 1.4), (-6.0, 0.0, 0.0))
    parts = parts_of(south=south, east=east)
    run(parts, [0.0, 0.0, 0.0])
    np.testing.assert_allclose(parts.away[0], [-np.sqrt(0.5), np.sqrt(0.5), 0.0], atol=1e-9)


@pytest.mark.parametrize(
    "cart",
    [
        ((0.35, -0.5, 0.1), (1.35, 0.5, 1.4), (3.0, 0.0, 0.0)),  # goes away
        ((-0.7, 0.35, 0.1), (0.7, 1.0, 1.4), (3.0, 0.0, 0.0)),  # slides past
    ],
)
def test_a_part_does_not_wait_for_one_to_whom_it_comes_no_nearer(cart):
    parts = parts_of(cart=cart)
    run(parts, [0.0, 0.0, 0.0])
    np.testing.assert_array_equal(parts.waited, 0.0)


def test_a_part_stops_before_one_who_stands_beside_its_way_and_near_it():
    near, far = RADIUS + 0.5 * KEEPS, RADIUS + 1.5 * KEEPS
    for y, waits in ((near, True), (far, False)):
        parts = parts_of(cart=((-3.0, y, 0.1), (-1.0, y + 0.2, 1.4), (5.0, 0.0, 0.0)))
        run(parts, [0.0, 0.0, 0.0])
        assert (parts.waited[0] > 1.0) == waits


def test_a_flyer_over_a_bridge_that_is_to_rise_is_not_shut_in_and_makes_room_upward():
    shapes = {"floor": box((-9, -5, -1), (-2, 5, 0)), "bridge": box((-2, -1, -0.2), (2, 1, 0))}
    up = [KeyFrame(0.0), KeyFrame(4.0, rotation=(0.0, -60.0, 0.0))]
    motion = MotionDescription("bridge", up, "stay", hinge=(-2.0, 0.0, 0.0))
    roles = {"floor": "ground", "bridge": "ground"}
    scene = rp.Scene.from_mesh(shapes, roles=roles).with_motions([motion])
    parts = MovingParts(scene, Environment.of(scene), DT)
    flyer = flock([[1.5, 0.0, RADIUS + 0.1]], radius=RADIUS)
    for _ in range(60):
        parts.look(flyer, Covered.at_rest(flyer))
        parts.advance()
    assert parts.waited[0] > 1.0
    assert parts.hindering[0]
    assert parts.away[0, 2] > 0.9
    beside = np.array([[1.9, 0.0, 1.0]])  # at the end of the bridge, over it
    assert parts.around.flying.closest_point(beside)[0] > 0.5
    assert parts.around.walking.closest_point(beside)[0] < 0.5
