"""Where the envelope of several bodies is free, each of them is."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.models.envelope import enclosing
from rmp3d.planner.collision import CollisionWorld
from rmp3d.scenes import Part


@pytest.fixture
def bodies(make):
    return make.body(0.6, (0.6, 0.9)), make.body(0.2, (0.2, 1.4))


@pytest.fixture
def steep(make):
    """Floor and a steep ramp: probes of what is overhead begin high over the feet."""
    corners = np.array([[5, -2, 0], [7, -2, 1.9], [7, 2, 1.9], [5, 2, 0]], float)
    mesh = TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    ramp = Part("ramp", "ground", mesh, np.full((2, 3), 0.5))
    return make.floor((-5, -5), (5, 5)), ramp


@pytest.mark.parametrize("height", [0.1, 0.2, 0.4, 1.0, 1.5])
def test_near_decks_of_any_height(make, bodies, steep, height):
    scene = make.scene(*steep, make.floor((0, -2), (2, 2), height, "deck"))
    rng = np.random.default_rng(int(10 * height))
    points = np.column_stack([rng.uniform(-1, 0.1, 300), rng.uniform(-1, 1, 300), np.zeros(300)])
    around = enclosing(bodies)
    free = CollisionWorld(scene, around).is_free(points)
    assert 0 < free.sum() < len(free)
    assert not (free & ~_all_free(scene, bodies, points)).any()
    # The capsule alone would not do: the edge of a low deck meets only the slimmer one's probes.
    alone = CollisionWorld(scene, replace(around, holds=())).is_free(points)
    assert (alone & ~_all_free(scene, bodies, points)).any() == (height == 0.2)


def test_among_obstacles_on_straight_motions(make, bodies):
    rng = np.random.default_rng(3)
    scene = make.scene(make.soup("soup", 30, rng))
    start, end = rng.uniform(-5, 5, (2, 500, 3))
    free = CollisionWorld(scene, enclosing(bodies)).motions_are_free(start, end)
    each = [CollisionWorld(scene, body).motions_are_free(start, end) for body in bodies]
    assert free.any()
    assert not (free & ~np.logical_and(*each)).any()


def _all_free(scene, bodies, points):
    return np.logical_and(*(CollisionWorld(scene, body).is_free(points) for body in bodies))
