"""Herding: shepherds move a flock that fears them."""

from behaviors.groups.herding.behavior import Herding

__all__ = ["Herding"]
