"""What every configuration space answers."""

from collections.abc import Mapping
from typing import Any, Protocol

from rmp3d.geometry import Bool, Float, Registry
from rmp3d.planner.spaces.metric import Metric
from rmp3d.planner.spaces.world import CollisionQueries

SPACES = Registry("space")


class Space(Metric, Protocol):
    """Configurations (W,) of a body: where it may be, and how it moves between two of them.

    A configuration begins with the position [m] of the body's reference point. A displacement
    (F,) [m] begins with that of the position; where bodies turn there follow the three
    components of a rotation vector, world frame, times the body's radius.

    Attributes:
        bounds: (2, 3) corners [m] of the box that positions stay in.
        width: Numbers W of a configuration: 3, or 7 with a unit quaternion, scalar first.
        dimension: Values of the unit cube that make one configuration.
        freedom: (F,) ones and zeros: the components of a displacement that the body can follow.
        grounded: Whether the body stands on a surface.
        meter: Length [m] that one meter in the parameters of samplers and local planners means:
            1, or the body's radius where the unit of a file is not known.
        marks: What tells this space from others of its name, scene, body and bounds.
    """

    bounds: Float
    width: int
    dimension: int
    freedom: Float
    grounded: bool
    meter: float
    marks: Mapping[str, Any]

    @property
    def world(self) -> CollisionQueries:
        """What the body must not touch."""

    def from_unit_cube(self, values: Float) -> Float:
        """Map values (M, dimension) in [0, 1) to configurations (M, W), uniformly."""

    def is_free(self, configurations: Float) -> Bool:
        """Return which configurations (M, W) are within bounds and collide with nothing."""

    def shifted(self, configurations: Float, displacement: Float) -> Float:
        """Return configurations (M, W) displaced by (M, 3) or (M, F), wherever that leads."""

    def move(self, configurations: Float, displacement: Float) -> tuple[Float, Bool]:
        """Move configurations (M, W) by (M, 3) or (M, F) as far as the space goes.

        Returns:
            Where they come to, and whether they moved the whole displacement within bounds.
            Contact with obstacles is not looked at.
        """

    def locked(self) -> "Space":
        """Return the part of the space without turns: itself where bodies do not turn."""

    def toward(self, start: Float, end: Float) -> Float:
        """Return the displacements (M, F) from start[i] straight to end[i]."""

    def connect(self, start: Float, end: Float) -> list[Float | None]:
        """Return the space's straight motion between configurations start[i] and end[i].

        Returns:
            For each pair its polyline (K, W), proved free by its world, or None where the
            motion leaves the space or is not proved.
        """

    def connects(self, start: Float, end: Float) -> Bool:
        """Return for which pairs `connect` finds a motion."""

    def place(self, point: Float, reach: float = ...) -> Float:
        """Return the configuration (W,) at a point (3,) or configuration (W,) that a user gave.

        Raises:
            PlacementError: Out of bounds, not in the space, or in collision; says with what.
        """
