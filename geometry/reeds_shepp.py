"""Shortest paths of a vehicle that drives forward and backward (Reeds and Shepp).

A path is up to five pieces, each a turn on the tightest circle or a straight line, driven forward
or backward. Reeds and Shepp (1990, "Optimal paths for a car that goes both forwards and backwards")
show that the shortest one is among 48 words; eight formulas of their section 8, in all symmetries,
give these. Poses, curvatures and signed lengths are those of `rmp3d.geometry.curves`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Bool, Float

LEFT, LINE, RIGHT = 1.0, 0.0, -1.0
QUARTER = 0.5 * np.pi
ROUNDING = 1e-9  # [rad] by which a turn may be on the wrong side of zero
PIECES = 5


class _Word(NamedTuple):
    """A formula: the sides of its pieces, their lengths for x, y, angle, and whether it exists."""

    sides: tuple[float, ...]
    solve: Callable[[Float, Float, Float], tuple[list[Float], Bool]]
    mirrored: bool = False  # whether the same pieces in the opposite order are a word of their own


def reeds_shepp_paths(start: Float, end: Float, radius: float) -> tuple[Float, Float]:
    """Return curvatures and signed lengths (M, W, 5) of all words between poses.

    Args:
        start: (M, 3) poses: x, y [m], angle of the heading [rad].
        end: (M, 3) poses.
        radius: Of all turns [m], positive.

    Returns:
        Curvatures [1/m], and lengths [m], negative where the vehicle drives backward. All lengths
        of a word that does not join the poses are infinite.
    """
    offset = (end[:, :2] - start[:, :2]) / radius
    cos, sin = np.cos(start[:, 2]), np.sin(start[:, 2])
    x = cos * offset[:, 0] + sin * offset[:, 1]
    y = cos * offset[:, 1] - sin * offset[:, 0]
    angle = end[:, 2] - start[:, 2]
    sides, lengths = [], []
    for word in WORDS:
        for mirrored in (False, True) if word.mirrored else (False,):
            for gear in (1.0, -1.0):
                for side in (1.0, -1.0):
                    own = gear * x, side * y, gear * side * angle
                    if mirrored:
                        own = _from_the_end(*own)
                    pieces, exists = word.solve(*own)
                    turns = [side * each for each in word.sides]
                    if mirrored:
                        turns, pieces = turns[::-1], pieces[::-1]
                    sides.append(turns + [0.0] * (PIECES - len(turns)))
                    lengths.append(_row(pieces, exists, gear))
    curvature = np.broadcast_to(np.array(sides) / radius, (len(x), len(sides), PIECES))
    return curvature.copy(), radius * np.stack(lengths, axis=1)


def reeds_shepp_length(start: Float, end: Float, radius: float) -> Float:
    """Return the lengths (M,) [m] of the shortest paths between poses (M, 3)."""
    _, lengths = reeds_shepp_paths(start, end, radius)
    shortest: Float = np.abs(lengths).sum(axis=2).min(axis=1)
    return shortest


def _row(pieces: list[Float], exists: Bool, gear: float) -> Float:
    """Return the signed lengths (M, 5) of a word, infinite where it does not exist."""
    row = np.zeros((len(exists), PIECES))
    for number, piece in enumerate(pieces):
        row[:, number] = gear * piece
    row[~exists] = np.inf
    return row


def _from_the_end(x: Float, y: Float, angle: Float) -> tuple[Float, Float, Float]:
    """Return the pose that the same pieces in the opposite order lead to."""
    cos, sin = np.cos(angle), np.sin(angle)
    return x * cos + y * sin, x * sin - y * cos, angle


def _wrapped(angle: Float) -> Float:
    """Return angles in [-pi, pi); one that is just below zero because of rounding is zero."""
    wrapped = np.mod(angle + np.pi, 2.0 * np.pi) - np.pi
    return np.where(np.abs(wrapped) < ROUNDING, 0.0, wrapped)


def _polar(x: Float, y: Float) -> tuple[Float, Float]:
    return np.hypot(x, y), np.arctan2(y, x)


def _root(square: Float) -> Float:
    return np.sqrt(np.maximum(square, 0.0))


def _same_side(x: Float, y: Float, angle: Float) -> tuple[Float, Float]:
    """Return the last circle's center, if the last turn is to the left as the first one."""
    return x - np.sin(angle), y - 1.0 + np.cos(angle)


def _other_side(x: Float, y: Float, angle: Float) -> tuple[Float, Float]:
    """Return the last circle's center, if the last turn is to the right."""
    return x + np.sin(angle), y - 1.0 - np.cos(angle)


