"""Character files: one TOML with meshes, body and vehicle parameters."""

import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Literal

import msgspec
import numpy as np

from rmp3d.geometry.checked_toml import checked, read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import join
from rmp3d.geometry.registry import unknown_name
from rmp3d.models.character import Character, VehicleParameters, body_of, faces_ahead
from rmp3d.models.rig_file import is_rig, read_rig
from rmp3d.models.vehicle import ROLLED_OVER, USUAL_PITCH, check_vehicle, usual_step, walks
from rmp3d.scenes.given import in_meters
from rmp3d.scenes.meshes import NamedMesh, read_mesh_file

BUILTIN = Path(__file__).parent / "builtin"


class BodyFile(msgspec.Struct, forbid_unknown_fields=True):
    """The `[body]` table: collision mesh file (default: the visual mesh) and capsule [m].

    Vehicles on wheels need no radius: a row of capsules holds their mesh.
    """

    radius: float | None = None
    capsule_axis: tuple[float, float] = (0.0, 0.0)
    mesh: str | None = None

    # Keys of earlier versions, and what they are called now.
    renamed: ClassVar[Mapping[str, str]] = MappingProxyType({"spine": "capsule_axis"})


class VehicleFile(msgspec.Struct, forbid_unknown_fields=True):
    """The `[vehicle]` table; angles in degrees, otherwise as `VehicleParameters`."""

    kind: str
    mass: float
    max_speed: float
    cruise_speed: float
    max_force: float
    max_braking: float | None = None  # default: as max_force
    max_side_force: float | None = None  # default: as max_force
    max_turn_rate: float = 180.0  # [degrees/s]
    turn_radius: float = 0.0
    pivots: bool = False
    reverse: float = 0.0  # [m/s]
    max_torque: float | None = None  # default: no limit
    inertia: float | None = None  # default: of a solid ball of the body's radius
    banking: float = 0.0
    max_pitch: float | None = None  # [degrees], default: 90, 10 for walkers
    max_roll: float = 0.0  # [degrees]
    lean: float = 0.0
    max_step: float | None = None  # [m], default: by the body's height


class CharacterFile(msgspec.Struct, forbid_unknown_fields=True):
    """A character file; paths are relative to its folder.

    Attributes:
        mesh: What is seen: x ahead, y left, z up [m].
        body: What collides.
        vehicle: What it can do.
        description: One line.
        up: Axis of the mesh files that points up; by default y for glTF and AC3D, else z.
        embed: Whether recordings hold the character itself, so that they can be replayed and
            verified where its files are not.
    """

    mesh: str
    body: BodyFile
    vehicle: VehicleFile
    description: str = ""
    up: Literal["z", "y"] | None = None
    embed: bool = False


def builtin_models() -> tuple[str, ...]:
    """Return the names of the built-in characters, sorted."""
    return tuple(sorted(path.stem for path in BUILTIN.glob("*.toml")))


def builtin_summary(name: str) -> str:
    """Return one line about a built-in character."""
    path = BUILTIN / f"{name}.toml"
    return checked(read_toml(path), CharacterFile, str(path)).description


def is_embedded(name: str) -> bool:
    """Whether the name of a character is that of a file that says `embed`.

    Raises:
        InputError: The file is missing, or something is wrong in it.
    """
    path = Path(name)
    return path.suffix == ".toml" and checked(read_toml(path), CharacterFile, str(path)).embed


def is_character(path: Path) -> bool:
    """Whether a file is a TOML file of a character, by its keys; it may be wrong otherwise.

    Raises:
        InputError: It is no TOML file.
    """
    return path.suffix == ".toml" and {"mesh", "body", "vehicle"} <= set(read_toml(path))


def load_character(name_or_path: str | Path, folder: Path | None = None) -> Character:
    """Return a built-in character by its name, or a user's by the path of its file.

    Args:
        name_or_path: A name, or a path that ends in ``.toml``.
        folder: Relative paths start here; default: the working folder.

    Raises:
        InputError: There is no such name or file, or the file is wrong; the error names the key.
    """
    if Path(name_or_path).suffix == ".toml":
        path = (folder or Path()) / name_or_path
    elif str(name_or_path) in builtin_models():
        path = BUILTIN / f"{name_or_path}.toml"
    else:
        known = unknown_name("character", str(name_or_path), list(builtin_models()))
        raise InputError(f"{known}; a character of your own is given as a path to a .toml file")
    file = checked(read_toml(path), CharacterFile, str(path))
    try:
        return _character(path, file)
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(str(path.parent)) else f"{path}: {text}") from None


