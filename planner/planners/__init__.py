"""Planners by name, one file each; from a problem to a certified path."""

from rmp3d.geometry.registry import load_folder
from rmp3d.planner.planners.planner import PLANNERS, Planner
from rmp3d.planner.planners.planning import plan, usual_planner
from rmp3d.planner.planners.result import PlanResult

__all__ = ["PLANNERS", "PlanResult", "Planner", "plan", "usual_planner"]

load_folder(__name__, __path__)
