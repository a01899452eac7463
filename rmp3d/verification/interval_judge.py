"""A judge of rigid motions by interval arithmetic: shares no query with the kernels or python-fcl.

Over a piece of the motion, the coordinates of every corner along a direction lie in an interval
that is known in closed form. Two triangles are apart in the whole piece if their intervals along
one direction are. The direction need not be good, only fixed: so no contact is missed, however
it was chosen.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.vectors import unit

BLOCK = 16  # triangles that are left out together
CHUNK = 20_000  # pairs of triangles that are looked at together, to bound memory
BOX_PAIRS = 2_000_000  # the same for boxes of blocks
TURN = 0.25  # rad of a first piece of a motion, at most
MOST = 20_000_000  # pairs of triangles that one motion may take
ROUNDING = 1e-13
"""Share of the largest coordinate by which a bound may be wrong.

A bound is a sum of some twenty products, each wrong by 2**-53 of the largest (Higham 2002, section
3.1: 40 * 2**-53 = 5e-15); twenty times that is taken.
"""

COARSE = 1e-3
"""Where bounds may be wrong by more than this share of the body, nothing is proved."""


class IntervalJudge:
    """A rigid body that moves among triangles.

    In a motion, the reference point goes straight, and the body turns about a fixed axis at
    constant speed.

    Args:
        body: The mesh that moves, about its reference point.
        obstacles: The mesh that stands.

    Attributes:
        pairs: How many pairs of triangles were looked at so far.
    """

    def __init__(self, body: TriangleMesh, obstacles: TriangleMesh) -> None:
        self._body, self._body_blocks = _in_blocks(body.triangles)
        self._obstacles, self._blocks = _in_blocks(obstacles.triangles)
        self._reach = float(np.linalg.norm(self._body, axis=2).max())
        self._largest = self._reach + float(np.abs(self._obstacles).max())
        self._boxes = _boxes(self._obstacles, self._blocks)
        self.pairs = 0

    def motion_is_free(self, start: Float, end: Float) -> bool:
        """Return whether the motion start -> end, (7,) each, is proved free of contact.

        False: there is a contact, or a gap below rounding, or it takes too much work.
        """
        motion = _Motion.between(start, end, self._body)
        least = ROUNDING * (self._largest + float(np.abs([start[:3], end[:3]]).max()))
        if least > COARSE * self._reach:
            return False
        budget = self.pairs + MOST
        waiting = list(self._near(motion, least))
        while waiting:
            pairs = waiting.pop()
            self.pairs += len(pairs.body)
            if self.pairs > budget:
                return False
            left = self._unproved(motion, pairs, least)
            if left is None:
                return False
            waiting += left.halves()
        return True

    def first_refused(self, path: Float) -> int:
        """Return the first motion of a path (K, 7) that is not proved free, or -1."""
        if len(path) == 1:
            path = np.repeat(path, 2, axis=0)
        for row in range(len(path) - 1):
            if not self.motion_is_free(path[row], path[row + 1]):
                return row
        return -1

    def _near(self, motion: "_Motion", least: float) -> Iterator["_Pairs"]:
        """Yield the pairs of triangles whose boxes meet, for each first piece of the motion."""
        rows = np.arange(len(self._body))
        for middle, half in self._pieces(motion, least):
            low, high = motion.boxes(rows, middle, half)
            low, high = low - least, high + least
            own = _joined(low, high, self._body_blocks)
            first, second = _meeting(own, self._boxes)
            for at in range(0, len(first), CHUNK // BLOCK**2):
                chosen = slice(at, at + CHUNK // BLOCK**2)
                a, b = _expanded(first[chosen], second[chosen], len(rows), len(self._obstacles))
                other = self._obstacles[b]
                meet = (low[a] <= other.max(axis=1)).all(axis=1)
                meet &= (high[a] >= other.min(axis=1)).all(axis=1)
                a, b = a[meet], b[meet]
                yield _Pairs(a, b, np.full(len(a), middle), np.full(len(a), half))

    def _pieces(self, motion: "_Motion", least: float) -> Iterator[tuple[float, float]]:
        """Yield middle and half length of short pieces of the motion, those near obstacles."""
        around = self._reach + least
        waiting = [(0.5, 0.5)]
        while waiting:
            middle, half = waiting.pop()
            ends = motion.begin + np.outer([middle - half, middle + half], motion.straight)
            box = np.stack([ends.min(axis=0) - around, ends.max(axis=0) + around])
            if len(_meeting(box[None], self._boxes)[0]) == 0:
                continue
            travel = float(np.linalg.norm(ends[1] - ends[0]))
            if travel <= 0.5 * self._reach and 2.0 * half * motion.angle <= TURN:
                yield middle, half
                continue
            waiting += [(middle + side * half, 0.5 * half) for side in (0.5, -0.5)]

    def _unproved(self, motion: "_Motion", pairs: "_Pairs", least: float) -> "_Pairs | None":
        """Return the pairs that are not proved apart; None if one is not apart in the middle."""
        for directions in (_first_directions, _further_directions):
            if len(pairs.body) == 0:
                return pairs
            moved = motion.at(pairs.body, pairs.middle)
            standing = self._obstacles[pairs.obstacle]
            gap, still = _gaps(directions(moved.points, standing), moved, standing, pairs.half)
            apart = gap.max(axis=1) > least
            if directions is _first_directions:
                pairs = pairs.select(~apart)
                before = still.max(axis=1)[~apart]
        touching = np.maximum(before, still.max(axis=1)) <= least
        if (touching & ~apart).any():
            return None
        return pairs.select(~apart)


@dataclass(frozen=True, eq=False)
class _Moved:
    """Triangles (M, 3, 3) at a moment, and what bounds their motion around it."""

    points: Float
    velocity: Float  # per unit of the motion
    inward: Float  # angle**2 / 2 times the acceleration of a turn by one radian
    sideways: Float  # angle**3 / 6 times the velocity of a turn by one radian


@dataclass(frozen=True, eq=False)
class _Motion:
    """A motion of triangles: straight, and about a fixed axis k through the reference point.

    A corner u turns by a to u + sin(a) (k x u) + (1 - cos(a)) k x (k x u) (Rodrigues).
    """

    begin: Float  # (3,)
    straight: Float  # (3,)
    angle: float
    corners: Float  # (N, 3, 3) u, turned as at the start
    across: Float  # (N, 3, 3) k x u
    inward: Float  # (N, 3, 3) k x (k x u)

    @classmethod
    def between(cls, start: Float, end: Float, triangles: Float) -> "_Motion":
        """Return the motion between configurations (7,) of triangles (N, 3, 3)."""
        first, last = start[3:], end[3:] if start[3:] @ end[3:] >= 0.0 else -end[3:]
        # The vector part of last * conj(first).
        axis = first[0] * last[1:] - last[0] * first[1:] - np.cross(last[1:], first[1:])
        sine = float(np.linalg.norm(axis))
        angle = 2.0 * math.atan2(sine, float(first @ last))
        corners = triangles @ matrix_from_quaternion(first).T
        across = np.cross(axis / sine, corners) if sine > 0.0 else np.zeros_like(corners)
        inward = np.cross(axis / sine, across) if sine > 0.0 else np.zeros_like(corners)
        return cls(start[:3], end[:3] - start[:3], angle, corners, across, inward)

    def at(self, rows: Index, moment: Float) -> _Moved:
        """Return triangles at moments (M,) of the motion, which lasts from 0 to 1."""
        turned = (moment * self.angle)[:, None, None]
        sine, cosine = np.sin(turned), np.cos(turned)
        across, inward = self.across[rows], self.inward[rows]
        points = self.corners[rows] + sine * across + (1.0 - cosine) * inward
        points += self.begin + moment[:, None, None] * self.straight
        along = cosine * across + sine * inward
        return _Moved(
            points=points,
            velocity=self.straight + self.angle * along,
            inward=(cosine * inward - sine * across) * (0.5 * self.angle**2),
            sideways=along * (self.angle**3 / 6.0),
        )

    def boxes(self, rows: Index, moment: float, half: float) -> tuple[Float, Float]:
        """Return lowest and highest corners (M, 3) of triangles around a moment."""
        moved = self.at(rows, np.full(len(rows), moment))
        low, high = _bounds(moved.points, moved, np.full((len(rows), 1, 1), half))
        return low.min(axis=1), high.max(axis=1)


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of triangles, each with a piece of the motion."""

    body: Index
    obstacle: Index
    middle: Float
    half: Float

    def select(self, kept: Bool) -> "_Pairs":
        """Return some of the pairs."""
        return _Pairs(self.body[kept], self.obstacle[kept], self.middle[kept], self.half[kept])

    def halves(self) -> Iterator["_Pairs"]:
        """Yield each pair with either half of its piece, not too many at a time."""
        half = 0.5 * self.half
        for sign in (-1.0, 1.0):
            for at in range(0, len(self.body), CHUNK):
                own = slice(at, at + CHUNK)
                middle = self.middle[own] + sign * half[own]
                yield _Pairs(self.body[own], self.obstacle[own], middle, half[own])


