"""What each layer draws; every module of this folder is imported, so a new file is enough."""

import importlib
import pkgutil

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen, missing_of

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")

__all__ = ["DRAWINGS", "Drawing", "Drawn", "Label", "Seen", "missing_of"]
