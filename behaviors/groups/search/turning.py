"""Turning: how easily a vehicle takes the ways on from a place, and how early it chooses.

A vehicle that turns back loses more time than it takes to drive several links. So of the ways on it
rather takes one that lies ahead, and it chooses before it has to brake.
"""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.geometry.vectors import length

# A way on counts by where it leads in so many turn radii; it is e times less likely for each so
# many turn radii of detour.
AHEAD, DETOUR = 2.0, 0.7
# Share of the brake that stops it before its place, if it finds no way on.
GENTLE = 0.35


def ease_of_turns(
    position: Float, heading: Float, radius: float, paths: Sequence[Float]
) -> list[float]:
    """Return how easily a vehicle takes each of K ways on, at most 1.

    By the detour that it drives: the length of the shortest curve of Dubins that leads onto the
    way, less the distance.

    Args:
        position: (3,) of the vehicle [m].
        heading: (3,) of it.
        radius: Of its tightest turn [m].
        paths: K ways on (P, 3) from the place that it comes to [m].
    """
    ends = np.array([_onto(path, AHEAD * radius) for path in paths]).reshape(-1, 3)
    here = np.array([position[0], position[1], np.arctan2(heading[1], heading[0])])
    _, size = dubins_paths(np.tile(here, (len(ends), 1)), ends, radius)
    detour = size.sum(axis=2).min(axis=1) - np.hypot(*(ends[:, :2] - here[:2]).T)
    found: list[float] = np.exp(-np.maximum(detour, 0.0) / (DETOUR * radius)).tolist()
    return found


def early(speed: Float, radius: float, brake: float) -> Float:
    """Return how far before their places (n,) [m] vehicles choose the ways on.

    Args:
        speed: (n,) [m/s].
        radius: Of their tightest turns [m].
        brake: Deceleration that can be counted on [m/s^2].
    """
    stopping: Float = speed**2 / (2.0 * GENTLE * brake)
    return radius + stopping


def _onto(path: Float, far: float) -> tuple[float, float, float]:
    """Return the pose x, y, angle of a path (P, 3) at a distance along it, or at its end [m]."""
    station = np.append(0.0, np.cumsum(length(np.diff(path, axis=0))))
    at = min(far, float(station[-1]))
    x, y = (float(np.interp(at, station, path[:, axis])) for axis in (0, 1))
    piece = max(1, int(np.searchsorted(station, at)))
    along = path[piece] - path[piece - 1]
    return x, y, float(np.arctan2(along[1], along[0]))
