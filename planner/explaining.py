"""Why there is no path: where the passage is too narrow for the body, and how wide it is there.

A much thinner body looks for a path of its own; where the corridor around that path is narrowest
is the place in question.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rmp3d.models import Body
from rmp3d.planner.paths.narrowest import narrowest, thinner
from rmp3d.planner.planners.planning import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import NoPathError, TooNarrowError
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.endpoints import Place

# Radius of the thin body, as a share of the body's own.
THIN = 0.3
# The corridor is measured up to this distance from its path, times the body's radius.
BEYOND = 1.2


def explained(
    error: NoPathError, body: Body, space_of: Callable[[Body], Space], settings: RoadmapSettings,
    start: Place, goal: Place, rng: np.random.Generator,
) -> NoPathError:  # fmt: skip
    """Return a `TooNarrowError` if a thinner body's path is too narrow; else the error.

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
    planner = replace(settings.as_kind(PRM), until_solved=True)
    problem = Problem(space, start, goal)
    found = plan(problem, planner=planner, rng=rng, clearance_wanted=2.0 * body.radius)
    if not found.solved:
        return error
    narrow = narrowest(space, found.path, BEYOND * body.radius)
    if narrow.width >= 2.0 * body.radius:
        return error
    return TooNarrowError(error, narrow.place, narrow.width)
