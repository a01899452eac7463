"""Characters: mesh, body and vehicle parameters; the built-in characters."""

from rmp3d.models.body import Body
from rmp3d.models.character import Character, VehicleParameters
from rmp3d.models.envelope import envelope
from rmp3d.models.loading import builtin_models, builtin_summary, load_character

__all__ = [
    "Body",
    "Character",
    "VehicleParameters",
    "builtin_models",
    "builtin_summary",
    "envelope",
    "load_character",
]
