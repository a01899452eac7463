"""Behaviors that steer the orientation, beside whatever steers the motion."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.behaviors.steering import (
    Align,
    AntiAlign,
    Docking,
    Face,
    LookWhereYouAreGoing,
    Seek,
)
from rmp3d.behaviors.steering_behavior import KnownAgent, SteeringOutput, steer
from rmp3d.behaviors.vehicles import fly
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import frame


def frames(rotations):
    matrix = rotations.as_matrix()
    return matrix[:, :, 0], matrix[:, :, 2]


def watched(position, heading, up):
    count = len(position)
    return KnownAgent(
        position=position, velocity=np.zeros((count, 3)), heading=heading, up=up,
        radius=np.full(count, 0.3), known=np.ones(count, bool), age=np.zeros(count),
    )  # fmt: skip


def turned(make, agents, one, quarry, seconds, dt=None, velocity=None):
    dt = dt or make.dt
    velocity = np.zeros_like(agents.position) if velocity is None else velocity
    for _ in range(round(seconds / dt)):
        around = make.surroundings(agents, others={"quarry": quarry})
        agents = fly(agents, velocity, dt, steer(one, agents, around))
        yield agents


def angle(a, b):
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.einsum("...i,...i", a, b))


@pytest.mark.parametrize("limit", [2.0, np.inf])
@pytest.mark.parametrize("one", [Align(), AntiAlign()])
def test_any_orientation_is_taken_over_in_space(make, one, limit):
    rng = np.random.default_rng(0)
    heading, up = frames(Rotation.random(12, random_state=1))
    wanted_heading, wanted_up = frames(Rotation.random(12, random_state=2))
    agents = make.flock(
        rng.normal(size=(12, 3)), heading=heading, up=up, max_turn_acceleration=np.full(12, limit)
    )
    quarry = watched(rng.normal(size=(12, 3)), wanted_heading, wanted_up)
    *_, now = turned(make, agents, one, quarry, 8.0)
    sign = -1.0 if isinstance(one, AntiAlign) else 1.0
    assert (angle(now.heading, sign * wanted_heading) < 1e-3).all()
    assert (angle(now.up, wanted_up) < 1e-3).all()
    assert (np.linalg.norm(now.spin, axis=1) < 1e-3).all()


def test_the_turn_is_along_the_shortest_way(make):
    heading, up = frames(Rotation.random(8, random_state=3))
    wanted = frames(Rotation.random(8, random_state=4))
    agents = make.flock(np.zeros((8, 3)), heading=heading, up=up)
    start = frame(heading, up)
    whole = Rotation.from_matrix(frame(*wanted) @ np.swapaxes(start, 1, 2)).as_rotvec()
    for now in turned(make, agents, Align(), watched(np.zeros((8, 3)), *wanted), 1.0):
        so_far = Rotation.from_matrix(frame(now.heading, now.up) @ np.swapaxes(start, 1, 2))
        np.testing.assert_allclose(np.cross(so_far.as_rotvec(), whole), 0.0, atol=1e-6)


def test_turning_keeps_to_the_torque_and_the_turn_rate_and_does_not_overshoot(make):
    agents = make.flock([[0.0, 0, 0]], max_turn_acceleration=[2.0], max_turn_rate=[1.5])
    heading = np.array([[np.cos(2.5), np.sin(2.5), 0.0]])
    before, furthest = np.zeros(3), 0.0
    for now in turned(make, agents, Align(), watched(agents.position, heading, agents.up), 6.0):
        assert np.linalg.norm(now.spin[0] - before) <= 2.0 * make.dt + 1e-9
        assert np.linalg.norm(now.spin[0]) <= 1.5 + 1e-9
        before = now.spin[0]
        furthest = max(furthest, np.arctan2(now.heading[0, 1], now.heading[0, 0]))
    assert furthest < 2.5 + np.radians(1)
    assert angle(now.heading, heading)[0] < 1e-3


def test_near_enough_is_left_alone(make):
    agents = make.flock([[0.0, 0, 0]])
    heading = np.array([[np.cos(0.1), np.sin(0.1), 0.0]])
    quarry = watched(agents.position, heading, agents.up)
    around = make.surroundings(agents, others={"quarry": quarry})
    turning, oriented = Align(target_angle_deg=6.0).steering_turn(agents, around)
    np.testing.assert_array_equal(turning, 0.0)
    assert oriented.all()
    turning, _ = Align(target_angle_deg=5.0).steering_turn(agents, around)
    assert turning[0, 2] > 0.0


def test_face_looks_at_the_quarry_whichever_way_it_moves(make):
    agents = make.flock([[0.0, 0, 0]], [[1.0, 0, 0]])
    quarry = watched(np.array([[0.0, 40.0, 10.0]]), agents.heading, agents.up)
    velocity = np.array([[1.0, 0, 0]])
    *_, now = turned(make, agents, Face(), quarry, 4.0, velocity=velocity)
    to_quarry = quarry.position - now.position
    assert angle(now.heading, to_quarry)[0] < 0.05
    np.testing.assert_array_equal(now.velocity, velocity)
    np.testing.assert_allclose(now.position[0], [4.0, 0, 0], atol=1e-9)


def test_a_walker_faces_about_the_vertical_only(make):
    agents = make.flock([[0.0, 0, 0]], grounded=True)
    quarry = watched(np.array([[-1.0, 1.0, 5.0]]), agents.heading, agents.up)
    around = make.surroundings(agents, others={"quarry": quarry})
    turning, _ = Face().steering_turn(agents, around)
    assert turning[0, 2] > 0.0
    np.testing.assert_allclose(turning[0, :2], 0.0, atol=1e-12)
    above = watched(np.array([[0.0, 0.0, 5.0]]), agents.heading, agents.up)
    around = make.surroundings(agents, others={"quarry": above})
    assert not Face().steering_turn(agents, around)[1].any()


def test_look_where_you_are_going_turns_to_the_motion(make):
    velocity = np.array([[-1.0, 0.5, 0.3]])
    agents = make.flock([[0.0, 0, 0]], velocity)
    quarry = watched(agents.position, agents.heading, agents.up)
    *_, now = turned(make, agents, LookWhereYouAreGoing(), quarry, 4.0, velocity=velocity)
    assert angle(now.heading, velocity)[0] < 1e-3
    still = make.flock([[0.0, 0, 0]], [[0.01, 0, 0]])
    assert not LookWhereYouAreGoing().steering_turn(still, make.surroundings(still))[1].any()


def test_angular_output_is_kept_beside_linear_output(make):
    """The known defect: combined with a linear behavior, the angular part was set to zero."""
    agents = make.flock([[0.0, 0, 0]])
    quarry = watched(np.array([[0.0, 5.0, 0.0]]), agents.heading, agents.up)
    around = make.surroundings(agents, [-9.0, 0, 0], others={"quarry": quarry})
    seek, face = steer(Seek(), agents, around), steer(Face(), agents, around)
    both = SteeringOutput(seek.force + face.force, seek.turning + face.turning, face.oriented)
    np.testing.assert_array_equal(both.force, seek.force)
    np.testing.assert_array_equal(both.turning, face.turning)
    assert not seek.oriented.any()
    for _ in range(60):
        agents = fly(agents, np.array([[-1.0, 0, 0]]), make.dt, both)
        around = make.surroundings(agents, [-9.0, 0, 0], others={"quarry": quarry})
        both = both._replace(turning=steer(Face(), agents, around).turning)
    assert angle(agents.heading, quarry.position - agents.position)[0] < 0.05
    assert agents.position[0, 0] < -1.9


@pytest.mark.parametrize("start", [[-8.0, 3, 1], [6.0, 1, -1], [0.5, 0.1, 0]])
def test_docking_arrives_from_behind_with_the_heading(make, moves, start):
    berth, heading = np.array([1.0, 1.0, 0.5]), np.array([[0.6, 0.8, 0.0]])
    agents = make.flock([start])
    track = list(moves(agents, Docking(), 16.0, subgoal=berth, subgoal_heading=heading))
    now = track[-1]
    np.testing.assert_allclose(now.position[0], berth, atol=0.01)
    assert np.linalg.norm(now.velocity) < 0.01
    assert angle(now.heading, heading)[0] < np.radians(1)
    way = np.array([flock.position[0] - berth for flock in track])
    last = way[(np.linalg.norm(way, axis=1) > 0.1) & (np.linalg.norm(way, axis=1) < 0.5)][-15:]
    assert (last @ heading[0] < 0.0).all(), "it comes from behind"


def test_docking_without_a_heading_is_arriving(make, moves):
    agents = make.flock([[4.0, 3, 1]])
    *_, now = moves(agents, Docking(), 12.0, subgoal=[0.0, 0, 0])
    np.testing.assert_allclose(now.position[0], 0.0, atol=0.01)


def test_parameters_out_of_range_are_named():
    with pytest.raises(InputError, match="`gain` must be positive"):
        Align(gain=0.0)
    with pytest.raises(InputError, match="`target_angle_deg` must be from 0 to 180"):
        Face(target_angle_deg=200.0)
