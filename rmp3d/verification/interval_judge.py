"""A judge of rigid motions by interval arithmetic: shares no query with the kernels or python-fcl.

Over a piece of the motion, the coordinates of every corner along a direction lie in an interval
that is known in closed form. Two triangles are apart in the whole piece if their intervals along
one direction are. The direction need not be good, only fixed: so no contact is missed, however
it was chosen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

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
        self._ranges = _ranges(self._obstacles)
        self._boxes = _joined(*self._ranges, self._blocks)
        self.pairs = 0

    def motion_is_free(self, start: Float, end: Float) -> bool:
        """Return whether the motion start -> end, (7,) each, is proved free of contact.

        False: there is a contact, or a gap below rounding, or it takes too much work.
        """
        return self.first_refused(np.stack([start, end])) < 0

    def first_refused(self, path: Float) -> int:
        """Return the first motion of a path (K, 7) that is not proved free, or -1."""
        if len(path) == 1:
            path = np.repeat(path, 2, axis=0)
        together = max(1, CHUNK // len(self._body))
        for row in range(0, len(path) - 1, together):
            some = path[row : row + together + 1]
            refused = self._first_refused(some[:-1], some[1:])
            if refused < len(some) - 1:
                return row + refused
        return -1

    def _first_refused(self, start: Float, end: Float) -> int:
        """Return the first of the motions start -> end, (M, 7) each, that is refused; M: none."""
        farthest = np.abs([start[:, :3], end[:, :3]]).max(axis=(0, 2))
        least = ROUNDING * (self._largest + farthest)  # (M,)
        vague = np.flatnonzero(least > COARSE * self._reach)
        first = int(vague[0]) if len(vague) else len(start)
        if first == 0:
            return 0
        motions = _TurningMotions.between(start[:first], end[:first], self._body)
        least, asked = least[:first], np.zeros(first, np.intp)
        for pairs in self._near(motions, least):
            waiting = [pairs]
            while waiting:
                pairs = waiting.pop()
                pairs = pairs.select(pairs.motion < first)
                asked += np.bincount(pairs.motion, minlength=len(asked))
                self.pairs += len(pairs.body)
                left, touching = self._unproved(motions, pairs, least)
                refused = np.concatenate([touching, np.flatnonzero(asked > MOST)])
                first = min(first, int(refused.min(initial=first)))
                waiting += left.halves()
        return first

    def _near(self, motions: "_TurningMotions", least: Float) -> Iterator["_Pairs"]:
        """Yield the pairs of triangles whose boxes meet, for first pieces of the motions."""
        together = max(1, CHUNK // len(self._body))
        for motion, middle, half in self._pieces(motions, least):
            for at in range(0, len(motion), together):
                own = slice(at, at + together)
                yield from self._near_pieces(motions, least, motion[own], middle[own], half[own])

    def _near_pieces(
        self, motions: "_TurningMotions", least: Float, motion: Index, middle: Float, half: Float
    ) -> Iterator["_Pairs"]:
        """Yield the pairs of triangles whose boxes meet, for pieces (P,) of motions."""
        count, blocks = len(self._body), len(self._body_blocks)
        each = np.repeat(np.arange(len(motion)), count)
        low, high = motions.boxes(
            motion[each], np.tile(np.arange(count), len(motion)), middle[each], half[each]
        )
        slack = least[motion[each], None]
        low, high = low - slack, high + slack
        begins = np.arange(len(motion)) * count
        own = _joined(low, high, (begins[:, None] + self._body_blocks).ravel())
        piece, block = _meeting(_joined(low, high, begins), self._boxes)
        for at in range(0, len(piece), max(1, CHUNK // blocks)):
            first = piece[at : at + max(1, CHUNK // blocks), None] * blocks + np.arange(blocks)
            second = np.broadcast_to(block[at : at + len(first), None], first.shape)
            first, second = _met(own, self._boxes, first.ravel(), second.ravel())
            for row in range(0, len(first), CHUNK // BLOCK**2):
                chosen = slice(row, row + CHUNK // BLOCK**2)
                of, a, b = _expanded(
                    first[chosen], second[chosen], blocks, count, len(self._obstacles)
                )
                meet = _meet(low, high, of * count + a, *self._ranges, b)
                of, a, b = of[meet], a[meet], b[meet]
                yield _Pairs(motion[of], a, b, middle[of], half[of])

    def _pieces(
        self, motions: "_TurningMotions", least: Float
    ) -> Iterator[tuple[Index, Float, Float]]:
        """Yield motion, middle and half length of short pieces, those near obstacles."""
        rows = np.arange(len(least))
        waiting = [(rows, np.full(len(rows), 0.5), np.full(len(rows), 0.5))]
        while waiting:
            motion, middle, half = waiting.pop()
            begin, straight = motions.begin[motion], motions.straight[motion]
            ends = np.stack(
                [begin + (middle + side * half)[:, None] * straight for side in (-1, 1)]
            )
            around = (self._reach + least[motion])[:, None]
            boxes = np.stack([ends.min(axis=0) - around, ends.max(axis=0) + around], axis=1)
            near = np.unique(_meeting(boxes, self._boxes)[0])
            motion, middle, half = motion[near], middle[near], half[near]
            travel = np.linalg.norm(ends[1, near] - ends[0, near], axis=1)
            short = (travel <= 0.5 * self._reach) & (2.0 * half * motions.angle[motion] <= TURN)
            if short.any():
                yield motion[short], middle[short], half[short]
            motion, middle, half = motion[~short], middle[~short], half[~short]
            for at in range(0, len(motion), CHUNK):
                own = slice(at, at + CHUNK)
                for side in (0.5, -0.5):
                    waiting.append((motion[own], middle[own] + side * half[own], 0.5 * half[own]))

    def _unproved(
        self, motions: "_TurningMotions", pairs: "_Pairs", least: Float
    ) -> tuple["_Pairs", Index]:
        """Return the pairs that are not proved apart; motions of pairs not apart in the middle."""
        touching = np.zeros(0, np.intp)
        for directions in (_first_directions, _further_directions):
            if len(pairs.body) == 0:
                return pairs, touching
            moved = motions.at(pairs.motion, pairs.body, pairs.middle)
            standing = self._obstacles[pairs.obstacle]
            gap, still = _gaps(directions(moved.points, standing), moved, standing, pairs.half)
            apart = gap.max(axis=1) > least[pairs.motion]
            if directions is _first_directions:
                pairs = pairs.select(~apart)
                before = still.max(axis=1)[~apart]
        in_contact = np.maximum(before, still.max(axis=1)) <= least[pairs.motion]
        touching = pairs.motion[in_contact & ~apart]
        return pairs.select(~apart), touching


@dataclass(frozen=True, eq=False)
class _Moved:
    """Triangles (M, 3, 3) at a moment, and what bounds their motion around it."""

    points: Float
    velocity: Float  # per unit of the motion
    inward: Float  # angle**2 / 2 times the acceleration of a turn by one radian
    sideways: Float  # angle**3 / 6 times the velocity of a turn by one radian


@dataclass(frozen=True, eq=False)
class _TurningMotions:
    """Motions (M,) of triangles (N,): each straight, about a fixed axis k through the reference.

    A corner u turns by a to u + sin(a) (k x u) + (1 - cos(a)) k x (k x u) (Rodrigues).
    """

    begin: Float  # (M, 3)
    straight: Float  # (M, 3)
    angle: Float  # (M,)
    corners: Float  # (M, N, 3, 3) u, turned as at the start
    across: Float  # (M, N, 3, 3) k x u
    inward: Float  # (M, N, 3, 3) k x (k x u)

    @classmethod
    def between(cls, start: Float, end: Float, triangles: Float) -> "_TurningMotions":
        """Return the motions between configurations (M, 7) of triangles (N, 3, 3)."""
        first, last = start[:, 3:], end[:, 3:]
        along = np.einsum("ij,ij->i", first, last)
        last, along = np.where(along[:, None] < 0.0, -last, last), np.abs(along)
        # The vector part of last * conj(first).
        axis = first[:, :1] * last[:, 1:] - last[:, :1] * first[:, 1:]
        axis -= np.cross(last[:, 1:], first[:, 1:])
        sine = np.linalg.norm(axis, axis=1)
        angle = 2.0 * np.arctan2(sine, along)
        corners = triangles[None] @ matrix_from_quaternion(first).transpose(0, 2, 1)[:, None]
        around = unit(axis)[:, None, None]  # zero where nothing turns
        across = np.cross(around, corners)
        inward = np.cross(around, across)
        return cls(start[:, :3], end[:, :3] - start[:, :3], angle, corners, across, inward)

    def at(self, motion: Index, rows: Index, moment: Float) -> _Moved:
        """Return triangles (P,) of motions (P,) at moments (P,) of these; each lasts 0 to 1."""
        angle, straight = self.angle[motion, None, None], self.straight[motion, None]
        turned = moment[:, None, None] * angle
        sine, cosine = np.sin(turned), np.cos(turned)
        across, inward = self.across[motion, rows], self.inward[motion, rows]
        points = self.corners[motion, rows] + sine * across + (1.0 - cosine) * inward
        points += self.begin[motion, None] + moment[:, None, None] * straight
        along = cosine * across + sine * inward
        return _Moved(
            points=points,
            velocity=straight + angle * along,
            inward=(cosine * inward - sine * across) * (0.5 * angle**2),
            sideways=along * (angle**3 / 6.0),
        )

    def boxes(self, motion: Index, rows: Index, moment: Float, half: Float) -> tuple[Float, Float]:
        """Return lowest and highest corners (P, 3) of triangles around moments."""
        moved = self.at(motion, rows, moment)
        low, high = _bounds(moved.points, moved, half[:, None, None])
        return _ranges(low)[0], _ranges(high)[1]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of triangles, each with a piece of a motion."""

    motion: Index
    body: Index
    obstacle: Index
    middle: Float
    half: Float

    def select(self, kept: Bool | slice) -> "_Pairs":
        """Return some of the pairs."""
        return _Pairs(
            self.motion[kept], self.body[kept], self.obstacle[kept], self.middle[kept],
            self.half[kept],
        )  # fmt: skip

    def halves(self) -> Iterator["_Pairs"]:
        """Yield each pair with either half of its piece, not too many at a time."""
        for sign in (-0.5, 0.5):
            for at in range(0, len(self.body), CHUNK):
                own = self.select(slice(at, at + CHUNK))
                yield replace(own, middle=own.middle + sign * own.half, half=0.5 * own.half)


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


