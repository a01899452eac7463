"""Characters that are in no file: settled so that a file of them reads back to the same bits."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.whole_file import unwritable, write_whole
from rmp3d.models.character import Character, body_of
from rmp3d.scenes.formats import RawMesh, ac3d
from rmp3d.scenes.given import cleaned
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.stating import check_name

ANGLES = ("max_turn_rate", "max_pitch", "max_roll")
"""Parameters that a file states in degrees."""


def settled(character: Character) -> Character:
    """Return a character as a file of it would be read.

    Its meshes are cleaned as those of files are, and its angles are rounded to what a number of
    degrees comes to.

    Raises:
        InputError: Its name cannot be that of a file.
    """
    check_name(character.name)
    seen = _cleaned(NamedMesh("mesh", character.mesh, character.colors))
    solid = character.body.mesh
    body = seen.mesh if solid is character.mesh else _cleaned(_plain("body", solid)).mesh
    own = character.parameters
    angles: dict[str, Any] = {
        name: math.radians(math.degrees(getattr(own, name))) for name in ANGLES
    }
    parameters, was = replace(own, **angles), character.body
    return Character(
        seen.mesh,
        name=character.name,
        vehicle=character.vehicle,
        colors=seen.colors,
        body=body_of(body, was.radius, was.capsule_axis, character.vehicle, parameters),
        parameters=parameters,
        description=character.description,
    )


def save_character(character: Character, folder: Path) -> Path:
    """Write a character's file and its meshes; return the file, ``folder/NAME.toml``.

    Args:
        character: As `settled` returns it.
        folder: Made if it is not there.

    Raises:
        InputError: It cannot be written.
    """
    name = character.name
    body: dict[str, Any] = {
        "radius": character.body.radius,
        "capsule_axis": list(character.body.capsule_axis),
    }
    meshes = {f"{name}.ac": NamedMesh("mesh", character.mesh, character.colors)}
    if character.body.mesh is not character.mesh:
        body["mesh"] = f"{name} body.ac"
        meshes[body["mesh"]] = _plain("body", character.body.mesh)
    own = {key: value for key, value in vars(character.parameters).items() if value is not None}
    vehicle = {"kind": character.vehicle, **own} | {key: _degrees(own[key]) for key in ANGLES}
    table = {"description": character.description, "mesh": f"{name}.ac", "up": "z", "embed": True,
             "body": body, "vehicle": vehicle}  # fmt: skip
    path = folder / f"{name}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, mesh in meshes.items():
            ac3d.write(folder / file, [mesh])
        write_whole(path, tomli_w.dumps(table))
    except OSError as error:
        raise unwritable(path, error) from None
    return path


def _plain(name: str, mesh: TriangleMesh) -> NamedMesh:
    return NamedMesh(name, mesh, np.full((len(mesh.faces), 3), 0.5))


def _cleaned(mesh: NamedMesh) -> NamedMesh:
    raw = RawMesh(mesh.name, mesh.mesh.vertices, mesh.mesh.faces, mesh.colors)
    return cleaned([raw], "`mesh`")[0]


def _degrees(angle: float) -> float:
    """Return the number of degrees that comes to an angle [rad], to the last bit."""
    near = math.degrees(angle)
    return next(
        (each for each in (near, math.nextafter(near, 0), math.nextafter(near, math.inf))
         if math.radians(each) == angle),
        near,
    )  # fmt: skip
