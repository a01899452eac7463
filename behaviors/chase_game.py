"""How long a quarry can keep away from a pursuer, wherever the two are: a game on the ground."""

from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.spatial import cKDTree

from behaviors.ground import Ground, arrival, free_ways, ground_of
from geometry.arrays import Bool, Float, Index
from geometry.compiled import compiled
from geometry.query import MeshQuery
from geometry.surface import Surface

# The game is played on about so many places, but none nearer together than this [m].
PLACES, CLOSEST = 500, 1.0
# A move of the pursuer leads so many spacings of the places far.
MOVE = 2.0
# The quarry's move is made in hops this many spacings long at least; none may end near the pursuer.
HOP = 1.5
# So many moves are looked ahead; who is not caught by then is taken to be safe for good.
MOVES = 80


@lru_cache(maxsize=8)
def places_of(
    surface: Surface, cell: float, obstacles: MeshQuery | None, radius: float, low: float,
    high: float,
) -> tuple[Index, float]:  # fmt: skip
    """Return cells (K,) that a body can leave, spread evenly, and their spacing [m]."""
    ground = ground_of(surface, cell)
    point = ground.point
    usable = np.zeros(len(point), np.bool_)
    usable[ground.link[free_ways(surface, cell, obstacles, radius, low, high)]] = True
    spacing = max(CLOSEST, sqrt(usable.sum() * cell * cell / (0.7 * PLACES)))
    near = cKDTree(point).query_ball_point(point, spacing, return_sorted=True)
    chosen = []
    for row in range(len(point)):
        if usable[row]:
            chosen.append(row)
            usable[near[row]] = False
    return np.array(chosen, np.intp), spacing


def _ways_between(ground: Ground, free: Bool, places: Index) -> Float:
    """Return how far (K, K) [m] it is between places by free ways (E,)."""
    far = np.empty((len(places), len(places)))
    for row, place in enumerate(places):
        seed = np.full(len(ground.point), np.inf)
        seed[place] = 0.0
        far[row] = arrival(ground, free, 1.0, seed)[0][places]
    return far


@lru_cache(maxsize=32)
def time_left(
    surface: Surface, cell: float, obstacles: MeshQuery | None, radius: float, other: float,
    low: float, high: float, speed: float, pursuit: float, gap: float,
) -> Float:  # fmt: skip
    r"""Return the times (K, K) [s] before the pursuer comes nearer than ``gap``, by places.

    Row q is the quarry's place, column p the pursuer's. The two move by turns, the quarry first,
    each as far as its speed allows in the time D of a move, and both play as well as they can:

    .. math:: T(q, p) = D + \max_{q'} \min_{p'} T(q', p')

    and zero where they are nearer than the gap and half the spacing of the places. A fast quarry
    moves in several hops, none of which may end that near to the pursuer. Value iteration from
    zero: after k rounds it is exact up to k D, and larger times are cut to `MOVES` of them.

    Args:
        surface: What is walked on.
        cell: Of its ground [m].
        obstacles: What neither may touch, or None.
        radius: Of the quarry [m].
        other: Of the pursuer [m].
        low: Height of the lower end of their segments [m].
        high: Of the upper end [m].
        speed: Of the quarry [m/s].
        pursuit: Of the pursuer [m/s].
        gap: Between their reference points [m].
    """
    ground = ground_of(surface, cell)
    places, spacing = places_of(surface, cell, obstacles, radius, low, high)
    move = MOVE * spacing / pursuit
    ways = free_ways(surface, cell, obstacles, radius, low, high)
    hops = max(1, int(speed * move / (HOP * spacing)))
    own = _moves(_ways_between(ground, ways, places), speed * move / hops)
    ways = free_ways(surface, cell, obstacles, other, low, high)
    theirs = _moves(_ways_between(ground, ways, places), pursuit * move)
    point = ground.point[places]
    apart = np.linalg.norm(point[:, None] - point[None], axis=2)
    rounds = np.zeros((len(places), len(places)))
    _play(*own, *theirs, apart <= gap + 0.5 * spacing, hops, MOVES, rounds)
    return rounds * move


def worst_left(left: Float, own: Float, theirs: Float) -> Float:
    """Return how long (K,) [s] a quarry is safe that runs to each place first, -inf if it cannot.

    Wherever the pursuer may be by the time the quarry gets there, the two play on from there.

    Args:
        left: (K, K), see `time_left`.
        own: (K,) when the quarry gets to the places [s].
        theirs: (K,) when the pursuer may [s].
    """
    # A pursuer between the places is taken to be at the nearest already.
    possible = theirs[None, :] <= own[:, None] + theirs.min()
    worst = np.where(possible, left, left.max()).min(axis=1)
    safe: Float = np.where(np.isfinite(own), np.minimum(own + worst, left.max()), -np.inf)
    return safe


def _moves(far: Float, reach: float) -> tuple[Index, Index]:
    """Return the places within reach: those of k are ``to[start[k] : start[k + 1]]``."""
    origin, to = np.nonzero(far <= reach)
    start = np.searchsorted(origin, np.arange(len(far) + 1)).astype(np.intp)
    return start, to.astype(np.intp)


@compiled
def _play(own_start, own_to, their_start, their_to, caught, hops, moves, rounds):
    count = caught.shape[0]
    worst, after = np.empty((count, count)), np.empty((count, count))
    for _ in range(moves):
        for q in range(count):
            for p in range(count):
                least = np.inf
                for k in range(their_start[p], their_start[p + 1]):
                    least = min(least, rounds[q, their_to[k]])
                worst[q, p] = 0.0 if caught[q, p] else least
        for _ in range(hops):
            for q in range(count):
                for p in range(count):
                    most = 0.0
                    if not caught[q, p]:
                        for k in range(own_start[q], own_start[q + 1]):
                            most = max(most, worst[own_to[k], p])
                    after[q, p] = most
            worst, after = after, worst
        changed = False
        for q in range(count):
            for p in range(count):
                left = 0.0 if caught[q, p] else worst[q, p] + 1.0
                changed = changed or left != rounds[q, p]
                rounds[q, p] = left
        if not changed:
            break
