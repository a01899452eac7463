"""The planner `guided_prm`: a roadmap of a vehicle's poses along the path of its widest part."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rmp3d.geometry import Float, Index, InputError, frozen
from rmp3d.geometry.choices import choose
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.paths.doors import DoorPoses, doors_along
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.planners.planner import PLANNERS, Leg, PlanningSession
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import GroundHeadingSpace, Space
from rmp3d.planner.spaces.directions import clearance_and_gradient
from rmp3d.planner.spaces.endpoints import Place, endpoint
from rmp3d.planner.spaces.ground_heading import posed

# Between poses along the guide, times the body's reach; so many at most.
SPACING, MOST = 0.5, 300
# A pose is tried to be joined with so many that come after it.
AHEAD = 8
# A pose nearer to something than this share of the body's reach is moved away, in so many steps.
ROOM, STEPS = 0.3, 12
# The roadmap grows to so many times the nodes asked for, or times this if they were fewer.
GROWTH, SMALL = 2, 100
# Half of the samples are poses near the guide: standard deviations of the place, times the turn
# radius, and of the heading [rad].
STRAYS, TURNS = 0.5, 0.6


@PLANNERS.register("guided_prm")
@dataclass(frozen=True)
class GuidedPRM(RoadmapSettings):
    """Plan for a vehicle: the path of its widest part is the guide, with poses along it.

    Few samples of place and heading fall into a door that a vehicle just fits through. But where
    the vehicle passes, its widest part passes; so that one's path is found first, by `prm` in
    the space `ground`, through the middle of what is narrow; if there is none, that of a part half
    as wide. Poses along it, which head where it leads and are moved away from obstacles, and those
    straight before and behind its doors are joined by the curves of the local planner. If they do
    not join start and goal, the roadmap grows as that of `prm` does; half of its samples are poses
    near the guide.
    """

    spaces: ClassVar[tuple[str, ...]] = ("ground_heading",)

    def prepare(self) -> bool:
        """Return that nothing was compiled: kernels are loaded when they are first called."""
        return False

    def planned_space(self, space: Space) -> GroundHeadingSpace:
        """Return the space, if vehicles drive in it.

        Raises:
            InputError: It is another one than `ground_heading`.
        """
        if not isinstance(space, GroundHeadingSpace):
            raise InputError(
                "the planner `guided_prm` plans for vehicles with a turn radius, in the space "
                "`ground_heading`; elsewhere take the planner `prm`"
            )
        return space

    def connect(self, session: PlanningSession, start: Place, goal: Place) -> Leg:
        """Return a path on the session's roadmap, which begins with poses along the guide."""
        space = self.planned_space(session.space)
        rng, before = session.generator(), session.roadmap.seconds
        ends = endpoint(space, start, "start"), endpoint(space, goal, "goal")
        guide = self._guide(session, *ends, rng)
        sampler: Any = self.sampler
        if guide is not None:
            ends = _along(space, ends, guide, start, goal)
            poses, pairs = poses_along(space, guide)
            session.roadmap = with_poses(session.roadmap, poses, pairs, self)
            sampler = NearGuide(poses, self.sampler)
        limit = None if session.time_limit is None else before + session.time_limit
        settings = replace(self.in_space(space, limit), sampler=sampler)
        return self._grown(session, settings, ends, rng)

    def _grown(
        self,
        session: PlanningSession,
        settings: "GuidedPRM",
        ends: tuple[Float, Float],
        rng: np.random.Generator,
    ) -> Leg:
        """Return the path between ends on a roadmap that grows until there is one.

        Raises:
            Interrupted: The user stopped it.
            NoPathError: The roadmap is as large as it may get, or the time is up.
        """
        from rmp3d.planner.roadmap.building import extend_roadmap  # slow to load
        from rmp3d.planner.roadmap.querying import path_over
        from rmp3d.planner.roadmap.search import is_joined, join_ends, settled

        wanted, most = session.clearance_wanted, GROWTH * max(SMALL, settings.nodes)
        nodes = max(settings.nodes, SMALL)
        while True:
            joined = join_ends(session.roadmap, *ends, wanted)
            session.roadmap = roadmap = settled(session.roadmap, joined, wanted)
            if roadmap.interrupted:
                raise Interrupted(roadmap)
            late = 0.0 < settings.seconds <= roadmap.seconds
            if is_joined(roadmap, joined) or late or nodes > most:
                break
            session.roadmap = extend_roadmap(
                roadmap, replace(settings, nodes=nodes, connected_nodes=0, until_solved=False),
                rng, session.progress, watch=session.watch,
            )  # fmt: skip
            nodes *= 2
        try:
            path = path_over(roadmap, joined, rng, wanted)
        except NoPathError as error:
            error.roadmap = roadmap
            if late:
                error.ended_by_time(settings.seconds, session.compiling)
            raise
        return Leg(path.configurations, path)

    def _guide(
        self, session: PlanningSession, start: Float, goal: Float, rng: np.random.Generator
    ) -> CertifiedPath | None:
        """Return the path of the widest part, or of a thin one that keeps to the middle.

        Few samples fall into a door that the widest part just passes; a thin one finds it, and is
        led to its middle. None: the part does not fit where start or goal is.

        Raises:
            NoPathError: There is none.
        """
        space = session.space
        assert isinstance(space, GroundHeadingSpace)
        plain = replace(self.as_kind(PRM), local_planner={"name": "linear"})
        for ground in (space.ground, space.thin):
            own = PlanningSession(
                ground, rng=rng, time_limit=session.time_limit,
                clearance_wanted=max(session.clearance_wanted, space.reach),
            )  # fmt: skip
            try:
                return plain.connect(own, start[:3], goal[:3]).path
            except PlacementError:
                return None
            except NoPathError:
                if ground is space.thin:
                    raise
            finally:
                session.guide = own.roadmap
        raise AssertionError


