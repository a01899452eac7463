"""Playbacks into files: one exporter per suffix, each in a file of its own."""

from importlib import import_module
from pkgutil import iter_modules

from rmp3d.viewer.export.exporter import (
    EXPORTERS,
    Exporter,
    export_playback,
    format_of,
    make_exporter,
    option_names,
)

for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")  # a module's `@EXPORTERS.register` is all it takes

__all__ = [
    "EXPORTERS",
    "Exporter",
    "export_playback",
    "format_of",
    "make_exporter",
    "option_names",
]
