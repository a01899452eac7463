"""Collision-free paths: spaces, samplers, collision, roadmap, query, path.

The names below are imported when they are first used: a problem file needs few of them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rmp3d.planner.collision import CollisionWorld, QueryCounts
    from rmp3d.planner.costs import COSTS
    from rmp3d.planner.errors import (
        ConfirmationError,
        GoalError,
        PlacementError,
        PlanningError,
        RoadmapFileError,
        SamplingError,
        StartError,
    )
    from rmp3d.planner.local_planners import LOCAL_PLANNERS
    from rmp3d.planner.optimizing.settings import Alternative, Improvement, Optimization
    from rmp3d.planner.paths.path import CertifiedPath
    from rmp3d.planner.paths.profile import Profile, measure_profile
    from rmp3d.planner.planners import PLANNERS, PlanResult, plan
    from rmp3d.planner.problems.problem import Problem
    from rmp3d.planner.roadmap.building import build_roadmap, extend_roadmap
    from rmp3d.planner.roadmap.coverage import measure_coverage
    from rmp3d.planner.roadmap.failures import NoPathError
    from rmp3d.planner.roadmap.graphml import save_graphml
    from rmp3d.planner.roadmap.querying import query
    from rmp3d.planner.roadmap.roadmap import Roadmap
    from rmp3d.planner.roadmap.settings import RoadmapSettings
    from rmp3d.planner.roadmap.statistics import Statistics
    from rmp3d.planner.roadmap.storage import load_roadmap, save_roadmap
    from rmp3d.planner.sampling import SAMPLERS
    from rmp3d.planner.spaces import (
        SPACES,
        GroundSpace,
        RigidBodySpace,
        Space,
        TranslationSpace,
        make_space,
    )

__all__ = [
    "COSTS",
    "LOCAL_PLANNERS",
    "PLANNERS",
    "SAMPLERS",
    "SPACES",
    "Alternative",
    "CertifiedPath",
    "CollisionWorld",
    "ConfirmationError",
    "GoalError",
    "GroundSpace",
    "Improvement",
    "NoPathError",
    "Optimization",
    "PlacementError",
    "PlanResult",
    "PlanningError",
    "Problem",
    "Profile",
    "QueryCounts",
    "RigidBodySpace",
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

_HOME = {
    "Alternative": "rmp3d.planner.optimizing.settings",
    "COSTS": "rmp3d.planner.costs",
    "Improvement": "rmp3d.planner.optimizing.settings",
    "Optimization": "rmp3d.planner.optimizing.settings",
    "CollisionWorld": "rmp3d.planner.collision",
    "QueryCounts": "rmp3d.planner.collision",
    "measure_coverage": "rmp3d.planner.roadmap.coverage",
    "ConfirmationError": "rmp3d.planner.errors",
    "GoalError": "rmp3d.planner.errors",
    "NoPathError": "rmp3d.planner.roadmap.failures",
    "PlacementError": "rmp3d.planner.errors",
    "PlanningError": "rmp3d.planner.errors",
    "RoadmapFileError": "rmp3d.planner.errors",
    "SamplingError": "rmp3d.planner.errors",
    "StartError": "rmp3d.planner.errors",
    "save_graphml": "rmp3d.planner.roadmap.graphml",
    "LOCAL_PLANNERS": "rmp3d.planner.local_planners",
    "CertifiedPath": "rmp3d.planner.paths.path",
    "PLANNERS": "rmp3d.planner.planners",
    "PlanResult": "rmp3d.planner.planners",
    "plan": "rmp3d.planner.planners",
    "Problem": "rmp3d.planner.problems.problem",
    "RoadmapSettings": "rmp3d.planner.roadmap.settings",
    "build_roadmap": "rmp3d.planner.roadmap.building",
    "extend_roadmap": "rmp3d.planner.roadmap.building",
    "Profile": "rmp3d.planner.paths.profile",
    "measure_profile": "rmp3d.planner.paths.profile",
    "query": "rmp3d.planner.roadmap.querying",
    "Roadmap": "rmp3d.planner.roadmap.roadmap",
    "Statistics": "rmp3d.planner.roadmap.statistics",
    "SAMPLERS": "rmp3d.planner.sampling",
    "GroundSpace": "rmp3d.planner.spaces",
    "SPACES": "rmp3d.planner.spaces",
    "RigidBodySpace": "rmp3d.planner.spaces",
    "Space": "rmp3d.planner.spaces",
    "TranslationSpace": "rmp3d.planner.spaces",
    "make_space": "rmp3d.planner.spaces",
    "load_roadmap": "rmp3d.planner.roadmap.storage",
    "save_roadmap": "rmp3d.planner.roadmap.storage",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
