"""Spaces of small scenes for the group behaviors."""

from pathlib import Path as File
from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

from rmp3d.behaviors import GroupTask
from rmp3d.geometry import TriangleMesh
from rmp3d.models import Body, load_character
from rmp3d.planner.paths.corridor import Corridor
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Part, Region, Scene


def part(name, role, lower, upper):
    lower, upper = np.asarray(lower, float), np.asarray(upper, float)
    shape = trimesh.creation.box(upper - lower)
    mesh = TriangleMesh(shape.vertices + 0.5 * (lower + upper), shape.faces)
    return Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5))


def space(kind="ground", radius=0.3, walls=(), half=20):
    """A floor, by default 40 m x 20 m, with walls (lower, upper), for a walker or a flyer."""
    parts = [part("floor", "ground", [-half, -10, -0.1], [half, 10, 0])]
    parts += [part(f"wall {k}", "obstacle", *wall) for k, wall in enumerate(walls)]
    scene = Scene("test", tuple(parts), {}, np.array([[-half, -10, -1], [half, 10, 5.0]]))
    capsule_axis = (radius, max(1.4, radius)) if kind == "ground" else (0.0, 0.0)
    shape = trimesh.creation.box([0.1, 0.1, 0.1])
    middle = [0, 0, 0.5 * sum(capsule_axis)]
    return make_space(
        kind, scene, Body(TriangleMesh(shape.vertices + middle, shape.faces), radius, capsule_axis)
    )


def straight(length, grounded=True):
    """A path along +x from the origin."""
    points = np.linspace([0.0, 0, 0], [length, 0, 0], 50)
    return CertifiedPath(points, np.ones(50), grounded)


def room(length, half_width, step=0.2, radius=0.3):
    """Room on both sides of a path: ``half_width`` maps stations (J,) to free room [m]."""
    station = np.linspace(0.0, length, round(length / step) + 1)
    free = np.asarray(half_width(station), float)
    return Corridor(station, free, free, radius)


@pytest.fixture
def walkers():
    """Five pedestrians that go 30 m straight ahead on a floor."""
    character = load_character("pedestrian", File())
    path = straight(30.0)
    return GroupTask(
        space=space(radius=character.body.radius), roadmap=None, count=5, character=character,
        path=CertifiedPath(path.points - [15.0, 0, 0], path.clearance, True), dt=1 / 30,
        start=Region.box("start", [-19.5, -4, -1], [-12, 4, 2]),
        goal=Region.box("goal", [14, -3, -1], [19, 3, 2]), rng=np.random.default_rng(0),
    )  # fmt: skip


@pytest.fixture(scope="session")
def ways():
    """Functions that make spaces, paths, rooms and regions."""
    return SimpleNamespace(space=space, straight=straight, room=room, Region=Region)
