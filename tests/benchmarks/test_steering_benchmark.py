"""What the steering benchmark times is the same flock in both forms, and walkers that get on."""

from pathlib import Path

import numpy as np
import pytest

from rmp3d.behaviors.proximity.neighbors import Neighbors

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cases(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.steering_cases import CASES

    return CASES


def test_both_forms_of_the_flock_feel_the_same_forces(cases):
    compiled, plain = cases["flocking"](400), cases["numpy"](400)
    for _ in range(3):
        np.testing.assert_allclose(compiled.forces(), plain.forces(), rtol=1e-9, atol=1e-9)
        compiled.step()
        plain.step()
        np.testing.assert_allclose(compiled.flock.position, plain.flock.position, atol=1e-9)
    near = Neighbors.within(compiled.flock.position, compiled.reach, compiled.flock.bodies.radius)
    assert len(near.i) / 400 == pytest.approx(7.0, rel=0.1)


@pytest.mark.slow
def test_walkers_of_the_benchmark_walk_and_keep_clear(cases):
    walking = cases["walkers"](60)
    start = walking.flock.position
    for _ in range(40):
        assert all(part >= 0.0 for part in walking.step())
    flock = walking.flock
    assert np.linalg.norm(flock.position - start, axis=1).mean() > 0.7
    clearance, _ = walking.obstacles.capsule_clearance(
        flock.position, tuple(flock.bodies.capsule_axis[0]), flock.bodies.radius[0]
    )
    assert clearance.min() > 0.0
    near = Neighbors.within(flock.position, 2.0, flock.bodies.radius)
    assert (np.linalg.norm(near.offset, axis=1) > near.contact).all()


def test_the_million_steps_begin_without_fault(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.hugging import wander

    result = wander("rock_valley", 50, 20)
    assert result["member_steps"] == 1000
    assert result["walked"] > 30.0
    assert result["farthest_off"] < 1e-9
    assert result["jumps"] == 0
