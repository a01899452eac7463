"""The sheets that python-fcl judges motions by, against exact clearances of the kernels."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.collision import fcl_backend
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.fcl_backend import FclBackend
from rmp3d.planner.collision.kernels import KernelBackend

CAPSULE = (0.25, 1.25), 0.25
TOLERANCE = 1e-4


def triangles_of(kind, rng):
    center = rng.uniform(-4.0, 4.0, (60, 1, 3))
    corners = center + rng.normal(0.0, 0.5, (60, 3, 3))
    if kind == "lattice":  # in common planes, parallel, corner on corner
        corners = np.round(4.0 * corners) / 4.0
    if kind == "no area":
        corners[:, 2] = corners[:, 1]
    if kind == "upright":
        corners[..., 0] = center[..., 0]
    return TriangleMesh(corners.reshape(-1, 3), np.arange(180).reshape(-1, 3))


@pytest.mark.parametrize("many", [0, 1000], ids=["near triangles", "all triangles"])
@pytest.mark.parametrize("kind", ["soup", "lattice", "no area", "upright"])
def test_fcl_refuses_what_touches_and_nothing_that_has_room(kind, many, monkeypatch):
    monkeypatch.setattr(fcl_backend, "MANY_TRIANGLES", many)
    rng = np.random.default_rng(5)
    mesh = triangles_of(kind, rng)
    start = rng.uniform(-5.0, 5.0, (300, 3))
    end = start + rng.normal(size=(300, 3)) * rng.choice([0.05, 1.0, 5.0], (300, 1))
    end[::2, 2] = start[::2, 2]
    if kind != "soup":
        start, end = np.round(4.0 * start) / 4.0, np.round(4.0 * end) / 4.0
    refused = FclBackend(mesh, (), *CAPSULE, TOLERANCE, QueryCounts()).sweep(start, end) >= 0
    assert 0.05 < refused.mean() < 0.95
    exact = KernelBackend(mesh, (), *CAPSULE, TOLERANCE, QueryCounts())
    for share in np.linspace(0.0, 1.0, 9):
        touches = exact.clearance(start + share * (end - start), 1.0) < TOLERANCE - 1e-6
        assert refused[touches].all()
    # The kernels prove half of their tolerance, so what keeps three times ours is free for both.
    roomy = KernelBackend(mesh, (), *CAPSULE, 3.0 * TOLERANCE, QueryCounts()).sweep(start, end) < 0
    assert not refused[roomy].any()


def test_the_face_that_refuses_is_one_of_the_whole_mesh(monkeypatch):
    monkeypatch.setattr(fcl_backend, "MANY_TRIANGLES", 0)
    mesh = triangles_of("soup", np.random.default_rng(5))
    far = TriangleMesh(np.concatenate([mesh.vertices + 50.0, mesh.vertices]),
                       np.concatenate([mesh.faces, mesh.faces + 180]))  # fmt: skip
    start = np.random.default_rng(6).uniform(-4.0, 4.0, (80, 3))
    judge = FclBackend(far, (), *CAPSULE, TOLERANCE, QueryCounts())
    end = start + np.array([2.0, 0.0, 0.0])
    face = judge.sweep(start, end)
    assert (face[face >= 0] >= 60).all()
    for row in np.flatnonzero(face >= 0):
        alone = KernelBackend(far.select([face[row]]), (), *CAPSULE, TOLERANCE, QueryCounts())
        assert alone.sweep(start[[row]], end[[row]])[0] == 0
