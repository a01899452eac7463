"""Small flocks and scenes made in code, for the behaviors' tests."""

from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering_behavior import Surroundings
from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenes.build.shapes import box

DT = 1.0 / 30.0


def grid(x, y, height):
    x, y = np.meshgrid(x, y, indexing="ij")
    rows = np.arange(x.size).reshape(x.shape)
    a, b, c, d = rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]
    faces = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return TriangleMesh(np.stack([x, y, height(x, y)], -1).reshape(-1, 3), faces)


def flock(position, velocity=None, *, grounded=False, **changes):
    """Agents of mass 2 kg and radius 0.3 m that cruise at 1.5 m/s; ``changes`` replace rows."""
    position = np.asarray(position, float).reshape(-1, 3)
    states = {field.name for field in fields(Flock)}
    state = {name: value for name, value in changes.items() if name in states}
    limits = {name: value for name, value in changes.items() if name not in states}
    bodies = Bodies.alike(
        len(position), grounded=grounded, capsule_axis=[0.3, 1.4] if grounded else [0.0, 0.0],
        mass=2.0, cruise_speed=1.5, banking=1.0, max_pitch=0.5 * np.pi,
    ).changed(**limits)  # fmt: skip
    agents = Flock.at_rest(bodies, position)
    return agents.moved(velocity=agents.velocity if velocity is None else velocity, **state)


def surroundings(
    agents, subgoal=None, subgoal_velocity=None, obstacles=None, reach=3.0, seed=0, **more
):
    """What agents may know that see all others within reach; ``more`` sets other fields."""
    zero = np.zeros_like(agents.position)
    return Surroundings(
        neighbors=Neighbors.within(agents.position, reach, agents.bodies.radius),
        subgoal=zero if subgoal is None else np.broadcast_to(subgoal, zero.shape),
        subgoal_velocity=zero if subgoal_velocity is None else subgoal_velocity,
        obstacles=MeshQuery(obstacles) if isinstance(obstacles, TriangleMesh) else obstacles,
        crowd=agents,
        member=np.arange(len(agents)),
        seed=seed,
        **more,
    )


@pytest.fixture
def make():
    """Functions that make meshes, flocks and what surrounds them."""
    return SimpleNamespace(box=box, grid=grid, flock=flock, surroundings=surroundings, dt=DT)
