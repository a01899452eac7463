"""Parts of the scene that move: doors, gates, drawbridges, trains."""

from rmp3d.behaviors.moving_parts.parts import MovingParts
from rmp3d.behaviors.moving_parts.sweeping import SweptPart

__all__ = ["MovingParts", "SweptPart"]
