"""What every planner does, and what it is given."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np

from rmp3d.geometry import Float, Index, Registry
from rmp3d.geometry.compiled import compiling_seconds
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Progress, Roadmap, Watch
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.endpoints import Place

PLANNERS = Registry("planner")

Sizes: TypeAlias = tuple[int, int, int, int]
"""Nodes, edges, components, and nodes of the largest component."""


class Planner(Protocol):
    """A method that answers problems; a frozen dataclass of its parameters."""

    def prepare(self) -> bool:
        """Load the compiled code that the planner needs; return whether it had to be compiled."""

    def planned_space(self, space: Space) -> Space:
        """Return where the planner looks for paths: the space, or a part of it.

        Raises:
            InputError: The planner does not plan in such a space.
        """

    def connect(self, session: "PlanningSession", start: Place, goal: Place) -> "Leg":
        """Return a certified path from start to goal; leave what was built in the session.

        Raises:
            PlanningError: There is no path, or start or goal is not free.
            KeyboardInterrupt: The user stopped the planning.
        """


@dataclass(frozen=True, eq=False)
class Leg:
    """A certified path between two of a problem's places.

    Attributes:
        configurations: (K, W); the space's straight motions between them are the path.
        path: The same path with points close together; None: it is made when it is needed.
        grown: What trees have grown on the way to it, where straight motions are edges: nodes
            (N, W), start and goal first, and proved motions (E, 2) between them.
    """

    configurations: Float
    path: CertifiedPath | None = None
    grown: tuple[Float, Index] | None = None


@dataclass(eq=False)
class PlanningSession:
    """What the legs of one problem share: the roadmap so far, time, randomness, counts.

    Attributes:
        space: Where the planner looks for paths.
        seed: Of all randomness, unless ``rng`` is given.
        rng: Source of all randomness, or None.
        time_limit: For each leg [s]; None: the planner's own.
        clearance_wanted: See `rmp3d.planner.plan`.
        progress: Called with done and total.
        watch: Called with the roadmap so far.
        seconds: Wall time of "compile", "setup", "search", "shorten" and "confirm".
        began: When the leg began, a time of `perf_counter` [s].
        sizes: Of the roadmap, if they are known before the roadmap is made.
        legs: How many were begun.
        compiled_before: How long numba had compiled when the leg began [s].
        guide: The roadmap of positions that the last leg was guided by, if it was.
    """

    space: Space
    seed: int = 0
    rng: np.random.Generator | None = None
    time_limit: float | None = None
    clearance_wanted: float = 0.0
    progress: Progress = None
    watch: Watch = None
    seconds: dict[str, float] = field(default_factory=dict)
    began: float = 0.0
    sizes: Sizes | None = None
    legs: int = 0
    compiled_before: float = field(default_factory=compiling_seconds)
    guide: Roadmap | None = None
    _roadmap: Roadmap | None = None
    _waiting: Callable[[], Roadmap] | None = None

    @property
    def has_roadmap(self) -> bool:
        """Whether there is a roadmap with nodes, made or waiting to be made."""
        made = self._roadmap is not None and len(self._roadmap.configurations) > 0
        return made or self._waiting is not None

    @property
    def roadmap(self) -> Roadmap:
        """The roadmap so far; it is without nodes at first."""
        if self._waiting is not None:
            make, self._waiting = self._waiting, None
            self.roadmap = make()
        if self._roadmap is None:
            self._roadmap = Roadmap.empty(self.space)
        return self._roadmap

    @roadmap.setter
    def roadmap(self, roadmap: Roadmap) -> None:
        self._roadmap, self._waiting, self.sizes = roadmap, None, None

    def make_later(self, make: Callable[[], Roadmap], sizes: Sizes) -> None:
        """Let a function make the roadmap when somebody asks for it."""
        self._waiting, self.sizes = make, sizes

    def generator(self) -> np.random.Generator:
        """Return the source of randomness of a leg."""
        if self.rng is not None:
            return self.rng
        return np.random.default_rng([self.seed, self.roadmap.attempts, self.legs])

    def begin(self, now: float) -> None:
        """Let the time limit of a leg begin at a time of `perf_counter` [s]."""
        self.began, self.compiled_before = now, compiling_seconds()

    @property
    def compiling(self) -> float:
        """How long numba has compiled since the leg began [s]."""
        return compiling_seconds() - self.compiled_before

    def spend(self, stage: str, seconds: float) -> None:
        """Add wall time [s] to a stage."""
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
