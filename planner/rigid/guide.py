"""A shrunk body shows the way: narrow passages are wider for it."""

from dataclasses import replace

import numpy as np

from geometry import Float
from planner.rigid.graph import Graph
from planner.rigid.world import RigidWorld

SCALES = (0.6, 0.8, 0.9)  # of the body, one after the other
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
        is_done: Whether there is nothing left to do.
    """

    def __init__(self, world: RigidWorld, rng: np.random.Generator) -> None:
        self.way = np.zeros((0, 7))
        self._world = world
        self._rng = rng
        self._scales = list(SCALES)
        self._graph: Graph | None = None

    @property
    def is_done(self) -> bool:
        return self._graph is None and not self._scales

    def advance(self, work: float) -> None:
        """Go on with the body at hand for some work."""
        if self._graph is None:
            world = self._shrunk(self._scales.pop(0))
            ends = np.stack([world.problem.start, world.problem.goal])
            if not world.is_free(ends).all():
                return
            self._graph = Graph(world, self._rng)
            self._graph.guide = self.way
        self._graph.grow(work)
        if self._graph.is_joined:
            self.way = self._along(self._graph.shortest_path())
            self._graph = None

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