def _gaps(directions: Float, moved: _Moved, standing: Float, half: Float) -> tuple[Float, Float]:
    """Return how far (M, D) two triangles are apart along each direction, at least.

    In the whole piece, and in its middle. Negative where they overlap.
    """

    def along(vectors: Float) -> Float:
        result: Float = directions @ vectors.transpose(0, 2, 1)
        return result  # (M, D, 3)

    seen = _Moved(*(along(each) for each in (
        moved.points, moved.velocity, moved.inward, moved.sideways
    )))  # fmt: skip
    low, high = _bounds(seen.points, seen, half[:, None, None])
    other = along(standing)
    least, most = other.min(axis=2), other.max(axis=2)
    gap = np.maximum(low.min(axis=2) - most, least - high.max(axis=2))
    still = np.maximum(seen.points.min(axis=2) - most, least - seen.points.max(axis=2))
    return gap, still


def _bounds(points: Float, moved: _Moved, half: Float) -> tuple[Float, Float]:
    """Return the interval of each coordinate over a piece of the motion.

    sin(a) is a, wrong by at most |a|**3 / 6; 1 - cos(a) lies between 0 and a**2 / 2.
    """
    around = half * np.abs(moved.velocity) + half**3 * np.abs(moved.sideways)
    bent = half**2 * moved.inward
    return points - around + np.minimum(bent, 0.0), points + around + np.maximum(bent, 0.0)


