"""What a collision backend answers, and the backend of a scene without obstacles."""

from typing import Protocol

import numpy as np

from rmp3d.geometry import Float, Index


class Backend(Protocol):
    """Contact of an upright capsule with triangles, and containment in closed solids.

    All arrays are batches over M configurations (the capsule's reference points, [m]), finite.
    Faces are rows of the obstacle mesh, -1 for none. Containment is separate because a body
    wholly inside a solid touches no triangle.
    """

    def touched(self, configurations: Float) -> Index:
        """Return the face (M,) nearer than the tolerance, -1 where the body touches none."""

    def clearance(self, configurations: Float, cap: float) -> Float:
        """Return the distance (M,) [m] to the triangles, negative on contact, at most ``cap``."""

    def sweep(self, start: Float, end: Float) -> Index:
        """Return the face (M,) that refuses a straight motion, -1 where it is proved free."""

    def inside(self, points: Float) -> Index:
        """Return the solid (M,) that contains each point, -1 for none."""


class NoObstacles:
    """The backend of a scene without obstacles: everything is free."""

    def touched(self, configurations: Float) -> Index:
        """Return no face."""
        return np.full(len(configurations), -1)

    def clearance(self, configurations: Float, cap: float) -> Float:
        """Return ``cap`` everywhere."""
        return np.full(len(configurations), cap)

    def sweep(self, start: Float, end: Float) -> Index:
        """Return no face."""
        return np.full(len(start), -1)

    def inside(self, points: Float) -> Index:
        """Return no solid."""
        return np.full(len(points), -1)
