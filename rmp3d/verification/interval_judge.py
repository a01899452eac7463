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
from rmp3d.geometry.vectors import unit
from rmp3d.geometry.work_limit import check_work
from rmp3d.verification.directions import first_directions, further_directions
from rmp3d.verification.turning_motions import MovedCorners, TurningMotions, bounds, swung

BLOCK = 16  # triangles that are left out together
CHUNK = 20_000  # pairs of triangles that are looked at together, to bound memory
FEW_BLOCKS = 4  # of obstacles that meet a piece's box: with no more, the body is tried as a whole
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
        pieces: How many pieces of motions were looked at with all triangles of the body.
    """

    def __init__(self, body: TriangleMesh, obstacles: TriangleMesh) -> None:
        self._body, self._body_blocks = _in_blocks(body.triangles)
        self._corners = np.unique(self._body.reshape(-1, 3), axis=0)
        self._obstacles, self._blocks = _in_blocks(obstacles.triangles)
        self._reach = float(np.linalg.norm(self._body, axis=2).max())
        self._largest = self._reach + float(np.abs(self._obstacles).max())
        self._ranges = _ranges(self._obstacles)
        self._boxes = _joined(*self._ranges, self._blocks)
        self.pairs = self.pieces = 0

    def motion_is_free(self, start: Float, end: Float) -> bool:
        """Return whether the motion start -> end, (7,) each, is proved free of contact.

        False: there is a contact, or a gap below rounding, or it takes too much work.
        """
        return self.first_refused(np.stack([start, end])) < 0

    def first_refused(self, path: Float) -> int:
        """Return the first motion of a path (K, 7) that is not proved free, or -1.

        Raises:
            OutOfTimeError: A `work_limit` is used up.
        """
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
        motions = TurningMotions.between(start[:first], end[:first])
        least, asked = least[:first], np.zeros(first, np.intp)
        for pairs in self._near(motions, least):
            waiting = [pairs]
            while waiting:
                check_work()
                pairs = waiting.pop()
                pairs = pairs.select(pairs.motion < first)
                asked += np.bincount(pairs.motion, minlength=len(asked))
                self.pairs += len(pairs.body)
                left, touching = self._unproved(motions, pairs, least)
                refused = np.concatenate([touching, np.flatnonzero(asked > MOST)])
                first = min(first, int(refused.min(initial=first)))
                waiting += left.halves()
        return first

    def _near(self, motions: TurningMotions, least: Float) -> Iterator["_Pairs"]:
        """Yield the pairs of triangles whose boxes meet, for first pieces of the motions."""
        together = max(1, CHUNK // len(self._body))
        for motion, middle, half in self._pieces(motions, least):
            for at in range(0, len(motion), together):
                own = slice(at, at + together)
                yield from self._near_pieces(motions, least, motion[own], middle[own], half[own])

    def _near_pieces(
        self, motions: TurningMotions, least: Float, motion: Index, middle: Float, half: Float
    ) -> Iterator["_Pairs"]:
        """Yield the pairs of triangles whose boxes meet, for pieces (P,) of motions."""
        count, blocks = len(self._body), len(self._body_blocks)
        each = np.repeat(np.arange(len(motion)), count)
        self.pieces += len(motion)
        moved = motions.at(motion[each], np.tile(self._body, (len(motion), 1, 1)), middle[each])
        low, high = bounds(moved, half[each, None, None])
        low, high = _ranges(low)[0], _ranges(high)[1]
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
        self, motions: TurningMotions, least: Float
    ) -> Iterator[tuple[Index, Float, Float]]:
        """Yield motion, middle and half length of short pieces, those near obstacles.

        The ball around the body is looked at first; then, if few obstacles are near, its corners.
        """
        rows = np.arange(len(least))
        waiting = [(rows, np.full(len(rows), 0.5), np.full(len(rows), 0.5))]
        while waiting:
            check_work()
            motion, middle, half = waiting.pop()
            begin, straight = motions.begin[motion], motions.straight[motion]
            ends = np.stack(
                [begin + (middle + side * half)[:, None] * straight for side in (-1, 1)]
            )
            around = (self._reach + least[motion])[:, None]
            boxes = np.stack([ends.min(axis=0) - around, ends.max(axis=0) + around], axis=1)
            near = self._near_bodies(motions, least, boxes, motion, middle, half)
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

    def _near_bodies(
        self,
        motions: TurningMotions,
        least: Float,
        boxes: Float,
        motion: Index,
        middle: Float,
        half: Float,
    ) -> Index:
        """Return the pieces in which the body as a whole is not proved apart from all obstacles.

        Args:
            motions: Of which these are pieces.
            least: By how much bounds may be wrong in each motion.
            boxes: (P, 2, 3) around each piece.
            motion: (P,) row of the motion.
            middle: (P,) moment in the middle.
            half: (P,) half of the length.
        """
        piece, block = _meeting(boxes, self._boxes)
        few = np.bincount(piece, minlength=len(boxes))[piece] <= FEW_BLOCKS
        near = [np.unique(piece[~few])]
        piece, block = piece[few], block[few]
        for at in range(0, len(piece), CHUNK // BLOCK):
            own = slice(at, at + CHUNK // BLOCK)
            rows = (block[own, None] * BLOCK + np.arange(BLOCK)).ravel()
            of = np.repeat(piece[own], BLOCK)
            of, rows = of[rows < len(self._obstacles)], rows[rows < len(self._obstacles)]
            meet = _meet(boxes[:, 0], boxes[:, 1], of, *self._ranges, rows)
            of, rows = of[meet], rows[meet]
            some = max(1, 3 * CHUNK // len(self._corners))
            for first in range(0, len(of), some):
                p, standing = of[first : first + some], self._obstacles[rows[first : first + some]]
                moved = motions.at(motion[p], self._corners[None], middle[p])
                straight = half[p, None] * motions.straight[motion[p]]
                gap = _gaps_of_swings(moved, standing, half[p], straight)
                near.append(p[gap <= least[motion[p]]])
        return np.unique(np.concatenate(near))

    def _unproved(
        self, motions: TurningMotions, pairs: "_Pairs", least: Float
    ) -> tuple["_Pairs", Index]:
        """Return the pairs that are not proved apart; motions of pairs not apart in the middle."""
        touching = np.zeros(0, np.intp)
        for directions in (first_directions, further_directions):
            if len(pairs.body) == 0:
                return pairs, touching
            moved = motions.at(pairs.motion, self._body[pairs.body], pairs.middle)
            standing = self._obstacles[pairs.obstacle]
            gap, still = _gaps(directions(moved.points, standing), moved, standing, pairs.half)
            apart = gap.max(axis=1) > least[pairs.motion]
            if directions is first_directions:
                pairs = pairs.select(~apart)
                before = still.max(axis=1)[~apart]
        in_contact = np.maximum(before, still.max(axis=1)) <= least[pairs.motion]
        touching = pairs.motion[in_contact & ~apart]
        return pairs.select(~apart), touching


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


def _gaps(
    directions: Float, moved: MovedCorners, standing: Float, half: Float
) -> tuple[Float, Float]:
    """Return how far (M, D) two triangles are apart along each direction, at least.

    In the whole piece, and in its middle. Negative where they overlap.
    """
    seen = moved.seen(directions)
    low, high = bounds(seen, half[:, None, None])
    other = directions @ standing.transpose(0, 2, 1)
    least, most = other.min(axis=2), other.max(axis=2)
    gap = np.maximum(low.min(axis=2) - most, least - high.max(axis=2))
    still = np.maximum(seen.points.min(axis=2) - most, least - seen.points.max(axis=2))
    return gap, still


def _gaps_of_swings(moved: MovedCorners, standing: Float, half: Float, straight: Float) -> Float:
    """Return how far (P,) a body is apart from a triangle in all of a piece, at least.

    Along the world's axes and the triangle's normal, its turn bounded exactly.

    Args:
        moved: (P, V, 3) the body's corners in the middle.
        standing: (P, 3, 3) a triangle for each.
        half: (P,) half of the piece, as a share of the motion.
        straight: (P, 3) how far the reference point goes in that.
    """
    normals = np.cross(standing[:, 1] - standing[:, 0], standing[:, 2] - standing[:, 0])
    axes = np.broadcast_to(np.eye(3), (len(standing), 3, 3))
    directions = np.concatenate([axes, unit(normals)[:, None]], axis=1)  # (P, 4, 3)
    low, high = swung(moved.seen(directions), half)
    around = np.abs(np.einsum("pij,pj->pi", directions, straight))
    other = directions @ standing.transpose(0, 2, 1)
    gap = np.maximum(
        low.min(axis=2) - around - other.max(axis=2), other.min(axis=2) - high.max(axis=2) - around
    )
    most: Float = gap.max(axis=1)
    return most


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
