"""The way through a graph whose worst penalty is least."""

from collections.abc import Callable

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.graphs import components, shortest_path

LENGTH_WEIGHT = 0.01  # penalty of a meter
HARDLY_LARGER = 1.3  # times the least worst penalty
DIGITS = 6  # of penalties that are told apart
BLOCKED = 20.0
"""Penalty of a link that is closed; a link may have more."""


def least_hindered(
    position: Float,
    links: Index,
    penalty: Float,
    start: int,
    goal: int,
    closed: Callable[[Index], Float] | None = None,
) -> tuple[Index, Index]:
    """Return the nodes (R,) of the way whose worst penalty is least, and its links (R - 1,).

    Of the ways with a worst penalty that is hardly larger, it is the one with the least sum of
    penalties and of length: one high step, rather than a lower one behind a narrow door. Both are
    empty if no way leads there.

    Args:
        position: (N, 3) of the nodes [m].
        links: (E, 2) nodes.
        penalty: (E,) of the links.
        start: Node.
        goal: Node.
        closed: Returns what links (K,) cost where every way has one that is closed; by default
            their penalty.
    """
    nothing = np.zeros(0, np.intp)
    penalty = np.round(penalty, DIGITS)
    values = np.unique(penalty)
    if start == goal:
        return np.array([start]), nothing
    if len(values) == 0 or not _joins(position, links[penalty <= values[-1]], start, goal):
        return nothing, nothing
    low, high = 0, len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if _joins(position, links[penalty <= values[middle]], start, goal):
            high = middle
        else:
            low = middle + 1
    rows = np.flatnonzero(penalty <= HARDLY_LARGER * values[high])
    ends = position[links[rows]]
    size = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    cost = penalty[rows]
    if closed is not None and values[high] >= BLOCKED:
        cost = closed(rows)
    cost = cost + LENGTH_WEIGHT * size
    route = shortest_path(len(position), links[rows], cost, start, goal)
    return route, rows[_links_of(links[rows], cost, route, len(position))]


def _links_of(links: Index, cost: Float, route: Index, count: int) -> Index:
    """Return the cheapest link (R - 1,) of each step of a route (R,)."""
    order = np.lexsort((cost, links.max(axis=1), links.min(axis=1)))
    key = links.min(axis=1)[order] * count + links.max(axis=1)[order]
    one, two = np.minimum(route[:-1], route[1:]), np.maximum(route[:-1], route[1:])
    return order[np.searchsorted(key, one * count + two)]


def _joins(position: Float, links: Index, start: int, goal: int) -> bool:
    label = components(len(position), links)
    return bool(label[start] == label[goal])
