"""Collision-free paths: spaces, samplers, collision, roadmap, query, path."""

from planner.collision import CollisionWorld, QueryCounts
from planner.errors import (
    ConfirmationError,
    GoalError,
    NoPathError,
    PlacementError,
    PlanningError,
    SamplingError,
    StartError,
)
from planner.local_planners import LOCAL_PLANNERS
from planner.path import Path
from planner.planning import Plan, plan
from planner.prm import RoadmapSettings, build_roadmap, extend_roadmap
from planner.querying import query
from planner.roadmap import Roadmap, Statistics
from planner.sampling import SAMPLERS
from planner.spaces import SPACES, GroundSpace, Space, TranslationSpace, make_space

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
    "QueryCounts",
    "Roadmap",
    "RoadmapSettings",
    "SamplingError",
    "Space",
    "StartError",
    "Statistics",
    "TranslationSpace",
    "build_roadmap",
    "extend_roadmap",
    "make_space",
    "plan",
    "query",
]
