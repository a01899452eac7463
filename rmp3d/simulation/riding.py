"""Plans that ride on parts that carry, such as lifts, where nobody can walk.

The parts of the ground that walks join are patches. A part that carries joins those at which it
stops. Where start and goal lie in different patches, the fewest rides that join them are looked
for; the ways between are planned one after the other. A ride is proved like a motion: the body, at
each place on the part, is swept along the part's way, against all that stands still.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from rmp3d.behaviors.moving_parts import SweptPart
from rmp3d.behaviors.moving_parts.deck import Deck
from rmp3d.behaviors.moving_parts.gates import GAP
from rmp3d.behaviors.moving_parts.lifts import SETTLING, UNHURRIED, WAITING, Ride
from rmp3d.behaviors.moving_parts.ways_off import WayOff, beginning
from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError, Rmp3dError
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import GoalError, PlanningError, StartError
from rmp3d.planner.explaining import explained
from rmp3d.planner.planners import plan, usual_planner
from rmp3d.planner.planners.planner import Leg
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.spaces import GroundSpace
from rmp3d.planner.spaces.endpoints import Place, endpoint
from rmp3d.scenario import Scenario, goal_region
from rmp3d.scenario.roadmaps import planner_of, with_held
from rmp3d.scenes import Region, Scene
from rmp3d.scenes.stops import PartStop, stops_of
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, Progress, place_of

RIDDEN_BY = ("self_guided", "leader_following", "narrow_passages")
"""Group behaviors whose members ride."""
ENTRY = 5.0
"""They come from so far [m] before the middle of a part: places far from there are taken first."""
BESIDE = 0.02
"""Ground so far [m] beside a part that has stopped is looked for."""
NEXT_TO = 1.5
"""Ground so far [m] over or under it is named where the part misses it."""


class NoRideError(PlanningError):
    """No part that carries leads from one part of the ground to another."""


@dataclass(frozen=True, eq=False)
class _Landing:
    """A stop of a part: its row among the moving ones, that of the stop, and where it is."""

    column: int
    row: int
    stop: PartStop
    middle: Float
    patch: int


Hop: TypeAlias = tuple[_Landing, _Landing]


class _HopError(Exception):
    """A ride, or the way to it, is not possible: another one may be."""

    def __init__(self, hop: Hop, cause: Rmp3dError) -> None:
        super().__init__(str(cause))
        self.hop, self.cause = hop, cause


@contextmanager
def _blaming(hop: Hop) -> Iterator[None]:
    try:
        yield
    except (NoRideError, NoPathError, InputError) as error:
        raise _HopError(hop, error) from None


def plan_with_rides(
    prepared: PreparedGroup, scenario: Scenario, scene: Scene, row: int, progress: Progress = None
) -> GroupPlan | None:
    """Return the plan of a group that has to ride; None if it can walk, or nothing carries.

    Raises:
        InputError: Its behavior does not ride.
        NoRideError: Nothing leads to the goal; says where which part stops.
        PlanningError: A start or goal is not free, or there is no path to a part.
    """
    space, group = prepared.space, prepared.group
    lifts = [
        column for column, each in enumerate(scene.moving.tolist()) if scene.parts[each].carries
    ]
    drives = prepared.character.parameters.turn_radius > 0.0
    if not lifts or drives or not isinstance(space, GroundSpace) or group.goal is None:
        return None
    goal = goal_region(group, scene, prepared.character.body.radius)
    assert goal is not None
    places: list[Place] = [place_of(group.start, prepared.start), place_of(group.goal, goal)]
    with (
        prefix_errors_with_key(f"groups[{row}].start", StartError),
        prefix_errors_with_key(f"groups[{row}].goal", GoalError),
    ):
        ends = [endpoint(space, places[0], "start"), endpoint(space, places[1], "goal")]
    patches = [_patch(space.surface, end) for end in ends]
    if patches[0] == patches[1]:
        return None
    landings = [each for column in lifts for each in _landings(scene, column, space.surface)]
    failed: set[Hop] = set()
    first: Rmp3dError | None = None
    while (found := _fewest(landings, patches[0], patches[1], failed)) is not None:
        if group.behavior["name"] not in RIDDEN_BY:
            name = scene.part_names[int(scene.moving[found[0][0].column])]
            raise InputError(
                f"`groups[{row}].behavior`: the only way to the goal leads over `{name}`, which "
                f"carries members of {', '.join(f'`{each}`' for each in RIDDEN_BY)}: they keep to "
                "their path also where it takes them in portions, and members of "
                f"`{group.behavior['name']}` do not; choose one of these"
            )
        try:
            rides = []
            for hop in found:
                with _blaming(hop):
                    rides.append(_ride(prepared, scene, row, *hop))
            return _planned(prepared, scenario, row, ends, found, tuple(rides), goal, progress)
        except _HopError as error:
            failed.add(error.hop)
            first = first or error.cause
    raise first or NoRideError(_no_ride(scene, landings, space.surface, row, ends[1]))


def _patch(surface: WalkableSurface, point: Float) -> int:
    _, face = surface.locate(point[None], 0.1, 0.1)
    return int(surface.component[face[0]])


def _landings(scene: Scene, column: int, surface: WalkableSurface) -> list[_Landing]:
    part = SweptPart(int(scene.moving[column]), scene.parts[int(scene.moving[column])])
    middle = Deck(part, scene.max_slope).box.mean(axis=0)
    found = []
    for row, stop in enumerate(stops_of(part.motion)):
        at, face = surface.locate((middle + stop.displacement)[None], 0.1, 0.1)
        found.append(_Landing(column, row, stop, at[0], int(surface.component[face[0]])))
    return found


def _fewest(
    landings: Sequence[_Landing], start: int, goal: int, failed: set[Hop]
) -> list[Hop] | None:
    """Return the rides from patch to patch, as few as can be; None if none lead there."""
    ways: dict[int, list[Hop]] = {start: []}
    front = [start]
    while front and goal not in ways:
        further = []
        for patch in front:
            for a in landings:
                for b in landings:
                    joins = a.column == b.column and a.patch == patch and b.patch not in ways
                    if joins and (a, b) not in failed:
                        ways[b.patch] = [*ways[patch], (a, b)]
                        further.append(b.patch)
        front = further
    return ways.get(goal)


def _ride(prepared: PreparedGroup, scene: Scene, row: int, a: _Landing, b: _Landing) -> Ride:
    """Return a ride, proved, and confirmed by python-fcl, for each place on the part.

    Raises:
        InputError: There is no place on it, or it does not stand for long enough.
        NoRideError: No place is free all along the way.
    """
    part = scene.parts[int(scene.moving[a.column])]
    swept, body = SweptPart(int(scene.moving[a.column]), part), prepared.character.body
    deck = Deck(swept, scene.max_slope)
    entry = a.middle - a.stop.displacement
    places = deck.places(body.radius, entry)
    if len(places) == 0:
        size = deck.box[1] - deck.box[0]
        raise InputError(
            f"`groups[{row}]`: `{part.name}` is {size[0]:.2g} m by {size[1]:.2g} m, too small "
            f"for a member, which is {2 * body.radius:.2g} m wide"
        )
    parameters = prepared.character.parameters
    before = WAITING + GAP + body.radius  # where members wait
    needed = before + float(length(np.diff(deck.box[:, :2], axis=0))[0])
    needed = needed / (UNHURRIED * parameters.max_speed) + SETTLING
    for landing in (a, b):
        if landing.stop.longest < needed:
            raise NoRideError(
                f"`groups[{row}]`: `{part.name}` stands at {landing.middle[2]:.2f} m "
                f"({landing.stop.in_words()}) for {landing.stop.longest:.2g} s at most, and a "
                f"member needs {needed:.2g} s to step on or off; let it stand longer"
            )
    way = _way(swept, a.stop, b.stop)
    still = tuple(each for each in scene.parts if not each.carries)
    world = CollisionWorld(replace(scene, parts=still, source=None), body, flying=True)
    paths = [place + way for place in places]
    free = world.polylines_are_free(paths)
    if not free.any():
        wrong = world.colliding_part(paths[0][-1]) or "something"
        raise NoRideError(
            f"`groups[{row}]`: on `{part.name}` there is no place from which nothing is touched on "
            f"the way from {a.middle[2]:.2f} m to {b.middle[2]:.2f} m (such as `{wrong}`)"
        )
    for path, is_free in zip(paths, free, strict=True):
        if is_free:
            world.confirm(path)
    return Ride(row, a.column, a.row, b.row, places[free])


def _way(part: SweptPart, a: PartStop, b: PartStop) -> Float:
    """Return the displacements (K, 3) [m] of a part from one stop to another."""
    motion = part.motion
    start = float(a.spans[0, 1] if np.isfinite(a.spans[0, 1]) else a.spans[0, 0])
    later = [
        turn * motion.period + float(span) if turn else float(span)
        for turn in (range(3) if np.isfinite(motion.period) else range(1))
        for span in b.spans[:, 0]
    ]
    ends = [each for each in later if each >= start]
    end = min(ends) if ends else start
    at = motion.instants(start, end)
    found: Float = motion.hinge_poses(at)[0] - motion.hinge
    return np.concatenate([found, b.displacement[None]])


def _planned(
    prepared: PreparedGroup, scenario: Scenario, row: int, ends: Sequence[Float],
    found: Sequence[Hop], rides: tuple[Ride, ...], goal: Region,
    progress: Progress,
) -> GroupPlan:  # fmt: skip
    """Return the plan whose path goes to each part, rides, and goes on."""
    table, space = scenario.table, prepared.space
    settings = with_held(table.planner, scenario.held)
    places = [ends[0], *(each.middle for pair in found for each in pair), ends[1]]
    legs: list[Leg] = []
    walks: list[Float] = []
    roadmap = None
    for k in range(0, len(places), 2):
        problem = Problem(space, places[k], places[k + 1], character=prepared.character)
        answer = partial(
            plan,
            problem,
            planner=planner_of(settings, usual_planner(problem)),
            clearance_wanted=prepared.behavior.clearance_wanted(
                prepared.group.members, prepared.character
            ),
            time_limit=settings.seconds or None,
            progress=progress,
        )
        rng = [table.seed, row, 0, k]
        hop = found[min(k // 2, len(found) - 1)]
        with _blaming(hop), prefix_errors_with_key(f"groups[{row}]", PlanningError):
            made = answer(rng=np.random.default_rng(rng), roadmap=roadmap)
            if isinstance(made.error, NoPathError):
                larger = explained(made.error, space, places[k], places[k + 1])
                if isinstance(larger, NoPathError):
                    raise larger from None
                made = answer(rng=np.random.default_rng(rng), roadmap=larger)
            made.or_raise()
        roadmap = made.roadmap
        if legs:
            legs.append(Leg(np.stack([places[k - 1], places[k]])))
        walks.append(np.concatenate([leg.configurations[:, :3] for leg in made.legs]))
        legs += made.legs
    radius = prepared.character.body.radius
    rides = tuple(
        _between(ride, hop, radius, *ways)
        for ride, hop, ways in zip(rides, found, pairwise(walks), strict=True)
    )
    whole = Problem(space, ends[0], ends[1], character=prepared.character)
    result = replace(made, problem=whole, legs=tuple(legs))
    known = {name: getattr(prepared, name) for name in PreparedGroup.__dataclass_fields__}
    return GroupPlan(**known, goal=goal, plan=result, rides=rides)


def _between(ride: Ride, hop: Hop, radius: float, before: Float, behind: Float) -> Ride:
    """Return a ride whose members come along one path (K, 3) [m], and go on along another."""
    far = beginning(before[::-1], ENTRY)[-1] - hop[0].stop.displacement
    places = ride.places[np.argsort(-length((ride.places - far)[:, :2]), kind="stable")]
    way = beginning(behind)
    return replace(ride, places=places, way_off=WayOff(way, radius) if len(way) > 1 else None)


def _no_ride(
    scene: Scene, landings: Sequence[_Landing], surface: WalkableSurface, row: int, goal: Float
) -> str:
    """Return why nothing leads to a goal (3,): where which part stops, and what it misses."""
    said = []
    for landing in landings:
        name = scene.part_names[int(scene.moving[landing.column])]
        alone = (surface.component == landing.patch).sum()
        own = (scene.walkable_part == scene.moving[landing.column]).sum()
        text = f"`{name}` stops at {landing.middle[2]:.2f} m ({landing.stop.in_words()})"
        if alone <= own:
            text += ", where no ground joins it" + _missed(surface, landing)
        said.append(text)
    return (
        f"`groups[{row}]`: no way to the goal at {np.round(goal, 2).tolist()}, on foot or by what "
        f"carries: {'; '.join(said)}"
    )


def _missed(surface: WalkableSurface, landing: _Landing) -> str:
    """Return by how much a part misses the ground beside it, in words."""
    corners = surface.mesh.triangles
    own = surface.component == landing.patch
    low = corners[own].min(axis=(0, 1)) - BESIDE
    high = corners[own].max(axis=(0, 1)) + BESIDE
    least, most = corners.min(axis=1), corners.max(axis=1)
    near = ~own & (least[:, :2] <= high[:2]).all(axis=1) & (most[:, :2] >= low[:2]).all(axis=1)
    height = corners[near].mean(axis=1)[:, 2] - landing.middle[2]
    height = height[np.abs(height) <= NEXT_TO]
    if len(height) == 0:
        return ""
    gap = float(height[np.abs(height).argmin()])
    return f": it is {abs(gap):.2f} m {'under' if gap > 0 else 'over'} the floor there"
