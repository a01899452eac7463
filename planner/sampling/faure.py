"""Faure: a digital sequence in the smallest prime base that the dimension allows."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.planner.sampling.digital import digit_count, digital_points
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space


@SAMPLERS.register("faure")
@dataclass(frozen=True)
class Faure:
    r"""Sample free configurations of the Faure sequence.

    The digital sequence (see `digital_points`) in the smallest prime base b not below the
    dimension, with the powers of the Pascal matrix as generators:

    .. math:: C_j = P^j \bmod b, \qquad P_{rc} = \binom{c}{r}, \qquad j = 0, \dots, d - 1

    so that of b^m points, from a multiple of b^m on, every elementary interval of volume b^-m
    contains exactly one: a (0, d)-sequence (Faure 1982, "Discrepance de suites associees a un
    systeme de numeration"). The first points crowd along the diagonal, so attempt number 0 is
    point b^4 (Fox 1986, "Algorithm 647", who starts one point earlier). Nothing is random.
    """

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ones of points b^4 + first to b^4 + first + count - 1, (M, W)."""
        base = smallest_prime(space.dimension)
        numbers = base**4 + first + np.arange(count)
        points = digital_points(pascal_powers(space.dimension, base), base, numbers)
        configurations = space.from_unit_cube(points)
        return configurations[space.is_free(configurations)]


def smallest_prime(least: int) -> int:
    """Return the smallest prime not below ``least``."""
    number = max(2, least)
    while any(number % divisor == 0 for divisor in range(2, number)):
        number += 1
    return number


@lru_cache
def pascal_powers(count: int, base: int) -> Index:
    """Return powers 0 to count - 1 of the Pascal matrix modulo ``base``, (count, m, m)."""
    size = digit_count(base)
    pascal = np.eye(size, dtype=np.intp)
    pascal[0] = 1
    for row in range(1, size):
        for column in range(row + 1, size):
            pascal[row, column] = pascal[row, column - 1] + pascal[row - 1, column - 1]
    powers = [np.eye(size, dtype=np.intp)]
    for _ in range(count - 1):
        powers.append(powers[-1] @ pascal % base)
    return frozen(powers, np.intp)
