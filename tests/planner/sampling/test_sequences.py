"""What the low-discrepancy sequences promise: nets, first points, evenness, no gaps."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import qmc

from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.sampling.digital import digital_points
from rmp3d.planner.sampling.faure import pascal_powers, smallest_prime
from rmp3d.planner.sampling.niederreiter import generators, irreducible_polynomials

SEQUENCES = ["halton", "sobol", "faure", "niederreiter"]


def cube(dimension):
    """A stand-in for an empty space whose configurations are the unit cube's values."""
    return SimpleNamespace(
        dimension=dimension,
        from_unit_cube=lambda values: values,
        is_free=lambda values: np.ones(len(values), bool),
    )


def points(name, dimension, count, first=0, **parameters):
    rng = np.random.default_rng(0)
    return SAMPLERS[name](**parameters).attempt(cube(dimension), count, first, rng)


def counts_in_elementary_intervals(x, base, depth):
    """Yield, for each shape of interval of volume base^-depth, the points in each interval."""
    dimension = x.shape[1]
    for split in product(range(depth + 1), repeat=dimension):
        if sum(split) == depth:
            sides = base ** np.array(split)
            cell = np.floor(x * sides + 1e-12).astype(int)
            index = np.ravel_multi_index(cell.T, sides)
            yield np.bincount(index, minlength=base**depth)


@pytest.mark.parametrize("dimension", [2, 3, 6])
@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_are_more_even_than_chance(name, dimension):
    # Centered L2 discrepancy; measured 10 to 200 times below chance.
    chance = min(
        qmc.discrepancy(np.random.default_rng(seed).random((1000, dimension))) for seed in range(5)
    )
    assert qmc.discrepancy(points(name, dimension, 1000)) < 0.2 * chance


@pytest.mark.parametrize(("dimension", "base", "digits"), [(2, 2, 6), (3, 3, 4), (4, 5, 3)])
def test_faure_points_are_nets_of_quality_zero(dimension, base, digits):
    # b^m points from a multiple of b^m on: exactly one in every interval of volume b^-m
    first = next(k for k in range(1000) if (base**4 + k) % base**digits == 0)
    net = points("faure", dimension, base**digits, first)
    assert smallest_prime(dimension) == base
    for counts in counts_in_elementary_intervals(net, base, digits):
        assert (counts == 1).all()


@pytest.mark.parametrize(("dimension", "quality"), [(2, 0), (3, 1), (4, 3), (5, 5)])
@pytest.mark.parametrize("block", [0, 3])
def test_niederreiter_points_are_nets_of_the_stated_quality(dimension, quality, block):
    # t = sum of (degree - 1) over x, x + 1, x^2 + x + 1, and the two of degree three
    digits = quality + 4
    net = points("niederreiter", dimension, 2**digits, block * 2**digits)
    for counts in counts_in_elementary_intervals(net, 2, digits - quality):
        assert (counts == 2**quality).all()


@pytest.mark.parametrize("batch", [64, 100])
def test_sobol_points_stay_balanced_over_batches(batch):
    # In two dimensions Sobol's is a (0, 2)-sequence: every aligned block of 2^m is a (0, m, 2)-net
    ends = [*range(0, 512, batch), 512]
    net = np.concatenate([points("sobol", 2, b - a, a) for a, b in pairwise(ends)])
    for block in net.reshape(8, 64, 2):
        for counts in counts_in_elementary_intervals(block, 2, 6):
            assert (counts == 1).all()


def test_first_faure_points_in_three_dimensions():
    # By hand: 81 is 10000 in base 3, so C_0 a = (0, 0, 0, 0, 1); C_1 has the column
    # binom(4, r) = 1 4 6 4 1 = 1 1 0 1 1 mod 3; C_2 that times 2^(4 - r) = 1 2 0 2 1 mod 3.
    by_hand = np.array([[0, 0, 0, 0, 1], [1, 1, 0, 1, 1], [1, 2, 0, 2, 1]])
    # 82 and 83 add (1, 0, 0, 0, 0), once and twice, to each, modulo 3
    last = np.array([1, 0, 0, 0, 0])
    expected = [(by_hand + k * last) % 3 @ 3.0 ** -np.arange(1, 6) for k in range(3)]
    np.testing.assert_allclose(points("faure", 3, 3), expected, atol=1e-15)


def test_the_textbook_points_of_faure_in_three_dimensions():
    # By hand: the digits (a0, a1) become (a0, a1), (a0 + a1, a1) and (a0 + 2 a1, a1), modulo 3
    expected = [
        [(a0 + j * a1) % 3 / 3 + a1 / 9 for j in range(3)] for a1 in range(3) for a0 in range(3)
    ]
    found = digital_points(pascal_powers(3, 3), 3, np.arange(9))
    np.testing.assert_allclose(found, expected, atol=1e-15)


def test_first_niederreiter_points():
    # By hand. x: v = 1 0 0 ..., then 0 1 0 ...: the identity, van der Corput's points.
    # x + 1: v = 1 1 1 1, then of (x + 1)^2 = x^2 + 1: 0 1 0 1, then of x^3 + x^2 + x + 1: 0 0 1 1.
    # x^2 + x + 1: v = 1 1 0 1 1, rows 1 1 0 and 1 0 1; its square x^4 + x^2 + 1: 0 0 1 1 1.
    rows = [
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[1, 1, 1], [0, 1, 0], [0, 0, 1]],
        [[1, 1, 0], [1, 0, 1], [0, 0, 1]],
    ]
    np.testing.assert_array_equal(generators(3)[:, :3, :3], rows)
    np.testing.assert_array_equal(
        points("niederreiter", 2, 8),
        np.array([[0, 0], [4, 4], [2, 6], [6, 2], [1, 5], [5, 1], [3, 3], [7, 7]]) / 8,
    )


def test_polynomials_without_a_factor():
    # x, x + 1, x^2 + x + 1, x^3 + x + 1, x^3 + x^2 + 1, and the three of degree four
    assert irreducible_polynomials(8) == [2, 3, 7, 11, 13, 19, 25, 31]
    # Gauss: (1/6) sum over d | 6 of mu(d) 2^(6/d) = 9 of degree six
    assert sum(p.bit_length() == 7 for p in irreducible_polynomials(40)) == 9


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_sequence_goes_on_where_it_was_left(name, dimension):
    whole = points(name, dimension, 1000)
    ends = [0, 1, 38, 300, 556, 1000]
    parts = [points(name, dimension, b - a, a) for a, b in pairwise(ends)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert len(np.unique(whole, axis=0)) == 1000
    assert ((whole >= 0.0) & (whole < 1.0)).all()


def test_scrambled_sobol_points_go_on_and_follow_their_seed():
    whole = points("sobol", 3, 100, scramble=True, seed=1)
    parts = [
        points("sobol", 3, 37, scramble=True, seed=1),
        points("sobol", 3, 63, 37, scramble=True, seed=1),
    ]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    assert not np.array_equal(whole, points("sobol", 3, 100, scramble=True, seed=2))


@pytest.mark.parametrize("name", SEQUENCES)
def test_no_points_asked_for(name):
    assert points(name, 3, 0).shape == (0, 3)


def test_a_sequence_that_ends_says_so():
    with pytest.raises(ValueError, match="ends after 2147483648 points"):
        points("niederreiter", 2, 1, 2**31)
