"""The mode `patrol`: shepherds walk round a region and turn back animals that cross its border."""

from itertools import pairwise

import numpy as np

from rmp3d.behaviors.groups.herding.grid import DistanceField
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Post, behind
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length, unit
from rmp3d.scenes import Region

# Between neighboring posts of the round [m], and how near a shepherd must come to one.
POSTS_APART, REACHED = 4.0, 1.5
# An animal is sent back to the point this far ahead on its path [m].
AHEAD = 3.0
# An animal this far on the right side again is left alone [m].
WELL = 1.0


class Patrol:
    """Guard a region's border against a flock.

    Args:
        parameters: Of the behavior.
        region: That is guarded.
        count: Shepherds.
        log: Told what happens.
    """

    def __init__(self, parameters: HerdingParameters, region: Region, count: int, log: Log) -> None:
        self._own = parameters
        self._region = region
        self._log = log
        self._next = np.zeros(count, np.intp)
        self._round: Float | None = None
        self._home: DistanceField | None = None
        self._out: list[int] = []
        self._turned = 0
        self._rounds = 0
        log.measures.update(across=0.0)
        log.figures.update(turned_back=0, posts_visited=0, across=0)

    def change(self, parameters: HerdingParameters) -> None:
        """Guard by other parameters from now on; the round is laid anew."""
        self._own = parameters
        self._round = self._home = None

    def turn_over(self, flock: Turnover, shepherds: Turnover) -> None:
        """Forget the animals that have left; new shepherds begin the round at its first post."""
        self._out = list(flock.keyed(dict.fromkeys(self._out)))
        self._next = shepherds.of(self._next, 0)

    def posts(self, view: HerdView) -> list[Post]:
        """Return posts behind animals across the border, and on the round for other shepherds."""
        if self._round is None:
            self._begin(view)
        assert self._round is not None
        across = self._across(view)
        count = len(view.shepherds)
        posts = []
        for member in across.tolist()[:count]:
            point = view.position[member]
            course = self._course(view, point)
            others = np.delete(view.position, member, axis=0)
            place = behind(view, point, course, 0.5 * self._own.fear_distance, others)
            posts.append(Post(("stray", member), np.array([member]), place, point, course))
        gap = length(self._round[self._next] - view.shepherds)
        for shepherd in np.flatnonzero(gap < REACHED).tolist():
            self._rounds += 1
            self._next[shepherd] = (self._next[shepherd] + 1) % len(self._round)
        self._log.figures["posts_visited"] = self._rounds
        nobody = np.zeros(0, np.intp)
        for shepherd in range(count - len(posts)):
            posts.append(Post(("post", shepherd), nobody, self._round[self._next[shepherd]]))
        return posts

    def _begin(self, view: HerdView) -> None:
        """Lay the round outside the border where the flock is kept in, else inside."""
        outward = 0.5 * self._own.fear_distance * (1.0 if self._own.keep == "in" else -1.0)
        border = _border(self._region, outward)
        grid = view.grid
        places = [grid.nearest(np.append(point, self._region.center[2])) for point in border]
        self._round = grid.ground.point[list(dict.fromkeys(places))]
        self._next = (np.arange(len(self._next)) * len(self._round)) // len(self._next)
        if self._own.keep == "in":
            self._home = grid.field(self._region.center)

    def _across(self, view: HerdView) -> Index:
        """Return the animals on the wrong side, the farthest first; note those that came back."""
        depth = _depth(self._region, view.position, view.grounded)
        wrong = -depth if self._own.keep == "in" else depth
        known = np.isin(np.arange(len(wrong)), self._out)
        out: Bool = (wrong > 0.0) | (known & (wrong > -WELL))
        members = np.flatnonzero(out)
        members = members[np.argsort(-wrong[members], kind="stable")]
        for member in members.tolist():
            if member not in self._out:
                text = f"member {view.number[member]} of the flock"
                self._log.tell(view.time, "across", text)
        for member in self._out:
            if not out[member]:
                self._turned += 1
                text = f"member {view.number[member]} of the flock"
                self._log.tell(view.time, "turned_back", text)
        self._out = [m for m in self._out if out[m]]
        self._out += [int(m) for m in members if m not in self._out]
        self._log.measures["across"] = float((wrong > 0.0).sum())
        self._log.figures.update(turned_back=self._turned, across=int((wrong > 0.0).sum()))
        return np.array(self._out, np.intp)

    def _course(self, view: HerdView, point: Float) -> Float:
        """Return the direction (3,) to the right side: into the region, or straight out of it."""
        if self._home is not None:
            route = self._home.route(point)
            ahead = np.cumsum(length(np.diff(route, axis=0, prepend=point[None])))
            target = route[min(int(np.searchsorted(ahead, AHEAD)), len(route) - 1)]
            course = target - point
        else:
            course = point - self._region.center
            if self._region.kind == "box":
                lower, upper = self._region.bounds
                sides = np.concatenate([point - lower, upper - point])[[0, 1, 3, 4]]
                course = np.array([[-1.0, 0, 0], [0, -1, 0], [1, 0, 0], [0, 1, 0]])[
                    int(np.argmin(sides))
                ]
        if view.grounded:
            course = course * [1.0, 1.0, 0.0]
        return unit(course[None])[0]


def _depth(region: Region, points: Float, grounded: bool) -> Float:
    """Return how far (n,) points (n, 3) are inside a region, negative outside [m].

    For walkers, only in plan.
    """
    axes = [0, 1] if grounded else [0, 1, 2]
    offset = points[:, axes] - region.center[axes]
    if region.kind == "sphere":
        return region.radius - length(offset)
    beyond = np.abs(offset) - 0.5 * np.ptp(region.bounds, axis=0)[axes]
    outside = length(np.maximum(beyond, 0.0))
    inside: Float = np.where(outside > 0.0, -outside, -beyond.max(axis=1))
    return inside


def _border(region: Region, outward: float) -> Float:
    """Return points (P, 2) round a region in plan, ``outward`` [m] from its border."""
    x, y = region.center[:2]
    if region.kind == "sphere":
        radius = max(region.radius + outward, 0.5)
        count = max(6, round(2.0 * np.pi * radius / POSTS_APART))
        angle = 2.0 * np.pi * np.arange(count) / count
        return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=1)
    half = np.maximum(0.5 * np.ptp(region.bounds, axis=0)[:2] + outward, 0.5)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * half
    sides = []
    for start, end in pairwise(corners):
        count = max(1, round(float(np.abs(end - start).sum()) / POSTS_APART))
        sides.append(start + np.arange(count)[:, None] / count * (end - start))
    middle = np.array([x, y])
    return np.concatenate(sides) + middle
