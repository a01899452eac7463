"""Python-fcl as the judge of rigid motions: shares no code with the compiled kernels.

`fcl.collide` gives verdicts and `fcl.distance` bounds how far the body may move; its
`continuousCollide` is wrong on meshes, and its distance of meshes that overlap is not defined, so
neither is used.
"""

import fcl
import numpy as np

from geometry import Float, TriangleMesh
from geometry.rotations import matrix_from_quaternion, slerp
from planner.collision.counts import QueryCounts
from planner.collision.winding import is_inside

# Distances below this share of the body's reach prove nothing: rounding and time.
LEAST = 1e-7


class RigidJudge:
    """A rigid body against triangles, by python-fcl alone.

    Args:
        body: The mesh that moves, about its reference point.
        obstacles: The mesh that stands.
        solids: Closed meshes (as one) that the body must not be inside of, or None.
        markers: (C, 3) [m] a point of each connected piece of the body.

    Attributes:
        counts: The work done so far.
    """

    def __init__(
        self,
        body: TriangleMesh,
        obstacles: TriangleMesh,
        solids: TriangleMesh | None,
        markers: Float,
    ) -> None:
        self._points = np.unique(body.triangles.reshape(-1, 3), axis=0)
        self._body = fcl.CollisionObject(_model(body))
        self._obstacles = fcl.CollisionObject(_model(obstacles))
        self._solids = solids
        self._markers = markers
        self._least = LEAST * float(np.linalg.norm(self._points, axis=1).max())
        self.counts = QueryCounts()

    def collides(self, configuration: Float) -> bool:
        """Return whether the body touches an obstacle at a configuration (7,)."""
        self._place(configuration)
        self.counts.collision += 1
        result = fcl.CollisionResult()
        return bool(fcl.collide(self._body, self._obstacles, fcl.CollisionRequest(), result))

    def is_inside(self, configuration: Float) -> bool:
        """Return whether a piece of the body is inside a solid (winding numbers)."""
        if self._solids is None:
            return False
        rotation = matrix_from_quaternion(configuration[3:])
        return bool(is_inside(self._solids, self._markers @ rotation.T + configuration[:3]).any())

    def distance(self, configuration: Float) -> float:
        """Return the distance [m] at a configuration (7,), zero on contact."""
        if self.collides(configuration):
            return 0.0
        self.counts.distance += 1
        result = fcl.DistanceResult()
        return max(
            0.0, float(fcl.distance(self._body, self._obstacles, fcl.DistanceRequest(), result))
        )

    def motion_is_free(self, start: Float, end: Float) -> bool:
        """Return whether the motion start -> end, (7,) each, is proved free.

        The reference point goes straight, the body turns about a fixed axis through it at
        constant speed (slerp). A point at distance r from that axis moves at most by the
        straight way plus angle times r, so the distance at a configuration proves a part of the
        motion on either side of it.
        """
        bound = self._motion_bound(start, end)
        intervals = [(0.0, 1.0)]
        while intervals:
            low, high = intervals.pop()
            middle = 0.5 * (low + high)
            gap = self.distance(between(start, end, middle)) - self._least
            if gap <= 0.0:
                return False
            share = gap / bound if bound > 0.0 else 1.0
            if middle - share >= low:
                intervals += [(middle + share, high), (low, middle - share)]
        return True

    def first_refused(self, path: Float) -> int:
        """Return the first motion of a path (K, 7) that is not proved free, or -1."""
        for row, configuration in enumerate(path):
            if self.collides(configuration) or self.is_inside(configuration):
                return row
        for row in range(len(path) - 1):
            if not self.motion_is_free(path[row], path[row + 1]):
                return row
        return -1

    def _motion_bound(self, start: Float, end: Float) -> float:
        """Return how far any point of the body moves, at most [m]."""
        straight = float(np.linalg.norm(end[:3] - start[:3]))
        # The turn in the body's frame: conj(start) * end.
        w = float(start[3:] @ end[3:])
        axis = start[3] * end[4:] - end[3] * start[4:] - np.cross(start[4:], end[4:])
        sine = float(np.linalg.norm(axis))
        if sine < 1e-15:
            return straight
        away = np.linalg.norm(np.cross(self._points, axis / sine), axis=1).max()
        return straight + 2.0 * float(np.arctan2(sine, abs(w))) * float(away)

    def _place(self, configuration: Float) -> None:
        if configuration.shape != (7,) or not np.isfinite(configuration).all():
            raise ValueError(f"a configuration is 7 finite numbers, got {configuration}")
        self._body.setTransform(
            fcl.Transform(
                np.ascontiguousarray(configuration[3:]), np.ascontiguousarray(configuration[:3])
            )
        )


def between(start: Float, end: Float, share: float) -> Float:
    """Return the configuration (7,) at a share of the motion start -> end."""
    place = start[:3] + share * (end[:3] - start[:3])
    return np.concatenate([place, slerp(start[3:], end[3:], np.asarray(share))])


def _model(mesh: TriangleMesh) -> fcl.BVHModel:
    # fcl crashes on what TriangleMesh refuses: no triangles, not finite, bad indices.
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model
