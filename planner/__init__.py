"""Collision-free paths: spaces, samplers, collision, roadmap, query, path."""

from planner.collision import CollisionWorld, QueryCounts
from planner.coverage import measure_coverage
from planner.errors import (
    ConfirmationError,
    GoalError,
    NoPathError,
    PlacementError,
    PlanningError,
    RoadmapFileError,
    SamplingError,
    StartError,
)
from planner.graphml import save_graphml
from planner.local_planners import LOCAL_PLANNERS
from planner.path import Path
from planner.planning import Plan, plan
from planner.prm import RoadmapSettings, build_roadmap, extend_roadmap
from planner.profile import Profile, measure_profile
from planner.querying import query
from planner.roadmap import Roadmap, Statistics
from planner.sampling import SAMPLERS
from planner.spaces import SPACES, GroundSpace, Space, TranslationSpace, make_space
from planner.storage import load_roadmap, save_roadmap

__all__ = [
    "LOCAL_PLANNERS",
    "SAMPLERS",
    "SPACES",
    "CollisionWorld",
    "ConfirmationError",
    "GoalError",
    "GroundSpace",
    "NoPathError",
    "Path",
    "PlacementError",
    "Plan",
    "PlanningError",
    "Profile",
    "QueryCounts",
    "Roadmap",
    "RoadmapFileError",
    "RoadmapSettings",
    "SamplingError",
    "Space",
    "StartError",
    "Statistics",
    "TranslationSpace",
    "build_roadmap",
    "extend_roadmap",
    "load_roadmap",
    "make_space",
    "measure_coverage",
    "measure_profile",
    "plan",
    "query",
    "save_graphml",
    "save_roadmap",
]
