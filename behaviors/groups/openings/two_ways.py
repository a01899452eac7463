"""Room for both directions before an opening: who waits stands aside, who comes out goes straight.

Those who come to the opening, and are not next, stand to the right of the way out: in a fan that
begins beside the lane of those who come out, and is as deep as their number needs. Those who come
out go straight on in their lane until they have passed the fan, unless their way leads to the
other side.
"""

from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.behaviors.groups.openings.order import keep_apart
from rmp3d.geometry.arrays import Bool, Float, Index

# Members that wait stand at least so far from the middle of the opening [m].
HOLD = 1.8
# They stand between these angles to the right of the way out [rad].
LEAST, MOST = np.radians(25.0), np.radians(75.0)
# They leave out the opening, a body, and so much more [m].
LANE = 0.1
# So many of them are in a square meter, and more come from so far behind them [m].
DENSE, BEHIND = 2.0, 2.0
# They come from so far at least, and at most [m].
COMES, ZONE = 5.0, 12.0
# They slow down so near to where they stand, and are there so near [m].
SLOWER, THERE = 1.0, 0.1
# Who comes out is past the fan so far beyond the last who stands in it [m].
PAST = 0.3
# It comes back to its lane within so much of way, and goes elsewhere if so far beside it [m].
BACK, ELSEWHERE = 1.5, 0.5
# Its next point is so much farther from the line than it is itself, or it goes by its route [m].
ONWARD = 0.3


class Side(NamedTuple):
    """Members of one direction that make room for those of the other one.

    Attributes:
        waits: Rows of those who stand in the fan.
        leaves: Rows of those who have come through, and are beside the fan of the others.
    """

    waits: Index = np.zeros(0, np.intp)
    leaves: Index = np.zeros(0, np.intp)


def comes_from(count: int) -> float:
    """Return from how far [m] members stand in the fan if so many come."""
    deep = np.sqrt(HOLD**2 + 2.0 * count / (DENSE * (MOST - LEAST)))
    return float(np.clip(deep + BEHIND, COMES, ZONE))


def waiting(
    opening: NarrowOpening, position: Float, pace: Float, radius: float, loose: bool = False
) -> Float:
    """Return the velocities (m, 2) [m/s] of members that have to wait, in plan.

    Args:
        opening: Which they are to pass later.
        position: (m, 3) [m].
        pace: (m,) [m/s].
        radius: Of a body [m].
        loose: Whether they leave room between them, for others to get through.
    """
    offset = (position - opening.middle)[:, :2]
    along, right = -(offset @ opening.normal), -(offset @ opening.left)
    angle = np.clip(np.arctan2(right, along), LEAST, MOST)
    out = lane(opening, radius) + radius
    far = np.hypot(along, right)
    reach = np.maximum(HOLD, np.where(right < out, far, far - SLOWER))
    aside = np.maximum(reach * np.sin(angle), out)
    away = np.maximum(np.sqrt(np.maximum(reach**2 - aside**2, 0.0)), HOLD * np.cos(MOST))
    move = -away[:, None] * opening.normal - aside[:, None] * opening.left - offset
    size = np.hypot(move[:, 0], move[:, 1])
    speed = pace * np.minimum(1.0, size / SLOWER) * (size > THERE)
    velocity: Float = move * (speed / np.maximum(size, THERE))[:, None]
    if loose:
        keep_apart(position, far, radius, velocity)
    return velocity


def in_the_way(opening: NarrowOpening, position: Float, beside: float) -> Bool:
    """Return which members (m, 3) that come are not to the right of those who come out (m,).

    Args:
        opening: Which they are to pass.
        position: (m, 3) [m].
        beside: So far from the axis of the opening they are to its right [m].
    """
    offset = (position - opening.middle)[:, :2]
    found: Bool = (-(offset @ opening.left) < beside) & (-(offset @ opening.normal) > HOLD)
    return found


def lane(opening: NarrowOpening, radius: float) -> float:
    """Return half the width [m] of the lane that is left to those who come out."""
    return opening.half + radius + LANE


def leaving(
    opening: NarrowOpening, position: Float, point: Float, waits: Float, radius: float
) -> tuple[Bool, Bool, Float]:
    """Return who is still beside the fan (m,), who goes straight (m,), and where to (m, 2), unit.

    Args:
        opening: Which they have come through, along its normal.
        position: (m, 3) of those who have come through [m].
        point: (m, 3) next of their routes [m].
        waits: (w, 3) those that stand in the fan on the side to which they come [m].
        radius: Of a body [m].
    """
    offset = (position - opening.middle)[:, :2]
    beyond, aside = offset @ opening.normal, offset @ opening.left
    deep = ((waits - opening.middle)[:, :2] @ opening.normal).max(initial=-np.inf)
    beside = (beyond > 0.0) & (beyond < deep + PAST)
    beside &= np.abs(aside) < lane(opening, radius) + ELSEWHERE
    onward = (point - position)[:, :2]
    straight = beside & (onward @ opening.normal > ONWARD) & (onward @ opening.left > 0.0)
    back = np.clip(aside, -opening.half, 0.0) - aside
    course = BACK * opening.normal + back[:, None] * opening.left
    return beside, straight, course / np.hypot(course[:, 0], course[:, 1])[:, None]
