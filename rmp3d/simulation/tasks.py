"""How all groups begin: the task of each, its behavior at work, and everyone at rest."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import AfterwardsRun, GroupBehavior, GroupRun, GroupTask, Journey, Task
from rmp3d.behaviors.groups.crowd.crowd import Crowd
from rmp3d.behaviors.groups.crowd.crowd_run import CrowdRun
from rmp3d.behaviors.groups.driving.driver import Driver
from rmp3d.behaviors.groups.driving.right_of_way import RightOfWay
from rmp3d.behaviors.groups.goal_area.places import NOBODY, NoRoomError, Standing
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided
from rmp3d.behaviors.groups.openings import (
    NarrowOpening,
    Queues,
    openings_of,
    passed_by_several,
)
from rmp3d.behaviors.groups.party import Party
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.own_code import given_object
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import GroundSpace
from rmp3d.scenario import ChangeTable
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import may_change
from rmp3d.simulation.planning import GroupPlan, PreparedGroup

# The openings on the ways of so many members of a crowd are found.
LOOKED_AT = 24
# How far a path keeps from openings is seen at points so far apart [m].
EVERY = 0.5


def task_of(
    plans: Sequence[PreparedGroup],
    row: int,
    dt: float,
    rng: np.random.Generator,
    others: Standing = NOBODY,
    journeys: Mapping[str, Journey] | None = None,
) -> Task:
    """Return the task of the group of a row: a `GroupTask` if it has a goal.

    Args:
        plans: One for each group.
        row: Of the group.
        dt: Time step [s].
        rng: Source of randomness of the group's preparation.
        others: Members of the groups that have begun already.
        journeys: Of all groups, as `journeys_of` returns them; by default that is asked.
    """
    plan = plans[row]
    common: dict[str, Any] = {
        "space": plan.places,
        "start": plan.start,
        "count": plan.group.members,
        "character": plan.character,
        "characters": plan.characters,
        "dt": dt,
        "rng": rng,
        "groups": tuple(other.group.name for other in plans),
        "own": row,
        "counts": tuple(other.group.members for other in plans),
        "others": others,
        "journeys": journeys_of(plans) if journeys is None else journeys,
        "driving": partial(getattr, plan, "driving") if plan.character.body.elongated else None,
    }
    if isinstance(plan, GroupPlan):
        return GroupTask(path=plan.plan.path, roadmap=plan.roadmap, goal=plan.goal, **common)
    return Task(**common)


def journeys_of(plans: Sequence[PreparedGroup]) -> dict[str, Journey]:
    """Return the journeys of the groups that have a goal, by name."""
    return {
        plan.group.name: Journey(plan.plan.path, plan.roadmap, plan.goal, plan.group.members)
        for plan in plans
        if isinstance(plan, GroupPlan)
    }


def begun(plan: PreparedGroup, task: Task, row: int) -> GroupRun:
    """Return the behavior of the group of a row at its task.

    Raises:
        InputError: It cannot begin; names the group's key, that of the region without room.
    """
    with blaming_group(plan, row):
        # A behavior that needs no goal takes any task.
        run = plan.behavior.begin(cast(GroupTask, task))
        run = given_object(run, GroupRun, plan.behavior, "begin")  # type: ignore[type-abstract]
        if isinstance(task, GroupTask) and plan.character.vehicle != "carried":
            return AfterwardsRun(run, task, plan.afterwards)
        return run


@contextmanager
def blaming_group(plan: PreparedGroup, row: int) -> Iterator[None]:
    """Let errors name the key of the group of a row, or that of its region without room."""
    key = f"groups[{row}]"
    try:
        yield
    except InputError as error:
        if isinstance(error, NoRoomError):
            key += ".start" if error.region is plan.start else ".goal"
        error.args = (f"`{key}`: {error}", *error.args[1:])
        raise


def begin_runs(
    plans: Sequence[PreparedGroup], seed: int, dt: float, wanderers: Collection[str] = ()
) -> list[GroupRun]:
    """Return the behaviors of all groups at work; each leaves the earlier ones their places.

    Groups that may are parties of one crowd, which costs the same however many they are.

    Args:
        plans: One for each group.
        seed: Of all randomness.
        dt: Time step [s].
        wanderers: Names of groups whose members get something to do after they have arrived.

    Raises:
        InputError: A group cannot begin; names its key.
    """
    runs: list[GroupRun | None] = []
    standing, journeys = NOBODY, journeys_of(plans)
    crowds: dict[int, list[tuple[int, Party]]] = {}
    several = _in_crowds(plans, wanderers)
    for row, plan in enumerate(plans):
        rng = np.random.default_rng([seed, row, 1])
        task = task_of(plans, row, dt, rng, standing, journeys)
        with blaming_group(plan, row):
            own = plan.behavior if row in several else None
            party = own.party(cast(GroupTask, task)) if isinstance(own, GroupBehavior) else None
        run = begun(plan, task, row) if party is None else None
        if party is not None:
            crowds.setdefault(id(party.space), []).append((row, party))
        runs.append(run)
        start = party.start if party is not None else run.start  # type: ignore[union-attr]
        bodies = [character.body for character in plan.characters]
        radius = [body.radius for body in bodies]
        standing = standing.joined_by(start, radius, [body.capsule_axis for body in bodies])
    for rows in crowds.values():
        with blaming_group(plans[rows[0][0]], rows[0][0]):
            crowd = CrowdRun([party for _, party in rows], dt)
        for (row, _), run in zip(rows, crowd.runs, strict=True):
            runs[row] = run
    return [run for run in runs if run is not None]


def wanderers_of(changes: Sequence[ChangeTable]) -> set[str]:
    """Return the names of groups that changes give something to do after they have arrived.

    All other changes a crowd can make, too. A run that is changed while it goes on repeats from
    its scenario only if the groups that are stepped together do not depend on the changes.
    """
    return {change.group for change in changes if change.afterwards is not None}


def _in_crowds(plans: Sequence[PreparedGroup], wanderers: Collection[str]) -> set[int]:
    """Return the rows of groups that may be parties of a crowd, where one has several."""
    spaces: dict[tuple[int, float], list[int]] = {}
    if may_change(plans[0].space.world.scene.parts):  # each takes another path when it has to
        return set()
    for row, plan in enumerate(plans):
        group = plan.group
        free = group.name not in wanderers and plan.afterwards.stays
        if free and (isinstance(plan.behavior, Crowd) or not group.reserve):
            spaces.setdefault((id(plan.places), plan.max_step), []).append(row)
    return {row for rows in spaces.values() if len(rows) > 1 for row in rows}


def queues_of(plans: Sequence[PreparedGroup], runs: Sequence[GroupRun], dt: float) -> Queues | None:
    """Return the queues before the openings on the ways of walkers that guide themselves, if any.

    Args:
        plans: One for each group.
        runs: Their behaviors at work.
        dt: Time step [s].
    """
    if may_change(plans[0].space.world.scene.parts):
        return None
    walkers = [row for row, plan in enumerate(plans) if _guide_themselves(plan)]
    crowded = any(isinstance(plans[row].behavior, Crowd) for row in walkers)
    ways: list[Float] = []
    found: dict[int, tuple[GroundSpace, list[NarrowOpening]]] = {}
    known = set[int]()  # crowds
    for row in walkers:
        plan, crowd = plans[row], runs[row].unit
        space = cast(GroundSpace, plan.places)
        openings = found.setdefault(id(space), (space, []))[1]
        if isinstance(plan.behavior, Crowd):
            if id(crowd) in known:
                continue
            known.add(id(crowd))
            own = crowd.some_ways(LOOKED_AT)
            new = _openings_on(space, own)
        else:  # all its members go the same way
            path = cast(GroupPlan, plan).plan.path
            points = path.at(np.arange(0.0, path.length + EVERY, EVERY))
            own = [points] * min(2, plan.group.members)
            new = openings_of(space, path, ends=not crowded) if plan.group.members > 1 else []
        ways += own
        _add(openings, new)
    passed = {
        key: (space, passed_by_several(space, openings, ways))
        for key, (space, openings) in found.items()
    }
    queues = Queues(
        [passed[id(plan.places)] if row in walkers else None for row, plan in enumerate(plans)],
        dt=dt,
    )
    return queues if len(queues) else None


def _guide_themselves(plan: PreparedGroup) -> bool:
    """Return whether the members of a group walk, and each finds its way by itself."""
    if not isinstance(plan.places, GroundSpace) or plan.character.parameters.turn_radius > 0.0:
        return False
    if isinstance(plan.behavior, Crowd):
        return True
    return isinstance(plan, GroupPlan) and type(plan.behavior) is SelfGuided and not plan.rides


def _openings_on(space: GroundSpace, ways: Sequence[Float]) -> list[NarrowOpening]:
    """Return the openings on ways (K, 3) [m] through a space, once in each direction."""
    found: list[NarrowOpening] = []
    for way in ways:
        walks = [walk for walk in space.connect(way[:-1], way[1:]) if walk is not None]
        points = np.concatenate([way[:1], *(walk[1:] for walk in walks)])
        path = CertifiedPath(points, np.zeros(len(points)), grounded=True)
        _add(found, openings_of(space, path) if path.length > 0.0 else [])
    return found


def _add(openings: list[NarrowOpening], new: Sequence[NarrowOpening]) -> None:
    """Add new openings to those that are known, each once; it is no end if it is none of one."""
    for each in new:
        known = next((row for row, other in enumerate(openings) if each.is_as(other)), None)
        if known is None:
            openings.append(each)
        elif openings[known].is_end and not each.is_end:
            openings[known] = each


def drivers_of(plans: Sequence[PreparedGroup], scene: Scene, dt: float) -> dict[int, Driver]:
    """Return the drivers of the groups whose members are vehicles on the ground, by group."""
    road = RightOfWay()
    edges = np.cumsum([0, *(plan.group.members for plan in plans)])
    return {
        row: Driver(plan.driving_of, np.arange(edges[row], edges[row + 1]), dt, road)
        for row, plan in enumerate(plans)
        if plan.space.grounded and plan.character.parameters.turn_radius > 0.0
    }


def flock_at_start(
    plans: Sequence[PreparedGroup], runs: Sequence[GroupRun], around: Environment
) -> Flock:
    """Return all members at rest where their groups begin, walkers on the surface around them.

    That of a plan may be another one: of the scene with parts that bar the way for now.
    """
    positions, headings, faces = [], [], []
    for run, plan in zip(runs, plans, strict=True):
        start = run.start
        face = np.full(len(start), -1)
        surface = around.of_step(plan.max_step).surface
        if isinstance(plan.places, GroundSpace) and surface is not None:
            start, face = surface.locate(start, 0.01, 0.01)
        positions.append(start)
        faces.append(face)
        headings.append(run.heading if plan.heading is None else plan.heading)
    characters = [character for plan in plans for character in plan.characters]
    steps = np.repeat([plan.max_step for plan in plans], [len(run.start) for run in runs])
    bodies = Bodies.of(characters).changed(max_step=steps)
    return Flock.at_rest(
        bodies, np.concatenate(positions), np.concatenate(headings), np.concatenate(faces)
    )
