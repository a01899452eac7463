"""Planning for one rigid body: trees that slide along contacts, milestones, certified paths."""

from rmp3d.planner.rigid.solving import Solution, solve

__all__ = ["Solution", "solve"]
