"""Which of several paths lead through other places, not only in other turns of the body.

A body may pass a window in several turns, and each is a class of its own. Who asks for other ways
wants the other window first. So the lines of two paths' reference points are compared: they share
their places if a point slides from the one to the other without touching an obstacle.
"""

import numpy as np

from rmp3d.geometry import Bool, Float
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.optimizing.classes import MOST
from rmp3d.planner.paths.polyline import points_at
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.spaces.metric import STRAIGHT

POINT = 1e-3  # radius of what slides, times the reach of the body


class Places:
    """Compares paths by their places; in a space without turns every class has its own.

    Args:
        space: What the paths are in.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._query: MeshQuery | None = None

    def are_new(self, paths: list[Float]) -> Bool:
        """Return which of some paths (K, W) share their places with none before them."""
        new = np.ones(len(paths), np.bool_)
        if isinstance(self._space, RigidBodySpace) and self._space.turns:
            for row in range(len(paths)):
                new[row] = not any(self._shared(paths[row], other) for other in paths[:row])
        return new

    def _shared(self, one: Float, other: Float) -> bool:
        """Return whether a point slides from the line of one path (K, 7) to that of another."""
        assert isinstance(self._space, RigidBodySpace)
        if self._query is None:
            self._query = MeshQuery(self._space.world.surroundings)
        shares = np.linspace(0.0, 1.0, MOST)
        first, second = (points_at(path[:, :3], STRAIGHT, shares) for path in (one, other))
        size = POINT * self._space.reach
        free, _ = self._query.sweep_capsule(first, second, (0.0, 0.0), size, 0.1 * size, False)
        return bool(free.all())
