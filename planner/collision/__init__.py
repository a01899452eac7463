"""Collision of an upright body with a scene: two backends, certified motions, a judge."""

from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.world import CollisionWorld

__all__ = ["CollisionWorld", "QueryCounts"]
