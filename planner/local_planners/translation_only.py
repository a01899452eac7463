"""Translation only: the straight motion between configurations of one orientation."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.vectors import length
from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS
from rmp3d.planner.spaces import Space

EQUAL = 1e-9  # times the body's radius, by which a turn may displace its farthest point


@LOCAL_PLANNERS.register("translation_only")
@dataclass(frozen=True)
class TranslationOnlyPlanner:
    """Go straight and never turn; what is turned differently is not joined.

    The nodes of a roadmap that it joins share one orientation, that of the start: the roadmap of
    a body that only translates. Where bodies do not turn anyway it is `linear`.
    """

    def sampled(self, space: Space) -> Space:
        """Return the configurations of the space that are turned like its start."""
        return space.locked()

    def connect(self, space: Space, start: Float, end: Float) -> list[Float | None]:
        """Return the straight motions without turn that are proved free, None for the others."""
        turn = length(space.toward(start, end)[:, 3:])
        equal = np.flatnonzero(turn <= EQUAL * space.world.body.radius)
        motions: list[Float | None] = [None] * len(start)
        found = space.connect(start[equal], end[equal])
        for row, motion in zip(equal.tolist(), found, strict=True):
            motions[row] = motion
        return motions
