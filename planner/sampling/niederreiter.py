"""Niederreiter: a digital sequence in base 2 from irreducible polynomials."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.planner.sampling.digital import digit_count, digital_points
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space


@SAMPLERS.register("niederreiter")
@dataclass(frozen=True)
class Niederreiter:
    r"""Sample free configurations of the Niederreiter sequence in base 2.

    The digital sequence (see `digital_points`) whose generator for coordinate j comes from the
    j-th irreducible polynomial p over GF(2): x, x + 1, x^2 + x + 1, ... With e the degree of p,
    row eq + u + 1 of the generator, 0 <= u < e, holds the coefficients u, u + 1, ... of a
    series v that satisfies the linear recurrence with characteristic polynomial p^(q+1),
    started with eq zeros and e ones (Bratley, Fox, Niederreiter 1992, "Implementation and tests
    of low-discrepancy sequences", section 3.3; Algorithm 738 of ACM TOMS). With t the sum of
    the e - 1, of 2^m points, from a multiple of 2^m on, every elementary interval of volume
    2^(t-m) contains exactly 2^t. The paper numbers the points by a Gray code; we count plainly,
    which gives the same points in each such block. Nothing is random.
    """

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ones of points ``first`` to ``first + count - 1``, (M, W)."""
        points = digital_points(generators(space.dimension), 2, first + np.arange(count))
        configurations = space.from_unit_cube(points)
        return configurations[space.is_free(configurations)]


@lru_cache
def generators(count: int) -> Index:
    """Return the generator matrices (count, m, m) of the first coordinates."""
    size = digit_count(2)
    return frozen([_generator(p, size) for p in irreducible_polynomials(count)], np.intp)


def irreducible_polynomials(count: int) -> list[int]:
    """Return the first irreducible polynomials over GF(2); bit k is the coefficient of x^k."""
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(_remainder(candidate, p) for p in found):
            found.append(candidate)
        candidate += 1
    return found


def _generator(polynomial: int, size: int) -> list[list[int]]:
    degree = _degree(polynomial)
    rows: list[list[int]] = []
    power = 1
    while len(rows) < size:
        zeros = _degree(power)
        power = _product(power, polynomial)
        series = _recurrence(power, zeros, size + degree)
        rows += [series[u : u + size] for u in range(degree)]
    return rows[:size]


def _recurrence(polynomial: int, zeros: int, count: int) -> list[int]:
    """Return ``count`` terms of the recurrence that starts with zeros, then ones."""
    degree = _degree(polynomial)
    terms = [0] * zeros + [1] * (degree - zeros)
    taps = [k for k in range(degree) if polynomial >> k & 1]
    while len(terms) < count:
        terms.append(sum(terms[k - degree] for k in taps) % 2)
    return terms[:count]


def _degree(polynomial: int) -> int:
    return polynomial.bit_length() - 1


def _product(a: int, b: int) -> int:
    """Return the product of two polynomials over GF(2)."""
    product = 0
    for k in range(b.bit_length()):
        if b >> k & 1:
            product ^= a << k
    return product


def _remainder(dividend: int, divisor: int) -> int:
    """Return the remainder of a division of polynomials over GF(2)."""
    while dividend.bit_length() >= divisor.bit_length():
        dividend ^= divisor << (dividend.bit_length() - divisor.bit_length())
    return dividend
