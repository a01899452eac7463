"""Collision of an upright body with a scene: two backends, certified motions, a judge."""

from planner.collision.counts import QueryCounts
from planner.collision.world import CollisionWorld

__all__ = ["CollisionWorld", "QueryCounts"]
