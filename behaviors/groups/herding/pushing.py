"""Pushing: shepherds take places behind the flock and push it from subgoal to subgoal."""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.groups.herding.collecting import Collecting
from rmp3d.behaviors.groups.herding.corners import Corners
from rmp3d.behaviors.groups.herding.grid import DistanceField
from rmp3d.behaviors.groups.herding.herd import Herd, circle_allowed, circle_of
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Post, behind
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters
from rmp3d.behaviors.groups.herding.slots import slots
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length, unit

# A place is moved up to the flock in steps of this [m] until an animal is close enough.
STEP = 0.5
# Without progress for this time [s] shepherds find out whether the flock is in a corner.
STALLED = 3.0
# Without progress for this time they draw back in any case, and for how long [s].
STUCK_AFTER, DRAWN_BACK = 12.0, 5.0
# Spacing of shepherds in a line at least, in radii of their bodies.
SIDE_BY_SIDE = 3.5
# Weight of being out to the side, against lagging behind.
ASIDE_COUNTS = 0.6
# A flock slower than this share of its largest speed is pressed harder, down to a share of the
# distance; this share changes by so much from one decision to the next.
BRISK, HARDEST, CHANGE = 0.6, 0.6, 0.04
# Progress: the mean distance still to go is shorter by this [m].
PROGRESS = 0.5
# How far ahead on its path to a stray the flock is sent [m].
MEETING = 4.0
# Stands for the whole flock where other numbers are those of its members.
FLOCK = -1
# The flock is driven on while strays are fetched, if so many shepherds are left for it.
DRIVERS = 2
# A shepherd is at work when it is this near to a post [m].
AT_WORK = 3.0


