"""A character: the mesh that is drawn, the body that collides, and the limits of its vehicle."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.short_repr import short_repr
from rmp3d.models.body import (
    Body,
    capsule_around,
    check_turned,
    row_around,
    shaped,
    stated_body,
)
from rmp3d.models.poses import Attitudes
from rmp3d.models.skeleton import CharacterRig
from rmp3d.models.vehicle import ROLLED_OVER, USUAL_PITCH, check_vehicle, usual_step, walks
from rmp3d.scenes.given import one_mesh


@dataclass(frozen=True, kw_only=True)
class VehicleParameters:
    """The limits of a vehicle.

    Attributes:
        mass: [kg].
        max_speed: [m/s].
        cruise_speed: Speed [m/s] at which it moves when it is not in a hurry.
        max_force: Thrust [N].
        max_braking: Force [N] against the motion.
        max_turn_rate: Of the body's heading [rad/s].
        max_side_force: Force [N] across the motion; None: the same as ``max_force``.
        turn_radius: Radius [m] of the tightest turn, for wheels and wings; 0: the vehicle moves in
            any direction.
        pivots: Whether a vehicle with a turn radius can turn on the spot, at rest.
        reverse: Largest speed [m/s] at which a vehicle with a turn radius drives backward; 0 if it
            cannot.
        max_torque: Torque about any axis [N m]; None: only the turn rate limits turns.
        inertia: Rotational inertia [kg m^2]; None: the inertia of a solid ball as large as the
            body.
        banking: How much a flyer leans into its turns, 0 (none) to 1.
        max_pitch: How far a flyer's nose follows its climb and descent, and that of a walker that
            leans the slope [rad], up to pi / 2.
        max_roll: How far a walker that leans rolls to its sides with the slope, and a flyer into
            its turns [rad]; 0 for a flyer: up to 75 degrees.
        lean: How much a walker's attitude follows the ground, 0 (upright) to 1.
        max_step: Highest step [m] that a walker goes up and down.

    Raises:
        InputError: A number is out of range; the error names it.
    """

    mass: float
    max_speed: float
    cruise_speed: float
    max_force: float
    max_braking: float
    max_turn_rate: float
    max_side_force: float | None = None
    turn_radius: float = 0.0
    pivots: bool = False
    reverse: float = 0.0
    max_torque: float | None = None
    inertia: float | None = None
    banking: float = 0.0
    max_pitch: float = np.pi / 2
    max_roll: float = 0.0
    lean: float = 0.0
    max_step: float = ROLLED_OVER

    def __post_init__(self) -> None:
        positive = ("mass", "max_speed", "cruise_speed", "max_force", "max_braking")
        for name in (*positive, "max_turn_rate"):
            value = getattr(self, name)
            if not 0.0 < value < np.inf:
                raise InputError(f"`{name}` must be positive, got {value}")
        for name in ("max_side_force", "max_torque", "inertia"):
            value = getattr(self, name)
            if value is not None and not 0.0 < value < np.inf:
                raise InputError(f"`{name}` must be positive, got {value}")
        if not 0.0 <= self.turn_radius < np.inf:
            raise InputError(f"`turn_radius` must be 0 or more, got {self.turn_radius}")
        if self.pivots and self.turn_radius == 0.0:
            raise InputError(
                "`pivots` needs a `turn_radius`: a vehicle without one always turns on the spot; "
                "leave `pivots` out, or give the radius"
            )
        if not 0.0 <= self.reverse <= self.max_speed:
            raise InputError(
                f"`reverse` must be from 0 to `max_speed` {self.max_speed}, got {self.reverse}"
            )
        if self.reverse > 0.0 and self.turn_radius == 0.0:
            raise InputError(
                "`reverse` needs a `turn_radius`: a vehicle without one moves in any direction; "
                "leave `reverse` out, or give the radius"
            )
        if self.cruise_speed > self.max_speed:
            raise InputError(
                f"`cruise_speed` {self.cruise_speed} is above `max_speed` {self.max_speed}"
            )
        for name in ("banking", "lean"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise InputError(f"`{name}` must be from 0 to 1, got {getattr(self, name)}")
        for name in ("max_pitch", "max_roll"):
            angle = getattr(self, name)
            if not 0.0 <= angle <= np.pi / 2:
                raise InputError(
                    f"`{name}` must be from 0 to 90 degrees, got {np.degrees(angle):g}"
                )
        if not 0.0 <= self.max_step < np.inf:
            raise InputError(f"`max_step` must be 0 or more, got {self.max_step}")


class VehicleLimits(TypedDict, total=False):
    """What a vehicle can do, as keywords of `Character`; see `VehicleParameters`."""

    mass: float
    max_speed: float
    cruise_speed: float
    max_force: float
    max_braking: float
    max_turn_rate: float
    max_side_force: float | None
    turn_radius: float
    pivots: bool
    reverse: float
    max_torque: float | None
    inertia: float | None
    banking: float
    max_pitch: float
    max_roll: float
    lean: float
    max_step: float


@dataclass(frozen=True, eq=False, init=False)
class Character:
    """One kind of agent.

    >>> wing = [[0.2, 0, 0], [-0.2, 0.2, 0], [-0.2, -0.2, 0]], [[0, 1, 2]]
    >>> Character(wing, vehicle="flying", max_speed=6.0).body.radius < 0.3
    True

    What is left out follows from the rest: the body is an upright capsule around the mesh (a ball
    for one that does not walk), it cruises at 70 % of ``max_speed``, and it gathers speed and
    brakes with 4 m/s^2. A walker without a ``turn_radius`` steps up an eighth of its height, at
    most 0.2 m.

    Args:
        mesh: What is seen, body frame: x ahead, y left, z up [m]; a trimesh, arrays (vertices,
            faces), a `TriangleMesh`, or the path of a mesh file.
        name: Unique among the characters of a scenario.
        vehicle: How it moves: ``hugging`` walks on the ground, ``flying`` moves in space.
        body: What collides: a `Body`, or a mesh, around which a capsule is put.
        colors: (F, 3) of the mesh's faces, 0 to 1.
        parameters: All of what the vehicle can do; else say it by keywords.
        description: One line.
        rig: What moves the mesh when it is drawn; None: it is rigid.
        limits: Keywords of `VehicleParameters`, such as ``max_speed`` [m/s].

    Attributes:
        name: Unique among the characters of a scenario.
        vehicle: How it moves: ``hugging`` walks on the ground, ``flying`` moves in space,
            ``carried`` goes by a schedule; or a name that a file of the user's registers.
        mesh: What is seen, body frame: x ahead, y left, z up [m].
        colors: (F, 3) of its faces, 0 to 1.
        body: What collides.
        parameters: What the vehicle can do.
        description: One line.
        rig: What moves the mesh when it is drawn; None for a rigid one. What collides is rigid.
    """

    name: str
    vehicle: str
    mesh: TriangleMesh
    colors: Float
    body: Body
    parameters: VehicleParameters
    description: str = ""
    rig: CharacterRig | None = None

    __repr__ = short_repr

    def __init__(
        self,
        mesh: Any,
        *,
        name: str = "character",
        vehicle: str = "hugging",
        body: Any = None,
        colors: ArrayLike | None = None,
        parameters: VehicleParameters | None = None,
        description: str = "",
        rig: CharacterRig | None = None,
        **limits: Unpack[VehicleLimits],
    ) -> None:
        check_vehicle(vehicle)
        seen = one_mesh(mesh)
        solid = None
        if not isinstance(body, Body):
            solid = (seen if body is None else one_mesh(body)).mesh
            body = capsule_around(solid, vehicle)
        if parameters is None:
            parameters = parameters_of(limits, body, grounded=walks(vehicle))
        elif limits:
            raise InputError(f"`{min(limits)}`: give `parameters`, or their keywords, not both")
        if solid is not None and solid is not body.mesh and faces_ahead(vehicle, parameters):
            body = row_around(solid, attitudes_of(vehicle, parameters))
        values = {
            "name": name, "vehicle": vehicle, "mesh": seen.mesh, "body": body,
            "colors": seen.colors if colors is None else colors,
            "parameters": parameters, "description": description, "rig": rig,
        }  # fmt: skip
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        if self.grounded:
            check_step(self.parameters.max_step, self)
        else:
            check_turned(self.body, self.name)
        attitudes = attitudes_of(self.vehicle, self.parameters)
        ahead = faces_ahead(self.vehicle, self.parameters)
        body = shaped(self.body, attitudes, faces_ahead=ahead, name=self.name)
        object.__setattr__(self, "body", body)
        colors = frozen(self.colors)
        if colors.shape != (len(self.mesh.faces), 3):
            raise InputError(
                f"`{self.name}`: `colors` must have shape ({len(self.mesh.faces)}, 3), "
                f"got {colors.shape}"
            )
        object.__setattr__(self, "colors", colors)

    @property
    def grounded(self) -> bool:
        """Whether it stays on the ground."""
        return walks(self.vehicle)

    @property
    def turn_acceleration(self) -> float:
        """Largest angular acceleration [rad/s^2]; infinite if the torque has no limit."""
        parameters = self.parameters
        if parameters.max_torque is None:
            return np.inf
        ball = 0.4 * parameters.mass * self.body.radius**2
        return parameters.max_torque / (parameters.inertia or ball)


def check_step(max_step: float, character: Character) -> None:
    """Refuse a step that is too high for a walker's body.

    Raises:
        InputError: It is more than half as high as the body.
    """
    body = character.body
    highest = max(ROLLED_OVER, 0.5 * (body.capsule_axis[1] + body.radius))
    if max_step > highest:
        raise InputError(
            f"`max_step` {max_step:g} m is more than half the height of `{character.name}`; "
            f"it must be from 0 to {highest:.3g}"
        )


def attitudes_of(vehicle: str, parameters: VehicleParameters) -> Attitudes:
    """Return how far the body of a walker tilts; see `rmp3d.behaviors.vehicles.leaning`."""
    leans = walks(vehicle) and parameters.lean > 0.0
    return Attitudes(parameters.max_pitch, parameters.max_roll) if leans else Attitudes()


def body_of(
    mesh: TriangleMesh, radius: float, capsule_axis: tuple[float, float], vehicle: str,
    parameters: VehicleParameters,
) -> Body:  # fmt: skip
    """Return the body of a vehicle with a mesh and a stated capsule; see `stated_body`."""
    attitudes, ahead = attitudes_of(vehicle, parameters), faces_ahead(vehicle, parameters)
    return stated_body(mesh, radius, capsule_axis, attitudes, faces_ahead=ahead)


def faces_ahead(vehicle: str, parameters: VehicleParameters) -> bool:
    """Return whether its heading is always that of its motion: it drives, and cannot pivot."""
    return vehicle == "hugging" and parameters.turn_radius > 0.0 and not parameters.pivots


def parameters_of(limits: Mapping[str, Any], body: Body, *, grounded: bool) -> VehicleParameters:
    """Return the limits of a vehicle from the stated ones; the others get default values.

    Args:
        limits: Of the keywords of `VehicleParameters`.
        body: What collides.
        grounded: Whether it walks: that decides what its mass and speed are by default.

    Raises:
        InputError: An unknown keyword, which is named with the nearest one; a value out of range.
    """
    known = [each.name for each in fields(VehicleParameters)]
    for name, value in limits.items():
        if name not in known:
            raise InputError(unknown_name("argument of `Character`", name, known))
        if not isinstance(value, bool | int | float | np.number | None):
            raise InputError(f"`{name}` must be a number, got {value!r}")
    mass, max_speed = (75.0, 1.8) if grounded else (5.0, 5.0)
    own = {"mass": mass, "max_speed": max_speed, "max_turn_rate": 2.0 * np.pi, **limits}
    own.setdefault("cruise_speed", 0.7 * own["max_speed"])
    own.setdefault("max_force", 4.0 * own["mass"])
    own.setdefault("max_braking", own["max_force"])
    if grounded:
        top = body.capsule_axis[1] + body.radius
        own.setdefault("max_step", usual_step(top, own.get("turn_radius", 0.0)))
        own.setdefault("max_pitch", USUAL_PITCH)
    return VehicleParameters(**own)
