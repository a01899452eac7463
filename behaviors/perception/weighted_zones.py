"""Weighted zones: how well others are perceived depends on where they are."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.perception.perception import PERCEPTIONS, places_within
from rmp3d.behaviors.perception.zone import check_angle, check_memory, check_positive, in_cone
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@dataclass(frozen=True)
class SensitiveZone:
    """One zone of sensitivity.

    Attributes:
        radius: [m].
        angle: Full opening about the heading [degrees]; 360 is all around.
        weight: Sensitivity at the body; it falls to zero at the radius, in proportion.
    """

    radius: float = 10.0
    angle: float = 360.0
    weight: float = 1.0

    def __post_init__(self) -> None:
        check_positive(radius=self.radius, weight=self.weight)
        check_angle(self.angle)


@PERCEPTIONS.register("weighted_zones")
@dataclass(frozen=True)
class WeightedZones:
    r"""Perceive those of whom several weighted zones together feel enough, through walls too.

    With zones of radius R, weight w and an opening about the heading, another at distance d is felt
    with

    .. math:: \sum_{zones\ it\ is\ in} w (1 - d / R)

    and perceived if that is at least the threshold. So a flock can be most sensitive ahead, where
    it goes, as Reynolds 1987, "Flocks, herds, and schools", suggests of its zone.

    Attributes:
        zones: At least one; each has ``radius``, ``angle`` and ``weight``.
        threshold: Least sensitivity at which another is perceived.
        memory: How long others are remembered where they were last perceived [s].
    """

    zones: tuple[SensitiveZone, ...] = (SensitiveZone(10.0, 90.0), SensitiveZone(4.0))
    threshold: float = 0.1
    memory: float = 0.0

    def __post_init__(self) -> None:
        check_positive(threshold=self.threshold)
        check_memory(self.memory)
        if not self.zones:
            raise InputError("`zones` must have at least one")

    @property
    def reach(self) -> float:
        """The largest radius [m]."""
        return max(zone.radius for zone in self.zones)

    def sensitivity(self, offset: Float, heading: Float) -> Float:
        """Return how well (P,) things at offsets (P, 3) [m] from headings (P, 3) are felt."""
        apart = length(offset)
        total = np.zeros(len(offset))
        for zone in self.zones:
            share = np.maximum(1.0 - apart / zone.radius, 0.0)
            total += np.where(in_cone(offset, heading, zone.angle), zone.weight * share, 0.0)
        return total

    def perceived(self, world: WorldState, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        i, j = world.near(rows, self.reach)
        offset = world.middle[j] - world.middle[rows[i]]
        felt = self.sensitivity(offset, world.flock.heading[rows[i]]) >= self.threshold
        return i[felt], j[felt]

    def places_in_view(self, world: WorldState, rows: Index, places: Float) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        i, place = places_within(world, rows, places, self.reach)
        offset = places[place] - world.eye[rows[i]]
        felt = self.sensitivity(offset, world.flock.heading[rows[i]]) >= self.threshold
        return i[felt], place[felt]
