"""Planning for one rigid body: trees that slide along contacts, milestones, certified paths."""

from planner.rigid.solving import Solution, solve

__all__ = ["Solution", "solve"]
