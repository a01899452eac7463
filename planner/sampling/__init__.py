"""Samplers by name, one file each."""

from rmp3d.geometry.registry import load_folder
from rmp3d.planner.sampling.sampler import SAMPLERS, Sampler, draw

__all__ = ["SAMPLERS", "Sampler", "draw"]

load_folder(__name__, __path__)
