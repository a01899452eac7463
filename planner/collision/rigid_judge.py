"""Python-fcl as the judge of rigid motions: shares no code with the compiled kernels.

`fcl.collide` gives verdicts and `fcl.distance` bounds how far the body may move; its
`continuousCollide` is wrong on meshes, and its distance of meshes that overlap is not defined, so
neither is used.
"""

from functools import cached_property
from math import atan2, sin
from time import perf_counter

import fcl
import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.work_limit import OutOfTimeError, check_work
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.pieces import markers as piece_markers
from rmp3d.planner.collision.swept_boxes import BOX_FACES, MotionPieces, SweptBoxes, swept_boxes
from rmp3d.planner.collision.winding import is_inside

# Distances below this share of the body's reach prove nothing: rounding and time.
LEAST = 1e-7
# The next distance is asked this share of the last gap beyond what is proved.
AHEAD = 0.9
# By this share of a motion a moment may be wrong: a gap proves so much less of it on either side.
ROUNDING = 1e-15
# Less than this share of what is left, it halves what is left instead.
SHORT = 1 / 16
CHUNK = 500_000  # points of the body, each in a motion, that are looked at together
HALVINGS = 4  # of a motion whose box touches something, before distances are asked
FAR = 0.5  # of the body's reach: where no point goes farther, distances are asked at once
BOX_ROUNDING = 1e-12  # share of the largest coordinate by which a box is wider than it need be


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
        self._standing = obstacles
        self._solids = solids
        self._markers = markers
        self._reach = float(np.linalg.norm(self._points, axis=1).max())
        self._least = LEAST * self._reach
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
            OutOfTimeError: The deadline has passed, or a `work_limit` is used up.
        """
        path = np.stack([start, end])
        whole = JudgedPath(path, self._motion_bounds(path))
        return self._proved(whole, [(0.0, 1.0)]) == 1.0

    def first_refused(self, path: Float, deadline: float = np.inf) -> int:
        """Return the first motion of a path (K, 7) that is not proved free, or -1.

        The first configuration in collision counts before all motions. What follows free motions
        from outside a solid is outside, too: its surface would have to be passed.

        Raises:
            OutOfTimeError: It took until ``deadline``, a time of `perf_counter` [s].
        """
        self.deadline = deadline
        if self.collides(path[0]) or self.is_inside(path[0]):
            return 0
        whole = JudgedPath(path, self._motion_bounds(path))
        share = self._proved(whole, self._open(path, whole))
        if share == 1.0:
            return -1
        first = whole.motion_at(share)[0]
        for row in range(first, len(path)):
            if self.collides(path[row]) or self.is_inside(path[row]):
                return row
        for row in range(first, len(path) - 1):
            if not self.motion_is_free(path[row], path[row + 1]):
                return row
        return -1

    def _open(self, path: Float, whole: "JudgedPath") -> list[tuple[float, float]]:
        """Return the shares of a path, from its first to its last, in which a box touches.

        Where a box around all that the body sweeps touches no triangle, and no connected piece
        of the obstacles lies in it, the body touches nothing. So a long motion along a wall, or
        far from everything, is proved by one query.

        Raises:
            OutOfTimeError: The deadline has passed, or a `work_limit` is used up.
        """
        count = len(path) - 1
        if count < 1 or whole.bound == 0.0:
            return [(0.0, 1.0)]
        slack = self._least + BOX_ROUNDING * (self._reach + float(np.abs(path[:, :3]).max()))
        pieces, rest = MotionPieces(np.arange(count), np.zeros(count), 1.0), []
        for halving in range(HALVINGS + 1):
            far = pieces.size * whole.bounds[pieces.motion] > FAR * self._reach
            rest.append(whole.shares(pieces.select(~far)))
            pieces = pieces.select(far)
            boxes = swept_boxes(path, self._points, pieces, slack)
            touched = np.array(
                [self._meets(boxes, row) for row in range(len(boxes.center))], np.bool_
            )
            pieces = pieces.select(touched)
            if halving < HALVINGS:
                pieces = pieces.halves()
        rest.append(whole.shares(pieces))
        return _joined(np.concatenate(rest))

    def _meets(self, boxes: SweptBoxes, row: int) -> bool:
        """Return whether a box touches an obstacle or has a piece of one in it."""
        box = fcl.CollisionObject(_model_of(boxes.corners(row), BOX_FACES))
        self._check_time()
        self.counts.collision += 1
        result = fcl.CollisionResult()
        touches = bool(fcl.collide(box, self._obstacles, fcl.CollisionRequest(), result))
        return touches or boxes.contain(row, self._pieces)

    @cached_property
    def _pieces(self) -> Float:
        """A point (C, 3) of each connected piece of the obstacles."""
        return piece_markers(self._standing)

    def _proved(self, path: "JudgedPath", asked: list[tuple[float, float]]) -> float:
        """Return up to which share of a path it is proved free; 1: all of it.

        Args:
            path: Judged.
            asked: Shares of it, from its first to its last; the rest is known to be free.

        Raises:
            OutOfTimeError: The deadline has passed, or a `work_limit` is used up.
        """
        bound = path.bound
        intervals, ahead = asked[::-1], np.inf
        while intervals:
            low, high = intervals.pop()
            middle = 0.5 * (low + high)
            at = low + ahead if SHORT * (high - low) < ahead < middle - low else middle
            gap = self.distance(path.at(at)) - self._least
            if gap <= 0.0:
                return low
            self._check_time()
            share = gap / bound - path.rounding if bound > 0.0 else 1.0
            if share <= 0.0:
                return low
            ahead = AHEAD * share
            if at + share < high:
                intervals.append((at + share, high))
            if at - share > low:
                intervals.append((low, at - share))
        return 1.0

    def _check_time(self) -> None:
        """Give up after the deadline, or where a limit of work is used up."""
        check_work()
        if perf_counter() > self.deadline:
            raise OutOfTimeError

    def _motion_bounds(self, path: Float) -> Float:
        """Return how far any point of the body moves in each motion of a path, at most (K - 1,)."""
        start, end = path[:-1, 3:], path[1:, 3:]
        bounds: Float = np.linalg.norm(path[1:, :3] - path[:-1, :3], axis=1)
        # The turn in the body's frame: conj(start) * end.
        w = np.einsum("ij,ij->i", start, end)
        axis = start[:, :1] * end[:, 1:] - end[:, :1] * start[:, 1:]
        axis -= np.cross(start[:, 1:], end[:, 1:])
        sine = np.linalg.norm(axis, axis=1)
        turning = np.flatnonzero(sine >= 1e-15)
        rows = max(1, CHUNK // len(self._points))
        for at in range(0, len(turning), rows):
            own = turning[at : at + rows]
            around = axis[own, None] / sine[own, None, None]
            away = np.linalg.norm(np.cross(self._points[None], around), axis=2).max(axis=1)
            bounds[own] += 2.0 * np.arctan2(sine[own], np.abs(w[own])) * away
        return bounds

    def _move(self, configuration: Float) -> None:
        if configuration.shape != (7,) or not np.isfinite(configuration).all():
            raise ValueError(f"a configuration is 7 finite numbers, got {configuration}")
        self._body.setTransform(
            fcl.Transform(
                np.ascontiguousarray(configuration[3:]), np.ascontiguousarray(configuration[:3])
            )
        )


class JudgedPath:
    """Motions one after another, (K, 7) their ends; a share of it is one of how far points move.

    A gap at one configuration so proves all motions around it that are short enough.

    Args:
        path: (K, 7) configurations.
        bounds: (K - 1,) how far any point of the body moves in each motion, at most [m].

    Attributes:
        bounds: As given.
        bound: Their sum [m].
        rounding: By this share of the path a place on it may be wrong.
    """

    def __init__(self, path: Float, bounds: Float) -> None:
        self._path = path
        self.bounds = bounds
        self._reached = np.concatenate([[0.0], np.cumsum(bounds)])
        self.bound = float(self._reached[-1])
        self.rounding = ROUNDING * max(1, len(bounds))  # a sum adds up what its terms are wrong by
        self._motion: tuple[int, JudgedMotion] | None = None

    def motion_at(self, share: float) -> tuple[int, float]:
        """Return the motion at a share of the path, and the share of that motion."""
        last = len(self._path) - 2
        if self.bound == 0.0:
            return 0, 0.0
        at = share * self.bound
        row = min(int(np.searchsorted(self._reached, at, side="right")) - 1, last)
        size = float(self._reached[row + 1] - self._reached[row])
        return row, min(1.0, (at - float(self._reached[row])) / size) if size > 0.0 else 0.0

    def shares(self, pieces: MotionPieces) -> Float:
        """Return where pieces of motions begin and end (P, 2) as shares of the path, or beyond."""
        size = self.bounds[pieces.motion]
        begin = self._reached[pieces.motion] + pieces.begin * size
        wide = self.rounding * self.bound
        ends = np.stack([begin - wide, begin + pieces.size * size + wide], axis=1)
        shares: Float = np.clip(ends / self.bound, 0.0, 1.0)
        return shares

    def at(self, share: float) -> Float:
        """Return the configuration (7,) at a share of it."""
        row, part = self.motion_at(share)
        if len(self._path) == 1:
            return self._path[0]
        if self._motion is None or self._motion[0] != row:
            self._motion = row, JudgedMotion(self._path[row], self._path[row + 1])
        return self._motion[1].at(part)


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


def _joined(shares: Float) -> list[tuple[float, float]]:
    """Return shares (P, 2) in order, those that meet as one."""
    joined: list[tuple[float, float]] = []
    for low, high in shares[np.argsort(shares[:, 0], kind="stable")].tolist():
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(high, joined[-1][1])
        else:
            joined.append((low, high))
    return joined


def _model(mesh: TriangleMesh) -> fcl.BVHModel:
    # fcl crashes on what TriangleMesh refuses: no triangles, not finite, bad indices.
    return _model_of(mesh.vertices, mesh.faces)


def _model_of(vertices: Float, faces: Index) -> fcl.BVHModel:
    model = fcl.BVHModel()
    model.beginModel(len(vertices), len(faces))
    model.addSubModel(vertices, faces)
    model.endModel()
    return model
