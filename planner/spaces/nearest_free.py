"""Where a body in collision touches, and the free place nearest to it."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.spaces.ground import GroundSpace
from rmp3d.planner.spaces.space import Space
from rmp3d.planner.spaces.translation import TranslationSpace

ALONG = 17  # points of the axis of the body that are asked
TRIES = 2000
FARTHEST = 5.0
"""How far away a free place is looked for [m], and in how many radii of the body at least."""
RADII = 10.0
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


def way_out(space: Space, point: Float, part: str | None) -> str:
    """Return the end of a message on a body in collision: where it touches and how far to move.

    Args:
        space: Where it must be.
        point: (3,) where it is [m].
        part: Name of the part that it touches; None if that is not known.
    """
    if not isinstance(space, GroundSpace | TranslationSpace) or part is None:
        return ""
    return _touching(space, point, part) + _moving(space, point)


def _touching(space: GroundSpace | TranslationSpace, point: Float, part: str) -> str:
    world = space.world
    if part not in world.scene.part_names:
        return ""
    heights = np.linspace(*world.body.capsule_axis, ALONG)
    axis = point + np.column_stack([np.zeros((ALONG, 2)), heights])
    for mesh in world.surfaces_of(part, float(point[2]) + world.max_step):
        gap, place, _ = MeshQuery(mesh).closest_point(axis)
        nearest = int(np.argmin(gap))
        if gap[nearest] <= 1.01 * world.body.radius + world.tolerance:
            return f", which it touches at {_shown(place[nearest])}"
    return ""


def _moving(space: GroundSpace | TranslationSpace, point: Float) -> str:
    reach = max(FARTHEST, RADII * space.world.body.radius)
    row = np.arange(1, TRIES + 1)
    turn = row * GOLDEN
    if space.grounded:
        away = reach * np.sqrt(row / TRIES)
        offset = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(TRIES)])
    else:
        away = reach * np.cbrt(row / TRIES)
        rise = 1.0 - 2.0 * ((row * 0.754877666) % 1.0)
        flat = np.sqrt(1.0 - rise * rise)
        offset = np.column_stack([flat * np.cos(turn), flat * np.sin(turn), rise])
    places = point + away[:, None] * offset
    if isinstance(space, GroundSpace):
        places, face = space.surface.locate(places, reach, reach)
        places = places[face >= 0]
    free = places[space.is_free(places)]
    if len(free) == 0:
        return f"; nothing is free within {reach:g} m"
    gap = np.linalg.norm(free - point, axis=1)
    nearest = int(np.argmin(gap))
    return f"; free is {_shown(free[nearest])}, {gap[nearest]:.2f} m away"


def _shown(point: Float) -> list[float]:
    return [round(float(value), 2) for value in point]
