"""Gaps between long bodies, against the nearest of many points on their cores."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.gaps import OTHER_LEVEL, cores_at, cores_of, gaps_between


def test_the_gap_is_that_of_the_nearest_points_less_the_half_widths():
    rng = np.random.default_rng(0)
    cores = np.column_stack(
        [rng.uniform(-3.0, 3.0, (40, 4)), rng.uniform(0.1, 0.5, 40), 0 * rng.random(40)]
    )
    shares = np.linspace(0.0, 1.0, 401)[:, None]
    for one in cores[:8]:
        for other in cores[8:]:
            a, b = (c[:2] + shares * (c[2:4] - c[:2]) for c in (one, other))
            apart = np.linalg.norm(a[:, None] - b[None], axis=2).min() - one[4] - other[4]
            assert gaps_between(one[None], other[None])[0, 0] == pytest.approx(apart, abs=0.02)


def test_bodies_on_other_levels_are_infinitely_far():
    below = np.array([[0.0, 0.0, 1.0, 0.0, 0.3, 0.0]])
    above = below.copy()
    above[0, 5] = OTHER_LEVEL + 0.1
    assert np.isinf(gaps_between(below, above)).all()
    assert gaps_between(below, below)[0, 0] == pytest.approx(-0.6)


def test_the_core_of_a_motorbike_lies_along_its_heading_and_holds_its_row(bikes, motorbike):
    flock = bikes.at([[5.0, 2.0, 0.5 * np.pi]])
    core = cores_of(flock)[0]
    row = motorbike.body.capsules
    np.testing.assert_allclose(core[:2], [5.0, 2.0 + row[:, 0].min()], atol=1e-9)
    np.testing.assert_allclose(core[2:4], [5.0, 2.0 + row[:, 0].max()], atol=1e-9)
    assert core[4] >= row[:, 1].max()
    same = cores_at(
        flock.position, flock.heading[:, :2], flock.bodies.ends, flock.bodies.half_width
    )
    np.testing.assert_array_equal(same[0], core)
