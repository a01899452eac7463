"""What Reynolds names besides: docking in time, a separation angle, splines, pursuit by heading."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from rmp3d.behaviors.steering import (
    Docking,
    Flocking,
    ObstacleAvoidance,
    PathFollowing,
    Pursue,
)
from rmp3d.behaviors.steering.path_following import spline, stations
from rmp3d.behaviors.steering_behavior import KnownAgent
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length

EAST = np.array([[1.0, 0, 0]])


def approach(make, rule, seconds, start=(-12.0, 3.0, 0.0), dt=1 / 30):
    """An agent that follows a docking rule to the origin, heading east; its track and speeds."""
    agents = make.flock([start])
    track = []
    for step in range(round(seconds / dt)):
        around = make.surroundings(agents, subgoal_heading=EAST, time=step * dt)
        force = rule.steering_force(agents, around)
        force = clip_length(force, agents.bodies.max_force)
        velocity = agents.velocity + force / agents.bodies.mass[:, None] * dt
        agents = agents.moved(position=agents.position + velocity * dt, velocity=velocity)
        track.append([*agents.position[0], *velocity[0]])
    return np.array(track)


@pytest.mark.parametrize("speed", [0.5, 1.0])
def test_docking_with_a_speed_passes_the_berth_with_it_and_goes_on(make, speed):
    track = approach(make, Docking(speed=speed), 25.0)
    passed = int(np.argmax(track[:, 0] > 0.0))
    assert passed > 0
    np.testing.assert_allclose(track[passed, 1], 0.0, atol=0.1)
    assert abs(track[passed, 3] - speed) < 0.1
    np.testing.assert_allclose(track[-1, 3:], [speed, 0, 0], atol=0.05)


def test_docking_at_a_time_comes_then_and_no_sooner(make):
    soonest = approach(make, Docking(), 30.0)
    came = np.linalg.norm(soonest[:, :2], axis=1) < 0.15
    assert came[-1]
    earliest = int(np.argmax(came)) / 30
    for time in (earliest + 4.0, earliest + 9.0):
        track = approach(make, Docking(time=time), time + 3.0)
        near = np.linalg.norm(track[:, :2], axis=1) < 0.15
        assert near[-1]
        assert abs(int(np.argmax(near)) / 30 - time) < 1.0
        # It goes all the way more slowly, and does not wait at the berth.
        assert np.linalg.norm(track[: round(time * 15), 3:5], axis=1).max() < 1.45


def test_who_is_behind_is_not_kept_apart_from_with_a_separation_angle(make):
    agents = make.flock([[0.0, 0, 0], [0.8, 0, 0], [-0.8, 0, 0]], np.tile(1.5 * EAST, (3, 1)))
    around = make.surroundings(agents)
    quiet = {"alignment": 0.0, "cohesion": 0.0, "cruising": 0.0}
    everyone = Flocking(**quiet).steering_force(agents, around)
    ahead = Flocking(separation_angle_deg=90.0, **quiet).steering_force(agents, around)
    np.testing.assert_allclose(everyone[0], 0.0, atol=1e-12)
    assert ahead[0, 0] < 0.0, "only the one ahead counts for the middle one"
    np.testing.assert_array_equal(ahead[1], 0.0)
    np.testing.assert_allclose(ahead[2], everyone[2])
    with pytest.raises(InputError, match="angle_deg"):
        Flocking(separation_angle_deg=0.0)


def test_a_spline_goes_through_its_points_and_is_smooth():
    points = np.array([[0.0, 0, 0], [4, 3, 0], [8, -1, 1], [13, 0, 2]])
    line = spline(points)
    for point in points:
        assert (np.linalg.norm(line - point, axis=1) < 1e-12).any()
    steps = np.diff(line, axis=0)
    course = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    turn = np.degrees(np.arccos(np.clip((course[1:] * course[:-1]).sum(axis=1), -1, 1)))
    corner = np.diff(points, axis=0) / np.linalg.norm(np.diff(points, axis=0), axis=1)[:, None]
    sharpest = np.degrees(np.arccos((corner[1:] * corner[:-1]).sum(axis=1))).max()
    assert turn.max() < sharpest / 4
    exact = CubicSpline(stations(points), points, bc_type="natural")(
        np.linspace(0, stations(points)[-1], 2000)
    )
    apart = np.linalg.norm(exact[:, None] - line[None], axis=2).min(axis=1)
    assert apart.max() < 0.25


def test_a_path_along_a_spline_is_followed_there_and_back(make):
    points = [[0.0, 0, 0], [4.0, 3, 0], [8.0, 0, 0]]
    for direction, end in ((1, points[-1]), (-1, points[0])):
        rule = PathFollowing(points, direction=direction, curve="spline")
        agents = make.flock([points[0 if direction == 1 else -1]])
        around, farthest = make.surroundings(agents), 0.0
        for _ in range(600):
            around = make.surroundings(agents, memory=rule.remembered(agents, around))
            force = rule.steering_force(agents, around)
            velocity = agents.velocity + force / agents.bodies.mass[:, None] * make.dt
            agents = agents.moved(position=agents.position + velocity * make.dt, velocity=velocity)
            gap = np.linalg.norm(spline(np.array(points)) - agents.position, axis=1).min()
            farthest = max(farthest, gap)
        np.testing.assert_allclose(agents.position[0], end, atol=0.1)
        assert farthest < 0.7
    with pytest.raises(InputError, match="two in a row"):
        PathFollowing([[0.0, 0, 0], [0, 0, 0], [1, 0, 0]], curve="spline")


def test_what_is_beyond_the_subgoal_is_ignored_if_asked(make):
    wall = make.box([2.0, -5, -5], [2.2, 5, 5])
    agents = make.flock([[0.0, 0.1, 0]], [[1.5, 0, 0]])
    for goal, ignores, acts in ((1.0, True, False), (1.0, False, True), (5.0, True, True)):
        around = make.surroundings(agents, subgoal=np.array([goal, 0.1, 0]), obstacles=wall)
        force = ObstacleAvoidance(ignores_beyond=ignores).steering_force(agents, around)
        assert (np.abs(force).max() > 0.0) == acts
    nowhere = make.surroundings(agents, subgoal=agents.position, obstacles=wall)
    assert np.abs(ObstacleAvoidance(ignores_beyond=True).steering_force(agents, nowhere)).max() > 0


@pytest.mark.parametrize(
    ("place", "heading", "factor"),
    [
        ([6.0, 0, 0], [1.0, 0, 0], 4.0),
        ([6.0, 0, 0], [0.0, 1, 0], 1.8),
        ([6.0, 0, 0], [-1.0, 0, 0], 0.85),
        ([0.0, 6, 0], [1.0, 0, 0], 1.0),
        ([0.0, 6, 0], [0.0, 0, 1], 0.8),
        ([0.0, 6, 0], [-1.0, 0, 0], 4.0),
        ([-6.0, 0, 0], [1.0, 0, 0], 0.5),
        ([-6.0, 0, 0], [0.0, -1, 0], 2.0),
        ([-6.0, 0, 0], [-1.0, 0, 0], 2.0),
    ],
)
def test_pursuit_by_heading_scales_the_travel_time(make, place, heading, factor):
    agents = make.flock([[0.0, 0, 0]], [[1.2, 0, 0]])
    quarry = make.flock([place], 0.5 * np.array([heading]), heading=[heading])
    rule = Pursue(prediction="heading", max_prediction=100.0)
    time = rule.prediction_time(agents, quarry.position, quarry.velocity, quarry.heading)
    np.testing.assert_allclose(time, factor * 6.0 / 1.2)
    around = make.surroundings(
        agents, others={"quarry": KnownAgent.row_of(quarry, np.zeros(1, int))}
    )
    aim = np.array(place) + time[0] * quarry.velocity[0]
    force = (
        rule.steering_force(agents, around)[0] + agents.bodies.mass[0] * agents.velocity[0] / 0.25
    )
    np.testing.assert_allclose(force / np.linalg.norm(force), aim / np.linalg.norm(aim), atol=1e-9)
