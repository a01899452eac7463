"""Local planners by name, one file each."""

import importlib
import pkgutil

from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS, LocalPlanner

__all__ = ["LOCAL_PLANNERS", "LocalPlanner"]

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")
