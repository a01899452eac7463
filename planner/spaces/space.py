"""What every configuration space answers."""

from typing import Protocol

from geometry import Bool, Float, Registry
from planner.collision import CollisionWorld

SPACES = Registry("space")


class Space(Protocol):
    """Configurations (3,) [m] of a body: where it may be, and how it moves between two of them.

    Attributes:
        world: What the body must not touch.
        bounds: (2, 3) corners [m] of the box that configurations stay in.
        dimension: Values of the unit cube that make one configuration.
        grounded: Whether the body stands on a surface.
    """

    world: CollisionWorld
    bounds: Float
    dimension: int
    grounded: bool

    def from_unit_cube(self, values: Float) -> Float:
        """Map values (M, dimension) in [0, 1) to configurations (M, 3), uniformly."""

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, 3) are within bounds and collide with nothing."""

    def move(self, configurations: Float, displacement: Float) -> tuple[Float, Bool]:
        """Move configurations (M, 3) by (M, 3) [m] as far as the space goes.

        Returns:
            Where they come to, and whether they went all the way within bounds. Contact with
            obstacles is not looked at.
        """

    def connect(self, start: Float, end: Float) -> list[Float | None]:
        """Return the space's straight motion between configurations start[i] and end[i].

        Returns:
            For each pair its polyline (K, 3), proved free by `CollisionWorld`, or None where the
            motion leaves the space or is not proved.
        """

    def place(self, point: Float, reach: float = ...) -> Float:
        """Return the configuration (3,) at a point (3,) that a user gave.

        Raises:
            PlacementError: Out of bounds, not in the space, or in collision; says with what.
        """
