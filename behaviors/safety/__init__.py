"""Safety as a hard constraint: the executed step keeps every body clear, whatever is asked.

The method, and why it always has an answer, is told in `rmp3d.behaviors.safety.constraint`.
"""

from rmp3d.behaviors.safety.constraint import SafetyConstraint, SafetyReport

__all__ = ["SafetyConstraint", "SafetyReport"]
