"""A yard with a gate into a corridor, and the motorbikes that drive there."""

from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.behaviors import Flock
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.part import Part

# A wall across with a gap of 2 m from y = -1 to 1: a corridor 8 m long, and a yard on either side.
GATE = [([-4.0, 1.0, 0.0], [4.0, 10.0, 2.0]), ([-4.0, -10.0, 0.0], [4.0, -1.0, 2.0])]


def part(name, role, lower, upper):
    mesh = box(tuple(lower), tuple(upper))
    return Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5))


@pytest.fixture(scope="session")
def motorbike():
    return load_character("motorbike")


def yard(motorbike, *below):
    parts = [part("floor", "ground", [-20.0, -10.0, -0.1], [20.0, 10.0, 0.0])]
    parts += [part(f"wall {k}", "obstacle", *wall) for k, wall in enumerate((*GATE, *below))]
    scene = Scene("gate", tuple(parts), {}, np.array([[-20.0, -10.0, -1.0], [20.0, 10.0, 5.0]]))
    return make_space("ground_heading", scene, motorbike.body, turn_radius=2.5, reverses=True)


@pytest.fixture(scope="session")
def gate(motorbike):
    return yard(motorbike)


@pytest.fixture(scope="session")
def deck(motorbike):
    """The same over beams that carry the floor."""
    return yard(motorbike, ([-20.0, -10.0, -0.3], [20.0, 10.0, -0.12]))


@pytest.fixture(scope="session")
def bikes(gate, motorbike):
    """Return motorbikes at rest at poses (n, 3) in plan."""

    def made(poses):
        poses = np.array(poses, float)
        at = np.column_stack([poses[:, :2], np.zeros(len(poses))])
        found, face = gate.surface.locate(at, 0.1, 0.1)
        heading = np.column_stack([np.cos(poses[:, 2]), np.sin(poses[:, 2]), 0.0 * poses[:, 2]])
        return Flock.at_rest([motorbike] * len(poses), found, heading, face)

    return SimpleNamespace(at=made)
