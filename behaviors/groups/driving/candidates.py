"""Curves that a vehicle could drive from where it is, before it is known which are free."""

from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.groups.driving.route import Driven
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.curves import drive
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.geometry.reeds_shepp import reeds_shepp_paths

# Lengths of the arcs driven first [m].
ARCS = np.array([1.0, 2.0, 3.5, 5.0, 7.0, 9.0])
# So many curves from each arc to each end are tried.
WORDS = 3


def no_arcs() -> tuple[Float, Float]:
    """Return the one arc of no length, as `first_arcs`."""
    return np.zeros(1), np.zeros(1)


def first_arcs(radius: float, reverses: bool, sizes: Float = ARCS) -> tuple[Float, Float]:
    """Return curvatures and signed lengths (B,) of arcs and lines; ``sizes`` are lengths [m]."""
    sides = np.array([0.0, 1.0, -1.0]) / radius
    lengths = np.concatenate([sizes, -sizes]) if reverses else sizes
    bends, pieces = (grid.ravel() for grid in np.meshgrid(sides, lengths, indexing="ij"))
    return bends, pieces


class CurvesToEnds(NamedTuple):
    """Curves of pieces from one place: curvatures and signed lengths (M, P), cost, end's z (M,).

    Where the height is nan, they may end at any. ``aim`` (M,) says to which end each leads.
    """

    bends: Float
    pieces: Float
    cost: Float
    height: Float
    aim: Index


def curves_to_ends(
    vehicle: Driven, ends: Float, price: Float, radius: float, bends: Float, pieces: Float
) -> CurvesToEnds:
    """Return curves that begin with arcs, and lead to ends (E, 4)."""
    begin = drive(np.broadcast_to(vehicle.pose, (len(bends), 3)), bends, pieces)
    start, end = (
        grid.reshape(-1, 3) for grid in np.broadcast_arrays(begin[:, None], ends[None, :, :3])
    )
    sides, lengths = _words(start, end, radius, vehicle.reverses)
    arc = np.repeat(np.arange(len(bends)), len(ends))
    first = np.broadcast_to(pieces[arc, None, None], (*lengths.shape[:2], 1))
    cost = _cost(np.concatenate([first, lengths], axis=2), vehicle)
    kept = np.argsort(cost, axis=1, kind="stable")[:, :WORDS]
    pair = np.repeat(np.arange(len(cost)), kept.shape[1])
    word = kept.ravel()
    curvature = np.column_stack([bends[arc[pair]], sides[pair, word]])
    length = np.column_stack([pieces[arc[pair]], lengths[pair, word]])
    aim = pair % len(ends)
    return CurvesToEnds(curvature, length, cost[pair, word] + price[aim], ends[aim, 3], aim)


def _words(start: Float, end: Float, radius: float, reverses: bool) -> tuple[Float, Float]:
    """Return curvatures and signed lengths (M, W, P) of curves between poses (M, 3).

    The shortest curves of Reeds and Shepp turn by half a circle at most in one piece; one that
    would rather drive round than back turns farther, by a curve of Dubins.
    """
    sides, lengths = dubins_paths(start, end, radius)
    if not reverses:
        return sides, lengths
    turned = np.where(sides != 0.0, lengths, 0.0).max(axis=2, keepdims=True)
    lengths = np.where(turned > np.pi * radius, lengths, np.inf)
    both = reeds_shepp_paths(start, end, radius)
    more = ((0, 0), (0, 0), (0, both[0].shape[2] - sides.shape[2]))
    padded = np.pad(sides, more), np.pad(lengths, more)
    with_ahead = [np.concatenate(each, axis=1) for each in zip(padded, both, strict=True)]
    return with_ahead[0], with_ahead[1]


def _cost(length: Float, vehicle: Driven) -> Float:
    """Return what curves with pieces of signed lengths (..., P) cost a vehicle [m]."""
    size = np.abs(length)
    cost = np.where(length < 0.0, vehicle.back_price * size, size).sum(axis=-1)
    gear = np.where(size < 1e-9, 0.0, np.sign(length))
    before = np.full(gear.shape[:-1], float(vehicle.rolls))
    for piece in range(gear.shape[-1]):
        now = gear[..., piece]
        cost = cost + vehicle.change_price * ((now * before) < 0.0)
        before = np.where(now == 0.0, before, now)
    return np.where(np.isfinite(size).all(axis=-1), cost, np.inf)
