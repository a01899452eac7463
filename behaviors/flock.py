"""The state of all characters: one frozen structure of arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.rotations import WORLD_UP, frame, quaternion_from_matrix
from rmp3d.models import Character


@dataclass(frozen=True, kw_only=True, eq=False)
class Flock:
    """N characters; row i of every array is character i. Read-only: a step returns a new one.

    Attributes:
        position: (N, 3) reference points [m], world.
        velocity: (N, 3) [m/s], world.
        heading: (N, 3) unit, body x.
        up: (N, 3) unit, body z.
        spin: (N, 3) angular velocity where the orientation is steered [rad/s]; zero elsewhere.
        face: (N,) triangle of the walkable surface a walker stands on; -1 for flyers.
        grounded: (N,) whether the character walks on the surface.
        radius: (N,) of the upright bounding capsule [m].
        capsule_axis: (N, 2) heights of the ends of its segment over the reference point [m].
        acceleration: (N,) largest thrust over mass [m/s^2].
        braking: (N,) largest deceleration that can be counted on [m/s^2].
        mass: (N,) [kg].
        max_speed: (N,) [m/s]; for walkers in plan.
        cruise_speed: (N,) [m/s].
        brake: (N,) largest deceleration along the motion [m/s^2]; may be more than ``braking``.
        side_acceleration: (N,) largest acceleration across the motion [m/s^2].
        turn_radius: (N,) tightest turn [m]; 0 for a body that moves in any direction.
        pivots: (N,) whether one with a turn radius can turn on the spot, at rest.
        reverse: (N,) largest speed backward [m/s]; 0 for who cannot, or needs no such gear.
        max_turn_rate: (N,) of the heading [rad/s].
        turn_acceleration: (N,) largest torque over rotational inertia [rad/s^2]; may be infinite.
        banking: (N,) how much a flyer rolls into turns, 0 to 1.
        max_pitch: (N,) how far a flyer's nose follows its climb [rad].
        lean: (N,) how much a walker's up follows the ground's normal, 0 to 1.
    """

    position: Float
    velocity: Float
    heading: Float
    up: Float
    spin: Float
    face: Index
    grounded: Bool
    radius: Float
    capsule_axis: Float
    acceleration: Float
    braking: Float
    mass: Float
    max_speed: Float
    cruise_speed: Float
    brake: Float
    side_acceleration: Float
    turn_radius: Float
    pivots: Bool
    reverse: Float
    max_turn_rate: Float
    turn_acceleration: Float
    banking: Float
    max_pitch: Float
    lean: Float

    def __post_init__(self) -> None:
        kinds = {"face": np.intp, "grounded": np.bool_, "pivots": np.bool_}
        for field in fields(self):
            value = frozen(getattr(self, field.name), kinds.get(field.name, np.float64))
            object.__setattr__(self, field.name, value)
        count = len(self.position)
        for field in fields(self):
            if len(getattr(self, field.name)) != count:
                raise ValueError(f"`{field.name}` must have {count} rows, as `position` has")

    def __len__(self) -> int:
        return len(self.position)

    @property
    def max_force(self) -> Float:
        """(N,) largest thrust [N]."""
        return self.acceleration * self.mass

    @property
    def orientation_wxyz(self) -> Float:
        """(N, 4) unit quaternions of the body frames."""
        return quaternion_from_matrix(frame(self.heading, self.up))

    def moved(self, **changes: Any) -> "Flock":
        """Return the flock with some arrays replaced."""
        return replace(self, **changes)

    def select(self, rows: Index) -> "Flock":
        """Return the flock of some of the rows."""
        part = object.__new__(Flock)
        for name in _ARRAYS:  # these are checked and of the right kind already
            value = getattr(self, name)[rows]
            value.setflags(write=False)
            object.__setattr__(part, name, value)
        return part


_ARRAYS = tuple(field.name for field in fields(Flock))


def flock_at_rest(
    characters: Sequence[Character], position: Float, heading: Float, face: Index
) -> Flock:
    """Return characters standing (or hovering) at rest.

    Args:
        characters: One for each row.
        position: (N, 3) reference points [m].
        heading: (N, 3) directions to look in; walkers' are flattened.
        face: (N,) surface triangle of each walker, -1 for flyers.
    """
    grounded = np.array([character.vehicle == "hugging" for character in characters], bool)
    heading = np.asarray(heading, float).reshape(-1, 3).copy()
    heading[:, 2] = 0.0
    heading[np.linalg.norm(heading, axis=1) < 1e-9] = [1.0, 0.0, 0.0]
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    parameters = [character.parameters for character in characters]
    mass = np.array([p.mass for p in parameters])
    thrust = np.array([p.max_force for p in parameters])
    brake = np.array([p.max_braking for p in parameters])
    return Flock(
        position=position,
        velocity=np.zeros((len(characters), 3)),
        heading=heading,
        up=np.broadcast_to(WORLD_UP, (len(characters), 3)),
        spin=np.zeros((len(characters), 3)),
        face=face,
        grounded=grounded,
        radius=np.array([c.body.radius for c in characters]),
        capsule_axis=np.array([c.body.capsule_axis for c in characters]).reshape(-1, 2),
        acceleration=thrust / mass,
        braking=np.minimum(thrust, brake) / mass,
        mass=mass,
        max_speed=np.array([p.max_speed for p in parameters]),
        cruise_speed=np.array([p.cruise_speed for p in parameters]),
        brake=brake / mass,
        side_acceleration=np.array([p.max_side_force or p.max_force for p in parameters]) / mass,
        turn_radius=np.array([p.turn_radius for p in parameters]),
        pivots=np.array([p.pivots for p in parameters], bool),
        reverse=np.array([p.reverse for p in parameters]),
        max_turn_rate=np.array([p.max_turn_rate for p in parameters]),
        turn_acceleration=np.array([c.turn_acceleration for c in characters]),
        banking=np.array([p.banking for p in parameters]),
        max_pitch=np.array([p.max_pitch for p in parameters]),
        lean=np.array([p.lean for p in parameters]),
    )
