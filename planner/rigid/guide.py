"""A shrunk body shows the way: narrow passages are wider for it."""

from dataclasses import replace

import numpy as np

from geometry import Float
from planner.rigid.search import Search
from planner.rigid.world import RigidWorld

SCALES = (0.4, 0.6, 0.8, 0.9)  # of the body, one after the other
STEP = 0.25  # between configurations of a way that guides, times the reach


class Guide:
    """Finds ways of shrunk bodies, the smallest first, each guided by the one before.

    Free space is wider for them (Hsu, Sanchez-Ante, Cheng and Latombe 2006, "Multi-level
    free-space dilation for sampling narrow passages in PRM planning").

    Args:
        world: Of the body itself.
        rng: Source of chance.

    Attributes:
        way: (G, 7) configurations along the way of the largest body that has one; may be empty.
        spent: Work so far, in motion queries.
    """

    def __init__(self, world: RigidWorld, rng: np.random.Generator) -> None:
        self.way = np.zeros((0, 7))
        self._world = world
        self._rng = rng
        self._scales = list(SCALES)
        self._search: Search | None = None
        self.spent = 0.0

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return self._search is None and not self._scales

    def advance(self) -> None:
        """Go on for one turn with the body at hand."""
        if self._search is None:
            world = self._shrunk(self._scales.pop(0))
            ends = np.stack([world.problem.start, world.problem.goal])
            if not world.is_free(ends).all():
                return
            self._search = Search(world, self._rng)
            self._search.graph.guide = self.way
        before = self._search.spent
        self._search.advance()
        self.spent += self._search.spent - before
        if self._search.graph.is_joined:
            self.way = self._along(self._search.graph.shortest_path())
            self._search = None

    def _shrunk(self, scale: float) -> RigidWorld:
        """Return the world of a body that is smaller, but counts in the same counts."""
        problem = self._world.problem
        robot = problem.robot.transformed(scale * np.eye(3))
        world = RigidWorld(replace(problem, robot=robot))
        world.counts = self._world.counts
        return world

    def _along(self, way: Float) -> Float:
        """Return configurations at even steps along a way (K, 7)."""
        space = self._world.space
        gaps = space.distance(way[:-1], way[1:])
        parts = np.maximum(np.ceil(gaps / (STEP * space.reach)), 1).astype(np.intp)
        owner = np.repeat(np.arange(len(parts)), parts)
        share = (np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[owner]
        return space.interpolated(way[owner], way[owner + 1], share)
