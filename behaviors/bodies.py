"""What does not change in a run: sizes and limits of all characters, one structure of arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.geometry.arrays import Bool, Float, Index, frozen, read_only
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.surface import CURB
from rmp3d.models import Character

# Time in which the forces of characters follow those that are wanted [s]: half of the response time
# of behaviors, so that the two together hardly overshoot (a damping ratio of 0.7). A vehicle with a
# turn radius has no force to choose across its heading; it is left alone.
FORCE_TIME = 0.125


@dataclass(frozen=True, kw_only=True, eq=False)
class Bodies:
    """Bodies and limits of N characters; row i of every array is character i. Read-only.

    Attributes:
        vehicle: (N,) name of the vehicle that moves each; see `rmp3d.behaviors.vehicles`.
        grounded: (N,) whether the character walks on the surface.
        radius: (N,) of the upright bounding capsule [m].
        capsule_axis: (N, 2) heights of the ends of its segment over the reference point [m].
        row: (N, K, 4) capsules along the heading of elongated bodies: offset [m], radius [m], and
            heights of the ends of the axis [m]; the rest of a shorter row repeats its last one.
        row_count: (N,) how many there are; 0 for round bodies, which the capsule above holds.
        mass: (N,) [kg].
        max_speed: (N,) [m/s]; for walkers in plan.
        cruise_speed: (N,) [m/s].
        max_reverse_speed: (N,) backward [m/s]; 0 for a body that cannot, or needs no such gear.
        max_acceleration: (N,) largest thrust over mass [m/s^2].
        max_brake: (N,) largest deceleration along the motion [m/s^2].
        max_side_acceleration: (N,) across the motion [m/s^2].
        force_time: (N,) time in which a force follows the one that is wanted [s]; 0: at once.
        turn_radius: (N,) tightest turn [m]; 0 for a body that moves in any direction.
        pivots: (N,) whether one with a turn radius can turn on the spot, at rest.
        max_turn_rate: (N,) of the heading [rad/s].
        max_turn_acceleration: (N,) largest torque over rotational inertia [rad/s^2]; may be
            infinite.
        banking: (N,) how much a flyer rolls into turns, 0 to 1.
        max_pitch: (N,) how far the nose follows a flyer's climb, a leaning walker's slope [rad].
        max_roll: (N,) how far a leaning walker rolls with the slope [rad], and a flyer into its
            turns; 0 for a flyer: up to 75 degrees.
        lean: (N,) how much a walker's attitude follows the ground, 0 to 1.
        max_step: (N,) highest step that a walker goes up and down [m].
    """

    vehicle: NDArray[np.str_]
    grounded: Bool
    radius: Float
    capsule_axis: Float
    row: Float
    row_count: Index
    mass: Float
    max_speed: Float
    cruise_speed: Float
    max_reverse_speed: Float
    max_acceleration: Float
    max_brake: Float
    max_side_acceleration: Float
    force_time: Float
    turn_radius: Float
    pivots: Bool
    max_turn_rate: Float
    max_turn_acceleration: Float
    banking: Float
    max_pitch: Float
    max_roll: Float
    lean: Float
    max_step: Float

    __repr__ = short_repr

    def __post_init__(self) -> None:
        for name in _ARRAYS:
            value = frozen(getattr(self, name), _KINDS.get(name, np.float64))
            object.__setattr__(self, name, value)
        for name in _ARRAYS:
            if len(getattr(self, name)) != len(self):
                raise ValueError(f"`{name}` must have {len(self)} rows, as `radius` has")

    def __len__(self) -> int:
        return len(self.radius)

    @cached_property
    def rows_of_vehicle(self) -> dict[str, Index]:
        """Rows of the bodies of each vehicle, by its name."""
        if len(self) > 0 and (self.vehicle == self.vehicle[0]).all():
            return {str(self.vehicle[0]): np.arange(len(self))}
        return {str(name): np.flatnonzero(self.vehicle == name) for name in np.unique(self.vehicle)}

    @cached_property
    def elongated(self) -> Bool:
        """(N,) whether a row of capsules along the heading holds the body."""
        found: Bool = self.row_count > 0
        return found

    @cached_property
    def half_width(self) -> Float:
        """(N,) distance [m] from the middle to the outside, across the heading."""
        if not self.elongated.any():
            return self.radius
        return frozen(np.where(self.elongated, self.row[:, 0, 1], self.radius))

    @cached_property
    def heights(self) -> Float:
        """(N, 2) lowest and highest end of the axes of all capsules of a body [m]."""
        if not self.elongated.any():
            return self.capsule_axis
        own = np.stack([self.row[:, :, 2].min(axis=1), self.row[:, :, 3].max(axis=1)], axis=1)
        return frozen(np.where(self.elongated[:, None], own, self.capsule_axis))

    @cached_property
    def ends(self) -> Float:
        """(N, 2) offsets [m] of the last and the first capsule of a row; zero for round bodies."""
        if not self.elongated.any():
            return frozen(np.zeros((len(self), 2)))
        offset = np.where(self.elongated[:, None], self.row[:, :, 0], 0.0)
        return frozen(np.stack([offset.min(axis=1), offset.max(axis=1)], axis=1))

    @cached_property
    def far(self) -> Float:
        """(N,) how far the axes of the capsules are from the reference point, at most [m]."""
        if not self.elongated.any():
            return frozen(np.zeros(len(self)))
        return frozen(np.abs(self.ends).max(axis=1, initial=0.0))

    @cached_property
    def middle(self) -> Float:
        """(N,) heights of the middles of bodies over their reference points [m]."""
        return frozen(self.capsule_axis.mean(axis=1))

    @property
    def max_force(self) -> Float:
        """(N,) largest thrust [N]."""
        return self.max_acceleration * self.mass

    def changed(self, **changes: ArrayLike) -> "Bodies":
        """Return the bodies with some arrays replaced; one value stands for all rows.

        Raises:
            InputError: There is no array of that name.
        """
        for name in changes:
            if name not in _ARRAYS:
                raise InputError(unknown_name("array of bodies", name, list(_ARRAYS)))
        arrays: dict[str, Any] = {
            name: np.broadcast_to(value, getattr(self, name).shape)
            for name, value in changes.items()
        }
        return replace(self, **arrays)

    def select(self, rows: Index) -> "Bodies":
        """Return some of the bodies; what nobody asks about them is not looked up."""
        part = object.__new__(Bodies)
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        object.__setattr__(part, "_part_of", (self, rows))
        return part

    def _has_one(self, name: str) -> bool:
        """Return whether all bodies have the same value in an array."""
        if name not in self._alike:
            value = getattr(self, name)
            self._alike[name] = bool((value == value[:1]).all())
        return self._alike[name]

    @cached_property
    def _alike(self) -> dict[str, bool]:
        return {}

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Return an array of some of other bodies, asked about for the first time."""
            part = self.__dict__.get("_part_of")
            if part is None or name not in _ARRAYS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            whole, rows = part  # whose arrays are checked and of the right kind already
            value = getattr(whole, name)
            if len(rows) <= len(value) and whole._has_one(name):
                value = value[: len(rows)]
            else:
                value = read_only(value.take(rows, axis=0))
            object.__setattr__(self, name, value)
            return value

    @classmethod
    def alike(cls, count: int, **values: ArrayLike) -> "Bodies":
        """Return ``count`` bodies that differ in nothing, or only in the ``values`` given.

        Without values they fly: spheres of radius 0.3 m and mass 1 kg that cruise at
        1 m/s, speed up and brake by at most 4 m/s^2, and turn by at most 3 rad/s.

        Args:
            count: How many.
            values: For any of the arrays, one value for all, or a row each.
        """
        if "vehicle" not in values:
            grounded = values.get("grounded", False)
            values["vehicle"] = np.where(grounded, "hugging", "flying")
        default = cls(**{name: np.array([value]) for name, value in _DEFAULTS.items()})
        return default.select(np.zeros(count, np.intp)).changed(**values)

    @classmethod
    def of(cls, characters: Sequence[Character]) -> "Bodies":
        """Return the bodies of characters, one row each."""
        parameters = [character.parameters for character in characters]
        mass = np.array([p.mass for p in parameters])
        thrust = np.array([p.max_force for p in parameters])
        brake = np.array([p.max_braking for p in parameters])
        side = np.array([p.max_side_force or p.max_force for p in parameters])
        return cls(
            vehicle=np.array([character.vehicle for character in characters], np.str_),
            grounded=np.array([character.grounded for character in characters], bool),
            radius=np.array([c.body.radius for c in characters]),
            capsule_axis=np.array([c.body.capsule_axis for c in characters]).reshape(-1, 2),
            row=_rows(characters),
            row_count=np.array(
                [len(c.body.capsules) if c.body.elongated else 0 for c in characters], np.intp
            ),
            mass=mass,
            max_speed=np.array([p.max_speed for p in parameters]),
            cruise_speed=np.array([p.cruise_speed for p in parameters]),
            max_reverse_speed=np.array([p.reverse for p in parameters]),
            max_acceleration=thrust / mass,
            max_brake=brake / mass,
            max_side_acceleration=side / mass,
            force_time=np.array([0.0 if p.turn_radius > 0.0 else FORCE_TIME for p in parameters]),
            turn_radius=np.array([p.turn_radius for p in parameters]),
            pivots=np.array([p.pivots for p in parameters], bool),
            max_turn_rate=np.array([p.max_turn_rate for p in parameters]),
            max_turn_acceleration=np.array([c.turn_acceleration for c in characters]),
            banking=np.array([p.banking for p in parameters]),
            max_pitch=np.array([p.max_pitch for p in parameters]),
            max_roll=np.array([p.max_roll for p in parameters]),
            lean=np.array([p.lean for p in parameters]),
            max_step=np.array([p.max_step for p in parameters]),
        )


