"""Errors of this package, and prefixes for errors: the key or the file that is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

from rmp3d.geometry.errors import InputError, Rmp3dError


class RecordingError(InputError):
    """A recording cannot be written or read, or its scene or a character has changed."""


@contextmanager
def prefix_errors_with_key(key: str, kind: type[Rmp3dError] = InputError) -> Iterator[None]:
    """Put a key of the scenario before errors of a kind that are raised inside this context."""
    try:
        yield
    except kind as error:
        error.args = (f"`{key}`: {error}", *error.args[1:])
        raise


@contextmanager
def prefix_errors_with_file(file: str) -> Iterator[None]:
    """Put the scenario's file before an error that begins with one of its keys."""
    try:
        yield
    except InputError as error:
        if str(error).startswith("`"):
            error.args = (f"{file}: {error}", *error.args[1:])
        raise
