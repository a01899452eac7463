"""Vehicles that are wedged back up, and drive on: ways are free, and change direction once."""

import numpy as np
import pytest

from rmp3d.behaviors import Flock
from rmp3d.behaviors.groups.driving.maneuvers import CLEAR, find_maneuver, find_retreat
from rmp3d.behaviors.groups.driving.reversing import AGAIN, PACE, WAITS, WEDGED_AFTER, Reversing
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.vehicles import attainable, hug
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import load_character

DT = 1.0 / 30.0
RADIUS = 0.9
# A wall across with a gap of 2 m from y = -1 to 1, as before a corridor.
GATE = [([4.0, 1.0, 0], [8.0, 10, 2]), ([4.0, -10, 0], [8.0, -1.0, 2])]
THROUGH = np.array([[x, 0.0, 0.0] for x in (3.5, 5.0, 7.0, 9.0)])
NOBODY = np.zeros((0, 3))


@pytest.fixture(scope="module")
def motorbike():
    return load_character("motorbike")


@pytest.fixture(scope="module")
def gate(ways):
    return ways.space(radius=RADIUS, walls=GATE)


def bikes(space, motorbike, poses):
    poses = np.array(poses, float)
    at = np.column_stack([poses[:, :2], np.zeros(len(poses))])
    found, face = space.surface.locate(at, 0.1, 0.1)
    angle = poses[:, 2]
    heading = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    return Flock.at_rest([motorbike] * len(poses), found, heading, face)


def drive(space, flock, ends, seconds, wants=None, remaining=None):
    """Return the states and gears while all want to go on, filtered by the safety constraint."""
    count = len(flock)
    wants = np.ones(count, bool) if wants is None else wants
    remaining = np.zeros(count) if remaining is None else remaining
    reversing = Reversing(lambda: space, count, DT)
    solid = MeshQuery(space.world.scene.walking_obstacles[0])
    safety = SafetyConstraint(solid, None, space.surface, space.bounds, DT)
    states, gears = [], []
    for _ in range(round(seconds / DT)):
        gear, velocity = reversing.step(flock, wants, lambda _: ends, remaining, flock)
        proposal = attainable(flock, velocity, DT, gear < 0)
        flock = hug(flock, safety.velocity(flock, proposal, velocity), space.surface, DT)
        states.append(flock)
        gears.append(gear)
        if gear[0] == 0 and len(gears) > 1 and gears[-2][0] != 0 and count == 1:
            break
    return states, np.array(gears), reversing


@pytest.mark.parametrize(
    "pose", [[2.95, -1.1, 0.0], [2.95, 2.0, 0.3], [2.95, -3.0, -0.7], [2.9, 0.5, 1.2]]
)
def test_one_wedged_beside_an_entrance_backs_up_and_drives_in(gate, motorbike, pose):
    states, gears, _ = drive(gate, bikes(gate, motorbike, [pose]), THROUGH, 40.0)
    active = gears[gears != 0]
    assert list(active[np.flatnonzero(np.diff(active, prepend=0))]) == [-1, 1], "back, then ahead"
    end = states[-1]
    goal = np.linalg.norm(THROUGH[:, :2] - end.position[0, :2], axis=1)
    assert goal.min() < 0.2
    assert end.heading[0, 0] > np.cos(np.radians(8.0))
    for before, now, gear in zip(states, states[1:], gears[1:, 0], strict=False):
        along = float(now.velocity[0] @ now.heading[0])
        assert abs(along) == pytest.approx(np.linalg.norm(now.velocity[0]), abs=1e-9)
        assert -0.8 - 1e-9 <= along <= PACE + 1e-9
        assert gear >= 0 or along <= 1e-9, "it faces against its motion"
        turn = np.arccos(np.clip(now.heading[0] @ before.heading[0], -1, 1))
        assert turn <= np.linalg.norm(before.velocity[0]) * DT / 2.5 + 1e-7
    clearance = gate.world.clearance(np.array([now.position[0] for now in states]), 1.0)
    assert clearance.min() > 0.0


def test_ways_are_clear_but_where_they_leave_what_they_touch(gate):
    for x, y, angle in ([3.05, -1.1, 0.0], [3.05, 2.0, 0.3], [0.0, -3.0, -0.7]):
        way = find_maneuver(gate, np.array([x, y, 0.0]), angle, THROUGH, 2.75, NOBODY)
        clearance = gate.world.clearance(way.point, 1.0)
        assert (clearance[3:] > 0.0).all()
        assert (clearance[np.linalg.norm(way.point - way.point[0], axis=1) > 4.0] >= CLEAR).all()
        step = np.diff(way.point[:, :2], axis=0)
        assert np.hypot(*step.T).max() <= 0.1 + 1e-6
        turn = np.diff(np.unwrap(way.course))
        same = (np.diff(way.gear) == 0) & (np.hypot(*step.T) > 0.09)
        assert np.abs(turn[same]).max() <= 0.1 / 2.75 + 1e-6


