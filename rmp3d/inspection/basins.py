"""Basins of a watershed: the sites of a floor, from the most open to the narrowest."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, read_only
from rmp3d.geometry.compiled import compiled, inlined

WIDER = 1.25  # times as wide as the door a room must be
DOOR = 2.6  # [m]: what is wider is no door


def basins(links: Index, reached: Bool, openness: Float) -> tuple[Index, list[tuple[int, int]]]:
    """Return the basin (N,) of each site, -1 for none, and the pairs of basins that meet.

    A site that touches no basin begins one. Where two basins meet they become one, if the place is
    wider than a door, or if one of them is hardly wider than it; else they stay two that meet.

    Args:
        links: (L, 2) sites that are joined.
        reached: (N,) sites that count.
        openness: (N,) distance of each site to the walls [m].
    """
    links = links[reached[links].all(axis=1)]
    sites = np.flatnonzero(reached)
    sites = sites[np.argsort(-openness[sites], kind="stable")]
    ends = links.T.reshape(-1)
    order = np.argsort(ends, kind="stable")
    near = links[:, ::-1].T.reshape(-1)[order]
    first = np.searchsorted(ends[order], np.arange(len(reached) + 1))
    given = (sites, first, near, openness)
    basin, meeting = _flooded(*(read_only(array) for array in given))
    return basin, [(one, two) for one, two in np.unique(meeting, axis=0).tolist()]


@inlined
def _root(parent, label):
    """Return the basin that a basin has become a part of, and shorten the way there."""
    while parent[label] != label:
        parent[label] = parent[parent[label]]
        label = parent[label]
    return label


@compiled
def _flooded(sites, first, near, openness):
    """Return the basin of each site, and pairs of basins that meet (M, 2), the lesser first.

    Args:
        sites: (S,) in the order in which they are taken.
        first: (N + 1,) where the row of each site begins in ``near``.
        near: (L,) sites beside it.
        openness: (N,) [m].
    """
    basin = np.full(len(openness), -1)
    parent = np.empty(len(sites), np.intp)
    peak = np.empty(len(sites))
    meeting = np.empty((len(near), 2), np.intp)
    count, met = 0, 0
    for site in sites:
        steepest, best = -1, -1
        for k in range(first[site], first[site + 1]):
            other = near[k]
            if basin[other] < 0:
                continue
            if steepest < 0 or openness[other] > openness[steepest]:
                steepest = other
            label = _root(parent, basin[other])
            if best < 0 or peak[label] > peak[best] or (peak[label] == peak[best] and label < best):
                best = label
        if best < 0:
            basin[site], parent[count], peak[count] = count, count, openness[site]
            count += 1
            continue
        for k in range(first[site], first[site + 1]):
            if basin[near[k]] < 0:
                continue
            label = _root(parent, basin[near[k]])
            if label == best:
                continue
            if 2.0 * openness[site] > DOOR or peak[label] < WIDER * openness[site]:
                parent[label] = best
            else:
                meeting[met] = min(best, label), max(best, label)
                met += 1
        basin[site] = _root(parent, basin[steepest])
    for site in sites:
        basin[site] = _root(parent, basin[site])
    for k in range(met):
        meeting[k] = _root(parent, meeting[k, 0]), _root(parent, meeting[k, 1])
    return basin, meeting[:met]
