"""What classes of a user give back, checked where it is taken over: a wrong array is named."""

from typing import Any, TypeVar

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable, shortened

LONGEST = 60
"""Letters at most of a value that is shown."""

T = TypeVar("T")


def given_array(value: Any, shape: tuple[int | None, ...], giver: object, method: str) -> Float:
    """Return what a method gave, as an array of finite numbers.

    Args:
        value: What it gave.
        shape: Which it must have; None: any length.
        giver: The object whose method it is.
        method: Its name.

    Raises:
        InputError: It is something else; names class and method, and says what would be right.
    """
    try:
        array = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        array = None
    if array is None or array.ndim == 0:
        found = _shown(value)
    elif len(array.shape) != len(shape) or any(
        wanted not in (None, length) for wanted, length in zip(shape, array.shape, strict=True)
    ):
        found = f"an array of shape {array.shape}"
    elif not np.isfinite(array).all():
        found = "one with values that are not finite"
    else:
        return array
    lengths = ", ".join("any" if each is None else str(each) for each in shape)
    raise InputError(
        f"`{type(giver).__name__}.{method}` must return an array of finite numbers of shape "
        f"({lengths}), it returned {found}"
    )


def given_object(value: Any, kind: type[T], giver: object, method: str) -> T:
    """Return what a method gave, an object of a class.

    Raises:
        InputError: It is something else; names class and method, and says what would be right.
    """
    if isinstance(value, kind):
        return value
    raise InputError(
        f"`{type(giver).__name__}.{method}` must return {_an(kind.__name__)}, it returned "
        f"{_shown(value)}"
    )


def _shown(value: Any) -> str:
    return shortened(printable(repr(value)), LONGEST)


def _an(name: str) -> str:
    return f"an {name}" if name[0] in "AEIOU" else f"a {name}"
