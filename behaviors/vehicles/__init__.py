"""Vehicles: how a velocity becomes the next position and orientation."""

from behaviors.vehicles.flying import fly
from behaviors.vehicles.hugging import hug
from behaviors.vehicles.turning import turned

__all__ = ["fly", "hug", "turned"]
