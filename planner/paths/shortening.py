"""Shortening: certified short cuts between points of a path.

One loop draws random pairs of points, and takes the best short cuts of a batch that do not overlap
(Geraerts and Overmars 2007, "Creating high-quality paths for motion planning", with a proof for
each). There are two kinds of short cuts: the polylines of any space, and the straight motions of
a rigid body, between whose ends no point need stay.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.paths.center import room_beside
from rmp3d.planner.paths.polyline import (
    densified,
    densified_together,
    equal_parts,
    stations,
    total_length,
)
from rmp3d.planner.spaces import RigidBodySpace, Space

GAIN = 1e-3  # least gain of a short cut, times the spacing
SPACING = 0.5  # of points between which a rigid body's short cuts are tried, times the reach
POINTS = 400  # of a rigid body's path, at most, about


@dataclass(frozen=True)
class Effort:
    """How long short cuts are tried.

    Attributes:
        batch: Short cuts tried at a time.
        fruitless: Batches in a row without a gain before stopping.
        rounds: Batches, at most.
        may_go_on: Whether a new batch may begin.
    """

    batch: int
    fruitless: int
    rounds: float = np.inf
    may_go_on: Callable[[], bool] = lambda: True


OF_POLYLINES = Effort(batch=48, fruitless=4, rounds=60)


def shortened(
    space: Space,
    points: Float,
    rng: np.random.Generator,
    spacing: float,
    clearance_wanted: float = 0.0,
    *,
    beside: bool = False,
) -> Float:
    """Return a certified polyline, no longer than ``points`` (K, W), with the same ends.

    Points of the polyline at most ``spacing`` [m] apart are joined in random pairs. A short cut
    comes nowhere nearer to something than ``clearance_wanted`` [m], or than what it cuts off.

    Args:
        space: What the path is in.
        points: A certified polyline.
        rng: Source of randomness.
        spacing: Of the points between which short cuts are tried [m].
        clearance_wanted: See above; 0: short cuts come as near as they may [m].
        beside: Whether only what is beside the path counts. The arch under the deck of a bridge
            is nearer to a walker than the railings, however far from the middle the walker is.
    """
    room = room_beside if beside else _room_around
    path = _Polyline(space, points, spacing, clearance_wanted, room)
    _shorten(path, space, rng, GAIN * spacing, OF_POLYLINES)
    return path.points


def shortened_motions(
    space: RigidBodySpace,
    points: Float,
    rng: np.random.Generator,
    work: int,
    deadline: float = np.inf,
) -> Float:
    """Return a certified path, no longer than ``points`` (K, 7), with the same ends.

    Its corners are joined by proved motions; random pairs of points of these motions are joined.

    Args:
        space: Its world counts the queries.
        points: A certified path.
        rng: Source of randomness.
        work: No new batch begins after so many queries.
        deadline: Nor after this time of `perf_counter` [s].
    """
    limit = space.world.counts.collision + work
    corners = straightened(space, points)
    spacing = max(SPACING * space.reach, total_length(corners, space) / POINTS)
    path = _Motions(space, corners, spacing)
    effort = Effort(
        batch=24,
        fruitless=3,
        may_go_on=lambda: space.world.counts.collision < limit and perf_counter() < deadline,
    )
    _shorten(path, space, rng, GAIN * spacing, effort)
    return path.corners


def straightened(space: RigidBodySpace, points: Float) -> Float:
    """Return the path (K, 7) without the points between which a proved motion goes straight.

    First the motion between the ends is tried; where one is refused, its two halves are.
    """
    kept = np.zeros(len(points), np.bool_)
    kept[[0, -1]] = True
    ranges = np.array([[0, len(points) - 1]])
    while len(ranges) > 0:
        # Motions of the path itself are proved already.
        ranges = ranges[ranges[:, 1] - ranges[:, 0] > 1]
        free = space.world.touch_nothing(points[ranges[:, 0]], points[ranges[:, 1]])
        ranges = ranges[~free]
        middle = ranges.sum(axis=1) // 2
        kept[middle] = True
        ranges = np.stack([ranges[:, 0], middle, middle, ranges[:, 1]], axis=1).reshape(-1, 2)
    return points[kept]


class _Path(Protocol):
    """A certified path, and the short cuts that can be made between its points.

    Attributes:
        points: (M, W) short cuts are tried between these.
        ends_tried: Whether the short cut between the ends was tried before.
    """

    points: Float
    ends_tried: bool

    @property
    def is_straight(self) -> bool:
        """Whether nothing is left to cut."""

    def lengths(self, pairs: Index, straight: Float) -> Float:
        """Return the lengths (P,) [m] of the short cuts between pairs (P, 2) of points.

        Infinite where there is no certified short cut; ``straight`` (P,) are the distances [m].
        """

    def cut(self, pairs: list[tuple[int, int]]) -> None:
        """Take short cuts that do not overlap, in path order."""


def _room_around(space: Space, points: Float, first: Index, wanted: float) -> Float:
    """Return the clearance (M,) [m] of points, up to the one wanted."""
    return space.world.clearance(points, wanted)


class _Polyline:
    """The points of a polyline close together; a short cut is what the space connects them by."""

    ends_tried = False

    def __init__(
        self, space: Space, points: Float, spacing: float, wanted: float,
        room: Callable[[Space, Float, Index, float], Float],
    ) -> None:  # fmt: skip
        self.points = densified(points, spacing, space)
        self._space, self._spacing, self._wanted, self._room = space, spacing, wanted, room
        self._found: dict[tuple[int, int], Float] = {}

    @property
    def is_straight(self) -> bool:
        return len(self.points) < 3

    def lengths(self, pairs: Index, straight: Float) -> Float:
        first, last = pairs.T
        cuts = self._space.connect(self.points[first], self.points[last])
        if self._wanted > 0.0:
            cuts = self._with_room(pairs, cuts)
        rows = list(zip(pairs.tolist(), cuts, strict=True))
        self._found = {(a, b): cut for (a, b), cut in rows if cut is not None}
        return np.array([np.inf if cut is None else total_length(cut, self._space) for cut in cuts])

    def _with_room(self, pairs: Index, cuts: list[Float | None]) -> list[Float | None]:
        """Return the cuts that leave the clearance wanted, or as much as the path between them."""
        found = [row for row, cut in enumerate(cuts) if cut is not None]
        own = [self.points[first : last + 1] for first, last in pairs[found].tolist()]
        room = self._clearance([cut for cut in cuts if cut is not None])
        enough = room >= np.minimum(self._wanted, self._clearance(own))
        kept = {row for row, good in zip(found, enough.tolist(), strict=True) if good}
        return [cut if row in kept else None for row, cut in enumerate(cuts)]

    def _clearance(self, polylines: list[Float]) -> Float:
        """Return the least room (P,) [m], up to the one wanted, at points close together."""
        if not polylines:
            return np.zeros(0)
        points, first = densified_together(polylines, self._spacing, self._space)
        clearance = self._room(self._space, points, first, self._wanted)
        least: Float = np.minimum.reduceat(clearance, first[:-1])
        return least

    def cut(self, pairs: list[tuple[int, int]]) -> None:
        for first, last in reversed(pairs):
            cut = densified(self._found[first, last], self._spacing, self._space)
            self.points = np.concatenate([self.points[:first], cut, self.points[last + 1 :]])


class _Motions:
    """The corners of a rigid body's path; a short cut is the straight motion between points."""

    ends_tried = True  # by `straightened`

    def __init__(self, space: RigidBodySpace, corners: Float, spacing: float) -> None:
        self._space, self._spacing = space, spacing
        self._set_corners(corners)

    def _set_corners(self, corners: Float) -> None:
        self.corners = corners
        piece, share = equal_parts(corners, self._spacing, self._space)
        inner = self._space.interpolated(corners[piece], corners[piece + 1], share)
        # Exactly the points that were proved, where they are kept.
        inner[share == 0.0] = corners[piece[share == 0.0]]
        self.points = np.concatenate([inner, corners[-1:]])
        self._is_corner: Bool = np.append(share == 0.0, True)

    @property
    def is_straight(self) -> bool:
        return len(self.corners) < 3

    def lengths(self, pairs: Index, straight: Float) -> Float:
        first, last = pairs.T
        free = self._space.world.touch_nothing(self.points[first], self.points[last])
        return np.where(free, straight, np.inf)

    def cut(self, pairs: list[tuple[int, int]]) -> None:
        kept = self._is_corner.copy()
        for first, last in pairs:
            # A piece of a proved motion is proved: points between corners need not stay.
            kept[first : last + 1] = False
        kept[np.array(pairs).reshape(-1)] = True
        self._set_corners(self.points[kept])


