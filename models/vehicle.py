"""The names of the vehicles, and which of them walk.

What a vehicle does is a class of `rmp3d.behaviors.vehicles`, or of a user's own file, that
registers here. The built-in ones are known by name before that: reading a character needs no
behaviors.
"""

import math

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry, unknown_name

VEHICLES = Registry("vehicle")
# Whether each built-in vehicle walks.
BUILT_IN = {"carried": False, "flying": False, "hugging": True}
ROLLED_OVER = 0.02
"""Highest step [m] that wheels roll over."""
USUAL_PITCH = math.radians(10.0)
"""How far the nose of a walker that leans follows the slope if nothing is said [rad]."""


def walks(vehicle: str) -> bool:
    """Return whether characters of a vehicle stay on the ground."""
    if vehicle in BUILT_IN:
        return BUILT_IN[vehicle]
    return bool(VEHICLES[vehicle].grounded)  # type: ignore[attr-defined]


def usual_step(top: float, turn_radius: float) -> float:
    """Return the highest step [m] of a character of which nothing else is known.

    Legs climb an eighth of the body's height, at most 0.2 m, a high stair. What has a turn radius
    has wheels.

    Args:
        top: Height of the body [m].
        turn_radius: Of the tightest turn [m]; 0: it moves in any direction.
    """
    return ROLLED_OVER if turn_radius > 0.0 else min(0.2, max(ROLLED_OVER, top / 8.0))


def check_vehicle(name: str) -> None:
    """Refuse the name of a vehicle that there is not.

    Raises:
        InputError: Neither a built-in vehicle nor a registered one is called so.
    """
    if name not in BUILT_IN and name not in VEHICLES:
        known = unknown_name("vehicle", name, sorted({*BUILT_IN, *VEHICLES}))
        raise InputError(f"{known}; one of your own is in a file given as `--with FILE.py`")
