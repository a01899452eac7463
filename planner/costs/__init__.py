"""Costs of paths by name, one file each."""

from rmp3d.geometry.registry import load_folder
from rmp3d.planner.costs.cost import COSTS, Cost

__all__ = ["COSTS", "Cost"]

load_folder(__name__, __path__)
