"""Digital sequences: points whose digits are linear in the digits of their number."""

import numpy as np

from rmp3d.geometry import Float, Index

LONGEST = 2**31  # points of a sequence, at most


def digit_count(base: int) -> int:
    """Return the largest m with base^m <= 2^31: the size of the generator matrices."""
    count = 0
    while base ** (count + 1) <= LONGEST:
        count += 1
    return count


def digital_points(generators: Index, base: int, numbers: Index) -> Float:
    r"""Return points of a digital sequence (Niederreiter 1987).

    With the digits of n in base b, :math:`n = \sum_r a_r b^r`, coordinate j of point n is

    .. math:: x_j = \sum_{i \ge 1} y_i b^{-i}, \qquad y = C_j a \bmod b

    Args:
        generators: (d, m, m) the matrices C_j; entries 0 to b - 1.
        base: The prime b.
        numbers: (N,) from 0 on.

    Returns:
        (N, d) in [0, 1), without rounding before the last division.

    Raises:
        ValueError: A number has more than m digits.
    """
    size = generators.shape[1]
    if len(numbers) and numbers.max() >= base**size:
        raise ValueError(f"the sequence ends after {base**size} points, got {numbers.max()}")
    powers = base ** np.arange(size)
    digits = numbers[:, None] // powers % base  # (N, m)
    turned = np.einsum("jrc,nc->njr", generators, digits) % base
    return (turned @ powers[::-1]) / float(base**size)
