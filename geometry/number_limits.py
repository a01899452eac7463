"""Numbers of settings: of NumPy; and those that none may be: not finite, or out of all sense."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.validation_errors import place, shown

LARGEST_NUMBER = 1e12
"""Largest number in a settings file, in any unit: squares and products of a few stay exact enough.

Whole numbers may be larger (seeds), as far as 64 bits hold them.
"""

LARGEST_STORED = 1e60
"""Largest number of an array in a recording: squares and sums of any of them are finite."""


def are_sensible(values: NDArray[Any], largest: float = LARGEST_STORED) -> bool:
    """Return whether all values of an array are finite, and none is larger than ``largest``."""
    with np.errstate(invalid="ignore"):
        return bool((np.abs(values) <= np.float64(largest)).all())


def without_numpy(value: Any) -> Any:
    """Return a table or list with NumPy's numbers and arrays, also those inside, as Python's."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: without_numpy(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_numpy(item) for item in value]
    return value


def refuse_senseless_numbers(value: Any, where: str) -> None:
    """Check all numbers in a table or list, also in those inside.

    Args:
        value: As read from TOML.
        where: Its place; see `rmp3d.geometry.validation_errors.place`.

    Raises:
        InputError: A number is not finite or too large; names its place.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{where}: must be a finite number, given {value}")
        if abs(value) > LARGEST_NUMBER:
            raise InputError(
                f"{where}: must be at most {LARGEST_NUMBER:g} in size, given {value:g}"
            )
    elif isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InputError(f"{where}: must be a number of 64 bits, given {shown(value)}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, float | int | list | tuple | Mapping):
                refuse_senseless_numbers(item, place(where, str(key)))
    elif isinstance(value, list | tuple):
        for row, item in enumerate(value):
            if isinstance(item, float | int | list | tuple | Mapping):
                refuse_senseless_numbers(item, in_row(where, row))


def in_row(where: str, row: int) -> str:
    """Return the place of a row of the list at ``where``."""
    return f"{where[:-1]}[{row}]`" if where.endswith("`") else f"{where}: row {row}"
