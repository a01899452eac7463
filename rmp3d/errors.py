"""Errors of the command line's own packages, and what is put before the errors of others."""

from collections.abc import Iterator
from contextlib import contextmanager

from rmp3d.geometry.errors import InputError


class RecordingError(InputError):
    """A recording that cannot be written, read, or matched with its scene."""


@contextmanager
def prefix_errors_with_key(key: str, kind: type[InputError] = InputError) -> Iterator[None]:
    """Put a key of the scenario before errors of a kind, which its value turns out to cause."""
    try:
        yield
    except kind as error:
        error.args = (f"`{key}`: {error}", *error.args[1:])
        raise


@contextmanager
def prefix_errors_with_file(file: str) -> Iterator[None]:
    """Put the scenario's file before an error that begins with a key of it."""
    try:
        yield
    except InputError as error:
        if str(error).startswith("`"):
            error.args = (f"{file}: {error}", *error.args[1:])
        raise
