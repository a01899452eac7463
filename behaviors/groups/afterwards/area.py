"""Where members can go after they have arrived: in a region, or everywhere that can be reached."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.ends import WIDER, ends_along, tangent_ends
from rmp3d.behaviors.groups.driving.gaps import cores_of
from rmp3d.behaviors.groups.driving.guide import on_ground
from rmp3d.behaviors.groups.driving.route import Driven
from rmp3d.behaviors.groups.driving.routes import can_turn_round, find_plain_route, first_ahead
from rmp3d.behaviors.groups.goal_area.places import NoRoomError, places_in
from rmp3d.behaviors.groups.guided.roadmap_routes import GROWTH, RoadmapRoutes, grown_until
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.reeds_shepp import reeds_shepp_paths
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.roadmap.building import extend_roadmap, with_nodes
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import GroundHeadingSpace, Space
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenes import Region

GOAL, EVERYWHERE = "goal", "everywhere"
# A roadmap that covers a scene has at least so many nodes.
NODES = 300
# It grows while parts of it with such a share of the nodes are apart.
LARGE = 0.1
# Places everywhere are nodes of the roadmap so far apart [m], at most so many.
APART, MOST = 2.5, 240
# Places are so many radii apart; those in a region at least so far [m].
RADII, LEAST = 3.0, 1.0
# There is room to go about where there are so many places for each member, and at least so many.
FOR_EACH, AT_LEAST = 2, 6
# Vehicles need a region of so many turn radii across, and flyers one of so many radii of height.
TURNS, HEIGHT = 5.0, 4.0
# So many places of newcomers are tried, and the gap between them [m].
TRIED, GOLDEN, BETWEEN = 400, np.pi * (3.0 - 5.0**0.5), 0.6
# So many turn radii are near for a vehicle: it hardly comes there without a maneuver.
NEAR = 2.0
# A vehicle looks so many of the poses along its way to a place ahead.
LOOKS_AHEAD = 3
# With so many headings it may come to a place.
HEADINGS = 8
NONE = -1
# Others are in the way where they are now, or in these times [s].
LOOKS_SOON = (0.0, 1.0, 2.0)


class Area:
    """What the members of a group can reach from their goal.

    Args:
        task: Of the group; its ``rng`` is for what they do after they have arrived, alone.
        home: (n, 3) where the members began [m].
    """

    def __init__(self, task: GroupTask, home: Float) -> None:
        self.task, self.home = task, home

    @cached_property
    def space(self) -> Space:
        """Where one member can be: of a vehicle, the widest part as it heads along its way."""
        headed = self.task.headed
        return headed.ground if isinstance(headed, GroundHeadingSpace) else headed

    @cached_property
    def routes(self) -> RoadmapRoutes:
        """The shortest routes over a roadmap that covers the scene."""
        return RoadmapRoutes(self._covering_roadmap())

    def _covering_roadmap(self) -> Roadmap:
        roadmap = replace(self.task.roadmap, space=self.space)
        if len(roadmap.configurations) < NODES and not roadmap.interrupted:
            settings = RoadmapSettings(local_planner=roadmap.local_planner, nodes=NODES)
            roadmap = extend_roadmap(roadmap, settings, self.task.rng)
        local_planner = choose(LOCAL_PLANNERS, roadmap.local_planner)
        most = GROWTH * len(roadmap.configurations)
        roadmap = grown_until(roadmap, _is_whole, most, self.task.rng)
        path = self.task.path.points
        if RoadmapRoutes(roadmap).route(path[-1], path[0], wedged=True) is None:
            # The path leads through something that samples have not joined.
            free = path[roadmap.space.is_free(path)]
            roadmap = join_components(with_nodes(roadmap, free), local_planner)
        return roadmap

    def places(self, within: str) -> Float | None:
        """Return places (K, 3) [m] to go about in; None: the goal region is too small for that.

        Args:
            within: ``goal``, ``everywhere``, or the name of a region.

        Raises:
            InputError: There is no such region, no room in it, or no path to it.
        """
        task = self.task
        if within == EVERYWHERE:
            nodes = self.routes.reachable(task.path.points[-1])
            nodes = self._with_room_to_turn(nodes)
            return nodes[_spread(nodes, max(APART, RADII * self.space.world.body.radius))]
        try:
            if within == GOAL:
                return self._places_in(task.goal, task.path.points[-1])
            return self._places_in(self._region(within, "within"), self.place(within, "within"))
        except NoRoomError as error:
            if within == GOAL:
                return None
            raise InputError(f"`within`: {error}; or say `{EVERYWHERE}`") from None

    def place(self, name: str, key: str) -> Float:
        """Return a free point (3,) [m] of a region that can be reached.

        Raises:
            InputError: There is no such region, or no such point; names the key.
        """
        region = self._region(name, key)
        if region is self.task.goal:
            return self.task.path.points[-1]
        try:
            point = endpoint(self.space, region, "goal")
        except PlanningError as error:
            raise InputError(f"`{key}`: {error}") from None
        if self.routes.route(self.task.path.points[-1], point) is None:
            raise InputError(
                f"`{key}`: no path from the goal to the region `{name}` was found; choose another "
                "region, or a larger number of `planner.nodes`"
            )
        return point

    def _region(self, name: str, key: str) -> Region:
        if name == GOAL:
            return self.task.goal
        regions = self.space.world.scene.regions
        if name not in regions:
            problem = unknown_name("region", name, [*regions, GOAL, EVERYWHERE])
            raise InputError(f"`{key}`: {problem}")
        return regions[name]

    def _places_in(self, region: Region, center: Float) -> Float:
        """Return places (K, 3) [m] in a region around a free point (3,) of it.

        Raises:
            NoRoomError: There are too few to go about there.
        """
        task = self.task
        count = max(AT_LEAST, FOR_EACH * task.count)
        size = np.ptp(region.bounds, axis=0)
        flat = not self.space.grounded and size[2] < HEIGHT * task.radius
        if flat or size[:2].min() < TURNS * self.turn_radius:
            raise NoRoomError(region, 0, task.count, task.radius)
        places = places_in(self.space, region, 1, max(LEAST, RADII * task.radius), center)
        if len(places) < count:
            raise NoRoomError(region, len(places) // FOR_EACH, task.count, task.radius)
        return places

    def _with_room_to_turn(self, places: Float) -> Float:
        """Return the places (M, 3) where a vehicle need not turn back: at least half of them.

        Corners, dead ends and the border of the scene cost vehicles most of their time.
        """
        if self.turn_radius == 0.0 or len(places) < AT_LEAST:
            return places
        space = self.space
        within = np.minimum(places - space.bounds[0], space.bounds[1] - places)[:, :2].min(axis=1)
        clearance = np.minimum(space.world.clearance(places, self.turn_radius), within)
        return places[clearance >= min(self.turn_radius, float(np.median(clearance)))]

    def beside(self, places: Float, came: Float) -> Float:
        """Return free places (m, 3) of newcomers beside those (n, 3) of the others [m].

        They are on a spiral around the middle one of these. Where there is no room, or nobody else,
        newcomers stay where they came.

        Args:
            places: Of the others, and of those that have left.
            came: (m, 3) where the newcomers stand.
        """
        if len(places) == 0 or len(came) == 0:
            return came
        task, space = self.task, self.space
        apart = task.core + 2.0 * task.half_width + BETWEEN
        middle = places[np.argmin(length(places - places.mean(axis=0)))]
        turn, reach = GOLDEN * np.arange(TRIED), apart * np.sqrt(np.arange(TRIED) / np.pi)
        offset = np.stack([reach * np.cos(turn), reach * np.sin(turn), 0.0 * turn], axis=1)
        around = np.broadcast_to(middle, offset.shape)
        points, free = space.move(around, offset)
        free &= space.is_free(points)
        free[free] = space.connects(around[free], points[free])
        found, taken = came.copy(), places
        for newcomer in range(len(came)):
            far = length(points[:, None] - taken).min(axis=1) >= apart
            rows = np.flatnonzero(free & far)
            if len(rows):
                found[newcomer] = points[rows[0]]
                taken = np.concatenate([taken, points[rows[:1]]])
        return found

    def first_drivable(self, flock: Flock, member: int, places: Float, rows: Index) -> int:
        """Return the first of rows of places (K, 3) to which a vehicle need not turn back.

        Places nearer than it turns round on do not count, if there are others.
        Nor are other members in its way, now or soon, and when it is there it can turn round
        without going back; else, the first to which it need not turn back. If there is none, that
        to which it loses the least by going back.
        """
        far = length(places[rows] - flock.position[member]) >= NEAR * self.turn_radius
        rows = rows[far] if far.any() else rows
        left, ahead = rows, NONE
        while len(left):
            found, course = self._first_ahead(flock, member, places[left])
            if found == NONE:
                break
            ahead = int(left[found]) if ahead == NONE else ahead
            if self._goes_on(flock, member, places[left[found]], course):
                return int(left[found])
            left = left[found + 1 :]
        return ahead if ahead != NONE else int(rows[self._least_back(flock, member, places[rows])])

    def lies_ahead(self, flock: Flock, member: int, place: Float) -> bool:
        """Return whether a vehicle need not turn back to a place (3,)."""
        return self._first_ahead(flock, member, place[None])[0] != NONE

    def _goes_on(self, flock: Flock, member: int, place: Float, course: float) -> bool:
        """Return whether a vehicle that comes to a place (3,) on a course can turn round there."""
        vehicle = self._vehicle(flock, member)
        return can_turn_round(replace(vehicle, point=place, angle=course, others=np.zeros((0, 6))))

    def _vehicle(self, flock: Flock, member: int) -> Driven:
        """Return a vehicle, and where others are now or soon."""
        space, bodies, heading = self._driven_space, flock.bodies, flock.heading[member]
        others = np.arange(len(flock)) != member
        soon = (cores_of(flock, at * flock.velocity)[others] for at in LOOKS_SOON)
        vehicle = Driven(
            space, flock.position[member], float(np.arctan2(heading[1], heading[0])),
            float(bodies.turn_radius[member]), bool(bodies.max_reverse_speed[member] > 0.0),
            bodies.ends[member], float(bodies.half_width[member]), np.concatenate(list(soon)),
        )  # fmt: skip
        speed = float(flock.velocity[member] @ heading)
        return vehicle.by_time(bodies, member, speed, about=True)

    @property
    def _driven_space(self) -> GroundHeadingSpace:
        assert isinstance(self.task.headed, GroundHeadingSpace)
        return self.task.headed

    def _first_ahead(self, flock: Flock, member: int, places: Float) -> tuple[int, float]:
        """Return the row of the first of places (K, 3) ahead of a vehicle, and its course there.

        The row is `NONE` if there is none.
        """
        ends, rank = self._ends_to(flock, member, places)
        found = first_ahead(self._vehicle(flock, member), ends, rank)
        return (int(rank[found]), float(ends[found, 2])) if found >= 0 else (NONE, np.nan)

    def _least_back(self, flock: Flock, member: int, places: Float) -> int:
        """Return the row of that of places (K, 3) to which a vehicle loses the least.

        What it loses is what its free curve costs more than the distance, all by the time. If no
        curve is free, it is that in sight to which it would drive in the shortest time.
        """
        here, vehicle = flock.position[member], self._vehicle(flock, member)
        if vehicle.reverses:
            ends, rank = self._ends_to(flock, member, places)
            route = find_plain_route(vehicle, ends, -np.hypot(*(ends[:, :2] - here[:2]).T))
            if route is not None:
                return int(rank[route.end_among(ends)])
        soonest = np.argsort(driving_time(flock, member, places), kind="stable")
        return first_in_sight(self.space, here, places, soonest)

    def _ends_to(self, flock: Flock, member: int, places: Float) -> tuple[Float, Index]:
        """Return poses (E, 4) on the ways of a vehicle to places (K, 3), and the place of each."""
        here, heading, ends = flock.position[member], flock.heading[member], []
        angle = float(np.arctan2(heading[1], heading[0]))
        pace = float(flock.bodies.cruise_speed[member])
        radius = float(flock.bodies.turn_radius[member])
        for route in self._routes_to(here, places):
            guide = on_ground(self._driven_space, np.vstack([here[None], route]))
            along, _ = ends_along(guide, pace, radius, False)
            straight = route if len(route) == 1 else route[:0]
            turned = [tangent_ends(here, angle, place, WIDER * radius) for place in straight]
            ends.append(np.concatenate([along[:LOOKS_AHEAD], *turned]))
        rank = np.repeat(np.arange(len(ends)), [len(poses) for poses in ends])
        return np.concatenate(ends), rank

    def _routes_to(self, here: Float, places: Float) -> Iterator[Float]:
        """Yield the points on the way to each of places (K, 3)."""
        seen = self.space.connects(np.tile(here, (len(places), 1)), places)
        for place, sees in zip(places, seen, strict=True):
            route = None if sees else self.routes.route(here, place, wedged=True)
            yield place[None] if route is None else route

    @property
    def turn_radius(self) -> float:
        """Of the member that turns the least [m]."""
        return self.task.character.parameters.turn_radius


def _is_whole(roadmap: Roadmap) -> bool:
    """Return whether all large parts of a roadmap are joined."""
    return int(np.sum(roadmap.component_size >= LARGE * len(roadmap.configurations))) <= 1


def driving_time(flock: Flock, member: int, places: Float) -> Float:
    """Return in what time [s] a vehicle drives to places (K, 3) in the plane, by Reeds and Shepp.

    It may come there with any heading of some; without a reverse gear, it drives ahead alone.
    """
    bodies = flock.bodies
    ahead, back = (float(pace[member]) for pace in (bodies.cruise_speed, bodies.max_reverse_speed))
    heading = flock.heading[member]
    here = [*flock.position[member, :2], np.arctan2(heading[1], heading[0])]
    around = np.linspace(0.0, 2.0 * np.pi, HEADINGS, endpoint=False)
    ends = np.column_stack(
        [np.repeat(places[:, :2], HEADINGS, axis=0), np.tile(around, len(places))]
    )
    words = reeds_shepp_paths if back > 0.0 else dubins_paths
    _, size = words(np.tile(here, (len(ends), 1)), ends, float(bodies.turn_radius[member]))
    time = np.where(size < 0.0, -size / max(back, 1e-9), size / ahead).sum(axis=2)
    soonest: Float = time.min(axis=1).reshape(len(places), HEADINGS).min(axis=1)
    return soonest


def first_in_sight(space: Space, position: Float, places: Float, rows: Index) -> int:
    """Return the first of some rows of places (K, 3) in sight of a position; else the first one."""
    here = np.tile(position, (len(rows), 1))
    seen = rows[space.connects(here, places[rows])]
    return int(seen[0] if len(seen) else rows[0])


def with_own_rng(task: GroupTask) -> GroupTask:
    """Return the task with randomness that leaves that of the behavior as it is."""
    return replace(task, rng=task.rng.spawn(1)[0])


def _spread(points: Float, apart: float) -> Index:
    """Return rows of points (K, 3), each the farthest from those before, at least so far [m]."""
    if len(points) == 0:
        return np.zeros(0, np.intp)
    chosen, gap = [0], length(points - points[0])
    while len(chosen) < MOST and gap.max() >= apart:
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, length(points - points[chosen[-1]]))
    return np.array(chosen, np.intp)
