"""Paths of a shrunk body, made ready for larger ones step by step: shrink, solve, center, mend."""

from collections.abc import Generator, Sequence
from itertools import pairwise

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.paths.shortening import shortened_motions
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.centering import CHUNK, centered
from rmp3d.planner.trees.guiding_way import GuidingWay
from rmp3d.planner.trees.passages import Body, through_passages
from rmp3d.planner.trees.turns import Turns

PATIENCE = 3000.0  # work of a search before a fresh one begins, times 1, 2, 1, 4, 1, 2, 1, 8 ...
STEP = 0.25  # between configurations of a path that is centered, times the reach
SHORTENING = 500  # queries
LARGER = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)  # of what the body lacks, what a larger one may lack
MISSING = 0.15  # motions of a path that are mended, at most, of all
HALVINGS = 3  # of motions that are missing, before trees mend them
MENDING = 2000.0  # work for one of them
AROUND = 1.0  # room for it around its ends, times the reach


class ShrunkBody(GuidingWay):
    """Finds paths of ever larger bodies, and at last one of the body itself.

    A path of a shrunk body is moved to the middle of its passages (`centered`). There, a body that
    is much larger often fits at once. Where single motions of it are not free, small trees mend
    them. If no larger body gets through, trees look for a path of the next size, guided by this
    one. Free space is wider for a smaller body (Hsu, Sanchez-Ante, Cheng and Latombe 2006,
    "Multi-level free-space dilation for sampling narrow passages in PRM planning"; Saha, Latombe,
    Chang and Prinz 2005, "Finding narrow passages with probabilistic roadmaps: the small-step
    retraction method").

    How long a search takes has a heavy tail: what helps is near the ends or hardly ever found. So a
    search that takes long is given up for a fresh one, with the patience that Luby, Sinclair and
    Zuckerman 1993 prove to be good whatever the tail ("Optimal speedup of Las Vegas algorithms").

    Args:
        whole: Space of the body itself.
        ends: (2, 7) start and goal, free.
        body: Returns the space of a body that lacks a share; of the body itself for 0.
        shares: What the bodies lack, the smallest body first; the last is 0.
        rng: Source of randomness.
        growing: The same as ``body``, for bodies that grow in the middle of a passage; None: none.
    """

    def __init__(
        self,
        whole: RigidBodySpace,
        ends: Float,
        body: Body,
        shares: Sequence[float],
        rng: np.random.Generator,
        growing: Body | None = None,
    ) -> None:
        super().__init__(whole, rng)
        self._ends, self._body, self._growing = ends, body, growing
        self._shares = shares

    def _all(self) -> Generator[None, None, None]:
        """Find a path for one size after the other; leave out those that have one already."""
        fits = np.inf
        for share in self._shares:
            if share >= fits:
                continue
            space = self._body(share)
            if not space.world.is_free(self._ends).all():
                yield
                continue
            path = yield from self._found(space)
            fits = yield from self._enlarged(space, share, path)
            if fits == 0.0:
                return

    def _found(self, space: RigidBodySpace) -> Turns:
        """Return a path of new trees."""
        tries = 0
        while True:
            tries += 1
            patience = PATIENCE * (tries & -tries)
            path = yield from self._searched(space, self._ends, patience, self.path)
            if len(path):
                return shortened_motions(space, path, self._rng, SHORTENING)

    def _enlarged(
        self, space: RigidBodySpace, share: float, path: Float
    ) -> Generator[None, None, float]:
        """Make a path ready for larger bodies; return what the largest lacks that it is free for.

        Args:
            space: Of the body that the path is free for.
            share: What this body lacks.
            path: (K, 7).
        """
        if share == 0.0:
            self.path = self.answer = path
            return 0.0
        while True:
            middle = yield from self._centered(space, path)
            self.path = middle
            path = yield from through_passages(
                self._whole, self._ends, middle, self._searched, self._growing
            )
            if len(path):
                self.path = self.answer = path
                return 0.0
            for part in LARGER:
                body = self._body(part * share)
                path = yield from self._mended(body, space, middle)
                if len(path):
                    break
                yield
            else:
                return share
            space, share = body, part * share
            if share == 0.0:
                self.path = self.answer = path
                return 0.0
            path = shortened_motions(space, path, self._rng, SHORTENING)

    def _centered(self, space: RigidBodySpace, path: Float) -> Turns:
        """Return configurations in even steps along a path (K, 7), each with more room there."""
        whole = self._whole
        gaps = whole.distance(path[:-1], path[1:])
        parts = np.maximum(np.ceil(gaps / (STEP * whole.reach)), 1).astype(np.intp)
        owner = np.repeat(np.arange(len(parts)), parts)
        share = (np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[owner]
        rows = whole.interpolated(path[owner], path[owner + 1], share)
        rows = np.concatenate([rows, path[-1:]])
        for first in range(0, len(rows), CHUNK):
            rows[first : first + CHUNK] = centered(space, rows[first : first + CHUNK])[0]
            yield
        return np.concatenate([self._ends[:1], rows, self._ends[1:]])

    def _mended(self, body: RigidBodySpace, smaller: RigidBodySpace, rows: Float) -> Turns:
        """Return a path of a body over configurations (M, 7), as far as they are free for it.

        Args:
            body: Its space.
            smaller: Space of the smaller body for which the configurations are a path.
            rows: In the middle of the passages of the smaller body; start and goal included.
        """
        free = body.world.is_free(rows)
        if not (free[[0, -1]].all() and free.mean() > 1.0 - MISSING):
            return np.zeros((0, 7))
        rows = rows[free]
        missing = ~body.world.touch_nothing(rows[:-1], rows[1:])
        for _ in range(HALVINGS):
            if not missing.any() or missing.sum() > max(2, MISSING * len(missing)):
                break
            at = np.flatnonzero(missing)
            between = self._whole.interpolated(rows[at], rows[at + 1], np.full(len(at), 0.5))
            between = centered(smaller, between)[0]
            kept = body.world.is_free(between)
            rows = np.insert(rows, at[kept] + 1, between[kept], axis=0)
            missing = ~body.world.touch_nothing(rows[:-1], rows[1:])
            yield
        if missing.sum() > max(2, MISSING * len(missing)):
            return np.zeros((0, 7))
        pieces = [rows[:1]]
        for row, (a, b) in enumerate(pairwise(rows)):
            piece = np.stack([a, b])
            if missing[row]:
                room = AROUND * body.reach
                box = np.stack([piece[:, :3].min(0) - room, piece[:, :3].max(0) + room])
                near = rows[max(0, row - 2) : row + 4]
                piece = yield from self._searched(body.within(box), piece, MENDING, near)
                if len(piece) == 0:
                    return piece
                piece = shortened_motions(body, piece, self._rng, SHORTENING)
            pieces.append(piece[1:])
        return np.concatenate(pieces)
