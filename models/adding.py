"""Write the files of a character that is made of a rigged glTF file."""

import re
from pathlib import Path

import numpy as np
import tomli_w

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.whole_file import unwritable, write_whole
from rmp3d.models.importing import import_rig
from rmp3d.models.rig_writing import write_rig
from rmp3d.models.skeleton import CharacterRig
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import turned

NARROWEST, WIDEST = 0.12, 0.6
"""Radius of a body, of its height."""
MOST_INSIDE = 95.0
"""Percentage of the points above the knees that the column of the body holds."""


def add_character(
    path: Path, folder: Path, height: float | None = None
) -> tuple[Path, tuple[str, ...]]:
    """Write a character file, its rig and its body for a rigged glTF file; replace no file.

    Args:
        path: A glTF file with a skin.
        folder: Where to; it is made.
        height: Of the character [m]; None: as the file says.

    Returns:
        The character file, and what was found, made and left out.

    Raises:
        InputError: Something is wrong in the file, or the character is there already.
    """
    if path.suffix.lower() not in (".glb", ".gltf"):
        raise InputError(
            f"{shown_path(path)}: a character with bones is read from a .glb or .gltf file"
        )
    try:
        made = import_rig(path, height)
    except InputError as error:
        if "refers to none of the 0 skins" not in str(error):
            raise
        raise InputError(
            f"{shown_path(path)}: has no skeleton; name it as `mesh` in a character file, and it "
            "is drawn rigid"
        ) from None
    name = re.sub(r"[^a-z0-9_]+", "_", path.stem.lower()).strip("_") or "character"
    file = folder / f"{name}.toml"
    rig, body = folder / f"{name}_rig.glb", folder / f"{name}_body.glb"
    for there in (file, rig, body):
        if there.exists():
            text = f"{shown_path(there)}: is there already; remove it, or give another folder"
            raise InputError(text)
    tall, radius = made.height, _radius(made.rig, made.height)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_rig(rig, made.rig)
        _body(radius, tall).write(body)
        write_whole(file, tomli_w.dumps(_table(name, made.rig, radius, tall, path.name)))
    except OSError as error:
        raise unwritable(file, error) from None
    notes = (*made.notes, f"{tall:.2f} m tall, body of radius {radius:.2f} m")
    return file, notes


def _radius(rig: CharacterRig, tall: float) -> float:
    """Return the radius [m] of an upright column that holds most of the walking body."""
    look = rig.looks[0]
    vertices = look.mesh.vertices
    if "walk" in rig.clips:
        clip = rig.clips["walk"]
        motion = rig.motion(clip.rotation, clip.root)
        vertices = look.skin.moved(vertices, motion).reshape(-1, 3)
    upper = vertices[vertices[:, 2] > 0.4 * tall]
    aside: Float = np.hypot(upper[:, 0], upper[:, 1])
    radius = float(np.percentile(aside, MOST_INSIDE)) / np.cos(np.pi / 8)
    return round(float(np.clip(radius, NARROWEST * tall, WIDEST * tall)), 3)


def _body(radius: float, tall: float) -> Model:
    """Return a column that narrows to the feet and the head, inside the capsule."""
    high = max(radius, tall - radius)
    low = [(radius * np.sin(a), radius * (1.0 - np.cos(a))) for a in np.radians([35.0, 85.0])]
    top = [(radius * np.sin(a), high + radius * np.cos(a)) for a in np.radians([85.0, 35.0])]
    model = Model()
    model.add("body", "#808080", turned([(0.99 * x, z) for x, z in low + top], 8))
    return model


def _table(name: str, rig: CharacterRig, radius: float, tall: float, source: str) -> dict:
    walk = rig.clips["walk"].speed if "walk" in rig.clips else 0.75 * tall
    fastest = max([1.4 * walk, *(clip.speed for clip in rig.clips.values())])
    mass = 75.0 * (tall / 1.75) ** 3
    return {
        "description": f"{tall:.2f} m tall, walks at {walk:.1f} m/s; made of {source}",
        "mesh": f"{name}_rig.glb",
        "body": {
            "mesh": f"{name}_body.glb",
            "radius": radius,
            "capsule_axis": [radius, round(max(radius, tall - radius), 3)],
        },
        "vehicle": {
            "kind": "hugging",
            "mass": round(mass, 1),
            "cruise_speed": round(walk, 2),
            "max_speed": round(fastest, 2),
            "max_force": round(4.0 * mass, 1),
            "max_turn_rate": 240.0,
        },
    }
