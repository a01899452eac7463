"""Where a walk crosses a border of the surface: overlaps of border edges with other triangles."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import calls, compiled
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.tree import TriangleTree
from rmp3d.geometry.walking import REACH, STACK, height_at

SHORTEST = 1e-5
"""Overlaps shorter than this [m] are no more than a touch."""
WIDEST_CRACK = 4.0 * REACH
"""Gaps between overlaps that are shorter than this [m] stop nobody."""
LOOKS, LOOKS_OF_AN_EDGE = 30_000_000, 200
"""Triangles that are looked at, at most: so many, and so many more for each edge. Floors that were
modeled look at some dozens for an edge; a tangle of triangles that all cross looks at all."""
FOUND, FOUND_OF_AN_EDGE = 2_000_000, 20
"""Overlaps at most, in the same way."""


def overlaps(
    tree: TriangleTree, face: Index, edges: Float, slack: float
) -> tuple[Index, Index, Float]:
    """Return where border edges lie along other triangles.

    An edge is moved outward by `REACH`; it overlaps a triangle where it then is above or below it
    by at most ``slack``.

    Args:
        tree: Over the triangles of the surface.
        face: (L,) that each edge is of.
        edges: (L, 6) ends of the edges [m], their face on the left.
        slack: [m].

    Returns:
        Edges (K,), faces (K,), and (K, 3) shares of the edge where the overlap begins and ends,
        and the largest difference of heights there [m].

    Raises:
        InputError: There are too many of them.
    """
    arrays = tree.boxes, tree.ranges, tree.triangles, tree.order, tree.first_leaf
    found = []
    looks = LOOKS + LOOKS_OF_AN_EDGE * len(edges)
    room = FOUND + FOUND_OF_AN_EDGE * len(edges)
    for rows in calls(len(edges)):
        which, across, share, looked = _overlaps(
            *arrays, face[rows], edges[rows], slack, looks, room
        )
        looks, room = looks - looked, room - len(which)
        if looks < 0 or room < 0:
            raise InputError(
                f"the {len(tree.order):,} triangles of its ground lie over one another at millions "
                "of places; remove doubled and crossing faces"
            )
        found.append((which + rows.start, across, share))
    which, across, share = (np.concatenate(each) for each in zip(*found, strict=True))
    return which, across, share


@compiled
def _overlaps(boxes, ranges, triangles, order, first_leaf, face, edges, slack, looks, room):
    stack = np.empty(STACK, np.int64)
    which, across, share = np.empty(64, np.int64), np.empty(64, np.int64), np.empty((64, 3))
    count = looked = 0
    for i in range(edges.shape[0]):
        if looked > looks or count > room:
            break
        ax, ay, az = edges[i, 0], edges[i, 1], edges[i, 2]
        ex, ey, ez = edges[i, 3] - ax, edges[i, 4] - ay, edges[i, 5] - az
        size = (ex * ex + ey * ey) ** 0.5
        if size < SHORTEST:
            continue
        ax, ay = ax + REACH * ey / size, ay - REACH * ex / size
        low_x, high_x = min(ax, ax + ex), max(ax, ax + ex)
        low_y, high_y = min(ay, ay + ey), max(ay, ay + ey)
        low_z, high_z = min(az, az + ez) - slack, max(az, az + ez) + slack
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = stack[top]
            box = boxes[node]
            if box[0] > high_x or box[3] < low_x or box[1] > high_y or box[4] < low_y:
                continue
            if box[2] > high_z or box[5] < low_z:
                continue
            if node < first_leaf:
                stack[top], stack[top + 1] = 2 * node + 2, 2 * node + 1
                top += 2
                continue
            for k in range(ranges[node, 0], ranges[node, 1]):
                looked += 1
                if order[k] == face[i]:
                    continue
                first, last, rise = _overlap(triangles[k], ax, ay, az, ex, ey, ez, slack)
                if (last - first) * size < SHORTEST:
                    continue
                if count == len(which):
                    which = np.concatenate((which, which))
                    across = np.concatenate((across, across))
                    share = np.concatenate((share, share))
                which[count], across[count] = i, order[k]
                share[count, 0], share[count, 1], share[count, 2] = first, last, rise
                count += 1
    return which[:count], across[:count], share[:count], looked


@compiled
def _overlap(t, ax, ay, az, ex, ey, ez, slack):
    """Return the first and last share of a segment over or under a triangle, and the rise there."""
    first, last = 0.0, 1.0
    for e in range(3):
        a = 3 * e
        b = 3 * ((e + 1) % 3)
        ux, uy = t[b] - t[a], t[b + 1] - t[a + 1]
        rate = ux * ey - uy * ex
        inside = ux * (ay - t[a + 1]) - uy * (ax - t[a]) + 1e-9 * (abs(ux) + abs(uy))
        if rate == 0.0:
            if inside < 0.0:
                return 1.0, 0.0, 0.0
        elif rate > 0.0:
            first = max(first, -inside / rate)
        else:
            last = min(last, -inside / rate)
    if last <= first:
        return 1.0, 0.0, 0.0
    over = height_at(t, ax, ay) - az
    rate = height_at(t, ax + ex, ay + ey) - az - ez - over
    for sign in (-1.0, 1.0):
        # Both bounds as sign * (over + share * rate) <= slack.
        if sign * rate > 0.0:
            last = min(last, (slack - sign * over) / (sign * rate))
        elif sign * rate < 0.0:
            first = max(first, (slack - sign * over) / (sign * rate))
        elif sign * over > slack:
            return 1.0, 0.0, 0.0
    return first, last, max(abs(over + first * rate), abs(over + last * rate))


def gaps(which: Index, share: Float, size: Float) -> tuple[Index, Float]:
    """Return the parts of edges that overlap nothing: edges (B,), and where (B, 2) as shares.

    Gaps of at most `WIDEST_CRACK` between overlaps do not count.

    Args:
        which: (K,) edge of each overlap.
        share: (K, 2) where it begins and ends.
        size: (L,) lengths of the edges [m].
    """
    every = np.arange(len(size))
    # A point before and one behind each edge close its gaps.
    edge = np.concatenate([which, every, every])
    begin = np.concatenate([share[:, 0], np.zeros(len(size)), np.ones(len(size))])
    end = np.concatenate([share[:, 1], np.zeros(len(size)), np.ones(len(size))])
    order = np.lexsort((end, begin, edge))
    edge, begin, end = edge[order], begin[order], end[order]
    # Edges lie behind one another, two apart, so that one running maximum serves them all.
    covered = np.maximum.accumulate(end + 2.0 * edge) - 2.0 * edge
    width = begin[1:] - covered[:-1]
    free = (width * size[edge[1:]] > WIDEST_CRACK) | (width == 1.0)
    row = np.flatnonzero((edge[1:] == edge[:-1]) & free)
    return edge[row + 1], np.stack([covered[row], begin[row + 1]], axis=1)
