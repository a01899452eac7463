"""Checks of what a program gives to a function: files, numbers of frames, functions to call."""

import os
from collections.abc import Callable
from numbers import Integral
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short


def path_given(path: object, name: str = "path") -> Path:
    """Return the path that a program gives, as one.

    Args:
        path: A text or a path.
        name: Of the argument, for the error.

    Raises:
        InputError: It is something else.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"`{name}` must be the path of a file, got {in_short(path)}")
    return Path(path)


def check_frame(frame: object, name: str) -> None:
    """Refuse what is no number of a frame.

    Raises:
        InputError: Names the argument.
    """
    if isinstance(frame, bool) or not isinstance(frame, Integral):
        raise InputError(f"`{name}` must be the number of a frame, got {in_short(frame)}")


def check_callbacks(**callbacks: Callable[..., object] | None) -> None:
    """Refuse what cannot be called, and is not None.

    Raises:
        InputError: Names the argument.
    """
    for name, callback in callbacks.items():
        if callback is not None and not callable(callback):
            raise InputError(f"`{name}` must be a function, got {in_short(callback)}")
