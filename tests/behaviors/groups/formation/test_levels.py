"""Levels: which places members can walk straight to, on stairs and under them."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.levels import Levels
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import load_character
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.paths.corridor import Corridor
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import GroundSpace
from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box

FLOOR = box((-5, -4, -0.2), (12, 4, 0.0))
RISE, RUN = 0.17, 0.3


def space_over(parts):
    scene = Scene.from_mesh(parts, bounds=[[-5, -4, -1], [12, 4, 5]])
    return GroundSpace(CollisionWorld(scene, load_character("pedestrian").body, max_step=0.2))


@pytest.fixture(scope="module")
def stair():
    """A stair of plates, 2 m wide, up along +x from x = 0, and the path over its middle."""
    steps = {
        f"step {k}": box(
            (k * RUN, -1, (k + 1) * RISE - 0.05), ((k + 1) * RUN + 0.02, 1, (k + 1) * RISE)
        )
        for k in range(20)
    }
    space = space_over({"floor": FLOOR, **steps})
    start, face = space.surface.locate(np.array([[-4.0, 0, 0]]))
    motion, _, arrived = space.surface.polyline(start[0], face[0], np.array([9.85, 0.0]))
    assert arrived
    return space, CertifiedPath(motion, np.ones(len(motion)), grounded=True)


def test_flat_ground_has_one_level_and_stairs_and_decks_have_more(stair):
    ends = np.array([[-4.0, 0, 0], [11.0, 0, 0]])
    path = CertifiedPath(ends, np.ones(2), grounded=True)
    assert Levels.along(space_over({"floor": FLOOR}), path) is None
    deck = box((3, -2, 2.5), (6, 2, 2.6))
    assert Levels.along(space_over({"floor": FLOOR, "deck": deck}), path) is not None
    assert Levels.along(*stair) is not None


def test_a_member_beside_the_stair_reaches_the_floor_but_no_high_step(stair):
    levels = Levels.along(*stair)
    path = stair[1]
    station = np.array([2.0, 4.0 + 2.5 * RUN, 7.0])
    places = path.at(station)
    beside, upon = np.tile([3.0, 3.0, 0.0], (3, 1)), np.tile(path.at(np.array([6.0])), (3, 1))
    assert levels.reach(beside, places, station).tolist() == [True, False, False]
    assert levels.reach(upon, places, station).tolist() == [True, True, True]


def test_a_place_waits_for_its_member_on_another_level_and_comes_back_to_it(stair):
    space, path = stair
    levels = Levels.along(space, path)
    station = np.linspace(0.0, path.length, 60)
    room = np.full(60, 0.6)
    beside, upon = [3.0, 2.0, 0.0], path.at(np.array([7.0]))[0]
    corridor = Corridor(station, room, room, 0.28)
    at_start = np.tile(path.at(np.zeros(1)), (2, 1))
    frame = FormationFrame.from_positions(
        path, corridor, 1.0, 1.3, 1.8, 1.2, False, at_start, levels
    )
    frame.station = np.array([7.0, 7.0])
    slots = np.full(2, 9.0), np.zeros((2, 2))
    subgoal, velocity = frame.advance(*slots, np.array([beside, upon]), 1 / 30)
    assert subgoal[0, 2] < 0.25
    assert levels.joins(np.array([beside]), subgoal[:1] * [1, 1, 0])[0]
    assert not velocity[0].any()
    assert frame.station[1] > 7.0


@pytest.fixture(scope="module")
def corner():
    """A tread at z = 0.17, a landing over x = 0, and on its left the first step of a flight up.

    The path goes down from the landing, 0.6 m beside that step.
    """
    parts = {
        "floor": FLOOR,
        "tread": box((-2, -1, 0.09), (0.02, 1, RISE)),
        "landing": box((0, -1, 0.26), (2, 1, 2 * RISE)),
        "flight up": box((0, 1, 0.43), (2, 1.3, 3 * RISE)),
    }
    space = space_over(parts)
    start, face = space.surface.locate(np.array([[1.5, 0.4, 2 * RISE]]))
    motion, _, arrived = space.surface.polyline(start[0], face[0], np.array([-3.0, 0.0]))
    assert arrived
    return space, CertifiedPath(motion, np.ones(len(motion)), grounded=True)


def test_a_body_does_not_cut_the_inner_corner_of_a_landing(corner):
    """A point walks down there; the knees of a body on the tread would be in the flight up."""
    levels = Levels.along(*corner)
    member, place = np.array([[1e-6, 0.99, 2 * RISE]]), np.array([[-1.0, 0.4, RISE]])
    assert levels.joins(member, place)[0]
    assert not levels.are_free(member, place)[0]
    assert levels.are_free(member - [0, 0.59, 0], place)[0]


@pytest.fixture(scope="module")
def well():
    """A slab, and a flight down beside it, 0.1 m from its edge; only its top abuts the slab."""
    steps = {
        f"step {k}": box((-(k + 1) * RUN - 0.02, -1, -k * RISE - 0.1), (-k * RUN, 0.9, -k * RISE))
        for k in range(1, 8)
    }
    parts = {
        "slab": box((-5, 1, -0.2), (12, 4, 0.0)),
        "landing": box((0, -1, -0.2), (2, 1, 0.0)),
        "top": box((-RUN, -1, -0.2), (0, 0.9, 0.0)),
    }
    return space_over(parts | steps)


def test_a_member_does_not_come_over_a_gap_to_the_flight_beside_it(well):
    """The first step down is 0.25 m from the member; the way there is round the well's corner."""
    levels = Levels(well, CertifiedPath(np.zeros((1, 3)), np.ones(1), grounded=True), 0.25)
    step = np.array([[-1.5 * RUN, 0.8, -RISE]])
    assert not levels.joins(np.array([[-1.5 * RUN, 1.05, 0.0]]), step)[0]
    assert levels.joins(np.array([[-0.5 * RUN, 0.8, 0.0]]), step)[0]
    assert levels.joins(np.array([[0.5, 0.5, 0.0]]), step)[0]


