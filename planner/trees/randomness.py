"""Chance inside compiled code: one explicit state, so the same seed gives the same numbers.

The generator is SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
generators"); ``state`` is one ``uint64`` in an array.
"""

from math import cos, log, pi, sqrt

import numpy as np

from rmp3d.geometry.compiled import compiled

STRIDE = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31, S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@compiled
def uniform(state):
    """Return the next number of the uniform law on [0, 1)."""
    state[0] += STRIDE
    mixed = state[0]
    mixed = (mixed ^ (mixed >> S30)) * FIRST
    mixed = (mixed ^ (mixed >> S27)) * SECOND
    mixed = mixed ^ (mixed >> S31)
    return (mixed >> S11) * (1.0 / 9007199254740992.0)


@compiled
def normal(state):
    """Return the next number of the standard normal law (Box and Muller 1958)."""
    radius = sqrt(-2.0 * log(1.0 - uniform(state)))
    return radius * cos(2.0 * pi * uniform(state))


@compiled
def below(state, count):
    """Return the next whole number in [0, count)."""
    return min(count - 1, int(uniform(state) * count))
