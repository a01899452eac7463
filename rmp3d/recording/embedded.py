"""Meshes and characters that a recording holds itself, because they are in no file."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import h5py
import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import Character, VehicleParameters
from rmp3d.models.character import body_of
from rmp3d.recording.layout import write_array
from rmp3d.recording.stored import DamagedError, StoredFile
from rmp3d.scenario import HeldObjects
from rmp3d.scenario.tables import ScenarioTable
from rmp3d.scenes import SceneSource
from rmp3d.scenes.named_mesh import NamedMesh

DIGITS = 10
"""More than the numbers of meshes and characters have."""


def embedded_bytes(held: HeldObjects) -> int:
    """Return about how much room the objects take at most."""
    meshes = [each.mesh for each in _scene_meshes(held)]
    for character in held.characters.values():
        meshes += [character.mesh, character.body.mesh]
    return sum(mesh.vertices.nbytes + 2 * mesh.faces.nbytes for mesh in meshes)


def write_embedded(file: h5py.File, held: HeldObjects) -> None:
    """Write what is in no file into the groups ``embedded/meshes`` and ``embedded/characters``."""
    meshes = _scene_meshes(held)
    if meshes:
        _write_meshes(file.create_group("embedded/meshes"), meshes)
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


def read_embedded(file: StoredFile, scenario: ScenarioTable) -> HeldObjects:
    """Return what a recording holds itself.

    Raises:
        DamagedError: It is damaged.
    """
    if not file.has("embedded"):
        return HeldObjects()
    try:
        if file.has("embedded/meshes"):
            meshes = tuple(_read_meshes(file, "embedded/meshes"))
        else:  # of earlier versions
            meshes = tuple(_read_mesh(file, place) for place in _places(file, "embedded/scene"))
        source = SceneSource(scenario.scene, {str(scenario.scene.mesh): meshes}) if meshes else None
        kinds = [_read_character(file, place) for place in _places(file, "embedded/characters")]
        return HeldObjects(source, dict(kinds))
    except (TypeError, KeyError, InputError) as error:
        cause = f" ({error})" if isinstance(error, InputError) else ""
        raise DamagedError(f"what it holds itself cannot be used{cause}") from None


def _scene_meshes(held: HeldObjects) -> list[NamedMesh]:
    return (
        [] if held.scene is None else [mesh for own in held.scene.meshes.values() for mesh in own]
    )


def _places(file: StoredFile, group: str) -> list[str]:
    names = file.names(group)
    if not all(name.isascii() and name.isdigit() and len(name) < DIGITS for name in names):
        raise DamagedError(f"a name in `{group}` is no number")
    return [f"{group}/{name}" for name in sorted(names, key=int)]


def _write_mesh(group: h5py.Group, mesh: NamedMesh) -> None:
    _write_text(group, "name", mesh.name)
    _write_triangles(group, mesh.mesh)
    write_array(group, "colors", mesh.colors)


def _write_meshes(group: h5py.Group, meshes: Sequence[NamedMesh]) -> None:
    """Write many meshes as a few arrays: each array of a file takes time to open."""
    _write_text(group, "names", json.dumps([each.name for each in meshes]))
    counts = [(len(each.mesh.vertices), len(each.mesh.faces)) for each in meshes]
    write_array(group, "counts", np.array(counts, "<i8"))
    write_array(group, "vertices", np.concatenate([m.mesh.vertices for m in meshes], dtype="<f8"))
    write_array(group, "faces", np.concatenate([m.mesh.faces for m in meshes], dtype="<i8"))
    write_array(group, "colors", np.concatenate([m.colors for m in meshes], dtype="<f8"))


def _read_meshes(file: StoredFile, place: str) -> Iterator[NamedMesh]:
    """Yield the meshes of `_write_meshes`.

    Raises:
        DamagedError: They are damaged.
    """
    names = json.loads(file.text(f"{place}/names"))
    counts = file.read(f"{place}/counts", "<i8", 2)
    vertices = file.read(f"{place}/vertices", "<f8", 2)
    faces = file.read(f"{place}/faces", "<i8", 2)
    colors = file.read(f"{place}/colors", "<f8", 2)
    if not (
        isinstance(names, list)
        and all(isinstance(name, str) for name in names)
        and counts.shape == (len(names), 2)
        and ((counts >= 0) & (counts <= len(vertices) + len(faces))).all()
        and counts.sum(axis=0).tolist() == [len(vertices), len(faces)]
        and colors.shape == (len(faces), 3)
        and np.isfinite(colors).all()
    ):
        raise DamagedError("the names, numbers and colors of its meshes do not fit them")
    ends = np.cumsum(counts, axis=0).tolist()
    for name, (v, f), (v_end, f_end) in zip(names, counts.tolist(), ends, strict=True):
        mesh = TriangleMesh(vertices[v_end - v : v_end], faces[f_end - f : f_end])
        yield NamedMesh(name, mesh, colors[f_end - f : f_end])


def _write_triangles(group: h5py.Group, mesh: TriangleMesh) -> None:
    write_array(group, "vertices", mesh.vertices.astype("<f8"))
    write_array(group, "faces", mesh.faces.astype("<i8"))


def _write_text(group: h5py.Group, name: str, text: str) -> None:
    write_array(group, name, np.frombuffer(text.encode(), np.uint8))


def _read_triangles(file: StoredFile, place: str) -> TriangleMesh:
    faces = file.read(f"{place}/faces", "<i8", 2)
    return TriangleMesh(file.read(f"{place}/vertices", "<f8", 2), faces)


def _read_mesh(file: StoredFile, place: str) -> NamedMesh:
    mesh, colors = _read_triangles(file, place), file.read(f"{place}/colors", "<f8", 2)
    if colors.shape != (len(mesh.faces), 3) or not np.isfinite(colors).all():
        raise DamagedError("the colors of a mesh do not fit it")
    return NamedMesh(file.text(f"{place}/name"), mesh, colors)


def _read_character(file: StoredFile, place: str) -> tuple[str, Character]:
    seen, own = _read_mesh(file, place), json.loads(file.text(f"{place}/character"))
    solid = _read_triangles(file, f"{place}/body") if file.has(f"{place}/body") else seen.mesh
    low, high = own["capsule_axis"]
    if "max_roll" not in own["parameters"]:  # of earlier versions: it leaned out of its capsule
        own["parameters"]["lean"] = 0.0
    vehicle, parameters = str(own["vehicle"]), VehicleParameters(**own["parameters"])
    axis = float(low), float(high)
    return seen.name, Character(
        seen.mesh,
        name=str(own["name"]),
        vehicle=vehicle,
        colors=seen.colors,
        body=body_of(solid, float(own["radius"]), axis, vehicle, parameters),
        parameters=parameters,
        description=str(own["description"]),
    )
