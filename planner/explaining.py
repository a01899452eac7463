"""What a roadmap did not find: a way over the cells of the floor, or what separates the ends."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.obstruction.bend import narrowest_bend
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.obstruction.flight import separated_in_flight
from rmp3d.planner.obstruction.floor import is_too_wide, sampled_floor
from rmp3d.planner.obstruction.separated import SeparatedPlaces, separated, site_near
from rmp3d.planner.roadmap.failures import BlockedError, NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import GroundHeadingSpace, GroundSpace, Space, TranslationSpace
from rmp3d.planner.spaces.endpoints import Place, endpoint


def explained(error: NoPathError, space: Space, start: Place, goal: Place) -> NoPathError | Roadmap:
    """Return a `BlockedError` if something separates start and goal, or a roadmap that joins them.

    Args:
        error: What planning in the space gave; it is returned where nothing better is known.
        space: Where the path would be.
        start: As in `plan`.
        goal: As in `plan`.
    """
    ends = np.stack([endpoint(space, start, "start"), endpoint(space, goal, "goal")])
    if isinstance(space, GroundHeadingSpace):
        # Where the widest part of a vehicle cannot go, the vehicle cannot.
        found = _between(space.ground, ends[:, :3])
        if found is None:
            return error
        obstacle = found.obstacle or _least_room(space, ends[:, :3], found.way)
        return error if obstacle is None else BlockedError(error, obstacle, found.reached)
    found = _between(space, ends)
    if found is None:
        return error
    if found.obstacle is not None:
        return BlockedError(error, found.obstacle, found.reached)
    way = np.concatenate([ends[:1], found.way, ends[1:]])
    return error if len(found.way) == 0 else roadmap_along(space, way) or error


def _least_room(space: GroundHeadingSpace, ends: Float, way: Float) -> Blockage | None:
    """Return where a vehicle has the least room on a way (R, 3) that its widest part takes."""
    if len(way) == 0:
        return None
    places = np.concatenate([ends[:1], way, ends[1:]])
    return narrowest_bend(space, sampled_floor(space.ground), places)


def _between(space: Space, ends: Float) -> SeparatedPlaces | None:
    if is_too_wide(space.bounds):
        return None
    if isinstance(space, TranslationSpace):
        return separated_in_flight(space, *ends)
    if not isinstance(space, GroundSpace):
        return None
    floor = sampled_floor(space)
    return separated(floor, site_near(floor, ends[0]), site_near(floor, ends[1]))


def roadmap_along(space: Space, places: Float) -> Roadmap | None:
    """Return a roadmap of places (R, 3), each joined to the next; None if a motion is not free."""
    apart = np.linalg.norm(np.diff(places, axis=0), axis=1) > 0.0
    places = places[np.concatenate([[True], apart])]
    if len(places) < 2:
        return None
    motions = space.connect(places[:-1], places[1:])
    known = [motion for motion in motions if motion is not None]
    if len(known) < len(motions):
        return None
    rows = np.arange(len(places))
    roadmap = replace(Roadmap.empty(space), configurations=places)
    return roadmap.with_edges(np.stack([rows[:-1], rows[1:]], axis=1), known)