def _shorten(
    path: _Path, space: Space, rng: np.random.Generator, least: float, effort: Effort
) -> None:
    """Take short cuts of a path that gain more than ``least`` [m] each, until few are found."""
    fruitless = batches = 0
    while (
        not path.is_straight
        and fruitless < effort.fruitless
        and batches < effort.rounds
        and effort.may_go_on()
    ):
        pairs = np.sort(rng.integers(0, len(path.points), (effort.batch, 2)), axis=1)
        if batches == 0 and not path.ends_tried:
            pairs[0] = 0, len(path.points) - 1
        chosen = _best(path, space, pairs, least)
        if chosen:
            path.cut(chosen)
        fruitless = 0 if chosen else fruitless + 1
        batches += 1


def _best(path: _Path, space: Space, pairs: Index, least: float) -> list[tuple[int, int]]:
    """Return pairs of points with short cuts that do not overlap, best gain first taken.

    They are in path order. Only pairs (P, 2) that are nearer by more than ``least`` [m] than along
    the path need be proved, for no short cut is shorter than the straight line.
    """
    first, last = pairs.T
    station = stations(path.points, space)
    along = station[last] - station[first]
    straight = space.distance(path.points[first], path.points[last])
    may_gain = along - straight > least
    pairs, along = pairs[may_gain], along[may_gain]
    gain = along - path.lengths(pairs, straight[may_gain])
    chosen: list[tuple[int, int]] = []
    for row in np.lexsort([pairs[:, 1], pairs[:, 0], -gain]).tolist():
        a, b = pairs[row].tolist()
        if gain[row] > least and all(b <= other[0] or a >= other[1] for other in chosen):
            chosen.append((a, b))
    return sorted(chosen)