@dataclass(frozen=True, eq=False)
class NearGuide:
    """Half of the samples are near given poses, the others are those of another sampler.

    Attributes:
        poses: (P, 7).
        other: The other sampler.
    """

    poses: Float
    other: Any

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free configurations (M, 7) of the attempts."""
        from rmp3d.planner.sampling import SAMPLERS
        from rmp3d.planner.sampling.sampler import attempted

        assert isinstance(space, GroundHeadingSpace)
        half = count // 2
        around = self.poses[rng.integers(0, len(self.poses), half)]
        scale = np.array([STRAYS * space.turn_radius] * 2 + [0.0] * 3 + [TURNS * space.reach])
        near, arrived = space.move(around, scale * rng.normal(size=(half, 6)))
        near = near[arrived]
        near = near[space.is_free(near)]
        other = attempted(choose(SAMPLERS, self.other), space, count - half, first // 2, rng)
        return np.concatenate([near, other])


def poses_along(space: GroundHeadingSpace, guide: CertifiedPath) -> tuple[Float, Index]:
    """Return free poses (P, 7) along a path of the widest part, and pairs (Q, 2) to be joined.

    First those along it, in its order, then those straight before and behind its doors.
    """
    count = int(np.clip(np.ceil(guide.length / (SPACING * space.reach)), 1, MOST)) + 1
    station = np.linspace(0.0, guide.length, count)
    heading = guide.frames(station, space.reach)[:, :, 0]
    points, face = space.surface.locate(guide.at(station), 0.1, 0.1)
    there = face >= 0
    poses = with_room(space, posed(points, np.arctan2(heading[:, 1], heading[:, 0]))[there])
    free = space.is_free(poses)
    poses, station = poses[free], station[there][free]
    doors = doors_along(space, guide.points)
    straight = [door.poses for door in doors]
    return np.concatenate([poses, *straight]), _pairs(station, doors)


def with_room(space: GroundHeadingSpace, poses: Float) -> Float:
    """Return poses (P, 7) moved and turned away from what is near, in ever smaller steps."""
    wanted = ROOM * space.reach
    best = space.world.clearance(poses, wanted)
    step = np.full(len(poses), 0.5 * wanted)
    for _ in range(STEPS):
        near = np.flatnonzero(best < wanted)
        if len(near) == 0:
            break
        _, gradient = clearance_and_gradient(space, poses[near], 6)
        moved, arrived = space.move(poses[near], step[near, None] * gradient)
        clearance = space.world.clearance(moved, wanted)
        better = arrived & (clearance > best[near])
        poses[near[better]], best[near[better]] = moved[better], clearance[better]
        step[near[~better]] *= 0.5
    return poses


def with_poses(roadmap: Roadmap, poses: Float, pairs: Index, settings: RoadmapSettings) -> Roadmap:
    """Return the roadmap with poses (P, 7), of which pairs (Q, 2) are joined where that is free."""
    from rmp3d.planner.local_planners import LOCAL_PLANNERS, LocalPlanner
    from rmp3d.planner.paths.edges import CLEARANCE_CAP, proved

    space, old = roadmap.space, len(roadmap.configurations)
    before = space.world.counts.copy()
    local_planner: LocalPlanner = choose(LOCAL_PLANNERS, settings.local_planner)
    found = local_planner.connect(space, poses[pairs[:, 0]], poses[pairs[:, 1]])
    clearance = space.world.clearance(poses, CLEARANCE_CAP * space.world.body.radius)
    larger = replace(
        roadmap,
        configurations=frozen(np.concatenate([roadmap.configurations, poses])),
        clearance=frozen(np.append(roadmap.clearance, clearance)),
        local_planner=settings.local_planner,
    )
    larger = larger.with_edges(*proved(pairs + old, found))
    return replace(larger, counts=space.world.counts.since(before))


def _pairs(station: Float, doors: list[DoorPoses]) -> Index:
    """Return pairs (Q, 2) of poses of which one comes soon after the other.

    Args:
        station: (P,) of the poses along the guide [m], ascending.
        doors: Their poses come after those, door by door.
    """
    count = len(station)
    first, ahead = np.meshgrid(np.arange(count), np.arange(1, AHEAD + 1), indexing="ij")
    pairs = np.stack([first.ravel(), (first + ahead).ravel()], axis=1)
    joined = [pairs[pairs[:, 1] < count]]
    at, left = count, np.zeros(0, np.intp)
    for door in doors:
        rows = at + np.arange(len(door.poses))
        before, behind = np.split(rows, [len(door.before)])
        early, late = np.split(door.station, [len(door.before)])
        nearest = np.searchsorted(station, early)[:, None] - np.arange(1, AHEAD + 1)
        later = np.searchsorted(station, late)[:, None] + np.arange(AHEAD)
        joined += [
            np.column_stack([rows[:-1], rows[1:]]),
            np.column_stack([nearest.ravel(), np.repeat(before, AHEAD)])[(nearest >= 0).ravel()],
            np.column_stack([np.repeat(behind, AHEAD), later.ravel()])[(later < count).ravel()],
            np.array([(a, b) for a in left.tolist() for b in before.tolist()]).reshape(-1, 2),
        ]
        at, left = at + len(rows), behind
    return np.concatenate(joined).astype(np.intp)


def _along(
    space: GroundHeadingSpace,
    ends: tuple[Float, Float],
    guide: CertifiedPath,
    *places: Place,
) -> tuple[Float, Float]:
    """Return the ends headed along the guide, where no heading was asked for and that is free."""
    headed = []
    for end, place, station in zip(ends, places, (0.0, guide.length), strict=True):
        ahead = guide.frames(np.array([station]), 2.0 * space.reach)[:, :, 0]
        pose = posed(end[None, :3], np.arctan2(ahead[:, 1], ahead[:, 0]))
        asked = isinstance(place, np.ndarray) and len(place) == 7
        headed.append(pose[0] if not asked and space.is_free(pose)[0] else end)
    return headed[0], headed[1]
