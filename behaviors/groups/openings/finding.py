"""Where the way of a group on foot is narrow: doors, where corridors begin, and where they end.

The room at both sides of the path is measured. Where it becomes narrower than a crowd needs, the
line across is turned until it is shortest: from jamb to jamb, however slanting the path crosses it.

The end of a narrow way is an opening if the path turns there: all would go round the corner in one
file, as that is the shortest way, and the other lanes would wait for it.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.short_repr import short_repr
from rmp3d.planner.paths.corridor import Corridor, measure_corridor
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import GroundSpace

# A way is narrow where the middle of a body has less room across than so many of its radii.
NARROW = 10.0
# A way that is narrow already has another opening where it loses so much of its room [m].
NARROWER = 0.15
# The narrowest place is looked for so far on from where the way becomes narrow [m].
ONWARD = 1.0
# Room is measured in these steps [m], and differs by so much where it is the same [m].
COARSE, FINE, EVEN = 0.1, 0.005, 0.05
# A path turns at the end of a narrow way if it goes so much elsewhere so far behind it as it went
# so far before it [rad], [m].
TURNS, BEND = np.radians(30.0), 1.5
# The way is wide behind the end of a narrow one for so long at least [m].
WIDE = 3.0
# Angles by which the line is turned [rad].
ANGLES = np.radians(np.arange(-60.0, 61.0, 7.5))
# An opening is as deep as its room stays within so much of that at the line; at most so deep,
# measured in such steps [m].
WIDER, DEEPEST, DEEP = 0.1, 2.0, 0.05
# Members keep so far from the jambs, where there is room [m].
OFF_JAMBS = 0.04
# Of lines of the same length, that across the path is taken: so much longer are others [m/rad].
SLANT = 1e-3
# A narrow way ends where it has so much more room than at its line; it is a hallway if it is so
# long [m]. Its course has points so far apart [m].
OPENS, LONG, APART = 0.6, 2.0, 0.5
# A way that rises more steeply than this is a stair or a ramp.
LEVEL = 0.2


@dataclass(frozen=True, eq=False)
class NarrowOpening:
    """A narrow place on the way of a group: a line that its members cross in one direction.

    Attributes:
        middle: (3,) of the line that the reference points of bodies cross [m].
        normal: (2,) unit in plan, along the way.
        half: Half the length of the line [m].
        depth: How far before the line it is as narrow as there [m].
        is_end: Whether it is the end of a narrow way.
        course: (K, 3) points of the narrow way behind the line [m]; (0, 3) if it is short.
    """

    middle: Float
    normal: Float
    half: float
    depth: float
    is_end: bool = False
    course: Float = field(default_factory=lambda: np.zeros((0, 3)))

    __repr__ = short_repr

    @property
    def left(self) -> Float:
        """(2,) unit in plan, across the way."""
        return np.array([-self.normal[1], self.normal[0]])

    def right_half(self, beside: float) -> "NarrowOpening":
        """Return the part to the right that begins so far from the middle [m]."""
        middle = self.middle.copy()
        middle[:2] -= 0.5 * (self.half + beside) * self.left
        return replace(self, middle=middle, half=max(0.0, 0.5 * (self.half - beside)))

    def is_as(self, other: "NarrowOpening") -> bool:
        """Return whether the other one is the same place, crossed the same way."""
        apart = self.middle - other.middle
        near = max(self.half, other.half, 0.3) + max(self.depth, other.depth)
        here = float(np.hypot(apart[0], apart[1])) < near and abs(float(apart[2])) < 1.0
        return here and float(self.normal @ other.normal) > 0.5


def openings_of(space: GroundSpace, path: CertifiedPath, ends: bool = False) -> list[NarrowOpening]:
    """Return the openings on a path of walkers, in the order of the way.

    Args:
        space: Where a member can be.
        path: Of the group.
        ends: Whether the end of a narrow way is an opening, too, where the path turns there.
    """
    most = NARROW * space.world.body.radius
    corridor = measure_corridor(space, path, most, lane=0.1, margin=0.0)
    room = corridor.left + corridor.right
    station, found, narrowest = corridor.station, list[NarrowOpening](), np.inf
    last = 0
    for k in range(len(station)):
        if room[k] >= most:
            if ends and np.isfinite(narrowest) and _turns(path, corridor, k, most):
                opening = _at(space, path, float(station[last]), most)
                if opening is not None and not any(opening.is_as(other) for other in found):
                    found.append(replace(opening, is_end=True))
            narrowest = np.inf
            continue
        if room[k] < narrowest - NARROWER:
            near = np.flatnonzero((station >= station[k]) & (station <= station[k] + ONWARD))
            narrowest = float(room[near].min())
            narrow = room[near] <= narrowest + EVEN
            end = narrow.argmax() + np.append(~narrow[narrow.argmax() :], True).argmax()
            at = 0.5 * (station[near[narrow.argmax()]] + station[near[end - 1]])
            opening = _at(space, path, float(at), most)
            if opening is not None:
                wide = np.append(room[k:] > narrowest + OPENS, True)
                closes = station[min(k + int(wide.argmax()), len(station)) - 1]
                found.append(replace(opening, course=_course(path, float(at), float(closes))))
        if room[k] <= narrowest + EVEN:
            last = k
    return found


def seen_from_behind(space: GroundSpace, opening: NarrowOpening) -> NarrowOpening:
    """Return an opening as those cross it who come the other way."""
    across = np.append(-opening.left, 0.0)
    depth = _depth(space, opening.middle, -opening.normal, across, opening.half)
    nowhere = np.zeros((0, 3))
    return replace(opening, normal=-opening.normal, depth=depth, is_end=False, course=nowhere)


def _course(path: CertifiedPath, begin: float, end: float) -> Float:
    """Return points (K, 3) of a path between arc lengths [m]; none if that is short."""
    if end - begin < LONG:
        return np.zeros((0, 3))
    return path.at(np.linspace(begin, end, 1 + int((end - begin) / APART)))


def _turns(path: CertifiedPath, corridor: Corridor, k: int, most: float) -> bool:
    """Return whether a path turns where a narrow way ends, with a station k, and is wide then."""
    station = corridor.station
    behind = (station >= station[k]) & (station <= station[k] + WIDE)
    ahead = path.frames(station[k] + np.array([-BEND, BEND]))[:, :2, 0]
    wide = (corridor.left + corridor.right)[behind] >= most
    return bool(wide.all()) and float(ahead[0] @ ahead[1]) < np.cos(TURNS)


def _at(
    space: GroundSpace, path: CertifiedPath, station: float, most: float
) -> NarrowOpening | None:
    """Return the opening at an arc length of a path, or None if it is none."""
    here = path.at(np.array([station]))[0]
    frame = path.frames(np.array([station]))[0]
    climb = path.at(np.array([station + 0.5]))[0, 2] - path.at(np.array([station - 0.5]))[0, 2]
    if abs(climb) > LEVEL:
        return None
    heading = np.arctan2(frame[1, 0], frame[0, 0])
    turned = heading + ANGLES
    normal = np.column_stack([np.cos(turned), np.sin(turned)])
    across = np.column_stack([-normal[:, 1], normal[:, 0], np.zeros(len(normal))])
    left = _room(space, np.tile(here, (len(across), 1)), across, most)
    right = _room(space, np.tile(here, (len(across), 1)), -across, most)
    best = int(np.argmin(left + right + SLANT * np.abs(ANGLES)))
    if left[best] + right[best] >= most:
        return None
    middle = here + 0.5 * (left[best] - right[best]) * across[best]
    half = 0.5 * float(left[best] + right[best])
    depth = _depth(space, middle, normal[best], across[best], half)
    return NarrowOpening(middle, normal[best], half, depth)


def _room(space: GroundSpace, start: Float, direction: Float, most: float) -> Float:
    """Return how far (M,) [m] one can go from points (M, 3) in directions (M, 3), up to a most."""
    far = np.zeros(len(start))
    for step, reach in ((COARSE, most), (FINE, COARSE)):
        steps = step * np.arange(1, round(reach / step) + 1)
        begin = np.repeat(start, len(steps), axis=0)
        goes = (far[:, None] + steps)[..., None] * direction[:, None]  # (M, S, 3)
        free = space.connects(begin, space.shifted(begin, goes.reshape(-1, 3)))
        blocked = np.append(~free.reshape(len(start), -1), np.ones((len(start), 1), bool), axis=1)
        far += step * blocked.argmax(axis=1)
    return far


def _depth(space: GroundSpace, middle: Float, normal: Float, across: Float, half: float) -> float:
    """Return how far [m] before the line it is as narrow as there."""
    back = np.arange(DEEP, DEEPEST, DEEP)
    begin = np.tile(middle, (len(back), 1))
    way = np.append(normal, 0.0)
    points = space.shifted(begin, -back[:, None] * way)
    behind = space.connects(begin, points)
    wide = (half + WIDER) * across
    opens = space.connects(points, space.shifted(points, np.tile(wide, (len(back), 1))))
    opens |= space.connects(points, space.shifted(points, np.tile(-wide, (len(back), 1))))
    ends = opens | ~behind
    return float(back[ends.argmax()] if ends.any() else DEEPEST)
