"""Perception: what members can know of others, and for how long."""

from rmp3d.behaviors.perception.memory import Known, Memory
from rmp3d.behaviors.perception.perception import PERCEPTIONS, Perception
from rmp3d.behaviors.perception.sensors import Sensor, Sensors
from rmp3d.behaviors.perception.stimuli import Stimulus
from rmp3d.behaviors.perception.view_cone import ViewCone
from rmp3d.behaviors.perception.weighted_zones import WeightedZones
from rmp3d.behaviors.perception.zone import FieldOfView, Zone
from rmp3d.geometry.registry import load_folder

__all__ = [
    "PERCEPTIONS",
    "FieldOfView",
    "Known",
    "Memory",
    "Perception",
    "Sensor",
    "Sensors",
    "Stimulus",
    "ViewCone",
    "WeightedZones",
    "Zone",
]

load_folder(__name__, __path__)
