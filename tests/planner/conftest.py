"""Small scenes of boxes, and two bodies, for the planner's tests."""

from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import TriangleMesh, join
from rmp3d.models import Body
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.problems.rigid_problem import RigidProblem

STILL = np.array([1.0, 0.0, 0.0, 0.0])


def box_part(name, lower, upper, role="obstacle"):
    mesh = box(lower, upper)
    return Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5))


def soup(name, count, rng, size=1.0, extent=3.0):
    corners = rng.uniform(-extent, extent, (count, 1, 3)) + rng.normal(0, size, (count, 3, 3))
    mesh = TriangleMesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))
    return Part(name, "obstacle", mesh, np.full((count, 3), 0.5))


def sheet(name, x, low, high):
    """A wall without thickness, at x, two triangles."""
    y, z = (low[0], high[0]), (low[1], high[1])
    corners = [[x, y[0], z[0]], [x, y[1], z[0]], [x, y[1], z[1]], [x, y[0], z[1]]]
    mesh = TriangleMesh(np.array(corners), np.array([[0, 1, 2], [0, 2, 3]]))
    return Part(name, "obstacle", mesh, np.full((2, 3), 0.5))


def floor(lower, upper, height=0.0, name="floor"):
    corners = [
        [lower[0], lower[1]],
        [upper[0], lower[1]],
        [upper[0], upper[1]],
        [lower[0], upper[1]],
    ]
    vertices = np.column_stack([corners, np.full(4, height)])
    mesh = TriangleMesh(vertices, np.array([[0, 1, 2], [0, 2, 3]]))
    return Part(name, "ground", mesh, np.full((2, 3), 0.5))


def scene(*parts, bounds=((-10, -10, -1), (10, 10, 4)), regions=()):
    return Scene("test", tuple(parts), {r.name: r for r in regions}, np.array(bounds, float))


def body(radius, capsule_axis):
    shape = trimesh.creation.box([0.1, 0.1, 0.1])
    middle = [0.0, 0.0, 0.5 * sum(capsule_axis)]
    return Body(TriangleMesh(shape.vertices + middle, shape.faces), radius, capsule_axis)


@pytest.fixture
def make_body():
    """A function that makes a box, of three sides, that may turn."""

    def make_box(sides):
        shape = trimesh.creation.box(sides)
        radius = 0.5 * float(np.linalg.norm(sides)) + 1e-9
        return Body(TriangleMesh(shape.vertices, shape.faces), radius, (0.0, 0.0))

    return make_box


@pytest.fixture
def make():
    """Functions that make parts, scenes and bodies."""
    return SimpleNamespace(
        box=box_part, soup=soup, sheet=sheet, floor=floor, scene=scene, body=body
    )


@pytest.fixture
def walker():
    return body(0.28, (0.28, 1.45))


@pytest.fixture
def vehicle():
    """A body 1.4 m long and 0.6 m wide: a row of three capsules."""
    mesh = body(0.7, (0.7, 0.9)).mesh
    row = [(offset, 0.3, 0.4, 1.0) for offset in (-0.4, 0.0, 0.4)]
    return Body(mesh, 0.7, (0.7, 0.9), capsules=np.array(row))


@pytest.fixture
def flyer():
    return body(0.4, (0.0, 0.0))


@pytest.fixture
def rooms():
    """Two rooms with floor, 20 m x 10 m, joined by a door 1.2 m wide in their middle."""
    return scene(
        floor((-10, -5), (10, 5)),
        box_part("left wall", (-0.1, -5, 0), (0.1, -0.6, 2.5)),
        box_part("right wall", (-0.1, 0.6, 0), (0.1, 5, 2.5)),
        bounds=((-10, -5, -1), (10, 5, 4)),
    )


@pytest.fixture
def bridge():
    """A deck 3 m over a road, with a ramp to each end; the road runs below, across."""
    deck = [(-4, 3.0), (4, 3.0)]
    profile = [(-10, 0.0), *deck, (10, 0.0)]
    vertices = np.array([[x, y, z] for x, z in profile for y in (-1.5, 1.5)])
    faces = []
    for k in range(len(profile) - 1):
        a = 2 * k
        faces += [[a, a + 2, a + 3], [a, a + 3, a + 1]]
    mesh = TriangleMesh(vertices, np.array(faces))
    over = Part("bridge", "ground", mesh, np.full((len(faces), 3), 0.5))
    return scene(
        floor((-20, -10), (20, 10), name="road"), over, bounds=((-20, -10, -1), (20, 10, 6))
    )


def plain_box(low, high):
    low, high = np.array(low, float), np.array(high, float)
    shape = trimesh.creation.box(high - low)
    return TriangleMesh(np.array(shape.vertices) + 0.5 * (low + high), np.array(shape.faces))


def pose(x, y, z, quaternion=STILL):
    return np.concatenate([[x, y, z], quaternion])


@pytest.fixture
def window():
    """A plate on edge before a wide window in a wall: it must lie down to pass."""
    wall = [
        plain_box((-0.1, -3, -3), (0.1, -0.8, 3)),
        plain_box((-0.1, 0.8, -3), (0.1, 3, 3)),
        plain_box((-0.1, -0.8, -3), (0.1, 0.8, -0.45)),
        plain_box((-0.1, -0.8, 0.45), (0.1, 0.8, 3)),
    ]
    return RigidProblem(
        "window", plain_box((-0.15, -0.5, -0.5), (0.15, 0.5, 0.5)), join(wall), True,
        np.array([[-2, -2, -2], [2, 2, 2.0]]), False, "rigid", pose(-1.5, 0, 0), pose(1.5, 0, 0),
    )  # fmt: skip


@pytest.fixture
def bends():
    """A box in the plane between walls that leave a way on alternate sides."""
    walls = [
        plain_box((i * 2 - 3.2, -5 if i % 2 else -4, -1), (i * 2 - 2.8, 4 if i % 2 else 5, 1))
        for i in range(4)
    ]
    return RigidProblem(
        "bends", plain_box((-0.3, -0.3, -0.3), (0.3, 0.3, 0.3)), join(walls), True,
        np.array([[-5, -5, 0], [5, 5, 0.0]]), True, "planar", pose(-4.5, 0, 0), pose(4.5, 0, 0),
    )  # fmt: skip


@pytest.fixture
def hooks():
    """Two open rings, one hanging in the other."""
    ring = trimesh.creation.torus(1.0, 0.2, 40, 10)
    mesh = TriangleMesh(np.array(ring.vertices), np.array(ring.faces))
    center = mesh.triangles.mean(axis=1)
    ring = mesh.select(np.abs(np.arctan2(center[:, 1], center[:, 0])) > 0.5)
    side = np.sqrt(0.5)
    return RigidProblem(
        "hooks", ring, ring, False, np.array([[-4, -4, -4], [4, 4, 4.0]]), False, "rigid",
        pose(-1, 0, 0, [side, side, 0, 0]), pose(3.5, 0, 0),
    )  # fmt: skip
