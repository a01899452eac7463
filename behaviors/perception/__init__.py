"""Perception: what members can know of others, and for how long."""

from behaviors.perception.memory import Known, Memory
from behaviors.perception.perception import PERCEPTIONS, Perception
from behaviors.perception.sensors import Sensor, Sensors
from behaviors.perception.view_cone import ViewCone
from behaviors.perception.zone import FieldOfView, Zone

__all__ = [
    "PERCEPTIONS",
    "FieldOfView",
    "Known",
    "Memory",
    "Perception",
    "Sensor",
    "Sensors",
    "ViewCone",
    "Zone",
]
