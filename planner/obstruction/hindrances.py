"""What hinders a walk over the links that are not joined, and how much it would have to give way.

Each link is asked with bodies that are narrower, lower, or climb more. The *penalty* of a link says
how far the body is from passing: 0 if it does, 1 if it would have to be half as wide or half as
tall, or about so for steps, slopes and gaps; `BLOCKED` where no change of one kind is enough.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.obstruction.floor import OVER, Floor, pairs_between
from rmp3d.planner.obstruction.least import BLOCKED

ROUNDS = 5  # of a bisection of widths and heights
LEAST_HEIGHT = 0.3  # of the body's height
SMALLEST = 0.25  # of the body's width: a low opening that is narrower counts as closed
THIN = 0.02  # radius of the line that looks for what is over the head, times the body's
TOLERANCE = 1e-4  # [m] of sweeps
STEP_UNIT = 0.25  # times the body's height: a step so much too high has a penalty of 1
LOW = 0.35  # of the body's height: what ends below may be climbed by a body of another kind
SMALL = 1e-3  # penalty at least, of a link that is not joined
MOST_GAP = 4.0  # times the body's height: wider gaps are not bridged


class Cause(IntEnum):
    """What hinders."""

    NOTHING = 0
    WIDTH = 1
    HEIGHT = 2
    STEP = 3
    SLOPE = 4
    GAP = 5
    WALL = 6


class Hindrances(NamedTuple):
    """For links (K, 2) of sites: cause (K,) and penalty (K,)."""

    links: Index
    cause: Index
    penalty: Float

    def rows(self, rows: Index | Bool) -> "Hindrances":
        """Return some of them."""
        return Hindrances(self.links[rows], self.cause[rows], self.penalty[rows])


def hindrances(floor: Floor) -> Hindrances:
    """Return what hinders on the links of a floor, gaps to bridge included."""
    own = _of_links(floor, floor.links[~floor.joined])
    gaps = _bridges(floor)
    joined = floor.links[floor.joined]
    nothing = Hindrances(joined, np.zeros(len(joined), np.intp), np.zeros(len(joined)))
    found = [own, gaps, nothing]
    return Hindrances(*(np.concatenate(each) for each in zip(*found, strict=True)))


def _of_links(floor: Floor, links: Index) -> Hindrances:
    """Return what hinders on links that are not joined."""
    probe, unit = Probe(floor, links), STEP_UNIT * floor.height
    size = np.ones(len(links))
    whole = probe.passes(size, size, np.arange(len(links)))
    in_solid = floor.in_solid[links].any(axis=1)
    with np.errstate(divide="ignore"):
        narrow, low = -np.log2(probe.widths(whole)), -np.log2(probe.heights(whole))
        ways = np.stack([(probe.lifts(whole) - floor.step) / unit, narrow, low])
        both = -np.log2(probe.flaps(np.isfinite(ways).any(axis=0) | in_solid))
    ways = np.concatenate([ways, both.sum(axis=0, keepdims=True)])
    ways[:, in_solid] = np.inf  # no opening, however much air is there
    side = np.minimum(ways.min(axis=0), BLOCKED)
    flap = np.where(both[0] >= both[1], Cause.WIDTH, Cause.HEIGHT)
    cause = np.choose(ways.argmin(axis=0), [Cause.STEP, Cause.WIDTH, Cause.HEIGHT, flap])
    cause[side >= BLOCKED] = Cause.WALL
    cause[side <= SMALL] = Cause.GAP
    jump = _climbing_cost(floor, jumps(floor, links))
    ground = np.stack([jump, _too_steep(floor, links)])
    worse = ground.max(axis=0) > np.maximum(side, SMALL) - 1e-9
    worse |= (ground.max(axis=0) > SMALL) & (cause == Cause.STEP)
    cause = np.where(worse, np.choose(ground.argmax(axis=0), [Cause.STEP, Cause.SLOPE]), cause)
    side = np.where((cause == Cause.STEP) & (jump > 0.0), np.maximum(side - jump, 0.0), side)
    return Hindrances(links, cause, np.maximum(np.maximum(ground, 0.0).sum(axis=0) + side, SMALL))


def _climbing_cost(floor: Floor, jump: Float) -> Float:
    """Return the penalties (K,) of jumps (K,) [m] of the ground.

    One that is higher than the body is as closed as a wall: a closed door is named, not its lintel.
    """
    penalty: Float = (jump - floor.step) / (STEP_UNIT * floor.height)
    return np.where(jump > floor.height, BLOCKED + penalty, penalty)


def jumps(floor: Floor, links: Index) -> Float:
    """Return about how high (K,) [m] the ground jumps on each link."""
    ends = floor.position[links]
    rise = np.abs(ends[:, 1, 2] - ends[:, 0, 2])
    run = np.linalg.norm(ends[:, 1, :2] - ends[:, 0, :2], axis=1)
    return np.maximum(rise - run * floor.steepness[links].max(axis=1), 0.0)


def _too_steep(floor: Floor, links: Index) -> Float:
    most = np.tan(floor.space.world.scene.max_slope)
    amount: Float = np.log2(np.maximum(floor.steepness[links].max(axis=1) / most, 1.0))
    return np.where(floor.flat[links].all(axis=1), 0.0, np.maximum(amount, SMALL))


@dataclass(frozen=True, eq=False)
class Probe:
    """Bodies of other sizes on the links (K, 2) of a floor."""

    floor: Floor
    links: Index

    def widths(self, whole: Bool, height: Float | None = None, least: float = THIN) -> Float:
        """Return the widest body (K,) that passes, as a share of the body; 0: none does.

        Args:
            whole: (K,) where the body itself does.
            height: (K,) of the bodies, as shares; None: that of the body.
            least: Share that is tried at least.
        """
        tall = np.ones(len(self.links)) if height is None else height
        return self._most(lambda share, rows: self.passes(share, tall[rows], rows), least, whole)

    def heights(self, whole: Bool, width: float = 1.0) -> Float:
        """Return the tallest body (K,) that passes, as a share of the body; 0: none does.

        Args:
            whole: (K,) where a body so wide and as tall as the body does.
            width: Of the bodies, as a share.
        """
        floor = self.floor
        least = (floor.step + OVER + 2.0 * width * floor.radius) / floor.height + 1e-6
        return self._most(
            lambda share, rows: self.passes(np.full(len(rows), width), share, rows),
            min(max(LEAST_HEIGHT, least), 1.0),
            whole,
        )

    def room_up(self, rows: Index) -> Float:
        """Return the tallest thin body (R,) that passes on links, as a share; 0: none does."""
        part = Probe(self.floor, self.links[rows])
        every = np.arange(len(rows))
        thin, tall = np.full(len(rows), THIN), np.ones(len(rows))
        return part.heights(part.passes(thin, tall, every), THIN)

    def flaps(self, known: Bool) -> Float:
        """Return width and height (2, K) of a body that passes, as shares, where both are less.

        So is it at an opening that is too narrow and too low. 0: not even that.

        Args:
            known: (K,) where nothing has to be found.
        """
        found = np.zeros((2, len(self.links)))
        rows = np.flatnonzero(~known)
        tall = self.room_up(rows)
        rows, tall = rows[tall > 0.0], tall[tall > 0.0]
        part, none = Probe(self.floor, self.links[rows]), np.zeros(len(rows), bool)
        wide = part.widths(none, tall, SMALLEST)
        found[:, rows[wide > 0.0]] = np.stack([wide, tall])[:, wide > 0.0]
        return found

    def lifts(self, whole: Bool) -> Float:
        """Return from which height [m] on the body passes (K,); infinite where it never does."""
        rows = np.arange(len(self.links))
        least, most = self.floor.step, LOW * self.floor.height
        found = np.where(whole, least, np.inf)
        rows = rows[np.isinf(found)]
        rows = rows[self._passes(1.0, 1.0, rows, most)]
        low, high = np.full(len(rows), least), np.full(len(rows), most)
        for _ in range(ROUNDS):
            middle, good = 0.5 * (low + high), np.zeros(len(rows), bool)
            for value in np.unique(middle).tolist():
                same = np.flatnonzero(middle == value)
                good[same] = self._passes(1.0, 1.0, rows[same], value)
            low, high = np.where(good, low, middle), np.where(good, middle, high)
        found[rows] = high
        return found

    def passes(self, width: Float, height: Float, rows: Index) -> Bool:
        """Return on which links bodies pass, so wide and so tall as shares of the body."""
        free = np.zeros(len(rows), bool)
        sizes, group = np.unique(np.stack([width, height], axis=1), axis=0, return_inverse=True)
        for number, size in enumerate(sizes.tolist()):
            same = np.flatnonzero(group.reshape(-1) == number)
            free[same] = self._passes(size[0], size[1], rows[same])
        return free

    def _passes(self, width: float, height: float, rows: Index, step: float | None = None) -> Bool:
        """Return on which links one body passes that climbs a step [m], by default its own."""
        floor = self.floor
        walls, everything = floor.queries.walls, floor.queries.everything
        start, end = self._ends(rows)
        radius, tall, low = width * floor.radius, height * floor.height, OVER
        low += floor.step if step is None else step
        free = np.full(len(rows), low + 2.0 * radius <= tall)
        if walls is not None:
            axis = low + radius, max(tall - radius, low + radius)
            free &= walls.sweep_capsule(start, end, axis, radius, TOLERANCE)[0]
        radius = min(radius, THIN * floor.radius)
        axis = low + radius, max(tall - radius, low + radius)
        free[free] = everything.sweep_capsule(start[free], end[free], axis, radius, TOLERANCE)[0]
        return free

    def _ends(self, rows: Index) -> tuple[Float, Float]:
        """Return where the links begin and end; at steps and steep places at the upper height."""
        links = self.links[rows]
        ends = self.floor.position[links]
        over = (jumps(self.floor, links) > self.floor.step) | ~self.floor.flat[links].all(axis=1)
        ends[over, :, 2] = ends[over, :, 2].max(axis=1)[:, None]
        return ends[:, 0], ends[:, 1]

    def _most(self, passes: Callable[[Float, Index], Bool], least: float, whole: Bool) -> Float:
        """Return the largest share (K,) that passes, by bisection between ``least`` and 1."""
        share = np.where(whole, 1.0, 0.0)
        rows = np.flatnonzero(~whole)
        rows = rows[passes(np.full(len(rows), least), rows)]
        low, high = np.full(len(rows), least), np.ones(len(rows))
        for _ in range(ROUNDS):
            middle = 0.5 * (low + high)
            good = passes(middle, rows)
            low, high = np.where(good, middle, low), np.where(good, high, middle)
        share[rows] = low
        return share


def _bridges(floor: Floor) -> Hindrances:
    """Return links over gaps: between sites that have no neighbor on one side, and the next ones.

    A gap that is narrower than a column is no bridge: there the link itself is not joined.
    """
    found = []
    most = int(MOST_GAP * floor.height / floor.cell)
    for step in ((1, 0), (0, 1)):
        open_ = _without_neighbor(floor, step)
        for reach in range(2, most + 1):
            if len(open_) == 0:
                break
            columns = floor.neighbor_column(open_, reach * step[0], reach * step[1])
            pairs = pairs_between(floor, open_, columns)
            rise = np.abs(np.diff(floor.position[pairs, 2], axis=1)[:, 0])
            pairs = pairs[rise <= floor.step + 0.5 * reach * floor.cell]
            found.append(np.column_stack([pairs, np.full(len(pairs), reach)]))
            open_ = np.setdiff1d(open_, pairs[:, 0])
    pairs = np.concatenate(found) if found else np.zeros((0, 3), np.intp)
    links, width = pairs[:, :2], (pairs[:, 2] - 1) * floor.cell
    penalty = SMALL + width / (STEP_UNIT * floor.height)
    rise = np.abs(np.diff(floor.position[links, 2], axis=1)[:, 0])
    penalty = penalty + np.maximum(_climbing_cost(floor, rise), 0.0)
    whole = np.ones(len(links))
    free = Probe(floor, links).passes(whole, whole, np.arange(len(links)))
    cause = np.where(free, Cause.GAP, Cause.WALL)
    return Hindrances(links, cause, np.where(free, penalty, BLOCKED + penalty))


def _without_neighbor(floor: Floor, step: tuple[int, int]) -> Index:
    """Return the sites (K,) that have no link towards a side, except far down or up."""
    ends = floor.position[floor.links]
    level = np.abs(ends[:, 1, 2] - ends[:, 0, 2]) < floor.height
    row = np.diff(floor.column[floor.links], axis=1)[:, 0]
    toward = row == (floor.shape[1] if step[0] else 1)
    has = np.zeros(len(floor.position), bool)
    has[floor.links[level & toward, 0]] = True
    return np.flatnonzero(~has & floor.flat)
