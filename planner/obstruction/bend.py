"""Where a long body does not get along a way that its widest part takes."""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.obstruction.floor import Floor
from rmp3d.planner.obstruction.measuring import openings
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces.ground_heading import GroundHeadingSpace, posed

HEADINGS = 32  # tried at each place; a body that is turned about may drive backward
FINE = 0.25  # of the body's half width, between places
AWAY = 1.0  # lengths of the body at the ends of the way that are not looked at


def narrowest_bend(space: GroundHeadingSpace, floor: Floor, way: Float) -> Blockage | None:
    """Return the place on a way (K, 3) where the body can take the fewest headings.

    None if the body can take every heading all along, or nothing is beside that place.
    """
    body = space.world.body
    places = densified(way, FINE * body.half_width, space.ground)
    away = np.minimum(_far(places, places[0]), _far(places, places[-1])) > AWAY * space.world.reach
    if not away.any():
        return None
    places = places[away]
    angle = np.arange(HEADINGS) * np.pi * 2.0 / HEADINGS
    poses = posed(np.repeat(places, HEADINGS, axis=0), np.tile(angle, len(places)))
    free = space.is_free(poses).reshape(-1, HEADINGS).sum(axis=1)
    if free.min() == HEADINGS:
        return None
    tight = np.flatnonzero(free == free.min())
    at = int(tight[len(tight) // 2])
    before, after = places[max(at - 1, 0)], places[min(at + 1, len(places) - 1)]
    along = places[min(at + 8, len(places) - 1)] - places[max(at - 8, 0)]
    found = openings(floor, before, after, along)
    if not found:
        return None
    best = min(found, key=lambda opening: opening.width)
    x, y, z = (float(value) for value in best.place)
    return Blockage("bend", _names(floor, best.faces), (x, y, z), best.width, 2.0 * body.half_width)


def _far(places: Float, end: Float) -> Float:
    far: Float = np.linalg.norm(places - end, axis=1)
    return far


def _names(floor: Floor, faces: Index) -> tuple[str, ...]:
    parts, part = floor.space.world.scene.parts, floor.queries.wall_part
    return tuple(dict.fromkeys(parts[int(part[face])].name for face in faces))
