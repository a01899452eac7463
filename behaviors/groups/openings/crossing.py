"""Who comes through an opening soon, by the points of its own route, and which way."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from rmp3d.behaviors.groups.openings.finding import NarrowOpening, seen_from_behind
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.planner.spaces import GroundSpace

# Others can have pushed a member aside: its way crosses the line so far beside the jambs [m].
BESIDE = 0.5
# The line is crossed no more than so far above or below its middle [m].
LEVEL = 1.0
# Ways keep away from an opening if they are no nearer behind it, and before it, than this [m].
AWAY, AWAY_BEFORE = 6.0, 21.0
# Who goes elsewhere is in the way if it is nearer to the middle of the line than this [m].
IN_THE_WAY = 1.0


class Passers:
    """Members with routes of their own that are near an opening.

    Attributes:
        rows: (m,) in the flock.
        position: (m, 3) [m].
        way: (m,) 1 for those that come along the normal, -1 for those against it, 0 for others.
        left: (m,) their routes up to the line [m]; 0 for others.
        far: (m,) from the middle of the line, in plan [m].
        beyond: (m,) how far each is beyond the line [m]; negative before it.
        stays: (m,) those that neither come through nor leave the line behind.
    """

    def __init__(
        self, opening: NarrowOpening, position: Float, ahead: Float, rows: Index, far: float
    ) -> None:
        """Find them.

        Args:
            opening: The line that they cross.
            position: (N, 3) of all members [m].
            ahead: (N, A, 3) next points of their routes [m].
            rows: Of members that have a route and follow it.
            far: Who is farther from the middle of the line is not near [m].
        """
        found, apart = np.empty(len(rows), np.intp), np.empty(len(rows))
        count = _near(position, rows, opening.middle, far, found, apart)
        self.rows, self.far = found[:count], apart[:count]
        self.position, ahead = position.take(self.rows, axis=0), ahead.take(self.rows, axis=0)
        self.way, self.left = crossings(opening, self.position, ahead)
        self.beyond: Float = (self.position - opening.middle)[:, :2] @ opening.normal
        onward = (ahead[:, 0] - self.position)[:, :2] @ opening.normal
        leaves = np.where(self.beyond < 0.0, onward < 0.0, onward > 0.0)
        self.stays: Bool = (self.way == 0) & ~leaves

    def both_ways(self) -> bool:
        """Return whether some come along the normal, and some against it."""
        return bool((self.way > 0).any() and (self.way < 0).any())

    def one_way(self) -> bool:
        """Return whether nobody comes the other way, or is in the way before the line."""
        return not ((self.way < 0) | (self.in_the_way & (self.beyond < 0.0))).any()

    @property
    def in_the_way(self) -> Bool:
        """(m,) those at the line that neither come through nor leave it behind."""
        return self.stays & (self.far < IN_THE_WAY)


def crossings(opening: NarrowOpening, position: Float, points: Float) -> tuple[Index, Float]:
    """Return (m,) 1 for members who come along the normal of an opening, -1 for those against it.

    0 is for all others. Also their routes (m,) up to the line [m], 0 for all others.

    Args:
        opening: The line that is crossed.
        position: (m, 3) where members are [m].
        points: (m, A, 3) the next points of their routes [m].
    """
    found, left = np.zeros(len(position), np.intp), np.zeros(len(position))
    _cross(opening.middle, opening.normal, opening.half + BESIDE, position, points, found, left)
    return found, left


def passed_by_several(
    space: GroundSpace, openings: Sequence[NarrowOpening], ways: Sequence[Float]
) -> list[NarrowOpening]:
    """Return the openings that two or more ways pass; also as seen by those who come back there.

    Where only one way leads through, nobody need queue. Nor where a narrow way ends, and others
    come by there: they would hold up the stream that they join. An opening that was found on one
    way only would be none for those who come through it the other way.

    Args:
        space: Of those who pass.
        openings: Found on some of the ways, each once in each direction.
        ways: (K, 3) points of each [m].
    """
    kept, backs = [], []
    for opening in openings:
        course = [crossings(opening, way[:1], way[None, 1:])[0][0] for way in ways]
        others = [way for way, own in zip(ways, course, strict=True) if own == 0]
        if opening.is_end and not all(_keeps_away(opening, way) for way in others):
            continue
        if np.count_nonzero(course) > 1:
            kept.append(opening)
            backs += [seen_from_behind(space, opening)] if min(course) < 0 else []
    return kept + [back for back in backs if not any(back.is_as(each) for each in kept)]


def _keeps_away(opening: NarrowOpening, way: Float) -> bool:
    """Return whether a way (K, 3) [m] stays away from an opening and from those who queue there."""
    offset = way - opening.middle
    before = offset[:, :2] @ opening.normal < 0.0
    far = np.linalg.norm(offset, axis=1)
    return bool((far > np.where(before, AWAY_BEFORE, AWAY)).all())


@compiled
def _near(position, rows, middle, far, found, apart):
    """Write those of rows (m,) that are nearer than ``far`` in plan, and how far off each is [m].

    Return how many they are.
    """
    count = 0
    for i in rows:
        x, y = position[i, 0] - middle[0], position[i, 1] - middle[1]
        off = hypot(x, y)
        if off < far and abs(position[i, 2] - middle[2]) < LEVEL:
            found[count], apart[count] = i, off
            count += 1
    return count


@compiled
def _cross(middle, normal, half, position, points, found, left):
    for i in range(len(position)):
        along, aside, high = _seen(middle, normal, position[i])
        gone = 0.0
        for k in range(points.shape[1]):
            far, side, top = _seen(middle, normal, points[i, k])
            leg = hypot(far - along, side - aside)
            if (along < 0.0) != (far < 0.0):
                share = along / (along - far)
                off, height = aside + share * (side - aside), high + share * (top - high)
                if abs(off) <= half and abs(height) < LEVEL:
                    found[i], left[i] = 1 if along < 0.0 else -1, gone + share * leg
                    break
            along, aside, high, gone = far, side, top, gone + leg


@compiled
def _seen(middle, normal, point):
    """Return a point by the opening: beyond its line, to the left of its middle, and over it."""
    x, y = point[0] - middle[0], point[1] - middle[1]
    return x * normal[0] + y * normal[1], y * normal[0] - x * normal[1], point[2] - middle[2]
