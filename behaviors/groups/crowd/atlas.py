"""The places that the trips of a crowd name: regions to go to, and places to begin at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from rmp3d.behaviors.groups.crowd.trips import Place
from rmp3d.behaviors.groups.goal_area.places import anywhere
from rmp3d.behaviors.groups.task import Task, default_spacing
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.errors import PlacementError, PlanningError
from rmp3d.planner.spaces import GroundSpace, Space
from rmp3d.planner.spaces.endpoints import REACH, endpoint
from rmp3d.scenes import Region

# A region has so many points on a line through it where routes may end.
ACROSS = 3
# So many places where newcomers may begin are laid out in a region.
BEGINNINGS = 60
# A member within this distance [m] of a goal that is a point has arrived.
NEAR = 1.0


class Atlas:
    """The places that trips name: regions to go to, places to begin at."""

    def __init__(self, task: Task) -> None:
        self._task, self._space = task, task.space
        self._known: dict[Any, int] = {}
        self.regions: list[Region] = []
        self.ends: list[Float] = []

    def goal(self, place: Place) -> int:
        """Return the row of the region that a place is."""
        name = place if isinstance(place, str) else tuple(place)
        if name not in self._known:
            self._known[name] = len(self.regions)
            if isinstance(place, str):
                region = self._region(place)
                self.regions.append(region)
                self.ends.append(_ends_in(self._space, region))
            else:
                point = endpoint(self._space, np.array(place, float), "goal")
                near = max(NEAR, 2.0 * self._task.radius)
                shown = ", ".join(f"{x:g}" for x in place)
                self.regions.append(Region.sphere(f"[{shown}]", point, near))
                self.ends.append(point[None])
        return self._known[name]

    def starts(self, places: Sequence[Place], trip_of: Index) -> Float:
        """Return where members (m, 3) begin [m], those of one region at random in it."""
        task, rng = self._task, self._task.rng
        found = np.zeros((len(places), 3))
        body = self._space.world.body
        others = task.others
        members: dict[Any, list[int]] = {}
        for member, place in enumerate(places):
            members.setdefault(place if isinstance(place, str) else tuple(place), []).append(member)
        points = [
            (rows[0], key)
            for key, rows in members.items()
            if not isinstance(key, str) and len(rows) == 1
        ]
        if points:
            rows = np.array([row for row, _ in points])
            with blaming(f"trips[{trip_of[rows[0]]}].start"):
                found[rows] = _placed(self._space, np.array([key for _, key in points]))
            _check_apart(found[rows], rows, trip_of, body.radius)
            others = others.joined_by(found[rows], body.radius, body.capsule_axis)
        for key, own in members.items():
            if isinstance(key, str) or len(own) > 1:
                with blaming(f"trips[{trip_of[own[0]]}].start"):
                    region = self._start_region(key, len(own))
                    spacing = default_spacing(task.character)
                    found[own] = anywhere(self._space, region, len(own), spacing, rng, others)
                others = others.joined_by(found[own], body.radius, body.capsule_axis)
        return found

    def sources(self, places: Sequence[Place | None]) -> tuple[Index, list[Float]]:
        """Return for each trip the row of its places (K, 3) [m] where newcomers may begin."""
        row = np.full(len(places), -1)
        found: list[Float] = []
        for trip, place in enumerate(places):
            if place is not None:
                row[trip] = len(found)
                with blaming(f"trips[{trip}].start"):
                    region = self._start_region(
                        place if isinstance(place, str) else tuple(place), 1
                    )
                    found.append(self._beginnings(region))
        return row, found

    def _beginnings(self, region: Region) -> Float:
        spacing = 2.0 * self._task.radius
        for count in (BEGINNINGS, BEGINNINGS // 4, 4, 1):
            try:
                return anywhere(self._space, region, count, spacing, self._task.rng)
            except InputError:
                if count == 1:
                    raise
        raise AssertionError

    def _start_region(self, place: Any, count: int) -> Region:
        if place == "":
            return self._task.start
        if isinstance(place, str):
            return self._region(place)
        point = endpoint(self._space, np.array(place, float), "start")
        return Region.sphere("start", point, max(1.0, 4.0 * self._task.radius * count**0.5))

    def _region(self, name: str) -> Region:
        regions = self._space.world.scene.regions
        if name not in regions:
            raise InputError(unknown_name("region", name, list(regions)))
        return regions[name]


@contextmanager
def blaming(key: str) -> Iterator[None]:
    """Let errors of planning and input begin with a key of the behavior."""
    try:
        yield
    except (InputError, PlanningError) as error:
        raise InputError(f"`behavior.{key}`: {error}") from None


def _ends_in(space: Space, region: Region) -> Float:
    """Return points (C, 3) of a region where routes may end [m], the middle one first."""
    first = endpoint(space, region, "goal")
    shares = (np.arange(ACROSS) + 0.5) / ACROSS
    axes = [region.lower[k] + shares * (region.upper[k] - region.lower[k]) for k in range(3)]
    if space.grounded:
        axes[2] = first[2:3]
    found = [first]
    for point in np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3):
        try:
            place = space.place(point)[:3]
        except PlacementError:
            continue
        if region.contains(place[None])[0] and length(place - first) > 0.5:
            found.append(place)
    return np.array(found)


def _placed(space: Space, points: Float) -> Float:
    """Return the free places (n, 3) at points that a user gave [m], all at once."""
    found, good = points, np.ones(len(points), np.bool_)
    if isinstance(space, GroundSpace):
        found, face = space.surface.locate(points, REACH, REACH)
        good = face >= 0
    good = good & space.is_free(found)
    for row in np.flatnonzero(~good).tolist():
        found[row] = endpoint(space, points[row], "start")  # which says what is wrong
    return found


def _check_apart(points: Float, member: Index, trip_of: Index, radius: float) -> None:
    """Refuse points (n, 3) where two members would stand in one another.

    Raises:
        InputError: Names the trips of the first two.
    """
    from scipy.spatial import cKDTree  # slow to load

    near = cKDTree(points).query_pairs(2.0 * radius, output_type="ndarray")
    near = near[length(points[near[:, 0]] - points[near[:, 1]]) < 2.0 * radius]
    if len(near):
        one, other = sorted(trip_of[member[near[0]]].tolist())
        apart = float(length(points[near[0, 0]] - points[near[0, 1]]))
        raise InputError(
            f"`behavior.trips[{other}].start`: {apart:.2g} m from that of `trips[{one}]`; bodies "
            f"of radius {radius:g} m need {2.0 * radius:g} m"
        )


def level_directions(offset: Float, grounded: bool) -> Float:
    """Return unit directions (n, 3), level on the ground; +x where there is none."""
    offset = offset * ([1.0, 1.0, 0.0] if grounded else [1.0, 1.0, 1.0])
    direction = unit(offset)
    direction[length(direction) == 0.0] = [1.0, 0.0, 0.0]
    return direction
