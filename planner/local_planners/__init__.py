"""Local planners by name, one file each."""

from rmp3d.geometry.registry import load_folder
from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS, LocalPlanner

__all__ = ["LOCAL_PLANNERS", "LocalPlanner"]

load_folder(__name__, __path__)
