"""Coming and leaving: who may, and where newcomers stand.

Newcomers stand at free places, at rest, where nobody who moves has to brake for them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups import GROUP_BEHAVIORS, AfterwardsRun, GroupRun
from rmp3d.behaviors.groups.crowd.party_run import PartyRun
from rmp3d.behaviors.groups.goal_area.places import APART, Standing, anywhere
from rmp3d.behaviors.groups.task import default_spacing
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces import GroundSpace
from rmp3d.scenario import ChangeTable
from rmp3d.scenes import Scene
from rmp3d.simulation.planning import PreparedGroup
from rmp3d.simulation.roster import Roster

# A newcomer keeps away from others by this multiple of what they need to brake.
BRAKING = 1.5
# How many places around a point are looked at.
TRIED = 400
GOLDEN = np.pi * (3.0 - 5.0**0.5)


def places_to_come(
    plan: PreparedGroup, scene: Scene, place: str | tuple[float, float, float], count: int,
    flock: Flock, dt: float, rng: np.random.Generator,
) -> Float:  # fmt: skip
    """Return where newcomers (count, 3) of a group can stand [m].

    Args:
        plan: Of the group.
        scene: Where.
        place: A region, or a point: then the newcomers stand as near to it as they can.
        count: How many.
        flock: Who is there already.
        dt: Time step [s].
        rng: Source of randomness.

    Raises:
        InputError: There is no such region, the point is not free, or there is no room.
    """
    others, spacing = standing(flock, dt), default_spacing(plan.character)
    if isinstance(place, str):
        return anywhere(plan.places, scene.region(place), count, spacing, rng, others)
    return _around(plan, np.array(place, float), count, others)


def standing(flock: Flock, dt: float) -> Standing:
    """Return the others as bodies that hold whatever they need to come to rest."""
    speed = length(flock.velocity)
    braking = speed**2 / (2.0 * flock.bodies.max_brake) + 2.0 * speed * dt
    return Standing(
        flock.position, flock.bodies.radius + BRAKING * braking, flock.bodies.capsule_axis
    )


def _around(plan: PreparedGroup, point: Float, count: int, others: Standing) -> Float:
    """Return the first free places (count, 3) on a spiral around a point (3,), in its sight."""
    space, body = plan.places, plan.places.world.body
    try:
        middle = space.place(point)[:3]
    except PlacementError as fault:
        raise InputError(f"the point {np.round(point, 3).tolist()} is {fault}") from None
    turn = GOLDEN * np.arange(TRIED)
    reach = (2.0 * body.radius + APART) * np.sqrt(np.arange(TRIED) / np.pi)
    places = middle + np.stack([reach * np.cos(turn), reach * np.sin(turn), 0 * turn], axis=1)
    there = np.ones(TRIED, np.bool_)
    if isinstance(space, GroundSpace):
        places, there = space.move(np.tile(middle, (TRIED, 1)), places - middle)
    there &= space.is_free(places)
    there[there] = space.connects(np.tile(middle, (int(there.sum()), 1)), places[there])
    there[0], places[0] = True, middle
    chosen = np.zeros((0, 3))
    for row in np.flatnonzero(there).tolist():
        own = others.joined_by(chosen, body.radius, body.capsule_axis)
        if own.admit(places[row : row + 1], body.radius, body.capsule_axis)[0]:
            chosen = np.concatenate([chosen, places[row : row + 1]])
            if len(chosen) == count:
                return chosen
    raise InputError(
        f"around the point {np.round(point, 3).tolist()} there is room for {len(chosen)} more of "
        f"radius {body.radius:g} m now, not for {count}; choose another place, or come later"
    )


def joined_flock(
    flock: Flock, everyone: Turnover, characters: list[Character], max_step: Float,
    plan: PreparedGroup, places: Float, around: Environment, rng: np.random.Generator,
) -> Flock:  # fmt: skip
    """Return the flock of those who are there from now on; newcomers are at rest.

    Args:
        flock: Until now.
        everyone: What becomes of its rows.
        characters: (N,) of all who are there from now on.
        max_step: (N,) highest step [m] of each.
        plan: Of the group that newcomers join.
        places: (n, 3) where they stand [m].
        around: What the scene is for characters.
        rng: Draws where they look.
    """
    bodies, count = Bodies.of(characters).changed(max_step=max_step), len(places)
    face = np.full(count, -1)
    surface = around.of_step(plan.max_step).surface
    if isinstance(plan.places, GroundSpace) and surface is not None:
        places, face = surface.locate(places, 0.01, 0.01)
    turn = 2.0 * np.pi * rng.random(count)
    heading = np.stack([np.cos(turn), np.sin(turn), np.zeros(count)], axis=1)
    fresh = Flock.at_rest(bodies.select(np.flatnonzero(everyone.new)), places, heading, face)
    arrays: dict[str, Any] = {}
    for name in Flock.arrays:
        arrays[name] = everyone.of(getattr(flock, name), 0)
        arrays[name][everyone.new] = getattr(fresh, name)
    return Flock(bodies=bodies, **arrays)


def leavers(
    members: str | int | list[int], roster: Roster, group: int, flock: Flock, scene: Scene
) -> Bool:
    """Return which members (N,) of all leave: of a group those with numbers, or in a region.

    Raises:
        InputError: One is not there.
    """
    own: Bool = roster.group_of == group
    if isinstance(members, str):
        return own & scene.region(members).contains(flock.position)
    numbers = [members] if isinstance(members, int) else members
    missing = np.setdiff1d(numbers, roster.number[own])
    if len(missing):
        raise InputError(f"member {missing[0]} cannot leave: it is not there")
    return own & np.isin(roster.number, numbers)


def check_change(
    change: ChangeTable, group: int, plans: Sequence[PreparedGroup], runs: Sequence[GroupRun]
) -> None:
    """Refuse what the behavior of a group does not allow while it runs.

    Raises:
        InputError: Says which key, and what the behavior would have to be.
    """
    behavior, run = plans[group].group.behavior["name"], runs[group]
    if change.afterwards is not None and isinstance(run, PartyRun):
        raise InputError(
            f"`afterwards`: members of `{change.group}` move in a crowd, and stay at their goal; "
            "say before the run what they do afterwards"
        )
    if change.afterwards is not None and not isinstance(run, AfterwardsRun):
        raise InputError(f"`afterwards`: members of `{change.group}` have no goal to arrive at")
    if change.send is not None and not run.takes_orders:
        raise InputError(
            f"`send`: members of `{change.group}` go where `{behavior}` leads them; the behaviors "
            "`acting` and `steering` can be sent to a point"
        )
    wanted = behavior if change.behavior is None else change.behavior["name"]
    if wanted != behavior and {wanted, behavior} <= set(GROUP_BEHAVIORS):
        raise InputError(
            f"`behavior`: that of `{change.group}` is `{behavior}` until the end of the run; only "
            f"its options can change, given `{wanted}`"
        )


def check_turnover(
    change: ChangeTable, names: Sequence[str], runs: Sequence[GroupRun], roster: Roster
) -> None:
    """Refuse a change in which members come or leave that cannot.

    Raises:
        InputError: The group's behavior lets nobody come or leave, or the recording has no room.
    """
    if change.add is None and change.remove is None:
        return
    group = list(names).index(change.group)
    if not runs[group].takes_turnover:
        raise InputError(
            f"members of `{change.group}` cannot come or leave while it runs: its behavior has "
            "settled for those at the start when each of them goes where"
        )
    if change.add is not None:
        roster.check_room(group, change.count)


def cast(plans: Sequence[PreparedGroup], counts: Sequence[int]) -> list[list[Character]]:
    """Return the characters of the first members of each group, so many of each."""
    found = []
    for plan, count in zip(plans, counts, strict=True):
        made = dict(zip(plan.group.characters, plan.characters, strict=True))
        found.append([made[name] for name in plan.group.characters_of(count)])
    return found
