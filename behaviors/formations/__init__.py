"""Formations: where each member's slot is, relative to a leader that moves along a path."""

from behaviors.formations.arrow import Arrow
from behaviors.formations.column import Column
from behaviors.formations.formation import FORMATIONS, Formation
from behaviors.formations.line import Line

__all__ = ["FORMATIONS", "Arrow", "Column", "Formation", "Line"]
