"""Errors of the command line's own packages."""

from geometry.errors import InputError


class RecordingError(InputError):
    """A recording that cannot be written, read, or matched with its scene."""
