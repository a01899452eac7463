"""The contract of an exporter, their registry, and the choice by suffix."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol

from geometry.errors import InputError
from geometry.registry import Registry
from viewer.playback import Playback

Progress = Callable[[int, int], None]

EXPORTERS = Registry("export format")
"""Exporters by suffix, dot included."""


class Exporter(Protocol):
    """Writes a playback in one format; its fields are the format's options, all with defaults."""

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write to an open file.

        Args:
            playback: What to write.
            file: Open for writing bytes.
            progress: Called with (done, total), or None.
        """


def export_playback(playback: Playback, path: Path, progress: Progress | None = None) -> None:
    """Write a playback in the format that the suffix of ``path`` names, with usual options.

    The file appears when it is complete: an export that fails or is interrupted leaves nothing.

    Raises:
        InputError: No such format, or the file cannot be written.
        ViewerError: The format needs pictures and there is no OpenGL 3.3 here.
    """
    exporter: Exporter = EXPORTERS[path.suffix.lower()]()
    partial = path.with_name(f".{path.name}.part")
    try:
        with partial.open("wb") as file:
            exporter.write(playback, file, progress)
        partial.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error
    finally:
        partial.unlink(missing_ok=True)
