"""Nobody is wedged into the edges and corners of plates of no thickness, whatever is wished for.

The judge is python-fcl, at every step and between two.
"""

import fcl
import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface

DT, HALF = 1.0 / 30.0, 4.0


def plate(corner, along, up):
    points = np.array([corner, corner + along, corner + along + up, corner + up])
    return TriangleMesh(points, np.array([[0, 1, 2], [0, 2, 3]]))


def plates(rng, count=14):
    """Upright plates, some of which meet at an edge, and level ones in the air."""
    found = []
    for _ in range(count):
        angle = rng.uniform(0.0, 2.0 * np.pi)
        course = np.array([np.cos(angle), np.sin(angle), 0.0])
        corner = np.append(rng.uniform(-HALF, HALF, 2), rng.choice([0.0, 0.3, 1.0]))
        up = np.array([0.0, 0.0, rng.uniform(0.2, 2.0)])
        if rng.random() < 0.3:
            up, corner[2] = rng.uniform(0.2, 1.0) * np.cross([0, 0, 1], course), 0.9
        found.append(plate(corner, rng.uniform(0.3, 2.0) * course, up))
        if rng.random() < 0.5:
            aside = angle + rng.uniform(0.3, 2.8)
            other = rng.uniform(0.3, 1.5) * np.array([np.cos(aside), np.sin(aside), 0.0])
            found.append(plate(corner, other, np.array([0.0, 0.0, 0.7])))
    return join(found)


def crowd(rng, walls, grounded, surface):
    """Bodies that are free and apart, some of them at a hair's breadth from a plate."""
    axis = np.array([0.35, 1.4]) if grounded else np.array([-0.3, 0.3])
    position = rng.uniform(-HALF, HALF, (300, 3)) * [1.0, 1.0, 0.0 if grounded else 0.4]
    radius = rng.uniform(0.2, 0.35, len(position))
    kept = []
    for k, here in enumerate(position):
        free = walls.capsule_clearance(here[None], tuple(axis), radius[k])[0][0] > 2e-4
        if free and all(np.hypot(*(here - position[j])[:2]) > 0.8 for j in kept):
            kept.append(k)
    bodies = Bodies.alike(
        len(kept), grounded=grounded, radius=radius[kept], capsule_axis=axis,
        max_speed=rng.uniform(1, 3, len(kept)), max_turn_rate=9.0,
    )  # fmt: skip
    if not grounded:
        return Flock.at_rest(bodies, position[kept])
    ground, face = surface.locate(position[kept])
    return Flock.at_rest(bodies, ground, face=face)


def solid(mesh):
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(np.array(mesh.vertices), np.array(mesh.faces))
    model.endModel()
    return fcl.CollisionObject(model)


def touched(walls, flock, position):
    """Which bodies touch the plates at positions (N, 3), by FCL."""
    found = []
    for place, radius, (low, high) in zip(
        position, flock.bodies.radius, flock.bodies.capsule_axis, strict=True
    ):
        middle = fcl.Transform(place + np.array([0.0, 0.0, 0.5 * (low + high)]))
        body = fcl.CollisionObject(fcl.Capsule(radius, high - low), middle)
        request, result = fcl.CollisionRequest(), fcl.CollisionResult()
        found.append(fcl.collide(walls, body, request, result) > 0)
    return np.array(found)


@pytest.mark.parametrize("grounded", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_nobody_touches_the_edges_and_corners_of_thin_plates(make, seed, grounded):
    rng = np.random.default_rng(seed)
    mesh = plates(rng)
    query, walls = MeshQuery(mesh), solid(mesh)
    line = np.array([-9.0, 9.0])
    surface = WalkableSurface(make.grid(line, line, lambda x, y: 0.0 * x)) if grounded else None
    flock = crowd(rng, query, grounded, surface)
    assert len(flock) > 8
    assert not touched(walls, flock, flock.position).any()
    bounds = np.array([[-8.0] * 3, [8.0] * 3])
    safety = SafetyConstraint(query if grounded else None, query, surface, bounds, DT)
    for step in range(120):
        if step % 20 == 0:  # each to a corner of a plate
            place = mesh.vertices[rng.integers(0, len(mesh.vertices), len(flock))]
        pull = np.tanh(3.0 * (place - flock.position)) + 0.3 * rng.normal(size=place.shape)
        velocity = safety.velocity(flock, 4.0 * pull, 4.0 * pull)
        if grounded:
            moved, face, arrived = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
            assert arrived.all()
        else:
            moved, face = flock.position + velocity * DT, flock.face
        for share in (0.5, 1.0):
            between = flock.position + share * (moved - flock.position)
            assert not touched(walls, flock, between).any()
        flock = flock.moved(position=moved, velocity=velocity, face=face)
    assert safety.report.held_back > 20
    assert safety.report.smallest_gap > -1e-9
