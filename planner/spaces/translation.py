"""Translation: a body of fixed orientation in a box."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from rmp3d.geometry import Bool, Float, frozen
from rmp3d.geometry.vectors import length
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces.bounds import check_bounds, in_bounds, out_of_bounds
from rmp3d.planner.spaces.metric import Straight
from rmp3d.planner.spaces.space import SPACES
from rmp3d.planner.spaces.straight import motions_are_proved, straight_motions


@SPACES.register("translation")
class TranslationSpace(Straight):
    """Positions in a box, moving straight; planar when the z bounds are equal.

    Args:
        world: What the body must not touch.
        bounds: (2, 3) corners [m]; None: the scene's.
    """

    grounded = False
    width = 3
    meter = 1.0
    marks: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, world: CollisionWorld, bounds: Float | None = None) -> None:
        self.world = world
        self.bounds = frozen(world.scene.bounds if bounds is None else bounds)
        check_bounds(self.bounds)
        self.planar = bool(self.bounds[0, 2] == self.bounds[1, 2])
        self.dimension = 2 if self.planar else 3
        self.freedom = frozen([1.0, 1.0, 0.0 if self.planar else 1.0])

    def from_unit_cube(self, values: Float) -> Float:
        """Map values (M, dimension) in [0, 1) to the box."""
        low, high = self.bounds
        configurations = np.tile(low, (len(values), 1))
        size = (high - low)[: self.dimension]
        configurations[:, : self.dimension] += values * size
        return configurations

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 3) are within bounds and collide with nothing."""
        free = in_bounds(configurations, self.bounds)
        free[free] = self.world.is_free(configurations[free])
        return free

    def shifted(self, configurations: Float, displacement: Float) -> Float:
        """Return positions (M, 3) displaced by (M, 3) [m]."""
        return configurations + displacement

    def locked(self) -> "TranslationSpace":
        """Return the space itself."""
        return self

    def toward(self, start: Float, end: Float) -> Float:
        """Return the displacements (M, 3) [m] from start[i] to end[i]."""
        return end - start

    def move(self, configurations: Float, displacement: Float) -> tuple[Float, Bool]:
        """Move configurations (M, 3) by (M, 3) [m], and stop at the bounds."""
        moved = configurations + displacement
        if self.planar:
            moved[:, 2] = self.bounds[0, 2]
        inside = np.clip(moved, *self.bounds)
        return inside, length(inside - moved) == 0.0

    def connect(self, start: Float, end: Float) -> list[Float | None]:
        """Return the straight segments (2, 3) that are proved free, None for the others."""
        return straight_motions(self.world, self.bounds, start, end)

    def connects(self, start: Float, end: Float) -> Bool:
        """Return which straight motions start[i] -> end[i] are proved free."""
        return motions_are_proved(self.world, self.bounds, start, end)

    def place(self, point: Float, reach: float = 0.0) -> Float:
        """Return the point (3,), put into the plane if the space is planar.

        Raises:
            PlacementError: Out of bounds, or in collision; says with what.
        """
        configuration = np.array(point, dtype=np.float64)
        if self.planar:
            configuration[2] = self.bounds[0, 2]
        if not in_bounds(configuration[None], self.bounds)[0]:
            raise out_of_bounds(self.bounds, self.world.scene.bounds)
        return checked_free(self.world, configuration)


def checked_free(world: CollisionWorld, configuration: Float) -> Float:
    """Return the configuration if it is free.

    Raises:
        PlacementError: It collides; says with what.
    """
    part = world.colliding_part(configuration)
    if part is None:
        return configuration
    reason = part if part.startswith("inside ") else f"in collision with `{part}`"
    raise PlacementError(reason, reason, part)
