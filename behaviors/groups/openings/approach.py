"""Members before an opening: how far each has to go to it, where it crosses it, and how fast."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.finding import OFF_JAMBS, NarrowOpening
from rmp3d.behaviors.groups.openings.order import (
    change_lanes,
    make_way,
    order_of_passing,
    speeds_in_order,
)
from rmp3d.geometry.arrays import Float, Index

# Nearer than this to its lane [m], a member steers to a point so far ahead in it [m].
IN_LANE, AHEAD = 0.05, 0.5
# Through an opening for so many abreast, with so much between them [m], they go in lanes.
ABREAST, BETWEEN = 2, 0.04
# Nearer than this before it, and not farther beside it [m], a member keeps its lane.
KEEPS_LANE, BESIDE = 2.0, 1.5
# Lanes are shared out anew among those in each ring around it that is so wide [m].
SHARES = 4.0


class Approach:
    """Members (m,) before an opening, in the order of passing once they are sorted.

    Args:
        opening: What they pass.
        flock: Present state.
        rows: (m,) in it.
        had: (m,) where they were to cross the line a step ago [m], nan for newcomers.

    Attributes:
        rows: (m,) in the flock.
        distance: (m,) to the line, along the way [m].
        crossing: (m,) where each crosses the line, from its middle to the left [m].
        entry: (m, 3) where each comes into its lane [m].
        course: (m, 2) unit, which way each has to go.
        radius: (m,) [m].
    """

    def __init__(self, opening: NarrowOpening, flock: Flock, rows: Index, had: Float) -> None:
        normal, left = opening.normal, opening.left
        offset = flock.position[rows] - opening.middle
        along, aside = -(offset[:, :2] @ normal), offset[:, :2] @ left
        half = max(0.0, opening.half - OFF_JAMBS)
        self.radius = flock.bodies.half_width[rows]
        crossing = crossings(along - opening.depth, aside, half, self.radius, had)
        off = aside - crossing
        # Into the lane at 45 degrees, before the opening.
        entry = np.where(
            along > opening.depth, np.minimum(along, opening.depth + np.abs(off)), along
        )
        leg = np.hypot(along - entry, off)
        inside = (leg < IN_LANE) | (along <= opening.depth)
        onward = np.where(inside, AHEAD, along - entry)
        course = onward[:, None] * normal - off[:, None] * left
        self.rows, self.crossing = rows, crossing
        self.distance = np.where(along > opening.depth, leg + entry, np.abs(off) + along)
        self.course = course / np.maximum(np.hypot(course[:, 0], course[:, 1]), 1e-12)[:, None]
        self.entry = flock.position[rows].copy()
        self.entry[:, :2] += (along - entry)[:, None] * normal - off[:, None] * left

    def sort(self, had: Index, gap: float) -> None:
        """Put the members in the order of passing; ``had`` (m,) are their places before, or -1."""
        order = order_of_passing(self.distance, self.crossing, self.radius, had, gap)
        for name in ("rows", "distance", "crossing", "entry", "course", "radius"):
            setattr(self, name, getattr(self, name)[order])

    def velocity(self, flock: Flock, pace: Float, gap: float) -> Float:
        """Return which velocities (m, 2) [m/s] the members want, in plan, at their pace (N,)."""
        closing = (flock.velocity[self.rows, :2] * self.course).sum(axis=1)
        speed = speeds_in_order(
            self.distance, self.crossing, self.radius, closing, pace[self.rows], gap
        )
        velocity: Float = speed[:, None] * self.course
        make_way(flock.position[self.rows, :2], self.radius, velocity)
        return velocity


def crossings(before: Float, aside: Float, half: float, radius: Float, had: Float) -> Float:
    """Return where members (m,) are to cross a line, from its middle to the left [m].

    Each crosses where it comes to. But most come from the sides: they would all go along the jambs,
    and nobody through the middle. So through a wide opening they go in lanes, as many in each, and
    from left to right as they are seen from it: those who come soon, and anew those of each ring
    behind. Else those in front of a stream along the wall, who are nearest to the far jamb, would
    all go along it. Those near it keep their lanes: who comes aslant to the middle is beside
    another one for long. Only two that touch, and whose lanes cross, change lanes; else they could
    hold each other for ever.

    Args:
        before: (m,) how far before the opening each is [m].
        aside: (m,) how far to the left of its middle [m].
        half: How far from the middle members can cross [m].
        radius: (m,) of the members [m].
        had: (m,) where they were to cross a step ago [m], nan for newcomers.
    """
    count = 1 + int(2.0 * half / (2.0 * radius.max(initial=0.01) + BETWEEN))
    if count < ABREAST:
        return np.clip(aside, -half, half)
    lane = np.linspace(-half, half, count)
    own = np.searchsorted(0.5 * (lane[1:] + lane[:-1]), np.where(np.isnan(had), aside, had))
    is_far = (before > KEEPS_LANE) | (np.abs(aside) > half + BESIDE)
    change_lanes(np.flatnonzero(~is_far), before, aside, radius, own)
    off = np.hypot(np.maximum(before, 0.0), np.maximum(np.abs(aside) - half, 0.0))
    ring, bearing = (off // SHARES).astype(np.intp), np.arctan2(aside, before)
    taken = np.bincount(own[(ring == 0) & ~is_far], minlength=count)
    for number in range(int(ring.max(initial=-1)) + 1):
        rows = np.flatnonzero((ring == number) & is_far)
        rows = rows[np.argsort(bearing[rows], kind="stable")]
        free = np.maximum((len(rows) + taken.sum()) / count - taken, 0.0).cumsum()
        share = (np.arange(len(rows)) + 0.5) / max(1, len(rows)) * free[-1]
        own[rows] = np.minimum(np.searchsorted(free, share), count - 1)
        taken = np.zeros(count, np.intp)
    return lane[own]