def _lsl(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.1): left, line, left."""
    u, t = _polar(*_same_side(x, y, angle))
    t = _wrapped(t)
    v = _wrapped(angle - t)
    return [t, u, v], (t >= 0.0) & (v >= 0.0)


def _lsr(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.2): left, line, right."""
    apart, course = _polar(*_other_side(x, y, angle))
    u = _root(apart**2 - 4.0)
    t = _wrapped(course + np.arctan2(2.0, u))
    v = _wrapped(t - angle)
    return [t, u, v], (apart >= 2.0) & (t >= 0.0) & (v >= 0.0)


def _lrl(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.3) and (8.4): left, right in the other gear, left in any."""
    apart, course = _polar(*_same_side(x, y, angle))
    u = -2.0 * np.arcsin(np.minimum(0.25 * apart, 1.0))
    t = _wrapped(course + 0.5 * u + np.pi)
    v = _wrapped(angle - t + u)
    return [t, u, v], (apart <= 4.0) & (t >= 0.0)


def _lrlr_one_change(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.7): left and right, then left and right in the other gear."""
    ahead, aside = _other_side(x, y, angle)
    share = 0.25 * (2.0 + np.hypot(ahead, aside))
    u = np.arccos(np.minimum(share, 1.0))
    t, v = _outer_turns(u, -u, ahead, aside, angle)
    return [t, u, -u, v], (share <= 1.0) & (t >= 0.0) & (v <= 0.0)


def _lrlr_two_changes(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.8): left, right and left in the other gear, right."""
    ahead, aside = _other_side(x, y, angle)
    share = (20.0 - ahead**2 - aside**2) / 16.0
    exists = (share >= 0.0) & (share <= 1.0)
    u = -np.arccos(np.clip(share, 0.0, 1.0))
    t, v = _outer_turns(u, u, ahead, aside, angle)
    return [t, u, u, v], exists & (t >= 0.0) & (v >= 0.0)


def _outer_turns(
    u: Float, v: Float, ahead: Float, aside: Float, angle: Float
) -> tuple[Float, Float]:
    """Return the first and the last turn around inner turns u and v (section 8, tau and omega)."""
    delta = u - v
    a, b = np.sin(u) - np.sin(delta), np.cos(u) - np.cos(delta) - 1.0
    first = np.arctan2(aside * a - ahead * b, ahead * a + aside * b)
    opposite = 2.0 * (np.cos(delta) - np.cos(v) - np.cos(u)) + 3.0 < 0.0
    first = _wrapped(np.where(opposite, first + np.pi, first))
    return first, _wrapped(first - u + v - angle)


def _lrsl(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.9): left, then backward a quarter right, line, left."""
    apart, course = _polar(*_same_side(x, y, angle))
    r = _root(apart**2 - 4.0)
    u = 2.0 - r
    t = _wrapped(course + np.arctan2(r, -2.0))
    v = _wrapped(angle - QUARTER - t)
    exists = (apart >= 2.0) & (t >= 0.0) & (u <= 0.0) & (v <= 0.0)
    return [t, -QUARTER + 0.0 * t, u, v], exists


def _lrsr(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.10): left, then backward a quarter right, line, right."""
    ahead, aside = _other_side(x, y, angle)
    apart, t = _polar(-aside, ahead)
    t = _wrapped(t)
    u = 2.0 - apart
    v = _wrapped(t + QUARTER - angle)
    exists = (apart >= 2.0) & (t >= 0.0) & (u <= 0.0) & (v <= 0.0)
    return [t, -QUARTER + 0.0 * t, u, v], exists


def _lrslr(x: Float, y: Float, angle: Float) -> tuple[list[Float], Bool]:
    """Solve (8.11): left, then backward a quarter right, line, a quarter left, then right."""
    ahead, aside = _other_side(x, y, angle)
    apart = np.hypot(ahead, aside)
    u = 4.0 - _root(apart**2 - 4.0)
    t = _wrapped(np.arctan2((4.0 - u) * ahead - 2.0 * aside, -2.0 * ahead + (u - 4.0) * aside))
    v = _wrapped(t - angle)
    quarter = -QUARTER + 0.0 * t
    exists = (apart >= 2.0) & (u <= 0.0) & (t >= 0.0) & (v >= 0.0)
    return [t, quarter, u, quarter, v], exists


WORDS = (
    _Word((LEFT, LINE, LEFT), _lsl),
    _Word((LEFT, LINE, RIGHT), _lsr),
    _Word((LEFT, RIGHT, LEFT), _lrl, mirrored=True),
    _Word((LEFT, RIGHT, LEFT, RIGHT), _lrlr_one_change),
    _Word((LEFT, RIGHT, LEFT, RIGHT), _lrlr_two_changes),
    _Word((LEFT, RIGHT, LINE, LEFT), _lrsl, mirrored=True),
    _Word((LEFT, RIGHT, LINE, RIGHT), _lrsr, mirrored=True),
    _Word((LEFT, RIGHT, LINE, LEFT, RIGHT), _lrslr),
)
