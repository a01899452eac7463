"""Collision-free paths: spaces, samplers, collision, roadmap, query, path.

The names below are imported when they are first used: a problem file needs few of them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from planner.spaces import (
        SPACES,
        GroundSpace,
        RigidBodySpace,
        Space,
        TranslationSpace,
        make_space,
    )
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
    "CollisionWorld": "planner.collision",
    "QueryCounts": "planner.collision",
    "measure_coverage": "planner.coverage",
    "ConfirmationError": "planner.errors",
    "GoalError": "planner.errors",
    "NoPathError": "planner.errors",
    "PlacementError": "planner.errors",
    "PlanningError": "planner.errors",
    "RoadmapFileError": "planner.errors",
    "SamplingError": "planner.errors",
    "StartError": "planner.errors",
    "save_graphml": "planner.graphml",
    "LOCAL_PLANNERS": "planner.local_planners",
    "Path": "planner.path",
    "Plan": "planner.planning",
    "plan": "planner.planning",
    "RoadmapSettings": "planner.prm",
    "build_roadmap": "planner.prm",
    "extend_roadmap": "planner.prm",
    "Profile": "planner.profile",
    "measure_profile": "planner.profile",
    "query": "planner.querying",
    "Roadmap": "planner.roadmap",
    "Statistics": "planner.roadmap",
    "SAMPLERS": "planner.sampling",
    "GroundSpace": "planner.spaces",
    "SPACES": "planner.spaces",
    "RigidBodySpace": "planner.spaces",
    "Space": "planner.spaces",
    "TranslationSpace": "planner.spaces",
    "make_space": "planner.spaces",
    "load_roadmap": "planner.storage",
    "save_roadmap": "planner.storage",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
