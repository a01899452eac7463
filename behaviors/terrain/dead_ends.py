"""Dead ends: cells from which one other agent alone can cut off every route back."""

import numpy as np

from rmp3d.behaviors.terrain.ground import free_links, ground_of
from rmp3d.geometry.arrays import Bool
from rmp3d.geometry.compiled import calls, compiled
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.weak_cache import weak_cache

STANDS = 64  # of one compiled call: each looks at all cells


@weak_cache
def dead_ends(
    surface: WalkableSurface, cell: float, obstacles: MeshQuery | None, radius: float, low: float,
    high: float, gap: float,
) -> Bool:  # fmt: skip
    """Return which cells (V,) one agent that stands at the right place can close off.

    From there, no route to the largest part of the ground keeps the gap from that agent. A
    ring round an obstacle is no dead end: an agent cut off on one side leaves on the other.

    Args:
        surface: What is walked on.
        cell: Of its ground [m].
        obstacles: What the body must not touch, or None.
        radius: Of the body, an upright capsule [m].
        low: Height of the lower end of its segment over the ground [m].
        high: Of the upper end [m].
        gap: Between the reference points [m].
    """
    ground = ground_of(surface, cell)
    free = free_links(surface, cell, obstacles, radius, low, high)
    closed = np.zeros(len(ground.point), np.bool_)
    for stands in calls(len(closed), STANDS):
        graph = ground.point, ground.start, ground.link, free
        _close_off(*graph, gap, stands.start, stands.stop, closed)
    return closed


@compiled
def _close_off(point, start, link, free, gap, first, last, closed):
    """Mark what agents that stand at cells ``first`` to ``last``, excluded, can close off."""
    count = point.shape[0]
    part, queue = np.empty(count, np.int64), np.empty(count, np.int64)
    for stand in range(first, last):
        for v in range(count):
            x, y = point[v, 0] - point[stand, 0], point[v, 1] - point[stand, 1]
            z = point[v, 2] - point[stand, 2]
            part[v] = -1 if x * x + y * y + z * z <= gap * gap else 0
        parts, largest, most = 0, 0, 0
        for seed in range(count):
            if part[seed] != 0:
                continue
            parts += 1
            part[seed] = parts
            queue[0], size, done = seed, 1, 0
            while done < size:
                v = queue[done]
                done += 1
                for e in range(start[v], start[v + 1]):
                    if free[e] and part[link[e]] == 0:
                        part[link[e]] = parts
                        queue[size] = link[e]
                        size += 1
            if size > most:
                largest, most = parts, size
        for v in range(count):
            closed[v] = closed[v] or (part[v] > 0 and part[v] != largest)
