"""Collecting: strays are fetched back into the flock's circle."""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.groups.herding.corners import Corners
from rmp3d.behaviors.groups.herding.herd import TOGETHER, Herd, circle_of
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Post, behind
from rmp3d.behaviors.groups.herding.slots import slots
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import unit

# A stray is driven to the point this far ahead on its path back [m].
AHEAD = 3.0
# Shepherds that have nothing to fetch hold the flock at this share of the fear distance.
HOLDING = 0.9
# A stray that is not back after this time [s] is left until the others are in the goal.
LEFT_AFTER = 45.0
# For so long a stray in a corner is driven from the other side of the wall, then as long left alone
# and driven from where it sees the shepherd, and so on [s].
OVER_WALLS = 20.0


@dataclass(eq=False)
class Collecting:
    """The memory of collecting.

    Attributes:
        fear_distance: [m].
        distance: From which a stray is driven [m].
        log: Told what happens.
        corners: Animals that are left alone for now.
        fetched: Strays brought back so far.
        active: Whether strays are being fetched.
        alone: Strays in corners that are left alone now.
    """

    fear_distance: float
    distance: float
    log: Log
    corners: Corners
    fetched: int = 0
    active: bool = False
    alone: list[int] = field(default_factory=list)
    _out: set[int] = field(default_factory=set)
    _after: list[int] = field(default_factory=list)
    _driven_for: dict[int, float] = field(default_factory=dict)
    _time: float = 0.0

    def turn_over(self, flock: Turnover) -> None:
        """Forget the animals that have left."""
        self.alone, self._after = (
            list(flock.keyed(dict.fromkeys(each))) for each in (self.alone, self._after)
        )
        self._out = set(flock.keyed(dict.fromkeys(sorted(self._out))))
        self._driven_for = flock.keyed(self._driven_for)

    def strays(self, view: HerdView, herd: Herd, allowed: float, ahead: Bool) -> Index:
        """Return which animals are to be fetched, the farthest first; note those that are back.

        Args:
            view: What is seen.
            herd: With the animals in the circle.
            allowed: Its radius [m].
            ahead: (n,) animals at places that the flock will come past anyway.
        """
        far = herd.field.at(view.position[herd.rows])
        out = ~herd.inside
        if self.active:
            out = out | (np.isin(herd.rows, list(self._out)) & (far > TOGETHER * allowed))
        later = self._left_for_later(view, herd)
        out &= ~ahead & ~later
        self._note(view, set(herd.rows[out].tolist()), set(herd.rows[later].tolist()))
        rows = herd.rows[out]
        order = np.argsort(-far[out], kind="stable")
        return rows[order]

    def _left_for_later(self, view: HerdView, herd: Herd) -> Bool:
        """Return which animals (n,) could not be fetched; none if there are no others."""
        passed, self._time = view.time - self._time, view.time
        for member in self._after if self.active else []:
            before = self._driven_for.get(member, 0.0)
            self._driven_for[member] = before + passed
            if before <= LEFT_AFTER < before + passed:
                number = view.number[member]
                text = f"member {number} of the flock does not come back, and is left for later"
                self.log.tell(view.time, "stray_left", text)
        left = [member for member, driven in self._driven_for.items() if driven > LEFT_AFTER]
        later: Bool = np.isin(herd.rows, left)
        if herd.at_home:
            return np.zeros_like(later)
        if later.all():
            self._driven_for.clear()
            return np.zeros_like(later)
        later &= ~herd.inside
        return later

    def _note(self, view: HerdView, out: set[int], later: set[int]) -> None:
        for member in sorted(self._out - out - later):
            self._driven_for.pop(member, None)
            self.fetched += 1
            text = f"member {view.number[member]} of the flock is back in it"
            self.log.tell(view.time, "stray_fetched", text)
        if bool(out) != self.active:
            self.active = bool(out)
            text = f"{len(out)} strayed" if out else "the flock is in its circle"
            self.log.tell(view.time, "collecting" if out else "collected", text)
        self._out = out

    def posts(self, view: HerdView, herd: Herd, strays: Index, heading: Float) -> list[Post]:
        """Return a post behind each of the strays fetched now, and waiting ones for the rest."""
        posts, alone = self.fetching(view, herd, strays), self.alone
        spare = len(view.shepherds) - len(posts)
        held = herd.core
        if herd.at_home:  # it needs no one; who has nothing to do helps with the nearest stray
            held, heading = strays[-1:], self.course(herd, view.position[strays[-1]])
        if spare and not alone:
            posts += self.waiting(view, held, heading, HOLDING * self.fear_distance, spare)
        elif spare and (posts or herd.at_home or self.corners.times[alone[0]] % 2):
            posts += self.corners.aside(view, held, spare)
        return posts

    def fetching(self, view: HerdView, herd: Herd, strays: Index) -> list[Post]:
        """Return a post behind each of the strays fetched now; note those that are left alone."""
        count = len(view.shepherds)
        inside = [member for member in self._after if member in set(strays.tolist())]
        chosen = (inside + [m for m in strays.tolist() if m not in inside])[:count]
        self._after = chosen
        posts: list[Post] = []
        alone: list[int] = []
        for member in chosen:
            point = view.position[member]
            others = np.delete(view.position, member, axis=0)
            course = self.course(herd, point)
            over_walls = self._driven_for.get(member, 0.0) % (2.0 * OVER_WALLS) < OVER_WALLS
            place = behind(view, point, course, self.distance, others, over_walls)
            own = np.array([member])
            post = Post(("stray", member), own, place, point, course)
            if self.corners.hold(view, member, own, [post]):
                alone.append(member)
            else:
                posts.append(post)
        self.alone = alone
        return posts

    def waiting(
        self, view: HerdView, rows: Index, heading: Float, distance: float, count: int
    ) -> list[Post]:
        """Return ``count`` places on an arc behind animals, ``distance`` [m] from their circle."""
        center, radius = circle_of(view.position[rows], view.grounded)
        grid = view.grid
        return [
            Post(("wait", row), rows, grid.ground.point[grid.nearest(place)], center, heading)
            for row, place in enumerate(slots("arc", center, heading, radius, distance, count, 0.0))
        ]

    def course(self, herd: Herd, point: Float) -> Float:
        """Return the direction (3,) in which a stray at ``point`` (3,) gets back."""
        route = herd.field.route(point)
        ahead = np.cumsum(np.linalg.norm(np.diff(route, axis=0, prepend=point[None]), axis=1))
        target = route[min(int(np.searchsorted(ahead, AHEAD)), len(route) - 1)]
        course = target - point
        if herd.field.grid.surface is not None:
            course = course * [1.0, 1.0, 0.0]
        return unit(course[None])[0]
