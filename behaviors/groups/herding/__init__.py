"""Herding: shepherds move a flock that fears them."""

from rmp3d.behaviors.groups.herding.behavior import Herding

__all__ = ["Herding"]
