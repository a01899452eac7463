"""Playbacks into files: one exporter per suffix, each in a file of its own."""

from rmp3d.geometry.registry import load_folder
from rmp3d.viewer.export.exporter import (
    EXPORTERS,
    Exporter,
    export_playback,
    format_of,
    make_exporter,
    option_names,
)

__all__ = [
    "EXPORTERS",
    "Exporter",
    "export_playback",
    "format_of",
    "make_exporter",
    "option_names",
]

load_folder(__name__, __path__)
