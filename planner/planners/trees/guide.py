"""A shrunk body shows the way: narrow passages are wider for it."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.collision.rigid_queries import RigidWorld
from rmp3d.planner.planners.trees.turns import Search

SIZES = (0.4, 0.6, 0.8, 0.9, 1.0)  # of the body, one after the other
PATIENCE = 3000.0  # work of a search before a fresh one begins, times 1, 2, 1, 4, 1, 2, 1, 8 ...
STEP = 0.25  # between configurations of a way that guides, times the reach


class Guide:
    """Finds ways of shrunk bodies, the smallest first, each guided by the one before.

    Free space is wider for them (Hsu, Sanchez-Ante, Cheng and Latombe 2006, "Multi-level
    free-space dilation for sampling narrow passages in PRM planning"). How long a search takes
    has a heavy tail: what helps is near the ends or hardly ever found. So a search that takes
    long is given up for a fresh one, with the patience that Luby, Sinclair and Zuckerman 1993
    prove to be good whatever the tail ("Optimal speedup of Las Vegas algorithms").

    Args:
        world: Of the body itself.
        rng: Source of chance.

    Attributes:
        way: (G, 7) configurations along the way of the largest body that has one; may be empty.
        answer: (K, 7) a way of the body itself, once the last size has one; else empty.
        spent: Work so far, in motion queries.
    """

    def __init__(self, world: RigidWorld, rng: np.random.Generator) -> None:
        self.way = np.zeros((0, 7))
        self.answer = np.zeros((0, 7))
        self.spent = 0.0
        self._whole = world
        self._rng = rng
        self._sizes = list(SIZES)
        self._world: RigidWorld | None = None
        self._search: Search | None = None
        self._tries = 0

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return not self._sizes

    def advance(self) -> None:
        """Go on for one turn with the body at hand."""
        if self._world is None:
            self._world = self._resized(self._sizes[0])
            self._tries = 0
            ends = np.stack([self._whole.problem.start, self._whole.problem.goal])
            if not self._world.is_free(ends).all():
                self._next_size()
                return
        if self._search is None:
            self._search = Search(self._world, self._rng)
            self._search.graph.guide = self.way
            self._tries += 1
        before = self._search.spent
        self._search.advance()
        self.spent += self._search.spent - before
        if self._search.graph.is_joined:
            way = self._search.graph.shortest_path()
            self.way = self._along(way)
            if self._world is self._whole:
                self.answer = way
            self._next_size()
        elif self._search.spent > PATIENCE * (self._tries & -self._tries):
            self._search = None

    def _next_size(self) -> None:
        self._sizes.pop(0)
        self._world = self._search = None

    def _resized(self, size: float) -> RigidWorld:
        """Return the world of a body of another size, that counts in the same counts."""
        if size == 1.0:
            return self._whole
        problem = self._whole.problem
        robot = problem.robot.transformed(size * np.eye(3))
        world = RigidWorld(replace(problem, robot=robot))
        world.counts = self._whole.counts
        return world

    def _along(self, way: Float) -> Float:
        """Return configurations at even steps along a way (K, 7)."""
        space = self._whole.space
        gaps = space.distance(way[:-1], way[1:])
        parts = np.maximum(np.ceil(gaps / (STEP * space.reach)), 1).astype(np.intp)
        owner = np.repeat(np.arange(len(parts)), parts)
        share = (np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[owner]
        return space.interpolated(way[owner], way[owner + 1], share)
