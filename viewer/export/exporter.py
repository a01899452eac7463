"""The contract of an exporter, their registry, and the choice by suffix."""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry, unknown_name
from rmp3d.geometry.whole_file import whole_file
from rmp3d.viewer.playback.playback import Playback

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


def format_of(path: Path) -> str:
    """Return the suffix of a file in small letters, which is an exporter's name.

    Raises:
        InputError: There is none, or no format has it.
    """
    suffix = path.suffix.lower()
    if not suffix:
        raise InputError(f"{path}: has no suffix to say the format ({', '.join(EXPORTERS)})")
    if suffix not in EXPORTERS:
        raise InputError(f"{path}: {unknown_name('export format', suffix, list(EXPORTERS))}")
    return suffix


def option_names(suffix: str) -> tuple[str, ...]:
    """Return the options of the format with a suffix, in order."""
    return tuple(field.name for field in dataclasses.fields(EXPORTERS[suffix]))


def make_exporter(path: Path, options: Mapping[str, Any] | None = None) -> Exporter:
    """Return the exporter that the suffix of ``path`` names.

    Args:
        path: The file to write; its suffix counts in any case.
        options: By name, of those that the format has; the others keep their defaults.

    Raises:
        InputError: No such format or option, a value out of range, or a library that the format
            needs is not installed.
    """
    suffix = format_of(path)
    given = dict(options or {})
    known = option_names(suffix)
    for name in given:
        if name not in known:
            has = f"it has {', '.join(f'`{each}`' for each in known)}" if known else "it has none"
            raise InputError(f"{path}: `{suffix}` has no option `{name}` ({has})")
    exporter: Exporter = EXPORTERS[suffix](**given)
    return exporter


def export_playback(
    playback: Playback,
    path: Path,
    progress: Progress | None = None,
    *,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Write a playback in the format that the suffix of ``path`` names.

    The file appears when it is complete: an export that fails or is interrupted leaves nothing,
    and an older file as it was.

    Args:
        playback: What to write.
        path: Where to.
        progress: Called with (done, total), or None.
        options: See `make_exporter`.

    Raises:
        InputError: See `make_exporter`; or the file cannot be written.
        ViewerError: The format needs pictures and there is no OpenGL 3.3 here.
    """
    exporter = make_exporter(path, options)
    with whole_file(path) as file:
        exporter.write(playback, file, progress)