def _first_directions(moving: Float, standing: Float) -> Float:
    """Return directions (M, 6, 3) that are often enough: normals, axes, and between the middles."""
    axes = np.broadcast_to(np.eye(3), (len(moving), 3, 3))
    normals = [np.cross(each[:, 1] - each[:, 0], each[:, 2] - each[:, 0])
               for each in (moving, standing)]  # fmt: skip
    middles = moving.mean(axis=1) - standing.mean(axis=1)
    return np.concatenate([unit(np.stack([*normals, middles], axis=1)), axes], axis=1)


def _further_directions(moving: Float, standing: Float) -> Float:
    """Return the directions (M, 15, 3) of the separating-axis theorem, without the normals.

    Two triangles that do not touch are apart along a normal, along the product of two edges, or,
    in one plane, across an edge.
    """
    edges = [each[:, [1, 2, 0]] - each for each in (moving, standing)]
    crossed = np.cross(edges[0][:, :, None], edges[1][:, None]).reshape(-1, 9, 3)
    normals = [np.cross(each[:, 0], each[:, 1])[:, None] for each in edges]
    outward = [np.cross(edge, normal) for edge, normal in zip(edges, normals, strict=True)]
    return unit(np.concatenate([crossed, *outward], axis=1))


def _in_blocks(triangles: Float) -> tuple[Float, Index]:
    """Return triangles (N, 3, 3) in an order in which neighbors follow each other.

    And where each block of `BLOCK` begins.
    """
    middles = triangles.mean(axis=1)
    waiting, order = [np.arange(len(triangles))], []
    while waiting:
        rows = waiting.pop()
        if len(rows) <= BLOCK:
            order.append(rows)
            continue
        axis = int(np.ptp(middles[rows], axis=0).argmax())
        cut = (len(rows) // BLOCK + 1) // 2 * BLOCK
        rows = rows[np.argpartition(middles[rows, axis], min(cut, len(rows) - 1))]
        waiting += [rows[cut:], rows[:cut]]
    return triangles[np.concatenate(order)], np.arange(0, len(triangles), BLOCK)


def _boxes(triangles: Float, starts: Index) -> Float:
    return _joined(triangles.min(axis=1), triangles.max(axis=1), starts)


def _joined(low: Float, high: Float, starts: Index) -> Float:
    """Return the boxes (B, 2, 3) of blocks."""
    least, most = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
    return np.stack([least, most], axis=1)


def _meeting(first: Float, second: Float) -> tuple[Index, Index]:
    """Return the pairs of boxes (B, 2, 3) and (C, 2, 3) that meet."""
    low, high = first[:, 0].min(axis=0), first[:, 1].max(axis=0)
    near = np.flatnonzero(((second[:, 0] <= high) & (second[:, 1] >= low)).all(axis=1))
    found = [(np.zeros(0, np.intp), np.zeros(0, np.intp))]
    rows = max(1, BOX_PAIRS // max(1, len(near)))
    for at in range(0, len(first), rows):
        some = first[at : at + rows, None]
        meet = (some[..., 0, :] <= second[None, near, 1]).all(axis=2)
        meet &= (some[..., 1, :] >= second[None, near, 0]).all(axis=2)
        a, b = np.nonzero(meet)
        found.append((a + at, near[b]))
    return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])


def _expanded(first: Index, second: Index, count: int, other: int) -> tuple[Index, Index]:
    """Return the pairs of triangles of pairs of blocks."""
    a = first[:, None] * BLOCK + np.arange(BLOCK)
    b = second[:, None] * BLOCK + np.arange(BLOCK)
    pairs = np.broadcast_arrays(a[:, :, None], b[:, None, :])
    one, two = (each.ravel() for each in pairs)
    there = (one < count) & (two < other)
    return one[there], two[there]