def test_a_member_slides_along_a_round_well(round_well):
    """The straight line crosses the well; who slides along its border comes to the place."""
    levels, angle = round_well, np.array([0.0, 0.7])
    start, end = 0.41 * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)[:, None]
    assert levels.joins(start, end)[0]


@pytest.fixture(scope="module")
def round_well():
    """A level floor round a well of 0.4 m."""
    around = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]
    inner, outer = (
        np.stack([r * np.cos(around), r * np.sin(around), 0.0 * around], axis=1) for r in (0.4, 2.0)
    )
    k, onward = np.arange(24), (np.arange(24) + 1) % 24
    faces = np.concatenate(
        [np.stack([k, 24 + k, 24 + onward], 1), np.stack([k, 24 + onward, onward], 1)]
    )
    floor = TriangleMesh(np.concatenate([inner, outer]), faces)
    return Levels(
        space_over({"floor": floor}), CertifiedPath(np.zeros((1, 3)), np.ones(1), grounded=True),
        0.25,
    )  # fmt: skip


def test_a_place_comes_back_round_the_inner_corner_of_a_landing(corner):
    space, path = corner
    levels = Levels.along(space, path)
    station, room = np.linspace(0.0, path.length, 60), np.full(60, 0.5)
    corridor = Corridor(station, room, room, 0.28)
    member = np.array([[1e-6, 0.99, 2 * RISE]])
    frame = FormationFrame.from_positions(
        path, corridor, 1.0, 1.3, 1.8, 1.2, False, path.at(np.zeros(1)), levels
    )
    frame.station = np.array([2.5])
    subgoal, velocity = frame.advance(np.full(1, 2.8), np.zeros((1, 2)), member, 1 / 30)
    assert subgoal[0, 0] > -0.2
    assert levels.are_free(member, subgoal)[0]
    assert not velocity.any()


def test_the_place_of_a_vehicle_does_not_wait_for_a_straight_way(corner):
    """It maneuvers round the corner; on another level its place waits all the same."""
    space, path = corner
    levels = Levels.along(space, path)
    station, room = np.linspace(0.0, path.length, 60), np.full(60, 0.5)
    corridor = Corridor(station, room, room, 0.28)
    members = np.array([[1e-6, 0.99, 2 * RISE], [-4.0, 3.0, 0.0]])
    frame = FormationFrame.from_positions(
        path, corridor, 1.0, 1.3, 1.8, 1.2, True, path.at(np.zeros(2)), levels
    )
    frame.station = np.array([2.3, 2.3])
    frame.advance(np.full(2, 2.8), np.zeros((2, 2)), members, 1 / 30)
    assert frame.station[0] > 2.3
    assert frame.station[1] <= 2.3
