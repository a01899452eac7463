"""Checks members against each other."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial import cKDTree

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.verification.advancement import ROUNDING, Allowance, MovingPair, check_motions
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import depth_inside, gap
from rmp3d.verification.crossing import crossing
from rmp3d.verification.enclosures import swallowed
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.report import Finding

SPAN = 16
"""Motions for which pairs are looked for at a time: in a short time, few come near each other."""
PAIRS = 100_000
"""Pairs whose capsules are compared at a time, to limit memory."""
DEPTHS = 8
"""Contacts of a pair in frames, or between them, of which one depth is measured."""


class PairCheck:
    """Checks every motion of each two members that come near each other.

    Most pairs are proved by upright capsules around the bodies. The rest is proved or refuted by
    python-fcl, mesh against mesh.

    Attributes:
        nearest: Smallest distance [m] of two bodies at a frame so far; infinite with one member.
    """

    def __init__(self, dt: float) -> None:
        self.nearest = np.inf
        self._dt = dt
        self._allowance = Allowance()

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the contacts of a block, pair by pair, the nearest pairs first."""
        if block.there[: block.motions + 1].sum(axis=1).max() < 2:
            return
        if not np.isfinite(self.nearest):
            self.nearest = _some_gap(block)
        pairs, bound = self._near_pairs(block)
        for row in np.argsort(bound.min(axis=1), kind="stable").tolist():
            bounds = bound[row]
            clear = bounds > max(self.nearest, ROUNDING)
            if not clear.all():
                i, j = pairs[row].tolist()
                log.add(self._pair(block, i, j, clear, bounds > ROUNDING))

    def _near_pairs(self, block: Block) -> tuple[Index, Float]:
        """Return the pairs (P, 2) that may come near, and a lower bound (P, B) of their gap."""
        count = block.position.shape[1]
        keys, spans, bounds = [], [], []
        motions = max(block.motions, 1)
        for first in range(0, motions, SPAN):
            last = min(first + SPAN, block.motions)
            pairs = self._candidates(block, first, last)
            for start in range(0, len(pairs), PAIRS):
                i, j = pairs[start : start + PAIRS].T
                gaps = block.capsules.gaps(first, last, i, j)
                gaps = np.where(block.meet(first, last, i, j), gaps, np.inf)
                near = gaps.min(axis=0) <= max(self.nearest, ROUNDING)
                keys.append((i * count + j)[near])
                spans.append(first)
                bounds.append(gaps[:, near].T)
        key = np.concatenate(keys) if keys else np.zeros(0, np.intp)
        unique, row = np.unique(key, return_inverse=True)
        bound = np.full((len(unique), motions), np.inf)
        done = 0
        for begin, gaps in zip(spans, bounds, strict=True):
            columns = slice(begin, begin + gaps.shape[1])
            bound[row[done : done + len(gaps)], columns] = gaps
            done += len(gaps)
        return np.column_stack([unique // count, unique % count]), bound

    def _candidates(self, block: Block, first: int, last: int) -> Index:
        """Return the pairs (P, 2) whose capsules may come within `nearest` between two frames.

        If all capsules are balls, they are looked for in space, otherwise in plan. Who is not there
        at any of the frames is left out: many of them may stand at one place.
        """
        capsules, rows = block.capsules, slice(first, last + 1)
        balls = not (capsules.low.any() or capsules.high.any())
        here = np.flatnonzero(block.there[rows].any(axis=0))
        place = block.position[rows, here, : 3 if balls else 2]
        middle = 0.5 * (place.min(axis=0) + place.max(axis=0))
        reach = capsules.radius[rows, here].max(axis=0) + length(place - middle).max(axis=0)
        if len(here) < 2:
            return np.zeros((0, 2), np.intp)
        widest = 2.0 * float(reach.max()) + self.nearest
        pairs = cKDTree(middle).query_pairs(widest, output_type="ndarray").astype(np.intp)
        i, j = pairs.T
        near = length(middle[j] - middle[i]) <= reach[i] + reach[j] + self.nearest
        found: Index = here[pairs[near]]
        return found

    def _pair(self, block: Block, i: int, j: int, clear: Bool, free: Bool) -> Iterator[Finding]:
        offset = block.position[: block.motions + 1, j] - block.position[: block.motions + 1, i]
        turning = block.turning[:, i] + block.turning[:, j]
        travel = length(np.diff(offset, axis=0)) + turning

        def measure(frame: int, share: float) -> tuple[float, int]:
            return _distance(block, i, j, frame, share)

        def cross(frame: int, start: float, end: float) -> int:
            first = [block.triangles(i, frame, share) for share in (start, end)]
            return crossing(*first, *(block.triangles(j, frame, share) for share in (start, end)))

        motions = MovingPair(travel, measure, cross, self._allowance, free)
        track = check_motions(motions, self.nearest, clear if block.motions else None)
        self.nearest = track.nearest
        moments = [(frame, share) for frame, share, _ in track.contacts]
        swallowed_at = [] if free.all() else _swallowed(block, i, j, moments)
        seen = [0, 0]  # contacts in frames, and between
        for frame, share in sorted(moments + swallowed_at):
            time = (block.first + frame + share) * self._dt
            measured = seen[share > 0.0] % DEPTHS == 0
            seen[share > 0.0] += 1
            depth = _overlap(block, i, j, frame, share) if measured else None
            text = f"members {i} and {j} overlap, {'between frames' if share else 'in a frame'}"
            yield Finding("member_collision", time, time, (i, j), None, depth, text)
        for frame, share, least in track.unproved:
            time = (block.first + frame + share) * self._dt
            text = (
                f"members {i} and {j} come to {1e6 * least:.3g} micrometers of each other on a "
                f"motion of {travel[frame]:.3g} m: not proved free"
            )
            yield Finding("unproved", time, time, (i, j), None, None, text)


def _some_gap(block: Block) -> float:
    """Return the distance [m] of two members that are near each other at a frame of a block."""
    frame = int(np.argmax(block.there[: block.motions + 1].sum(axis=1)))
    members = np.flatnonzero(block.there[frame])
    place = block.position[frame, members]
    near, row = cKDTree(place).query(place, k=2)
    first = int(np.argmin(near[:, 1]))
    second = int(row[first, 1] if row[first, 1] != first else row[first, 0])
    return _distance(block, int(members[first]), int(members[second]), frame, 0.0)[0]


def _distance(block: Block, i: int, j: int, frame: int, share: float) -> tuple[float, int]:
    first = block.body(i).placed(*block.pose(i, frame, share))
    return gap(first, block.body(j).placed(*block.pose(j, frame, share)))


def _swallowed(
    block: Block, i: int, j: int, moments: list[tuple[int, float]]
) -> list[tuple[int, float]]:
    """Return the frames at which a piece of one body is inside the other one.

    Their surfaces need not touch then. As long as they do not, and both are there and near, nothing
    enters or leaves: one frame then speaks for all of a stretch, unless the two touch at
    ``moments`` in it. Frames in which they touch are known already.
    """
    first, second = block.body(i), block.body(j)
    apart = length(block.center[:, j] - block.center[:, i]) - first.radius - second.radius
    there = block.there[: len(apart)]

    def is_inside(frame: int) -> bool:
        (turn_i, place_i), (turn_j, place_j) = (block.pose(k, frame, 0.0) for k in (i, j))
        return swallowed(first, second, (place_j - place_i) @ turn_i, turn_i.T @ turn_j)

    near = np.flatnonzero((apart < 0.0) & there[:, i] & there[:, j])
    known = {frame for frame, share in moments if share == 0.0}
    found: list[tuple[int, float]] = []
    for stretch in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
        frames = stretch.tolist()
        touches = any(frames and frames[0] - 1 <= at <= frames[-1] for at, _ in moments)
        if frames and (touches or is_inside(frames[0])):
            unknown = [frame for frame in frames if frame not in known]
            found += [(frame, 0.0) for frame in unknown if not touches or is_inside(frame)]
    return found


def _overlap(block: Block, i: int, j: int, frame: int, share: float) -> float | None:
    """Return how deep [m] a point of one body is in the other, at most."""
    depths = [
        depth_inside(block.points(i, frame, share), block.body(j), *block.pose(j, frame, share)),
        depth_inside(block.points(j, frame, share), block.body(i), *block.pose(i, frame, share)),
    ]
    known = [depth for depth in depths if depth is not None]
    return max(known) if known else None
