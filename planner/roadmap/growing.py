"""Growing a roadmap until it joins start and goal."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.choices import Choice, choose, table_of
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.building import extend_roadmap
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.querying import path_over
from rmp3d.planner.roadmap.roadmap import Progress, Roadmap, Watch
from rmp3d.planner.roadmap.search import join_ends, settled
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.sampling import SAMPLERS

GROWTH, SMALL = 8, 100  # times the nodes asked for, or times this if they were fewer


class GrowingRoadmap:
    """A roadmap that is doubled while it does not join start and goal.

    It ends at eight times the nodes first built (800 if those were fewer than a hundred), or when
    the rule ``seconds`` says so.

    Args:
        roadmap: To begin with; it is grown until the rules of the settings hold for it.
        settings: Of the roadmap.
        ends: Free configurations (W,) of start and goal.
        rng: Source of all randomness.
        clearance_wanted: See `query`.
        progress: Called with done and total.
        watch: Called with the roadmap so far.

    Attributes:
        roadmap: As it is now.
        query_seconds: Wall time of the queries so far [s].
    """

    def __init__(
        self,
        roadmap: Roadmap,
        settings: RoadmapSettings,
        ends: tuple[Float, Float],
        rng: np.random.Generator,
        *,
        clearance_wanted: float = 0.0,
        progress: Progress = None,
        watch: Watch = None,
    ) -> None:
        self.roadmap = roadmap
        self.query_seconds = 0.0
        self._settings = settings
        self._ends = ends
        self._rng = rng
        self._wanted = clearance_wanted
        self._grow = partial(extend_roadmap, rng=rng, progress=progress, ends=ends, watch=watch)

    @property
    def is_out_of_time(self) -> bool:
        """Whether the rule ``seconds`` lets the roadmap grow no more."""
        return 0.0 < self._settings.seconds <= self.roadmap.seconds

    def find_path(self) -> CertifiedPath:
        """Grow the roadmap until there is a path; return the path.

        Raises:
            Interrupted: The user stopped it before there was a path.
            PlanningError: Its kinds are those of `build_roadmap` and `query`.
        """
        self.roadmap = self._grow(self.roadmap, self._settings)
        limit = GROWTH * max(SMALL, len(self.roadmap.configurations))
        while True:
            began = perf_counter()
            try:
                found = join_ends(self.roadmap, *self._ends, self._wanted)
                self.roadmap = settled(self.roadmap, found, self._wanted)
                path = path_over(self.roadmap, found, self._rng, self._wanted)
                self.query_seconds += perf_counter() - began
                return path
            except KeyboardInterrupt:
                raise Interrupted(self.roadmap) from None
            except NoPathError as error:
                error.roadmap = self.roadmap
                self.query_seconds += perf_counter() - began
                if self.roadmap.interrupted:
                    raise Interrupted(self.roadmap) from None
                if self.is_out_of_time:
                    raise
                larger = _larger(self.roadmap, self._settings, limit, self._grow)
                if larger is None:
                    raise
                self.roadmap = larger


def _larger(
    roadmap: Roadmap, settings: RoadmapSettings, limit: int, grow: Callable[..., Roadmap]
) -> Roadmap | None:
    """Return a roadmap with more edges between components, else with twice the nodes.

    None where that would be more nodes than ``limit``.
    """
    local_planner = choose(LOCAL_PLANNERS, settings.local_planner)
    joined = join_components(roadmap, local_planner, forest=settings.forest)
    if len(joined.edges) > len(roadmap.edges):
        return joined
    nodes = 2 * len(roadmap.configurations)
    if nodes > limit:
        return None
    more = replace(settings, nodes=nodes, connected_nodes=0, sampler=_with_medial(settings.sampler))
    return grow(roadmap, more)


def _with_medial(sampler: Choice) -> Choice:
    """Return a mixture of a sampler and the sampler ``medial``, half and half."""
    return {"name": "mixture", "parts": [table_of(SAMPLERS, sampler), {"name": "medial"}]}
