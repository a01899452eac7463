"""Compiled loops over places in a corridor: what `rmp3d.planner.paths.corridor` asks each step."""

from math import atan2, ceil, floor, pi, sqrt

import numpy as np

from rmp3d.geometry.compiled import compiled

# Turns within this share of a direction of one measured are along it.
ALONG = 1e6


@compiled
def reached(stations, around, at, left, up):
    """Return how far [m] a body at one arc length may be moved towards an offset.

    The lesser of the stations around it, and of the measured directions around the offset's own.
    """
    after = min(max(np.searchsorted(stations, at), 0), stations.shape[0] - 1)
    before = max(after - 1, 0)
    count = around.shape[1]
    turn = np.rint(atan2(up, left) * (count / (2.0 * pi)) * ALONG) / ALONG
    low, high = floor(turn) % count, ceil(turn) % count
    return min(
        min(around[before, low], around[before, high]), min(around[after, low], around[after, high])
    )


@compiled
def all_reached(stations, around, at, left, up, found):
    """Fill in how far (M,) bodies may be moved; see `reached`."""
    for i in range(at.shape[0]):
        found[i] = reached(stations, around, at[i], left[i], up[i])


@compiled
def all_within(stations, around, at, aside, ahead, more, found):
    """Fill in offsets (M, 2), cut to the room at distances (A,) ahead, or ``more`` (A,) than it."""
    for i in range(at.shape[0]):
        left, up = aside[i, 0], aside[i, 1]
        for k in range(ahead.shape[0]):
            where = at[i] + ahead[k]
            if stations[0] <= where <= stations[-1]:
                most = reached(stations, around, where, left, up) + more[k]
                size = sqrt(left * left + up * up)
                scale = most / size if size > most else 1.0
                left, up = left * scale, up * scale
        found[i, 0], found[i, 1] = left, up