def _rows(characters: Sequence[Character]) -> Float:
    """Return the rows (N, K, 4) of elongated bodies, and zeros for round ones."""
    own = [character.body.capsules for character in characters]
    longest = max((len(row) for row in own if len(row) > 1), default=0)
    rows = np.zeros((len(own), longest, 4))
    for place, row in zip(rows, own, strict=True):
        if len(row) > 1:
            place[:] = row[np.minimum(np.arange(longest), len(row) - 1)]
    return rows


_ARRAYS = tuple(field.name for field in fields(Bodies))
_KINDS: dict[str, Any] = {
    "vehicle": np.str_,
    "grounded": np.bool_,
    "row_count": np.intp,
    "pivots": np.bool_,
}
_DEFAULTS: dict[str, Any] = {
    "vehicle": "flying",
    "grounded": False,
    "radius": 0.3,
    "capsule_axis": (0.0, 0.0),
    "row": np.zeros((0, 4)),
    "row_count": 0,
    "mass": 1.0,
    "max_speed": 2.0,
    "cruise_speed": 1.0,
    "max_reverse_speed": 0.0,
    "max_acceleration": 4.0,
    "max_brake": 4.0,
    "max_side_acceleration": 4.0,
    "force_time": 0.0,
    "turn_radius": 0.0,
    "pivots": False,
    "max_turn_rate": 3.0,
    "max_turn_acceleration": np.inf,
    "banking": 0.0,
    "max_pitch": 1.0,
    "max_roll": 0.0,
    "lean": 0.0,
    "max_step": CURB,
}
