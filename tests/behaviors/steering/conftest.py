"""Agents in motion under one behavior, with vehicles that fly or slide over a plane."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, remember, steer
from rmp3d.behaviors.vehicles import attainable, fly
from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.query import MeshQuery


def pytest_collection_modifyitems(items):
    """Whoever lets agents move for seconds is slow."""
    for item in items:
        if "moves" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


def moved(agents, steering, dt):
    """One step of the vehicle; walkers here are flyers that stay level."""
    wanted = agents.velocity + steering.force / agents.bodies.mass[:, None] * RESPONSE_TIME
    size = np.linalg.norm(wanted, axis=1, keepdims=True)
    wanted = wanted * np.minimum(1.0, agents.bodies.max_speed[:, None] / np.maximum(size, 1e-12))
    return fly(agents, attainable(agents, wanted, dt), dt, steering)


@pytest.fixture
def moves(make):
    """A generator of flocks, step by step: ``moves(agents, behavior, seconds, **surroundings)``.

    ``around`` is a function of the flock and the time that returns what they know.
    """

    def run(agents, one, seconds, around=None, dt=None, **fixed):
        dt = dt or make.dt
        memory = None
        if isinstance(fixed.get("obstacles"), TriangleMesh):
            fixed["obstacles"] = MeshQuery(fixed["obstacles"])
        for step in range(round(seconds / dt)):
            time = step * dt
            known = around(agents, time) if around else make.surroundings(agents, **fixed)
            known = replace(known, time=time, dt=dt).remembering(memory)
            known = remember(one, agents, known)
            memory = known.memory
            agents = moved(agents, steer(one, agents, known), dt)
            yield agents

    return run
