"""Vehicles: how a wanted velocity becomes the next velocity, position and orientation."""

from rmp3d.behaviors.vehicles.carrying import carried_to
from rmp3d.behaviors.vehicles.flying import fly
from rmp3d.behaviors.vehicles.hugging import hug
from rmp3d.behaviors.vehicles.limits import attainable
from rmp3d.behaviors.vehicles.pivoting import turned_on_the_spot
from rmp3d.behaviors.vehicles.turning import turned

__all__ = ["attainable", "carried_to", "fly", "hug", "turned", "turned_on_the_spot"]
