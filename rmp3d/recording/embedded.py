"""Meshes and characters that a recording holds itself, because they are in no file."""

import json
from dataclasses import asdict
from typing import Any

import h5py
import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import Body, Character, VehicleParameters
from rmp3d.recording.layout import COMPRESSED
from rmp3d.scenario import HeldObjects
from rmp3d.scenario.tables import ScenarioTable
from rmp3d.scenes import SceneSource
from rmp3d.scenes.named_mesh import NamedMesh


def embedded_bytes(held: HeldObjects) -> int:
    """Return about how much room the objects take at most."""
    meshes = [each.mesh for each in _scene_meshes(held)]
    for character in held.characters.values():
        meshes += [character.mesh, character.body.mesh]
    return sum(mesh.vertices.nbytes + 2 * mesh.faces.nbytes for mesh in meshes)


def write_embedded(file: h5py.File, held: HeldObjects) -> None:
    """Write what is in no file into the groups ``embedded/scene`` and ``embedded/characters``."""
    for row, mesh in enumerate(_scene_meshes(held)):
        _write_mesh(file.create_group(f"embedded/scene/{row}"), mesh)
    for row, (name, character) in enumerate(sorted(held.characters.items())):
        group = file.create_group(f"embedded/characters/{row}")
        _write_mesh(group, NamedMesh(name, character.mesh, character.colors))
        if character.body.mesh is not character.mesh:
            _write_triangles(group.create_group("body"), character.body.mesh)
        own = {
            "name": character.name,
            "vehicle": character.vehicle,
            "description": character.description,
            "radius": character.body.radius,
            "capsule_axis": list(character.body.capsule_axis),
            "parameters": asdict(character.parameters),
        }
        _write_text(group, "character", json.dumps(own, sort_keys=True))


def read_embedded(file: h5py.File, scenario: ScenarioTable) -> HeldObjects:
    """Return what a recording holds itself.

    Raises:
        ValueError: It is damaged.
    """
    stored = file.get("embedded")
    if stored is None:
        return HeldObjects()
    try:
        meshes = tuple(_read_mesh(stored["scene"][row]) for row in _rows(stored.get("scene", {})))
        source = SceneSource(scenario.scene, {str(scenario.scene.mesh): meshes}) if meshes else None
        kinds = stored.get("characters", {})
        return HeldObjects(source, dict(_read_character(kinds[row]) for row in _rows(kinds)))
    except (TypeError, InputError) as error:
        raise ValueError(f"what it holds itself is damaged: {error}") from None


def _scene_meshes(held: HeldObjects) -> list[NamedMesh]:
    return (
        [] if held.scene is None else [mesh for own in held.scene.meshes.values() for mesh in own]
    )


def _rows(group: Any) -> list[str]:
    return sorted(group, key=int)


def _write_mesh(group: h5py.Group, mesh: NamedMesh) -> None:
    _write_text(group, "name", mesh.name)
    _write_triangles(group, mesh.mesh)
    group.create_dataset("colors", data=mesh.colors, **COMPRESSED)


def _write_triangles(group: h5py.Group, mesh: TriangleMesh) -> None:
    group.create_dataset("vertices", data=mesh.vertices, dtype="<f8", **COMPRESSED)
    group.create_dataset("faces", data=mesh.faces, dtype="<i8", **COMPRESSED)


def _write_text(group: h5py.Group, name: str, text: str) -> None:
    group.create_dataset(name, data=np.frombuffer(text.encode(), np.uint8))


def _read_text(group: Any, name: str) -> str:
    return str(group[name][:].tobytes().decode())


def _read_triangles(group: Any) -> TriangleMesh:
    return TriangleMesh(
        np.asarray(group["vertices"][:], np.float64), np.asarray(group["faces"][:], np.intp)
    )


def _read_mesh(group: Any) -> NamedMesh:
    mesh, colors = _read_triangles(group), np.asarray(group["colors"][:], np.float64)
    if colors.shape != (len(mesh.faces), 3) or not np.isfinite(colors).all():
        raise ValueError("the colors of a mesh do not fit it")
    return NamedMesh(_read_text(group, "name"), mesh, colors)


def _read_character(group: Any) -> tuple[str, Character]:
    seen, own = _read_mesh(group), json.loads(_read_text(group, "character"))
    solid = _read_triangles(group["body"]) if "body" in group else seen.mesh
    low, high = own["capsule_axis"]
    return seen.name, Character(
        seen.mesh,
        name=str(own["name"]),
        vehicle=str(own["vehicle"]),
        colors=seen.colors,
        body=Body(solid, float(own["radius"]), (float(low), float(high))),
        parameters=VehicleParameters(**own["parameters"]),
        description=str(own["description"]),
    )
