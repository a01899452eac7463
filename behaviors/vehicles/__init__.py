"""Vehicles: how a wanted velocity becomes the next velocity, position and orientation."""

from behaviors.vehicles.carrying import carried_to
from behaviors.vehicles.flying import fly
from behaviors.vehicles.hugging import hug
from behaviors.vehicles.limits import attainable
from behaviors.vehicles.pivoting import turned_on_the_spot
from behaviors.vehicles.turning import turned

__all__ = ["attainable", "carried_to", "fly", "hug", "turned", "turned_on_the_spot"]