def _character(path: Path, file: CharacterFile) -> Character:
    rig = read_rig(path.parent / file.mesh) if is_rig(path.parent / file.mesh) else None
    if rig is None:
        visual = _read(path.parent / file.mesh, file.up)
        mesh = join([part.mesh for part in visual])
        colors = np.concatenate([part.colors for part in visual])
    else:
        mesh, colors = rig.looks[0].mesh, rig.looks[0].colors
    solid = mesh
    if file.body.mesh is not None:
        solid = join([part.mesh for part in _read(path.parent / file.body.mesh, file.up)])
    vehicle = file.vehicle
    try:
        check_vehicle(vehicle.kind)
    except InputError as error:
        raise InputError(f"`vehicle.kind`: {error}") from None
    grounded = walks(vehicle.kind)
    if not grounded and vehicle.kind != "carried" and file.body.capsule_axis != (0.0, 0.0):
        raise InputError(
            "`body.capsule_axis` of a flying character is [0, 0]: its capsule is a sphere"
        )
    parameters, radius = _parameters(vehicle, file.body), file.body.radius
    if radius is None and not faces_ahead(vehicle.kind, parameters):
        raise InputError("`body.radius` is missing: the radius [m] of the capsule around the mesh")
    if radius is not None and radius <= 0.0:
        raise InputError(f"`radius` must be positive, got {radius}")
    if grounded and radius is not None and file.body.capsule_axis[0] < radius:
        raise InputError(
            f"`body.capsule_axis` {list(file.body.capsule_axis)} starts below `body.radius` "
            f"{radius}: the capsule of a walker would reach below the ground"
        )
    if not grounded and vehicle.reverse > 0.0:
        raise InputError('`vehicle.reverse` is for `kind = "hugging"`: wings need to move ahead')
    return Character(
        name=path.stem,
        vehicle=vehicle.kind,
        mesh=mesh,
        colors=colors,
        rig=rig,
        body=body_of(solid, radius or 0.0, file.body.capsule_axis, vehicle.kind, parameters),
        parameters=parameters,
        description=file.description,
    )


def _parameters(vehicle: VehicleFile, body: BodyFile) -> VehicleParameters:
    return VehicleParameters(
        mass=vehicle.mass,
        max_speed=vehicle.max_speed,
        cruise_speed=vehicle.cruise_speed,
        max_force=vehicle.max_force,
        max_braking=vehicle.max_force if vehicle.max_braking is None else vehicle.max_braking,
        max_turn_rate=math.radians(vehicle.max_turn_rate),
        max_side_force=vehicle.max_side_force,
        turn_radius=vehicle.turn_radius,
        pivots=vehicle.pivots,
        reverse=vehicle.reverse,
        max_torque=vehicle.max_torque,
        inertia=vehicle.inertia,
        banking=vehicle.banking,
        max_pitch=_max_pitch(vehicle),
        max_roll=math.radians(vehicle.max_roll),
        lean=vehicle.lean,
        max_step=_max_step(vehicle, body),
    )


def _max_step(vehicle: VehicleFile, body: BodyFile) -> float:
    if vehicle.max_step is not None:
        return vehicle.max_step
    if not walks(vehicle.kind):
        return ROLLED_OVER
    return usual_step(body.capsule_axis[1] + (body.radius or 0.0), vehicle.turn_radius)


def _max_pitch(vehicle: VehicleFile) -> float:
    if vehicle.max_pitch is not None:
        return math.radians(vehicle.max_pitch)
    return USUAL_PITCH if walks(vehicle.kind) else 0.5 * math.pi


def _read(path: Path, up: str | None) -> list[NamedMesh]:
    """Return the meshes of a file, turned to z up."""
    return in_meters(read_mesh_file(path), up)
