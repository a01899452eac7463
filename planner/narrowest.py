"""Why there is no path: where the way is too narrow for the body, and how wide it is there.

A much thinner body looks for a way of its own; where the room around that way is least is the
place in question.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.models import Body
from rmp3d.planner.endpoints import Place
from rmp3d.planner.errors import NoPathError, PlanningError, TooNarrowError
from rmp3d.planner.passages import measure_corridor
from rmp3d.planner.path import CertifiedPath
from rmp3d.planner.planning import plan
from rmp3d.planner.prm import RoadmapSettings
from rmp3d.planner.spaces import Space
from rmp3d.scenes.build.shapes import box

# Radius of the thin body, as a share of the body's own.
THIN = 0.3
# The room is measured this far beyond the body's own radius, in so many lanes over its radius.
BEYOND, LANES = 1.2, 50


@dataclass(frozen=True, eq=False)
class Narrow:
    """The narrowest place of a path.

    Attributes:
        place: (3,) [m].
        width: From wall to wall [m]; for a body that flies the least one all round.
    """

    place: Float
    width: float


def narrowest(space: Space, path: CertifiedPath, most: float) -> Narrow:
    """Return where the room around a path is least; wider than 2 ``most`` [m] is not told."""
    radius = space.world.body.radius
    lane = most / LANES
    room = measure_corridor(
        space, path, max(most - radius, lane), lane=lane, step=0.5 * radius, margin=0.0,
        window=4.0 * most,
    )  # fmt: skip
    half = room.around.shape[1] // 2
    width = (room.around[:, :half] + room.around[:, half:]).min(axis=1) + 2.0 * radius
    tightest = int(np.argmin(width))
    return Narrow(path.at(room.station[tightest : tightest + 1])[0], float(width[tightest]))


def thinner(body: Body, share: float) -> Body:
    """Return a body of the same height whose radius is a share of the body's."""
    middle, half = 0.5 * sum(body.capsule_axis), 0.1 * share * body.radius
    probe = box((-half, -half, middle - half), (half, half, middle + half))
    return Body(probe, share * body.radius, body.capsule_axis)


def explained(
    error: NoPathError, body: Body, space_of: Callable[[Body], Space], settings: RoadmapSettings,
    start: Place, goal: Place, rng: np.random.Generator,
) -> NoPathError:  # fmt: skip
    """Return a `TooNarrowError` if a thinner body's way is too narrow for the body; else the error.

    Args:
        error: What planning for the body gave.
        body: That found no path.
        space_of: Returns the space of another body.
        settings: Of the roadmaps.
        start: As in `plan`.
        goal: As in `plan`.
        rng: Source of all randomness.
    """
    space = space_of(thinner(body, THIN))
    settings = replace(settings, until_solved=True)
    try:
        found = plan(space, settings, start, goal, rng, clearance_wanted=2.0 * body.radius)
    except PlanningError:
        return error
    narrow = narrowest(space, found.path, BEYOND * body.radius)
    if narrow.width >= 2.0 * body.radius:
        return error
    return TooNarrowError(error, narrow.place, narrow.width)
