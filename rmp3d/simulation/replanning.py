"""What the groups of a run do when a part of the scene appears or goes.

Their roadmaps are mended: edges that such a part touches are proved again. Who cannot go on along
its path, or has a shorter one now, takes another one.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GroupRun
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.planners.planner import Leg, PlanningSession
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.repair import ChangingRoadmap
from rmp3d.planner.spaces import Space
from rmp3d.recording import RecordedEvent
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import may_change
from rmp3d.simulation.planning import GroupPlan, PreparedGroup

SHORTER = 0.9
"""A path is left for another one, though it is free, if that has less than this share of it."""
TRIED = 4
"""So many members are tried as the one that the new path begins at."""


def with_own_worlds(scene: Scene, plans: list[PreparedGroup]) -> list[PreparedGroup]:
    """Return plans whose spaces are nobody else's, if what is in a scene changes in the run.

    Raises:
        InputError: A group is planned with headings, which this does not do.
    """
    if not may_change(scene.parts):
        return plans
    spaces: dict[int, Space] = {}
    sessions: dict[int, PlanningSession] = {}

    def own(space: Space, row: int) -> Space:
        if not isinstance(space.world, CollisionWorld):
            raise InputError(
                f"`scene.presence`: `groups[{row}]` is planned with its heading, which parts that "
                "appear or go are not made for; choose another character or `planner.space`"
            )
        if id(space) not in spaces:
            spaces[id(space)] = copied = copy(space)
            copied.world = copy(space.world)  # type: ignore[misc]
        return spaces[id(space)]

    found: list[PreparedGroup] = []
    for row, plan in enumerate(plans):
        mine = replace(plan, space=own(plan.space, row))
        if isinstance(plan, GroupPlan) and isinstance(mine, GroupPlan):
            session = plan.plan.session
            if id(session) not in sessions:
                made = copy(session)
                made.space = own(session.space, row)
                made.roadmap = replace(session.roadmap, space=made.space)
                sessions[id(session)] = made
            mine = replace(mine, plan=replace(plan.plan, session=sessions[id(session)]))
        found.append(mine)
    return found


class Replanner:
    """The paths of the groups of a run, in a scene in which parts appear and go.

    Args:
        scene: The scene.
        plans: Of its groups, from `with_own_worlds`.
        runs: The behaviors at work.
        seed: Of all randomness.

    Attributes:
        roadmaps: Of the groups, by the identity of the roadmap they began with.
        new_walks: Of groups that ride and were led elsewhere since somebody emptied it: the walks
            (K, 3) between their rides.
    """

    def __init__(
        self, scene: Scene, plans: Sequence[PreparedGroup], runs: Sequence[GroupRun], seed: int
    ) -> None:
        self._names = [scene.part_names[row] for row in scene.moving.tolist()]
        stands = [scene.parts[row].motion for row in scene.moving.tolist()]
        self._changes = np.array([each is not None and each.stands for each in stands], np.bool_)
        self._ground = {
            scene.part_names[k] for k in scene.moving if scene.parts[k].role == "ground"
        }
        self._plans, self._runs, self._seed, self._count = plans, runs, seed, 0
        self._worlds: dict[int, CollisionWorld] = {}
        self.roadmaps: dict[int, ChangingRoadmap] = {}
        self._paths: dict[int, CertifiedPath] = {}
        self._walks: dict[int, list[Float]] = {}  # of groups that ride: (K, 3) between the rides
        self.new_walks: dict[int, list[Float]] = {}
        self._ways: dict[int, ChangingRoadmap] = {}
        self._shown: tuple[str, ...] | None = None
        for row, plan in enumerate(plans):
            spaces = [plan.space]
            if isinstance(plan, GroupPlan):
                spaces.append(plan.roadmap.space)
                made = plan.roadmap
                if id(made) not in self.roadmaps:
                    self.roadmaps[id(made)] = ChangingRoadmap(made, _shown_in(made))
                self._paths[row] = plan.plan.path
                if plan.rides:
                    self._walks[row] = [_points(leg) for leg in plan.plan.legs[::2]]
            for space in spaces:
                assert isinstance(space.world, CollisionWorld)
                self._worlds[id(space.world)] = space.world

    def follow(
        self, shown: Bool, flock: Flock, rows: Sequence[Index], time: float
    ) -> list[RecordedEvent]:
        """Let the groups see which parts are there; return what is to be told.

        Args:
            shown: (K,) which of the moving parts are there.
            flock: All members now.
            rows: Of each group's members in it.
            time: Now [s].
        """
        names = tuple(n for n, c, s in zip(self._names, self._changes, shown, strict=True) if c & s)
        if names == self._shown:
            return []
        told = []
        for name in () if self._shown is None else self._shown:
            if name not in names:
                told.append(RecordedEvent(time, "part", -1, -1, f"`{name}` goes"))
        for name in () if self._shown is None else names:
            if name not in (self._shown or ()):
                told.append(RecordedEvent(time, "part", -1, -1, f"`{name}` appears"))
        self._count += 1
        self._note_ways()
        obstacles = tuple(name for name in names if name not in self._ground)
        for world in self._worlds.values():
            world.show(obstacles)
        for k, roadmap in enumerate(self.roadmaps.values()):
            roadmap.show(obstacles, np.random.default_rng([self._seed, k, 3, self._count]))
        self._shown = names
        for row, ways in self._ways.items():
            ways.show(obstacles, np.random.default_rng([self._seed, row, 5, self._count]))
            if told:
                self._runs[row].take_ways(ways.roadmap, flock.select(rows[row]), time)
        for row in self._paths:
            told += self._reroute(row, flock.select(rows[row]), bool(told), time)
        return told

    def _note_ways(self) -> None:
        """Note the roadmaps that groups have made since, while those parts are there."""
        for row, run in enumerate(self._runs):
            made = run.ways
            if row not in self._ways and made is not None:
                self._ways[row] = ChangingRoadmap(made, _shown_in(made))

    def _reroute(self, row: int, flock: Flock, changed: bool, time: float) -> list[RecordedEvent]:
        """Give a group another path if it needs or gains by one."""
        run, plan = self._runs[row], self._plans[row]
        on_way = np.flatnonzero(~run.arrived)
        if len(on_way) == 0 or run.goes_about or not isinstance(plan, GroupPlan):
            return []
        if plan.rides:
            return self._walk_elsewhere(row, flock.select(on_way), flock, changed, time)
        path, roadmap = self._paths[row], self.roadmaps[id(plan.roadmap)].roadmap
        position, points = flock.position[on_way], path.points[:, :3]
        free = roadmap.space.world.motions_are_free(points[:-1], points[1:])
        last = int(np.flatnonzero(~free)[-1]) if not free.all() else -1
        row_of = length(points[None] - position[:, None]).argmin(axis=1)
        held = row_of <= last
        blocked = bool(held.any())
        if not (blocked or changed):
            return []
        if blocked:
            position = position[held]
        near = np.argsort(length(position - position.mean(axis=0)), kind="stable")[:TRIED]
        ahead = points[int(length(points - position[near[0]]).argmin()) :]
        left = np.inf if blocked else float(length(np.diff(ahead, axis=0)).sum())
        wanted = plan.behavior.clearance_wanted(plan.group.members, plan.character)
        rng = np.random.default_rng([self._seed, row, 4, self._count])
        text = "no other way was found"
        for start in position[near]:
            try:
                found = query(roadmap, start, path.points[-1], rng, clearance_wanted=wanted)
                shorter = found.length < SHORTER * left
                run.reroute(found if shorter else None, roadmap, flock, time)
                if not shorter:
                    return []
            except (PlanningError, InputError) as error:
                text = str(error)
                continue
            self._paths[row] = found
            told = f"another path, of {found.length:.1f} m" + blocked * ", as the other is closed"
            return [RecordedEvent(time, "replan", row, -1, told)]
        return [RecordedEvent(time, "no_way", row, -1, text)] if blocked else []

    def _walk_elsewhere(
        self, row: int, on_way: Flock, flock: Flock, changed: bool, time: float
    ) -> list[RecordedEvent]:
        """Give a group that rides other ways to and from the parts that carry it.

        The rides stay as they are: only the walks between them lead over the roadmap.
        """
        run, plan, walks = self._runs[row], self._plans[row], self._walks[row]
        assert isinstance(plan, GroupPlan)
        roadmap = self.roadmaps[id(plan.roadmap)].roadmap
        space = roadmap.space
        points, of = np.concatenate(walks), np.repeat(np.arange(len(walks)), [*map(len, walks)])
        free = space.world.motions_are_free(points[:-1], points[1:]) | (of[:-1] != of[1:])
        behind = length(points[None] - on_way.position[:, None]).argmin(axis=1).min()
        closed = set(of[behind:-1][~free[behind:]].tolist())
        wanted = plan.behavior.clearance_wanted(plan.group.members, plan.character)
        rng = np.random.default_rng([self._seed, row, 4, self._count])
        others = list(walks)
        for k in range(int(of[behind]), len(walks)) if changed else sorted(closed):
            try:
                found = query(roadmap, walks[k][0], walks[k][-1], rng, clearance_wanted=wanted)
            except (PlanningError, InputError) as error:
                if k in closed:
                    return [RecordedEvent(time, "no_way", row, -1, str(error))]
                continue
            own = float(length(np.diff(walks[k], axis=0)).sum())
            if k in closed or found.length < SHORTER * own:
                others[k] = found.points
        if all(one is other for one, other in zip(walks, others, strict=True)):
            if changed:
                run.reroute(None, roadmap, flock, time)
            return []
        self._walks[row] = self.new_walks[row] = others
        whole = joined(others)
        clearance = space.world.clearance(whole, CLEARANCE_CAP * space.world.body.radius)
        self._paths[row] = path = CertifiedPath(whole, clearance, space.grounded)
        run.reroute(path, roadmap, flock, time)
        told = f"another path, of {path.length:.1f} m" + bool(closed) * ", as the other is closed"
        return [RecordedEvent(time, "replan", row, -1, told)]


def _points(leg: Leg) -> Float:
    """Return points (K, 3) close together along a leg."""
    return leg.configurations[:, :3] if leg.path is None else leg.path.points


def _shown_in(roadmap: object) -> tuple[str, ...]:
    """Return which parts were there when a roadmap was made."""
    world = roadmap.space.world  # type: ignore[attr-defined]
    return tuple(world.shown)
