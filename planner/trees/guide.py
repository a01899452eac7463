"""A shrunk body finds a path first: narrow passages are wider for it."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.turns import Search

SIZES = (0.4, 0.6, 0.8, 0.9, 1.0)  # of the body, one after the other
PATIENCE = 3000.0  # work of a search before a fresh one begins, times 1, 2, 1, 4, 1, 2, 1, 8 ...
STEP = 0.25  # between configurations of a path that guides, times the reach


class Guide:
    """Finds paths of shrunk bodies, the smallest first, each guided by the one before.

    Free space is wider for them (Hsu, Sanchez-Ante, Cheng and Latombe 2006, "Multi-level
    free-space dilation for sampling narrow passages in PRM planning"). How long a search takes
    has a heavy tail: what helps is near the ends or hardly ever found. So a search that takes
    long is given up for a fresh one, with the patience that Luby, Sinclair and Zuckerman 1993
    prove to be good whatever the tail ("Optimal speedup of Las Vegas algorithms").

    Args:
        space: Of the body itself.
        start: (7,), free.
        goal: (7,), free.
        rng: Source of randomness.

    Attributes:
        path: (G, 7) configurations along the path of the largest body that has one; may be empty.
        answer: (K, 7) a path of the body itself, once the last size has one; else empty.
        spent: Work so far, in motion queries.
    """

    def __init__(
        self, space: RigidBodySpace, start: Float, goal: Float, rng: np.random.Generator
    ) -> None:
        self.path = np.zeros((0, 7))
        self.answer = np.zeros((0, 7))
        self.spent = 0.0
        self._whole = space
        self._ends = np.stack([start, goal])
        self._rng = rng
        self._sizes = list(SIZES)
        self._space: RigidBodySpace | None = None
        self._search: Search | None = None
        self._tries = 0

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to do."""
        return not self._sizes

    def advance(self) -> None:
        """Go on for one turn with the body at hand."""
        if self._space is None:
            self._space = self._whole.resized(self._sizes[0])
            self._tries = 0
            if not self._space.world.is_free(self._ends).all():
                self._next_size()
                return
        if self._search is None:
            self._search = Search(self._space, self._ends[0], self._ends[1], self._rng)
            self._search.graph.guide = self.path
            self._tries += 1
        before = self._search.spent
        self._search.advance()
        self.spent += self._search.spent - before
        if self._search.graph.is_joined:
            path = self._search.graph.shortest_path()
            self.path = self._along(path)
            if self._space is self._whole:
                self.answer = path
            self._next_size()
        elif self._search.spent > PATIENCE * (self._tries & -self._tries):
            self._search = None

    def _next_size(self) -> None:
        self._sizes.pop(0)
        self._space = self._search = None

    def _along(self, path: Float) -> Float:
        """Return configurations at even steps along a path (K, 7)."""
        space = self._whole
        gaps = space.distance(path[:-1], path[1:])
        parts = np.maximum(np.ceil(gaps / (STEP * space.reach)), 1).astype(np.intp)
        owner = np.repeat(np.arange(len(parts)), parts)
        share = (np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[owner]
        return space.interpolated(path[owner], path[owner + 1], share)
