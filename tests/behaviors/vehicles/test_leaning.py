"""The attitude of a walker stays within the limits that its body is made for."""

import numpy as np
import pytest

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.vehicles import VEHICLES, Motion, hug, move
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import load_character


@pytest.fixture
def hills(make):
    line = np.linspace(-8, 8, 33)
    return WalkableSurface(make.grid(line, line, lambda x, y: 0.6 * np.sin(x) * np.cos(0.8 * y)))


def attitude(flock):
    """Pitch and roll (each (N,)) [rad] of all."""
    axes = frame(flock.heading, flock.up)
    return np.arcsin(axes[:, 2, 0]), np.arctan2(axes[:, 2, 1], axes[:, 2, 2])


@pytest.mark.parametrize("name", ["car", "motorbike", "sheep", "wolf", "dog", "pedestrian"])
def test_nobody_leans_further_than_its_body_holds(make, hills, name):
    character = load_character(name)
    rng = np.random.default_rng(0)
    position, face = hills.locate(np.column_stack([rng.uniform(-4, 4, (20, 2)), np.ones(20)]), 3, 3)
    flock = Flock.at_rest(Bodies.of([character] * 20), position).moved(face=face)
    own = character.parameters
    limits = np.array([own.max_pitch, own.max_roll]) * (own.lean > 0.0)
    largest = np.zeros(2)
    for step in range(120):
        if step % 40 == 0:
            velocity = rng.normal(0.0, 2.0, (20, 3)) * [1, 1, 0]
        before, flock = flock, hug(flock, velocity, hills, make.dt)
        largest = np.maximum(largest, np.abs(attitude(flock)).max(axis=1))
        if own.turn_radius == 0.0:
            turn = 2 * np.arcsin(np.linalg.norm(flock.heading - before.heading, axis=1) / 2)
            assert (turn <= own.max_turn_rate * make.dt + 1e-9).all()
    assert (largest <= limits + 1e-12).all()
    np.testing.assert_allclose(largest, limits, rtol=0.05, atol=1e-12)


def test_a_car_whose_motion_fades_away_on_a_slope_keeps_its_attitude(make):
    line = np.linspace(-8, 8, 9)
    slope = WalkableSurface(make.grid(line, line, lambda x, y: 0.4 * x))
    position, face = slope.locate(np.array([[0.3, 0.2, 0.12]]), 3, 3)
    car = load_character("car")
    flock = Flock.at_rest(Bodies.of([car]), position).moved(face=face)
    for _ in range(60):
        flock = hug(flock, np.array([[2.0, 0.4, 0.0]]), slope, make.dt)
    for size in np.geomspace(1e-150, 3e-162, 30):
        flock = hug(flock, size * np.array([[0.98, 0.19, 0.0]]), slope, make.dt)
        pitch, _ = np.abs(attitude(flock))
        assert pitch[0] <= car.parameters.max_pitch + 1e-9
        np.testing.assert_allclose(np.linalg.norm(flock.heading), 1.0, rtol=1e-9)


def test_a_walking_vehicle_of_ones_own_is_cut_to_the_limits(make, hills, monkeypatch):
    class Tumbling:
        grounded, space = True, "ground"

        def move(self, flock, motion):
            return flock.moved(heading=[[0.6, 0.0, 0.8]], up=[[-0.4, -0.7, 0.6]])

    monkeypatch.setitem(VEHICLES._classes, "tumbling", Tumbling)
    bodies = make.flock([[0, 0, 0]], grounded=True).bodies
    for lean, pitch, roll in ((1.0, 0.2, 0.1), (0.0, 0.2, 0.1)):
        own = bodies.changed(vehicle="tumbling", lean=lean, max_pitch=pitch, max_roll=roll)
        moved = move(Flock.at_rest(own, np.zeros((1, 3))), Motion(np.zeros((1, 3)), make.dt))
        found = np.abs(np.ravel(attitude(moved)))
        np.testing.assert_allclose(found, [pitch * lean, roll * lean], atol=1e-12)
