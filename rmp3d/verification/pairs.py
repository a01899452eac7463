"""Checks members against each other."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.verification.advancement import ROUNDING, check_motions
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import depth_inside, gap
from rmp3d.verification.report import Finding


class PairCheck:
    """Checks every motion of each two members that come near each other.

    Attributes:
        nearest: Smallest distance [m] of two bodies at a frame so far; infinite with one member.
    """

    def __init__(self, dt: float) -> None:
        self.nearest = np.inf
        self._dt = dt

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the contacts of a block, pair by pair, the nearest pairs first."""
        pairs, least_gap = self._near_pairs(block)
        for (i, j), gaps in zip(pairs, least_gap, strict=True):
            clear = gaps > max(self.nearest, ROUNDING)
            if clear.all() and block.motions:
                continue
            yield from self._pair(block, int(i), int(j), clear if block.motions else None)

    def _near_pairs(self, block: Block) -> tuple[Index, Float]:
        """Return pairs (P, 2), nearest first, and a lower bound (P, B) of their gap.

        The spheres around two bodies are at least
        ``(D[k] + D[k + 1] - travel) / 2 - r_i - r_j`` apart in motion k, for distances D of
        their middles at the frames and the relative travel in between.
        """
        radius = np.array([body.radius for body in block.bodies])[block.body_of]
        middle = 0.5 * (block.center.min(axis=0) + block.center.max(axis=0))  # (N, 3)
        turned = block.travel.max(axis=0) if block.motions else np.zeros(len(radius))
        reach = radius + length(block.center - middle).max(axis=0) + turned
        pairs = _within(middle, reach, self._search_distance(block, radius))
        if len(pairs) == 0:
            return pairs, np.zeros((0, block.motions))
        i, j = pairs.T
        apart = length(block.center[:, j] - block.center[:, i])  # (B + 1, P)
        travel = block.travel[:, i] + block.travel[:, j]  # (B, P)
        gap = 0.5 * (apart[:-1] + apart[1:] - travel) - radius[i] - radius[j]
        order = np.argsort((apart - radius[i] - radius[j]).min(axis=0), kind="stable")
        return pairs[order], np.ascontiguousarray(gap.T[order])

    def _search_distance(self, block: Block, radius: Float) -> float:
        """Return a distance [m]: bodies that are further apart cannot be the nearest pair."""
        if np.isfinite(self.nearest) or len(radius) < 2:
            return min(self.nearest, 1e9)
        near, row = cKDTree(block.center[0]).query(block.center[0], k=2)
        first = int(np.argmin(near[:, 1]))
        second = int(row[first, 1] if row[first, 1] != first else row[first, 0])
        self.nearest = _distance(block, first, second, 0, 0.0)[0]
        return self.nearest

    def _pair(self, block: Block, i: int, j: int, clear: np.ndarray | None) -> Iterator[Finding]:
        offset = block.position[: block.motions + 1, j] - block.position[: block.motions + 1, i]
        turning = block.turning[:, i] + block.turning[:, j]
        travel = length(np.diff(offset, axis=0)) + turning

        def measure(frame: int, share: float) -> tuple[float, int]:
            return _distance(block, i, j, frame, share)

        track = check_motions(travel, measure, self.nearest, clear)
        self.nearest = track.nearest
        moments = [(frame, share) for frame, share, _ in track.contacts]
        for frame, share in sorted(moments + _swallowed(block, i, j)):
            time = (block.first + frame + share) * self._dt
            depth = _overlap(block, i, j, frame, share)
            text = f"members {i} and {j} overlap, {'between frames' if share else 'in a frame'}"
            yield Finding("member_collision", time, time, (i, j), None, depth, text)


def _distance(block: Block, i: int, j: int, frame: int, share: float) -> tuple[float, int]:
    first = block.body(i).placed(*block.pose(i, frame, share))
    return gap(first, block.body(j).placed(*block.pose(j, frame, share)))


def _swallowed(block: Block, i: int, j: int) -> list[tuple[int, float]]:
    """Return the frames at which one body may be wholly inside a larger one, and is.

    Their surfaces need not touch then. Bodies of one shape cannot do that.
    """
    first, second = block.body(i), block.body(j)
    if first is second:
        return []
    apart = length(block.center[:, j] - block.center[:, i])
    near = np.flatnonzero(apart < max(first.radius, second.radius))
    return [(int(frame), 0.0) for frame in near if _overlap(block, i, j, int(frame), 0.0)]


def _overlap(block: Block, i: int, j: int, frame: int, share: float) -> float | None:
    """Return how deep [m] a point of one body is in the other, at most."""
    pose_i, pose_j = block.pose(i, frame, share), block.pose(j, frame, share)
    points_i = block.body(i).points @ pose_i[0].T + pose_i[1]
    points_j = block.body(j).points @ pose_j[0].T + pose_j[1]
    depths = [
        depth_inside(points_i, block.body(j), *pose_j),
        depth_inside(points_j, block.body(i), *pose_i),
    ]
    known = [depth for depth in depths if depth is not None]
    return max(known) if known else None


def _within(middle: Float, reach: Float, distance: float) -> Index:
    """Return the pairs (P, 2) of spheres of radius ``reach`` within ``distance`` [m]."""
    if len(middle) < 2:
        return np.empty((0, 2), np.intp)
    widest = 2.0 * float(reach.max()) + distance
    pairs = cKDTree(middle).query_pairs(widest, output_type="ndarray")
    i, j = pairs.T
    near = length(middle[j] - middle[i]) <= reach[i] + reach[j] + distance
    return pairs[near].astype(np.intp)
