"""Ways through what a part sweeps, for groups that choose their ways while they run.

Such a group has no path on which it could be looked where a part is in the way. So lines through
the space that the part sweeps are tried, in several directions: those that a body can go where
nothing moves are ways that its members may take.
"""

import numpy as np

from rmp3d.behaviors.moving_parts.crossings import AROUND, BESIDE, Crossing, crossing_of
from rmp3d.behaviors.moving_parts.sweeping import SweptPart
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import GroundSpace

DIRECTIONS = 8
"""Of the lines, in half a turn."""
ASIDE = (0.0, -0.25, 0.25)
"""Where they go through the space, from its middle, as shares of how wide it is."""
LOOKED_AT = 3
"""So many of the lines that are free, the shortest ones, are looked at."""
STEP = 0.05
"""Ends of lines are so far [m] farther from the space than a body must be."""
MOMENTS = 64
"""At so many values of the clock it is looked where a part is."""
FLOOR = (0.5, 1.5)
"""The ground is at most so far [m] over and under the lower end of the space."""


def crossing_of_space(
    part: SweptPart, column: int, space: GroundSpace, clock: float, max_slope: float
) -> Crossing | None:
    """Return where members that walk in a space go through what a part sweeps.

    Of several ways, that which the part leaves free for longest at a time. None if there is no way,
    if one leads round the space, or if the part goes so far that it is not at one place: such a
    part waits for who is before it, and members go on behind it.

    Args:
        part: The part.
        column: Among those that move.
        space: Where the members walk; without what moves.
        clock: Of the part, when the run begins [s].
        max_slope: Steepest slope that can be walked [rad].
    """
    found: Crossing | None = None
    for line in _lines(part, space, max_slope)[:LOOKED_AT]:
        crossing = crossing_of(part, column, line, space.world.body, max_slope)
        longer = found is None or (
            crossing is not None and crossing.longest(clock) > found.longest(clock)
        )
        if longer:
            found = crossing
    return found


def _lines(part: SweptPart, space: GroundSpace, max_slope: float) -> list[Float]:
    """Return lines (2, 3) [m] over the ground through what a part sweeps, short ones first.

    They are free, and no way beside the space leads from one end to the other: who can go round
    the space has no need to wait.
    """
    box = _box(part, max_slope)
    size = box[1, :2] - box[0, :2]
    if size.max() > 2.0 * AROUND:
        return []
    angle = np.pi / DIRECTIONS * np.arange(DIRECTIONS)
    along = np.column_stack([np.cos(angle), np.sin(angle)])
    across = np.column_stack([-along[:, 1], along[:, 0]])
    out = space.world.body.radius + BESIDE + STEP
    far = (0.5 * np.abs(along) @ size + out)[:, None] * along
    wide = (0.5 * np.abs(across) @ size + out)[:, None] * across
    middle = box.mean(axis=0)[:2]
    aside = np.outer(ASIDE, np.abs(across) @ size)[..., None] * across  # (A, D, 2)
    start, end, free = _walks(space, box, middle + aside - far, middle + aside + far)
    for side in (wide, -wide):
        beside = np.broadcast_to(middle + side, aside.shape)
        first, last, leads_by = _walks(space, box, beside - far, beside + far)
        rows = np.flatnonzero(free & leads_by)
        round_ = space.connects(start[rows], first[rows]) & space.connects(last[rows], end[rows])
        free[rows[round_]] = False
    rows = np.flatnonzero(free)
    order = np.argsort(length(end[rows] - start[rows]), kind="stable")
    return [np.stack([start[row], end[row]]) for row in rows[order].tolist()]


def _walks(space: GroundSpace, box: Float, start: Float, end: Float) -> tuple[Float, Float, Bool]:
    """Return the ends (L, 3) of straight walks between points in plan, and which are free (L,)."""
    plan = np.stack([start, end]).reshape(-1, 2)
    points = np.column_stack([plan, np.full(len(plan), box[0, 2])])
    ground, face = space.surface.locate(points, *FLOOR)
    first, last = ground.reshape(2, -1, 3)
    free: Bool = np.all(face.reshape(2, -1) >= 0, axis=0)
    rows = np.flatnonzero(free)
    free[rows] = space.connects(first[rows], last[rows])
    return first, last, free


def _box(part: SweptPart, max_slope: float) -> Float:
    """Return the corners (2, 3) of a box around what a part sweeps, or of the ground it is [m]."""
    deck = part.deck(max_slope)
    if deck is not None:
        return deck.bounds
    motion = part.motion
    end = motion.period if np.isfinite(motion.period) else motion.end
    corners = part.at(np.linspace(0.0, end, MOMENTS)).reshape(-1, 3)
    return np.stack([corners.min(axis=0), corners.max(axis=0)])
