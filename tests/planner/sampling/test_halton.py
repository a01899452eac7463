import numpy as np
import pytest

from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.spaces import make_space


@pytest.fixture
def empty(make, flyer):
    flag = make.box("flag", (0, 0, 0), (1, 1, 1), role="decor")
    return make_space("translation", make.scene(flag, bounds=((0, 0, 0), (1, 1, 1))), flyer)


def radical_inverse(number, base):
    value, digit = 0.0, 1.0 / base
    while number:
        number, rest = divmod(number, base)
        value += rest * digit
        digit /= base
    return value


def test_points_are_radical_inverses_in_the_first_primes(empty):
    points = SAMPLERS["halton"]().attempt(empty, 200, 0, np.random.default_rng(0))
    expected = [[radical_inverse(i, base) for base in (2, 3, 5)] for i in range(200)]
    np.testing.assert_allclose(points, expected, atol=1e-12)


@pytest.mark.parametrize("scramble", [False, True])
def test_the_sequence_goes_on_where_it_was_left(empty, scramble):
    sampler = SAMPLERS["halton"](scramble=scramble)
    rng = np.random.default_rng(0)
    whole = sampler.attempt(empty, 100, 0, rng)
    parts = [sampler.attempt(empty, 37, 0, rng), sampler.attempt(empty, 63, 37, rng)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_scrambling_follows_its_seed(empty):
    points = [
        SAMPLERS["halton"](scramble=True, seed=seed).attempt(empty, 20, 0, None)
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(points[0], points[1])
    assert not np.array_equal(points[0], points[2])
