"""Figures that a study measures only where it names them: a registry, filled by files of a user."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from rmp3d.extensions import loaded_extensions
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry
from rmp3d.recording import RecordingReader
from rmp3d.studies.figures import Row, Value

FIGURES = Registry("figure")


class OwnFigure(Protocol):
    """What the registry has: a class whose instances measure a recording.

    A text ``unit`` of the class, if there is one, is shown in reports.
    """

    def of(self, recording: RecordingReader) -> Value | Mapping[str, Value]:
        """Return a number or text, or several by name; None for what cannot be said."""
        ...


def own_figures(names: Iterable[str], recording: RecordingReader) -> Row:
    """Return what figures of the registry say of a recording; several are ``NAME.key``.

    Raises:
        InputError: A figure fails, or gives neither numbers nor text; the error names it.
    """
    row: Row = {}
    for name in names:
        figure: OwnFigure = FIGURES[name]()
        try:
            value = figure.of(recording)
        except Exception as error:  # of the user's own code, whatever it is
            raise InputError(f"figure `{name}`: {type(error).__name__}: {error}") from error
        if isinstance(value, Mapping):
            row |= {f"{name}.{key}": _plain(name, each) for key, each in value.items()}
        else:
            row[name] = _plain(name, value)
    return row


def unit_of_own(figure: str) -> str:
    """Return the unit of a figure of the registry; empty for others."""
    name = figure.partition(".")[0]
    return str(getattr(FIGURES[name], "unit", "")) if name in FIGURES else ""


def digest_of_extensions() -> str:
    """Return a digest of the files of a user that are loaded: other code, other results."""
    digest = hashlib.sha256()
    for name in loaded_extensions():
        digest.update(Path(name).read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()


def _plain(name: str, value: object) -> Value:
    """Return a value as a table can have it: numbers of NumPy as those of Python."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", 0) == 0:
        value = item()
    if value is not None and not isinstance(value, bool | int | float | str):
        raise InputError(f"figure `{name}`: expected a number or text, not {type(value).__name__}")
    return round(value, 6) if isinstance(value, float) else value