def _met(first: Float, second: Float, a: Index, b: Index) -> tuple[Index, Index]:
    """Return those of pairs (a, b) of boxes (B, 2, 3) and (C, 2, 3) that meet."""
    meet = _meet(first[:, 0], first[:, 1], a, second[:, 0], second[:, 1], b)
    return a[meet], b[meet]


def _meet(low: Float, high: Float, a: Index, least: Float, most: Float, b: Index) -> Bool:
    """Return which boxes a of ranges (B, 3) meet boxes b of others; axis by axis is fastest."""
    meet = np.ones(len(a), np.bool_)
    for axis in range(3):
        meet &= low[a, axis] <= most[b, axis]
        meet &= high[a, axis] >= least[b, axis]
    return meet


def _ranges(triangles: Float) -> tuple[Float, Float]:
    """Return lowest and highest coordinates (N, 3) of triangles (N, 3, 3)."""
    first, second, third = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    low: Float = np.minimum(np.minimum(first, second), third)
    high: Float = np.maximum(np.maximum(first, second), third)
    return low, high


def _expanded(
    first: Index, second: Index, blocks: int, count: int, other: int
) -> tuple[Index, Index, Index]:
    """Return the pairs of triangles of pairs of blocks, and the piece of each.

    ``first`` counts the ``blocks`` blocks of ``count`` triangles of every piece.
    """
    piece, block = np.divmod(first, blocks)
    a = block[:, None] * BLOCK + np.arange(BLOCK)
    b = second[:, None] * BLOCK + np.arange(BLOCK)
    pieces = np.broadcast_to(piece[:, None, None], (len(first), BLOCK, BLOCK)).ravel()
    one, two = (each.ravel() for each in np.broadcast_arrays(a[:, :, None], b[:, None, :]))
    there = (one < count) & (two < other)
    return pieces[there], one[there], two[there]
