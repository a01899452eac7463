"""Formations: where each member's slot is, relative to a leader that moves along a path."""

from rmp3d.behaviors.formations.arrow import Arrow
from rmp3d.behaviors.formations.circle import Circle
from rmp3d.behaviors.formations.column import Column
from rmp3d.behaviors.formations.diamond import Diamond
from rmp3d.behaviors.formations.formation import (
    FORMATIONS,
    Formation,
    FormationChoice,
    Layered,
    formation_of,
    name_of,
    slots_of,
)
from rmp3d.behaviors.formations.line import Line
from rmp3d.behaviors.formations.slots import Slots
from rmp3d.behaviors.formations.sphere import SphereFormation
from rmp3d.behaviors.formations.wedge import Wedge
from rmp3d.geometry.registry import load_folder

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
    "SphereFormation",
    "Wedge",
    "formation_of",
    "name_of",
    "slots_of",
]

load_folder(__name__, __path__)
