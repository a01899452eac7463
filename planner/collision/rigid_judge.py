"""Python-fcl as the judge of rigid motions: shares no code with the compiled kernels.

`fcl.collide` gives verdicts and `fcl.distance` bounds how far the body may move; its
`continuousCollide` is wrong on meshes, and its distance of meshes that overlap is not defined, so
neither is used.
"""

from math import atan2, sin
from time import perf_counter

import fcl
import numpy as np

from rmp3d.geometry import Float, TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.winding import is_inside

# Distances below this share of the body's reach prove nothing: rounding and time.
LEAST = 1e-7
# The next distance is asked this share of the last gap beyond what is proved.
AHEAD = 0.9
# By this share of the motion a moment may be wrong: a gap proves so much less of it on either side.
ROUNDING = 1e-15
# Less than this share of what is left, it halves what is left instead.
SHORT = 1 / 16


class OutOfTimeError(Exception):
    """The judge was asked for more than its deadline allows."""


class RigidJudge:
    """A rigid body against triangles, by python-fcl alone.

    Args:
        body: The mesh that moves, about its reference point.
        obstacles: The mesh that stands.
        solids: Closed meshes (as one) that the body must not be inside of, or None.
        markers: (C, 3) [m] a point of each connected piece of the body.

    Attributes:
        counts: The work done so far.
        deadline: A time of `perf_counter` [s] at which a proof is given up.
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
        self.deadline = np.inf

    def collides(self, configuration: Float) -> bool:
        """Return whether the body touches an obstacle at a configuration (7,)."""
        self._move(configuration)
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
        straight distance plus angle times r, so the distance at a configuration proves a part of
        the motion on either side of it. From the start on, the next configuration is so far ahead
        that it proves the motion back, if the gap there is about the last one. Where gaps are
        small it is the middle of what is left: a contact would be crept up to in ever shorter
        steps. A motion beyond all sense, longer than 1e15 times a gap on its way, is not proved.

        Raises:
            OutOfTimeError: The deadline has passed.
        """
        bound = self._motion_bound(start, end)
        motion = JudgedMotion(start, end)
        intervals, ahead = [(0.0, 1.0)], np.inf
        while intervals:
            low, high = intervals.pop()
            middle = 0.5 * (low + high)
            at = low + ahead if SHORT * (high - low) < ahead < middle - low else middle
            gap = self.distance(motion.at(at)) - self._least
            if gap <= 0.0:
                return False
            if perf_counter() > self.deadline:
                raise OutOfTimeError
            share = gap / bound - ROUNDING if bound > 0.0 else 1.0
            if share <= 0.0:
                return False
            ahead = AHEAD * share
            if at + share < high:
                intervals.append((at + share, high))
            if at - share > low:
                intervals.append((low, at - share))
        return True

    def first_refused(self, path: Float, deadline: float = np.inf) -> int:
        """Return the first motion of a path (K, 7) that is not proved free, or -1.

        Raises:
            OutOfTimeError: It took until ``deadline``, a time of `perf_counter` [s].
        """
        self.deadline = deadline
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

    def _move(self, configuration: Float) -> None:
        if configuration.shape != (7,) or not np.isfinite(configuration).all():
            raise ValueError(f"a configuration is 7 finite numbers, got {configuration}")
        self._body.setTransform(
            fcl.Transform(
                np.ascontiguousarray(configuration[3:]), np.ascontiguousarray(configuration[:3])
            )
        )


class JudgedMotion:
    """A motion start -> end, (7,) each: straight, and slerp on the short arc.

    In plain numbers: arrays of four would cost more than the query that they are for.
    """

    def __init__(self, start: Float, end: Float) -> None:
        self._place = start[:3].tolist(), (end[:3] - start[:3]).tolist()
        first, last = start[3:], end[3:]
        if first @ last < 0.0:
            last = -last
        self._turn = first.tolist(), last.tolist()
        # Half the angle between the 4-vectors is exact for small angles too.
        apart, along = np.linalg.norm(last - first), np.linalg.norm(last + first)
        self._angle = 2.0 * atan2(float(apart), float(along))

    def at(self, share: float) -> Float:
        """Return the configuration (7,) at a share of it."""
        one, two = 1.0 - share, share
        if self._angle > 1e-9:
            one, two = sin(one * self._angle), sin(two * self._angle)
        place = [a + share * d for a, d in zip(*self._place, strict=True)]
        turn = [one * a + two * b for a, b in zip(*self._turn, strict=True)]
        size = sum(value * value for value in turn) ** 0.5
        return np.array(place + [value / size for value in turn])


def _model(mesh: TriangleMesh) -> fcl.BVHModel:
    # fcl crashes on what TriangleMesh refuses: no triangles, not finite, bad indices.
    model = fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model
