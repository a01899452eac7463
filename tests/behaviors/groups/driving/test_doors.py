"""Routes lead straight through doors that a vehicle just fits through."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.doors import with_doors
from rmp3d.behaviors.groups.driving.ends import ends_along
from rmp3d.behaviors.groups.driving.route import Driven
from rmp3d.behaviors.groups.driving.routes import find_route
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.ground_heading import posed
from rmp3d.scenes import Scene
from tests.behaviors.groups.driving.conftest import part

# A guide that passes the door at 17 degrees, as the middle of the widest part may.
GUIDE = np.array([[-2.6, 0.02, 0.0], [-0.5, 0.15, 0.0], [0.5, -0.15, 0.0], [9.0, -2.0, 0.0]])


@pytest.fixture(scope="module")
def door(motorbike):
    half = motorbike.body.half_width + 0.03
    parts = [
        part("floor", "ground", [-10.0, -8.0, -0.1], [10.0, 8.0, 0.0]),
        part("left", "obstacle", [-0.15, half, 0.0], [0.15, 8.0, 2.0]),
        part("right", "obstacle", [-0.15, -8.0, 0.0], [0.15, -half, 2.0]),
    ]
    scene = Scene("door", tuple(parts), {}, np.array([[-10.0, -8.0, -1.0], [10.0, 8.0, 4.0]]))
    return make_space("ground_heading", scene, motorbike.body, turn_radius=2.5, reverses=True)


def furthest(vehicle, knows_doors):
    """Drive route after route, at most three; return where it comes to, with all routes proved."""
    for _ in range(3):
        rest = GUIDE[GUIDE[:, 0] > vehicle.point[0]]
        points = np.concatenate([vehicle.point[None], rest])
        ends = ends_along(points, 0.0, 2.5, stops=False)
        if knows_doors:
            ends = with_doors(vehicle.space, points, *ends)
        route = find_route(vehicle, *ends)
        if route is None:
            break
        poses = posed(route.point, route.angle)
        assert vehicle.space.world.motions_are_free(poses[:-1], poses[1:]).all()
        vehicle = replace(vehicle, point=route.point[-1], angle=float(route.angle[-1]))
    return vehicle.point[0]


def test_routes_lead_through_a_door_that_leaves_three_centimeters_to_each_side(door, bikes):
    flock = bikes.at([[-2.6, 0.02, 0.01]])
    vehicle = Driven(
        door, flock.position[0], 0.01, 2.5, True, flock.bodies.ends[0],
        float(flock.bodies.half_width[0]), np.zeros((0, 6)),
    )  # fmt: skip
    assert furthest(vehicle, knows_doors=False) < 0.0
    assert furthest(vehicle, knows_doors=True) > door.reach


def test_a_guide_without_doors_has_the_same_ends(gate):
    plain = ends_along(np.array([[-9.0, 0, 0], [9.0, 0, 0]]), 0.0, 2.5, stops=False)
    ends, price, close = with_doors(gate, np.array([[-9.0, 0, 0], [9.0, 0, 0]]), *plain)
    assert not close
    assert ends is plain[0]
    assert price is plain[1]
