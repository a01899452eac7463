"""Vehicles: how a wanted velocity becomes the next velocity, position and orientation.

Every file that registers a vehicle in `VEHICLES` and lies in this folder is found by itself.
"""

from rmp3d.behaviors.vehicles.carrying import carried_to
from rmp3d.behaviors.vehicles.easing import eased
from rmp3d.behaviors.vehicles.flying import fly
from rmp3d.behaviors.vehicles.hugging import hug
from rmp3d.behaviors.vehicles.limits import attainable
from rmp3d.behaviors.vehicles.looking import turning_first
from rmp3d.behaviors.vehicles.pivoting import turned_on_the_spot
from rmp3d.behaviors.vehicles.turning import turned
from rmp3d.behaviors.vehicles.vehicle import VEHICLES, Motion, Vehicle, move
from rmp3d.geometry.registry import load_folder

__all__ = [
    "VEHICLES",
    "Motion",
    "Vehicle",
    "attainable",
    "carried_to",
    "eased",
    "fly",
    "hug",
    "move",
    "turned",
    "turned_on_the_spot",
    "turning_first",
]

load_folder(__name__, __path__)
