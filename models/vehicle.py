"""The names of the vehicles, and which of them walk.

What a vehicle does is a class of `rmp3d.behaviors.vehicles`, or of a user's own file, that
registers here. The built-in ones are known by name before that: reading a character needs no
behaviors.
"""

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry, unknown_name

VEHICLES = Registry("vehicle")
# Whether each built-in vehicle walks.
BUILT_IN = {"carried": False, "flying": False, "hugging": True}


def walks(vehicle: str) -> bool:
    """Return whether characters of a vehicle stay on the ground."""
    if vehicle in BUILT_IN:
        return BUILT_IN[vehicle]
    return bool(VEHICLES[vehicle].grounded)  # type: ignore[attr-defined]


def check_vehicle(name: str) -> None:
    """Refuse the name of a vehicle that there is not.

    Raises:
        InputError: Neither a built-in vehicle nor a registered one is called so.
    """
    if name not in BUILT_IN and name not in VEHICLES:
        known = unknown_name("vehicle", name, sorted({*BUILT_IN, *VEHICLES}))
        raise InputError(f"{known}; one of your own is in a file given as `--with FILE.py`")
