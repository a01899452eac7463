"""The envelope of several characters: paths of a mixed group are planned for it."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import join
from rmp3d.models.body import Body
from rmp3d.models.character import Character, VehicleParameters


def envelope(characters: Sequence[Character]) -> Character:
    """Return a character whose motions each of several characters can follow.

    Its body encloses theirs (`enclosing`). Its speeds, accelerations and turn rates are the least,
    and its turn radius is the largest. The planner uses this character; no scene contains it.

    Args:
        characters: At least one; a single one is its own envelope.

    Raises:
        InputError: They cannot be in one group, because they move differently.
    """
    first = characters[0]
    if len(characters) == 1:
        return first
    _check_alike(characters)
    return Character(
        name=", ".join(character.name for character in characters),
        vehicle=first.vehicle,
        mesh=join([character.mesh for character in characters]),
        colors=np.concatenate([character.colors for character in characters]),
        body=enclosing([character.body for character in characters]),
        parameters=_least(characters),
    )


def enclosing(bodies: Sequence[Body]) -> Body:
    """Return the smallest body that contains several bodies, all at the same reference point.

    With r the radii, [l, h] the axes and R the largest radius, the capsule of radius R and axis
    [min(l + R - r), max(h - R + r)] is the smallest upright capsule around all capsules. Its lower
    end is the lowest of all, its top is the highest.
    """
    radius = max(body.radius for body in bodies)
    low = min(body.capsule_axis[0] + (radius - body.radius) for body in bodies)
    high = max(body.capsule_axis[1] - (radius - body.radius) for body in bodies)
    rows = [body.capsules for body in bodies]
    row = np.concatenate(rows) if any(body.elongated for body in bodies) else np.zeros((0, 4))
    return Body(join([body.mesh for body in bodies]), radius, (low, high), tuple(bodies), row)


def _moves(character: Character) -> str:
    """Say how a character moves."""
    if character.vehicle == "carried":
        return "is carried"
    return "stays on the ground" if character.grounded else "moves in space"


def _check_alike(characters: Sequence[Character]) -> None:
    """Refuse characters that cannot follow the same path."""
    first = characters[0]
    for other in characters[1:]:
        if other.vehicle != first.vehicle:
            raise InputError(
                f"`{first.name}` {_moves(first)} and `{other.name}` {_moves(other)}; "
                "the members of a group have the same kind of vehicle: make a group of each"
            )
        if (other.parameters.turn_radius > 0.0) != (first.parameters.turn_radius > 0.0):
            driven, free = sorted((first, other), key=lambda each: -each.parameters.turn_radius)
            raise InputError(
                f"`{driven.name}` has a `turn_radius` and `{free.name}` moves in any direction; "
                "the members of a group all have one or none: make a group of each"
            )
    if first.vehicle == "carried":
        names = ", ".join(f"`{character.name}`" for character in characters)
        raise InputError(f"members that are carried are all of one character, given {names}")


def _least(characters: Sequence[Character]) -> VehicleParameters:
    """Return limits that all of several vehicles can reach; the mass is the heaviest's."""
    own = [character.parameters for character in characters]
    mass = max(each.mass for each in own)
    turn_acceleration = min(character.turn_acceleration for character in characters)
    inertia = max(
        0.4 * each.mass * c.body.radius**2 for each, c in zip(own, characters, strict=True)
    )
    return VehicleParameters(
        mass=mass,
        max_speed=min(each.max_speed for each in own),
        cruise_speed=min(each.cruise_speed for each in own),
        max_force=mass * min(each.max_force / each.mass for each in own),
        max_braking=mass * min(each.max_braking / each.mass for each in own),
        max_side_force=mass
        * min((each.max_side_force or each.max_force) / each.mass for each in own),
        max_turn_rate=min(each.max_turn_rate for each in own),
        turn_radius=max(each.turn_radius for each in own),
        pivots=all(each.pivots for each in own),
        reverse=min(each.reverse for each in own),
        max_torque=turn_acceleration * inertia if np.isfinite(turn_acceleration) else None,
        inertia=inertia,
        banking=max(each.banking for each in own),
        max_pitch=max(each.max_pitch for each in own),
        max_roll=max(each.max_roll for each in own),
        lean=max(each.lean for each in own),
        max_step=min(each.max_step for each in own),
    )