@dataclass(eq=False)
class Pushing:
    """Collects a flock and pushes it to subgoals; shared by the missions that lead a flock.

    Attributes:
        parameters: Of the behavior.
        log: Told what happens.
    """

    parameters: HerdingParameters
    log: Log
    collecting: Collecting = field(init=False)
    _corners: Corners = field(init=False)
    radius: float = 0.0
    driven: float = 0.0
    seconds: dict[str, float] = field(default_factory=lambda: {"collecting": 0.0, "driving": 0.0})
    _center: Float | None = None
    _time: float = 0.0
    _least: float = np.inf
    _since: float = 0.0
    _back_until: float = -1.0
    _driving: bool = False
    _pressure: float = 1.0
    _posts: list[Post] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.change(self.parameters)

    def change(self, parameters: HerdingParameters) -> None:
        """Collect and push by other parameters from now on."""
        self.parameters = parameters
        fear = parameters.fear_distance
        self._corners = Corners(fear)
        self.collecting = Collecting(fear, 0.5 * fear, self.log, self._corners)

    def turn_over(self, flock: Turnover) -> None:
        """Go on with the animals that are there now."""
        self.collecting.turn_over(flock)
        self._corners.turn_over(flock)
        self._posts = []

    def herd(self, view: HerdView, rows: Index, half_width: float) -> tuple[Herd, float]:
        """Return those of ``rows`` in the flock's circle, and the circle's radius [m]."""
        allowed = circle_allowed(len(rows), view.body_radius, half_width, self.parameters.circle)
        return Herd.of(view.grid, rows, view.position[rows], allowed), allowed

    def posts(
        self, view: HerdView, herd: Herd, allowed: float, subgoal: Float, to_go: DistanceField
    ) -> list[Post]:
        """Return the posts that bring the flock nearer to a subgoal.

        Args:
            view: What is seen.
            herd: The animals that are herded.
            allowed: Radius of its circle [m].
            subgoal: (3,) of the flock [m].
            to_go: How far it is to where the flock is led in the end.
        """
        center, self.radius = circle_of(view.position[herd.core], view.grounded)
        heading = self._heading(view, center, subgoal)
        ahead = self._ahead(view, herd, to_go)
        strays = self.collecting.strays(view, herd, allowed, ahead)
        drivers = len(view.shepherds) - len(strays)
        waits = len(strays) > 0 and (herd.at_home or drivers < DRIVERS)
        self._account(view, center, waits, to_go, herd)
        self._posts = self._chosen(view, herd, strays, waits, center, heading)
        return self._posts

    def _chosen(
        self, view: HerdView, herd: Herd, strays: Index, waits: bool, center: Float, heading: Float
    ) -> list[Post]:
        """Return the posts: to fetch strays, while the flock waits or is driven on; or to drive."""
        if view.time < self._back_until:
            return self._corners.aside(view, herd.core, len(view.shepherds))
        if waits:
            self._driving = False
            posts = self.collecting.posts(view, herd, strays, heading)
            return posts or self._to_stray(view, herd, center, self.collecting.alone[0])
        fetching = self.collecting.fetching(view, herd, strays) if len(strays) else []
        count = len(view.shepherds) - len(fetching)
        if not self._driving:
            self._driving = True
            shape = f" in {self.parameters.formation}" if count > 1 else ""
            self.log.tell(
                view.time, "driving", f"{len(herd.rows) - len(strays)} of the flock{shape}"
            )
        return fetching + self._pushed(view, herd, center, heading, count)

    def _at_work(self, view: HerdView) -> bool:
        """Return whether the shepherds are near their posts, and those behind somebody."""
        if not any(len(post.anchor) for post in self._posts):
            return False
        places = np.array([post.place for post in self._posts])
        gap = length(view.shepherds[:, None] - places).min(axis=1)
        return bool((gap < AT_WORK).all())

    def _heading(self, view: HerdView, center: Float, subgoal: Float) -> Float:
        offset = subgoal - center
        if view.grounded:
            offset = offset * [1.0, 1.0, 0.0]
        size = float(np.linalg.norm(offset))
        return offset / size if size > 1e-9 else np.array([1.0, 0.0, 0.0])

    def _ahead(self, view: HerdView, herd: Herd, to_go: DistanceField) -> Bool:
        """Return which animals (n,) are where the flock will come past anyway."""
        points = view.position[herd.rows]
        here, rest = float(to_go.at(herd.field.point[None])[0]), to_go.at(points)
        gain = np.where(np.isfinite(rest), here - np.nan_to_num(rest, posinf=0.0), -np.inf)
        ahead: Bool = gain >= 0.8 * herd.field.at(points)
        return ahead

    def _pushed(
        self, view: HerdView, herd: Herd, center: Float, heading: Float, count: int
    ) -> list[Post]:
        """Return ``count`` posts behind the flock; aside if it is stuck and none gets behind it."""
        posts = self._behind(view, herd, center, heading, count)
        stuck = view.time - self._since > STALLED or self._corners.is_held(view, FLOCK)
        if stuck and self._corners.hold(view, FLOCK, herd.core, posts):
            return self._corners.aside(view, herd.core, len(posts))
        return posts

    def _behind(
        self, view: HerdView, herd: Herd, center: Float, heading: Float, count: int
    ) -> list[Post]:
        """Return ``count`` places of line or arc, or others where those cannot be taken."""
        own = self.parameters
        core = view.position[herd.core]
        wide = self.radius > 0.5 * count * own.fear_distance
        if self._at_work(view):
            slow = float((view.velocity[herd.core] @ heading).mean()) < BRISK * view.top_speed
            self._pressure = float(
                np.clip(self._pressure + (-CHANGE if slow else CHANGE), HARDEST, 1)
            )
        distance = self._pressure * own.push_distance(1 if wide else count)
        places = slots(
            own.formation,
            center,
            heading,
            self.radius,
            distance,
            count,
            own.inset,
            SIDE_BY_SIDE * view.grid.radius,
        )
        posts = []
        for row, place in enumerate(places):
            middle, course = center, heading
            worked = self._last_of_part(row, places, core, center, heading) if wide else None
            if worked is not None:
                inward = self._inward(view, herd, worked, center, heading)
                place = behind(view, worked, inward, distance, core)
            else:
                place = self._pressed(place, heading, center, core, distance)
                nearest = core[np.argmin(length(core - place))]
                if not (view.grid.is_place(place) and view.grid.clear(nearest, place)[0]):
                    middle = core[np.argmin(core @ heading)] if row == 0 else nearest
                    course = self._course(view, middle, herd, heading)
                    place = behind(view, middle, course, distance, core)
            posts.append(Post(("slot", row), herd.core, place, middle, course))
        return posts

    def _to_stray(self, view: HerdView, herd: Herd, center: Float, member: int) -> list[Post]:
        """Return the posts that bring the flock to one that cannot be fetched."""
        point = view.position[member]
        route = view.grid.field(point).route(herd.field.point)
        steps = length(np.diff(route, axis=0, prepend=herd.field.point[None]))
        row = min(int(np.searchsorted(np.cumsum(steps), MEETING)), len(route) - 1)
        heading = self._heading(view, center, route[row])
        return self._pushed(view, herd, center, heading, len(view.shepherds))

    def _last_of_part(
        self, row: int, places: Float, core: Float, center: Float, heading: Float
    ) -> Float | None:
        """Return where the last one (3,) is of those nearest to a shepherd's place, if any.

        The last one lags behind most, or is out most to the side. So few shepherds work the edge
        of a flock that is wider than they are feared.
        """
        part = length(core[:, None] - places).argmin(axis=1) == row
        if not part.any():
            return None
        offset = core[part] - center
        lag = -(offset @ heading)
        aside = length(offset + lag[:, None] * heading)
        last: Float = core[part][np.argmax(lag + ASIDE_COUNTS * aside)]
        return last

    def _inward(
        self, view: HerdView, herd: Herd, point: Float, center: Float, heading: Float
    ) -> Float:
        """Return where to (3,) one at the edge is driven: ahead of the flock's middle."""
        focus = center + (self.radius + self.parameters.push_distance(1)) * heading
        if not view.grid.clear(point, center)[0]:
            return self.collecting.course(herd, point)
        return unit((focus - point)[None])[0]

    def _course(self, view: HerdView, point: Float, herd: Herd, heading: Float) -> Float:
        """Return where to one of the flock goes: with the others, round corners too."""
        course = self.collecting.course(herd, point) + 0.5 * heading
        size = float(np.linalg.norm(course))
        return course / size if size > 1e-9 else heading

    def _pressed(
        self, place: Float, heading: Float, center: Float, core: Float, distance: float
    ) -> Float:
        """Return a place moved up until somebody of the flock is as near as pushing asks for.

        It stays behind the middle of the flock.
        """
        most = max(0.0, float((center - place) @ heading) - 0.5 * distance)
        steps = np.arange(0.0, most + 1e-9, STEP)
        moved = place + steps[:, None] * heading
        near = length(moved[:, None] - core).min(axis=1) <= distance
        return moved[np.argmax(near)] if near.any() else moved[-1]

    def _account(
        self, view: HerdView, center: Float, collecting: bool, to_go: DistanceField, herd: Herd
    ) -> None:
        """Keep the figures, and watch whether the flock comes nearer."""
        passed = max(view.time - self._time, 0.0)
        self.seconds["collecting" if collecting else "driving"] += passed
        if self._center is not None and not collecting:
            self.driven += min(float(np.linalg.norm(center - self._center)), 2.0 * passed + 0.1)
        self._center, self._time = center, view.time
        points = view.position[herd.strays if herd.at_home else herd.rows]
        rest = float(to_go.at(points).mean() + 0.5 * herd.field.at(points).mean())
        if rest < self._least - PROGRESS or rest > self._least + 4.0 * PROGRESS:
            self._least, self._since = rest, view.time
        if not self._at_work(view):
            self._since += passed
        if view.time - self._since > STUCK_AFTER:
            self._since = view.time
            self._back_until = view.time + DRAWN_BACK
            self.log.tell(view.time, "drawing_back", "no progress; gives the flock room")
        self.log.measures.update(
            radius=self.radius, strays=float(len(herd.strays)), driven=self.driven
        )
        self.log.figures.update(
            strays_fetched=self.collecting.fetched,
            distance_driven=round(self.driven, 2),
            **{f"seconds_{name}": round(value, 2) for name, value in self.seconds.items()},
        )
