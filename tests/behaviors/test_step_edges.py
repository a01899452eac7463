"""Edges of steps that a body cannot take: it comes on along them."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.models import load_character
from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box

DT = 1.0 / 30.0
RISE = 0.175


@pytest.fixture(scope="module")
def flight():
    """Two steps up along +x; whoever goes down beside the lower one stands next to the upper."""
    parts = {
        "floor": box((-3, -3, -0.2), (5, 3, 0.0)),
        "lower": box((0.0, -1, 0), (0.27, 1, RISE)),
        "upper": box((0.27, -1, 0), (3, 1, 2 * RISE)),
    }
    scene = Scene.from_mesh(parts, bounds=[[-3, -3, -1], [5, 3, 4]])
    return Environment.of(scene, 0.2)


def came_to(around, wish, seconds=2.0):
    """Where a walker on the lower step, at its edge, is after it has wished so for a while."""
    safety, surface = SafetyConstraint.of(around, DT), around.surface
    bodies = Bodies.of([load_character("pedestrian")])
    start, face = surface.locate(np.array([[0.2, 1.0 - 1e-8, RISE]]))
    flock = Flock.at_rest(bodies, start, face=face)
    wish = np.array([wish])
    for _ in range(round(seconds / DT)):
        velocity = safety.velocity(flock, wish, wish)
        moved, face, arrived = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        assert arrived.all()
        flock = flock.moved(position=moved, velocity=velocity, face=face)
    return flock.position[0]


def test_the_step_down_beside_a_higher_one_is_not_taken(flight):
    np.testing.assert_allclose(came_to(flight, [0.0, 0.3, 0.0]), [0.2, 1.0, RISE], atol=1e-6)


def test_who_wants_to_the_end_of_the_step_comes_along_its_edge(flight):
    """A little outward in the wish stopped it for ever."""
    place = came_to(flight, [-0.3, 0.02, 0.0])
    assert place[0] < -0.1
    assert place[2] == pytest.approx(0.0, abs=1e-6)
