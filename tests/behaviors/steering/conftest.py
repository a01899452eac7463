"""Agents in motion under one behavior, with vehicles that fly or slide over a plane."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.steering_behavior import remember, steer
from rmp3d.behaviors.step import Wishes, step
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.query import MeshQuery


def pytest_collection_modifyitems(items):
    """Whoever lets agents move for seconds is slow."""
    for item in items:
        if "moves" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


class Steered:
    """Members under one behavior that know what ``around`` (flock, time) returns.

    Walkers here are flyers that stay level.
    """

    def __init__(self, behavior, around, dt):
        self.behavior, self.around, self.dt = behavior, around, dt
        self.memory = None

    def perceive(self, flock, time):
        return WorldState(flock, time=time, dt=self.dt)

    def desire(self, world):
        return Wishes.of(np.zeros(len(world.flock)), ruled=False)

    def combine(self, world, wishes):
        known = replace(self.around(world.flock, world.time), time=world.time, dt=self.dt)
        known = remember(self.behavior, world.flock, known.remembering(self.memory))
        self.memory = known.memory
        return steer(self.behavior, world.flock, known)


@pytest.fixture
def moves(make):
    """A generator of flocks, step by step: ``moves(agents, behavior, seconds, **surroundings)``.

    ``around`` is a function of the flock and the time that returns what they know.
    """

    def run(agents, one, seconds, around=None, dt=None, **fixed):
        dt = dt or make.dt
        if isinstance(fixed.get("obstacles"), TriangleMesh):
            fixed["obstacles"] = MeshQuery(fixed["obstacles"])
        members = Steered(one, around or (lambda f, _: make.surroundings(f, **fixed)), dt)
        agents = agents.with_bodies(vehicle="flying")
        for k in range(round(seconds / dt)):
            agents = step(agents, members, k * dt)
            yield agents

    return run
