"""Proving a recording in one call."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader

if TYPE_CHECKING:
    from rmp3d.verification import Report


def verify(
    recording: RecordingReader | str | PathLike[str],
    progress: Callable[[int, int], None] | None = None,
) -> "Report":
    """Prove a recording free of collisions: every frame and motion, mesh against mesh.

    >>> verify("a.rmp3d").ok  # doctest: +SKIP
    True

    Args:
        recording: A `Recording`, or the path of a file.
        progress: Called with frames done and frames in all.

    Returns:
        The report: ``ok``, ``findings``, clearances.

    Raises:
        RecordingError: There is no such recording, it is damaged, or has no frames.
        InputError: Scene or characters are gone or have changed.
    """
    from rmp3d.verification import verify as prove

    if isinstance(recording, RecordingReader):
        return prove(recording, progress)
    if not isinstance(recording, str | PathLike):
        raise InputError(f"`recording` must be a Recording or a file, got {recording!r}")
    with RecordingReader.open(Path(recording)) as opened:
        return prove(opened, progress)