def test_others_that_stand_are_driven_around_or_no_way_is_found(gate):
    start = np.array([-5.0, 4.0, 0.0])
    direct = find_maneuver(gate, start, 0.0, THROUGH, 2.75, NOBODY)
    middle = direct.point[len(direct.point) // 2, :2]
    way = find_maneuver(gate, start, 0.0, THROUGH, 2.75, np.array([[*middle, 1.2]]))
    assert np.linalg.norm(way.point[:, :2] - middle, axis=1).min() >= 1.2
    assert len(way.point) > len(direct.point)
    assert find_maneuver(gate, start, 0.0, THROUGH, 2.75, np.array([[3.5, 0.0, 2.4]])) is None


def test_who_finds_no_way_makes_room_straight_back_as_far_as_it_is_free(gate):
    closed = np.array([[3.5, 0.0, 2.4]])
    way = find_retreat(gate, np.array([0.0, 0.0, 0.0]), 0.0, 2.75, closed)
    np.testing.assert_allclose(way.point[-1], [-3.0, 0.0, 0.0], atol=1e-6)
    assert (way.gear == -1).all()
    near = np.vstack([closed, [-3.5, 0.0, 1.9]])
    short = find_retreat(gate, np.array([0.0, 0.0, 0.0]), 0.0, 2.75, near)
    assert -1.7 < short.point[-1, 0] < -0.4
    around = np.array([[2.0 * np.cos(a), 2.0 * np.sin(a), 1.95] for a in np.arange(0, 6.2, 0.5)])
    assert find_retreat(gate, np.zeros(3), 0.0, 2.75, around) is None


def test_who_does_not_want_to_move_or_cannot_reverse_or_pivots_does_not_maneuver(gate, motorbike):
    flock = bikes(gate, motorbike, [[3.05, -1.1, 0.0]])
    for each, wants in (
        (flock, np.zeros(1, bool)),
        (flock.with_bodies(max_reverse_speed=0.0), None),
        (flock.with_bodies(pivots=True), None),
    ):
        _, gears, reversing = drive(gate, each, THROUGH, 3.0, wants)
        assert not gears.any()
        assert reversing.began == 0


def test_one_with_somebody_before_it_waits_longer(gate, motorbike):
    flock = bikes(gate, motorbike, [[-4.0, 0.0, 0.0], [-2.0, 0.0, 0.0]])
    wants = np.array([True, False])
    _, gears, _ = drive(gate, flock, THROUGH, 4.0, wants)
    assert np.flatnonzero(gears[:, 0])[0] * DT == pytest.approx(WAITS, abs=2 * DT)
    _, gears, _ = drive(gate, flock.select(np.array([0])), THROUGH, 2.0)
    assert np.flatnonzero(gears[:, 0])[0] * DT == pytest.approx(WEDGED_AFTER, abs=2 * DT)


def test_of_those_who_make_room_the_one_behind_holds_longer(gate, motorbike):
    """A body in the entrance keeps both from finding a way; each goes back, and then stands."""
    flock = bikes(gate, motorbike, [[3.3, 0.0, 0.0], [0.0, 2.5, 0.0], [0.0, -2.5, 0.0]])
    wants = np.array([False, True, True])
    ends = THROUGH[1:]
    states, gears, _ = drive(gate, flock, ends, 10.0, wants, np.array([0.0, 3.0, 9.0]))
    for row, hold in ((1, AGAIN), (2, 2.0 * AGAIN)):
        first, last = np.flatnonzero(np.diff(gears[:, row] == 1, prepend=0, append=0))[:2]
        assert states[first].position[row, 0] == pytest.approx(-3.0, abs=0.2)
        assert (last - first) * DT == pytest.approx(hold, abs=2 * DT)


def test_the_same_again_is_the_same_to_the_bit(gate, motorbike):
    runs = [drive(gate, bikes(gate, motorbike, [[3.05, 2.0, 0.3]]), THROUGH, 12.0)[0] for _ in "ab"]
    for one, other in zip(*runs, strict=True):
        assert one.position.tobytes() == other.position.tobytes()
        assert one.heading.tobytes() == other.heading.tobytes()


def test_one_that_is_held_up_on_its_way_gives_it_up(gate, motorbike):
    flock = bikes(gate, motorbike, [[3.05, -1.1, 0.0]])
    reversing = Reversing(lambda: gate, 1, DT)
    for _ in range(round(8.0 / DT)):  # it never gets anywhere: something holds it
        gear, velocity = reversing.step(
            flock, np.ones(1, bool), lambda _: THROUGH, np.ones(1), flock
        )
        assert gear[0] == 0 or np.linalg.norm(velocity[0]) > 0.0
    assert reversing.began >= 2
