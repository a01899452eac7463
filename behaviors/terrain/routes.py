"""Where walkers are on the ground's graph, and the next point of a route over it."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, Surroundings
from rmp3d.behaviors.terrain.ahead import first_touch
from rmp3d.behaviors.terrain.ground import MARGIN, Ground
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length, unit

# How far ahead a route is shortened to a straight line [m].
SHORTENED = 4.0
# A straight line keeps this far from what is beside it where it can [m]: who runs cannot turn
# round a corner that it touches.
BERTH = 0.3


def distances_around(ground: Ground, place: Float, reach: float) -> Float:
    """Return how far in plan (V,) [m] the cells around a place (3,) are, ``inf`` beyond reach.

    If there is none, as on top of a rock, all cells are told.
    """
    apart = length(ground.point - place)
    plan = length((ground.point - place)[:, :2])
    return np.where(apart <= max(reach, float(apart.min()) + 1e-9), plan, np.inf)


def own_start(
    flock: Flock, around: Surroundings, ground: Ground, row: int, reach: float, speed: float
) -> Float:
    """Return when (V,) [s] an agent can be at the cells around it, ``inf`` for those out of reach.

    It first goes on as it does, for the time in which a velocity is made up.
    """
    here, drift = flock.position[row], RESPONSE_TIME * flock.velocity[row]
    cells = np.flatnonzero(length(ground.point - here) <= reach)
    cells = cells[straight_to(flock, around, row, ground.point[cells])]
    time = np.full(len(ground.point), np.inf)
    distance = length((ground.point[cells] - here - drift)[:, :2])
    time[cells] = RESPONSE_TIME + distance / speed
    return time


def straight_to(
    flock: Flock, around: Surroundings, row: int, places: Float, berth: float = 0.0
) -> Bool:
    """Return which places (M, 3) on the ground an agent can get to straight on.

    Nothing is nearer to its way than ``berth`` [m].
    """
    rows = np.full(len(places), row)
    offset = places - flock.position[rows]
    touch, _ = first_touch(
        around.obstacles, np.zeros((0, 4)), flock.position[rows], unit(offset), length(offset),
        flock.bodies.capsule_axis[rows], flock.bodies.radius[rows] + berth,
    )  # fmt: skip
    free: Bool = np.isinf(touch)
    if around.surface is not None:
        end, _, arrived = around.surface.walk(flock.position[rows], flock.face[rows], offset[:, :2])
        free &= arrived & (np.abs(end[:, 2] - places[:, 2]) < MARGIN)
    return free


def route_to(previous: Index, cell: int) -> list[int]:
    """Return the cells from the first to one."""
    route = [cell]
    while previous[route[-1]] >= 0:
        route.append(int(previous[route[-1]]))
    return route[::-1]


def next_point(flock: Flock, around: Surroundings, row: int, route: Float) -> Float:
    """Return the last of the next points (3,) of a route (K, 3) that is straight ahead."""
    steps = length(np.diff(route, axis=0, prepend=flock.position[row : row + 1]))
    following = route[: max(1, int(np.searchsorted(np.cumsum(steps), SHORTENED)))]
    seen = np.flatnonzero(straight_to(flock, around, row, following, BERTH))
    if len(seen) == 0:
        seen = np.flatnonzero(straight_to(flock, around, row, following))
    last: Float = following[seen[-1] if len(seen) else 0]
    return last
