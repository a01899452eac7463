"""State variables: what the conditions of rules and triggers can ask about a member."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.perception import Known
from rmp3d.behaviors.proximity.gaps import clearances
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

OF_GROUPS = ("seen", "known", "count", "distance", "age")
OF_ACTORS = ("time", "speed", "height", "clearance", "goal_time", "target_distance")
OF_WAYS = ("path_distance", "at_place", "place_time", "places_visited")
# Larger clearances to obstacles count as this [m].
FAR = 10.0


def word_of(group: str) -> str:
    """Return a group's name as conditions spell it: without blanks."""
    return group.replace(" ", "_")


def variable_names(
    groups: Sequence[str], goals: Collection[str], mental: Collection[str], more: Collection[str]
) -> tuple[str, ...]:
    """Return the names of all state variables.

    Of the perception: ``GROUP.seen`` (any of it perceived now), ``GROUP.known`` (or
    remembered), ``GROUP.count`` (perceived now), ``GROUP.distance`` to the nearest known [m]
    (infinite for none), ``GROUP.age`` since the last was perceived [s], and the readings of
    sensors by their names (in ``more``). Of the actor: ``time`` [s], ``speed`` [m/s], ``height``
    [m], ``clearance`` to obstacles [m], at most 10, ``goal.GOAL`` (pursued now), ``goal_time``
    since it is [s] and ``target_distance`` to what it is about [m]; of a goal with ``go_to``
    ``path_distance``, how far it still is [m], ``at_place``, ``place_time``, how long it has been
    there [s], and ``places_visited``; with a map ``map_share``, how much of it has been seen. What
    there is of the map (`rmp3d.behaviors.groups.steered.map_values`) is in ``more``. Of the mind:
    the mental variables by their names.
    """
    perceived = [f"{word_of(group)}.{what}" for group in groups for what in OF_GROUPS]
    return (*perceived, *more, *OF_ACTORS, *OF_WAYS, *(f"goal.{goal}" for goal in goals), *mental)


def perceived_values(
    wanted: Collection[str], world: WorldState, flock: Flock, known: Known
) -> dict[str, Float]:
    """Return those of the ``wanted`` variables that are about others, each (n,).

    Args:
        wanted: Names of variables.
        world: Whose groups they are about.
        flock: The n members.
        known: What they know.
    """
    values: dict[str, Float] = {}
    count = len(flock)
    group_of_pair = world.group_of[known.j]
    apart = length(known.position - flock.position[known.i])
    for row, name in enumerate(world.groups):
        word = word_of(name)
        if not any(f"{word}.{what}" in wanted for what in OF_GROUPS):
            continue
        mine = group_of_pair == row
        seen = mine & known.seen
        distance, age = np.full(count, np.inf), np.full(count, np.inf)
        np.minimum.at(distance, known.i[mine], apart[mine])
        np.minimum.at(age, known.i[mine], known.age[mine])
        counted = np.bincount(known.i[seen], minlength=count).astype(np.float64)
        values |= {
            f"{word}.seen": (counted > 0.0).astype(np.float64),
            f"{word}.known": np.isfinite(distance).astype(np.float64),
            f"{word}.count": counted,
            f"{word}.distance": distance,
            f"{word}.age": age,
        }
    return values


def actor_values(
    wanted: Collection[str],
    world: WorldState,
    rows: Index,
    flock: Flock,
    since: Float,
    aim: Float,
) -> dict[str, Float]:
    """Return those of the ``wanted`` variables that are about the actors themselves, each (n,).

    Args:
        wanted: Names of variables.
        world: Time and obstacles.
        rows: (n,) of the members in its flock.
        flock: The n members.
        since: (n,) when the present goals were taken up [s].
        aim: (n, 3) point that they are about, NaN for none [m].
    """
    count = len(flock)
    values = {
        "time": np.full(count, world.time),
        "speed": length(flock.velocity),
        "height": flock.position[:, 2],
        "goal_time": world.time - since,
    }
    if "target_distance" in wanted:
        distance = length(aim - flock.position)
        values["target_distance"] = np.where(np.isnan(distance), np.inf, distance)
    if "clearance" in wanted:
        values["clearance"] = np.full(count, FAR)
        obstacles = world.obstacles(rows)
        if obstacles is not None and count:
            values["clearance"] = clearances(
                obstacles, flock.position, flock.bodies.radius, flock.bodies.capsule_axis, FAR
            )
    return values


def goal_values(goals: Sequence[str], active: Index) -> Mapping[str, Any]:
    """Return ``goal.GOAL`` (n,) for each goal: whether it is the ``active`` one (n,)."""
    pursued: dict[str, Bool] = {f"goal.{name}": active == row for row, name in enumerate(goals)}
    return {name: mask.astype(np.float64) for name, mask in pursued.items()}
