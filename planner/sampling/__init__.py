"""Samplers by name, one file each."""

import importlib
import pkgutil

from rmp3d.planner.sampling.sampler import SAMPLERS, Sampler, draw

__all__ = ["SAMPLERS", "Sampler", "draw"]

for _module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    importlib.import_module(f"{__name__}.{_module}")
