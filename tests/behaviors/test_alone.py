"""Every part of a step can be used alone, on arrays, in ten lines."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock, SafetyConstraint, Traffic
from rmp3d.behaviors.perception import Zone
from rmp3d.behaviors.steering import Seek, Separation
from rmp3d.behaviors.steering_behavior import SteeringOutput, Surroundings
from rmp3d.behaviors.step import Wishes, step
from rmp3d.behaviors.vehicles import attainable, fly
from rmp3d.behaviors.world_state import WorldState
from rmp3d.models import load_character
from rmp3d.scenes import Scene


def test_steering_forces_alone():
    flock = Flock.at_rest(Bodies.alike(2), [[0, 0, 0], [4, 0, 0]])
    force = Seek().steering_force(flock, Surroundings(subgoal=[[9, 0, 0], [4, 9, 0]]))
    np.testing.assert_allclose(force / np.linalg.norm(force, axis=1)[:, None], np.eye(3)[:2])


def test_forces_between_neighbors_alone():
    flock = Flock.at_rest(Bodies.alike(2), [[0, 0, 0], [0.7, 0, 0]])
    force = Separation().steering_force(flock, Surroundings.of(flock))
    assert force[0, 0] < 0.0 < force[1, 0]


def test_perception_alone():
    flock = Flock.at_rest(Bodies.alike(3), [[0, 0, 0], [4, 0, 0], [40, 0, 0]])
    own, other = Zone(radius=10.0).perceived(WorldState(flock), np.arange(3))
    assert list(zip(own, other, strict=True)) == [(0, 1), (1, 0)]


def test_a_vehicle_alone():
    flock = Flock.at_rest([load_character("bird")], [[0, 0, 5]])
    for _ in range(60):
        flock = fly(flock, attainable(flock, np.array([[6.0, 2.0, 0.0]]), 1 / 30), 1 / 30)
    np.testing.assert_allclose(flock.velocity, [[6.0, 2.0, 0.0]], atol=0.1)


def test_safety_alone():
    flock = Flock.at_rest(Bodies.alike(2, radius=0.5), [[0, 0, 0], [3, 0, 0]])
    safety = SafetyConstraint()
    for _ in range(90):
        wish = np.array([[2.0, 0, 0], [-2.0, 0, 0]])
        flock = fly(flock, safety.velocity(flock, wish, wish), 1 / 30)
    assert 1.0 < flock.position[1, 0] - flock.position[0, 0] < 1.1


def test_safety_in_a_scene_alone():
    scene = Scene.load("canyon")
    start = np.array([scene.bounds.mean(axis=0)]) * [1.0, 1.0, 0.0] + [
        0.0,
        0.0,
        scene.bounds[1, 2] - 1,
    ]
    flock = Flock.at_rest(Bodies.alike(1), start)
    safety, down = SafetyConstraint.of(scene), np.array([[0.0, 0.0, -2.0]])
    for _ in range(900):
        flock = fly(flock, safety.velocity(flock, down, down), 1 / 30)
    assert np.linalg.norm(flock.velocity) < 0.05
    assert safety.flying.closest_point(flock.position)[0][0] > 0.3


def test_traffic_rules_alone():
    flock = Flock.at_rest(Bodies.alike(2, radius=0.5), [[0, 0, 0], [2, 0, 0]])
    desire = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    ruled, weight = Traffic(2, 1 / 30).resolve(
        flock, desire, np.array([9.0, 8.0]), np.zeros(2, bool)
    )
    assert ruled[0, 1] < 0.0 < ruled[1, 1]  # they pass on the right
    np.testing.assert_array_equal(weight, 1.0)


class Straight:
    """Members that want to be somewhere."""

    def __init__(self, goal):
        self.goal = goal

    def perceive(self, flock, time):
        return WorldState(flock, time=time)

    def desire(self, world):
        return Wishes.of(np.linalg.norm(self.goal - world.flock.position, axis=1))

    def combine(self, world, wishes):
        around = Surroundings(subgoal=self.goal)
        return SteeringOutput.of(Seek().steering_force(world.flock, around))


@pytest.mark.parametrize("safe", [True, False])
def test_a_step_takes_its_stages_or_leaves_them_out(safe):
    flock = Flock.at_rest(Bodies.alike(2, radius=0.5), [[0, 0, 0], [4, 0, 0]])
    members = Straight(flock.position[::-1])
    safety = SafetyConstraint() if safe else None
    least = np.inf
    for k in range(120):
        flock = step(flock, members, k / 30, safety=safety)
        least = min(least, np.linalg.norm(flock.position[1] - flock.position[0]))
    assert (least > 1.0) == safe
