"""Formations: where each member's slot is, relative to a leader that moves along a path."""

from behaviors.formations.arrow import Arrow
from behaviors.formations.circle import Circle
from behaviors.formations.column import Column
from behaviors.formations.diamond import Diamond
from behaviors.formations.formation import (
    FORMATIONS,
    Formation,
    FormationChoice,
    Layered,
    formation_of,
    name_of,
)
from behaviors.formations.line import Line
from behaviors.formations.slots import Slots
from behaviors.formations.sphere import Sphere
from behaviors.formations.wedge import Wedge

__all__ = [
    "FORMATIONS",
    "Arrow",
    "Circle",
    "Column",
    "Diamond",
    "Formation",
    "FormationChoice",
    "Layered",
    "Line",
    "Slots",
    "Sphere",
    "Wedge",
    "formation_of",
    "name_of",
]
