"""Turning on the spot: out of where a vehicle that only moves ahead would stay for ever."""

import numpy as np
import pytest

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles import attainable, hug, turned_on_the_spot
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import load_character
from rmp3d.scenes.build.shapes import box, floor

DT = 1.0 / 30.0
WALL = MeshQuery(box([1.0, -9, -1], [1.4, 9, 3]))


def driven(wanted, seconds, pivots, velocity=(0.0, 0, 0)):
    """Flocks of one vehicle, step by step, that starts 0.4 m before a wall and faces it."""
    line = np.linspace(-9.0, 9.0, 7)
    surface = WalkableSurface(floor(line, line, np.ones((6, 6), bool)))
    place, face = surface.locate(np.array([[0.3, 0, 0]]))
    flock = Flock.at_rest([load_character("pedestrian")], place, np.array([[1.0, 0, 0]]), face)
    flock = flock.with_bodies(turn_radius=1.0, pivots=pivots)
    flock = flock.moved(velocity=np.array([velocity], float))
    safety = SafetyConstraint(WALL, None, surface, np.array([[-9.0] * 3, [9.0] * 3]), DT)
    wanted = np.array([wanted], float)
    steering = SteeringOutput(np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(1, bool))
    for _ in range(round(seconds / DT)):
        velocity = safety.velocity(flock, attainable(flock, wanted, DT), wanted)
        flock = hug(flock, velocity, surface, DT, turned_on_the_spot(flock, wanted, steering))
        yield flock


def test_who_faces_a_wall_gets_away_from_it_only_if_it_pivots():
    *_, flock = driven([-1.3, 0.2, 0], 6.0, True)
    # Half a turn takes 0.75 s at 240 degrees a second, and some to begin and end it.
    assert 0.3 - flock.position[0, 0] == pytest.approx(1.3 * (6.0 - 1.2), abs=0.5)
    *_, flock = driven([-1.3, 0.2, 0], 6.0, False)
    assert 0.3 - flock.position[0, 0] == pytest.approx(0.0, abs=0.45)


def test_nobody_turns_on_the_spot_while_it_moves_or_moves_beside_its_heading():
    place, heading = np.array([[0.3, 0, 0]]), np.array([[1.0, 0, 0]])
    turned = 0.0
    for flock in driven([-1.3, 0.2, 0], 4.0, True):
        step = (flock.position - place)[0, :2]
        angle = np.arccos(np.clip(flock.heading[0] @ heading[0], -1.0, 1.0))
        assert angle <= flock.bodies.max_turn_rate[0] * DT + 1e-9
        if np.linalg.norm(step) > 1e-9:
            course = step / np.linalg.norm(step)
            np.testing.assert_allclose(course, flock.heading[0, :2], atol=1e-6)
        else:
            turned += angle
        place, heading = flock.position, flock.heading
    assert turned > np.radians(140.0)


def test_what_is_ahead_is_driven_to_without_a_turn_on_the_spot():
    with_it, without = (list(driven([0.0, 0, 0], 0.2, pivots)) for pivots in (True, False))
    for one, other in zip(with_it, without, strict=True):
        np.testing.assert_array_equal(one.heading, other.heading)
    ahead = [list(driven([1.0, 0.2, 0], 1.0, pivots))[-1].position for pivots in (True, False)]
    np.testing.assert_array_equal(*ahead)


def test_where_behaviors_look_does_not_turn_a_vehicle_with_a_turn_radius():
    (flock,) = driven([0.0, 0, 0], DT, True)
    steering = SteeringOutput(np.zeros((1, 3)), np.array([[0.0, 0, 5]]), np.ones(1, bool))
    assert not turned_on_the_spot(flock, np.zeros((1, 3)), steering).oriented.any()
    free = flock.with_bodies(turn_radius=0.0, pivots=False)
    assert turned_on_the_spot(free, np.zeros((1, 3)), steering).oriented.all()
