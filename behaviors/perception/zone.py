"""Zones: others that are near enough are perceived, all around or in the field of view."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.perception.perception import PERCEPTIONS, places_within
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@PERCEPTIONS.register("zone")
@dataclass(frozen=True)
class Zone:
    """Perceive everybody within a sphere, through walls too.

    The zone of sensitivity of Reynolds 1987, "Flocks, herds, and schools", without a weight.

    Attributes:
        radius: Radius of the sphere around the body's middle [m].
        memory: How long others are remembered where they were last perceived [s].
    """

    radius: float = 10.0
    memory: float = 0.0

    def __post_init__(self) -> None:
        check_positive(radius=self.radius)
        check_memory(self.memory)

    def perceived(self, world: WorldState, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        return world.near(rows, self.radius)

    def places_in_view(self, world: WorldState, rows: Index, places: Float) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        return places_within(world, rows, places, self.radius)


@PERCEPTIONS.register("field_of_view")
@dataclass(frozen=True)
class FieldOfView:
    """Perceive everybody within a sphere and ahead, through walls too.

    The neighborhood of Reynolds 1999, "Steering behaviors for autonomous characters": a distance,
    and an angle to the heading. One in the very same place is perceived.

    Attributes:
        radius: Radius of the sphere around the body's middle [m].
        angle: Full opening of the cone about the heading [degrees]; 360 is all around.
        memory: How long others are remembered where they were last perceived [s].
    """

    radius: float = 10.0
    angle: float = 270.0
    memory: float = 0.0

    def __post_init__(self) -> None:
        check_positive(radius=self.radius)
        check_angle(self.angle)
        check_memory(self.memory)

    def perceived(self, world: WorldState, rows: Index) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        i, j = world.near(rows, self.radius)
        inside = in_cone(
            world.middle[j] - world.middle[rows[i]], world.flock.heading[rows[i]], self.angle
        )
        return i[inside], j[inside]

    def places_in_view(self, world: WorldState, rows: Index, places: Float) -> tuple[Index, Index]:
        """Return the pairs (P,), (P,); see `Perception`."""
        i, place = places_within(world, rows, places, self.radius)
        offset = places[place] - world.eye[rows[i]]
        inside = in_cone(offset, world.flock.heading[rows[i]], self.angle)
        return i[inside], place[inside]


def in_cone(offset: Float, axis: Float, angle: float) -> Bool:
    """Return which offsets (P, 3) lie within a cone about unit axes (P, 3).

    Args:
        offset: [m]; a zero offset lies within.
        axis: Unit vectors.
        angle: Full opening [degrees].
    """
    along = np.einsum("ij,ij->i", offset, axis)
    return along >= np.cos(np.radians(0.5 * angle)) * length(offset) - 1e-12


def check_positive(**values: float) -> None:
    """Raise `InputError` for an option that is not a positive number."""
    for name, value in values.items():
        if not 0.0 < value < np.inf:
            raise InputError(f"`{name}` must be positive, got {value}")


def check_angle(angle: float) -> None:
    """Raise `InputError` unless 0 < ``angle`` <= 360 [degrees]."""
    if not 0.0 < angle <= 360.0:
        raise InputError(f"`angle` must be above 0 and at most 360 degrees, got {angle}")


def check_memory(memory: float) -> None:
    """Raise `InputError` for a negative time."""
    if not 0.0 <= memory < np.inf:
        raise InputError(f"`memory` must be 0 or more seconds, got {memory}")
