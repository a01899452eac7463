"""Write the files of a character that is made of a rigged glTF file."""

import re
from pathlib import Path

import numpy as np
import tomli_w

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.whole_file import unwritable, write_whole
from rmp3d.models.importing import import_rig
from rmp3d.models.rig_writing import write_rig
from rmp3d.models.skeleton import CharacterRig
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import turned

NARROWEST, WIDEST, LONGEST = 0.12, 0.6, 1.0
"""Radius of a body, of its height: at least, at most, and at most with four legs."""
FOUR = 4
FLATTEST = 0.2
"""Width of a body with four legs, of its length, at least."""
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
    tall = made.height
    radius, half_width = _size(made.rig, tall)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_rig(rig, made.rig)
        _body(radius, half_width, tall).write(body)
        write_whole(file, tomli_w.dumps(_table(name, made.rig, radius, tall, path.name)))
    except OSError as error:
        raise unwritable(file, error) from None
    size = f"{tall:.2f} m tall, body of radius {radius:.2f} m"
    if half_width < radius:
        size += f", {2.0 * half_width:.2f} m wide"
    return file, (*made.notes, size)


def _size(rig: CharacterRig, tall: float) -> tuple[float, float]:
    """Return how far [m] most of the walking body reaches, and how far to each side.

    One with four legs is longer than wide; the body of others is as wide as long.
    """
    look = rig.looks[0]
    vertices = look.mesh.vertices
    if "walk" in rig.clips:
        clip = rig.clips["walk"]
        motion = rig.motion(clip.rotation, clip.root)
        vertices = look.skin.moved(vertices, motion).reshape(-1, 3)
    upper = vertices[vertices[:, 2] > 0.4 * tall]
    is_long, flat = len(rig.legs) == FOUR, 1.0
    if is_long:
        flat = float(np.clip(np.divide(*np.abs(upper[:, 1::-1]).max(axis=0)), FLATTEST, 1.0))
    aside: Float = np.hypot(upper[:, 0], upper[:, 1] / flat)
    radius = float(np.percentile(aside, MOST_INSIDE)) / np.cos(np.pi / 8)
    most = LONGEST if is_long else WIDEST
    radius = round(float(np.clip(radius, NARROWEST * tall, most * tall)), 3)
    return radius, flat * radius


def _body(radius: float, half_width: float, tall: float) -> Model:
    """Return a column that narrows to the feet and the head, inside the capsule.

    Of a body that is longer than wide it is pressed flat from both sides.
    """
    high = max(radius, tall - radius)
    low = [(radius * np.sin(a), radius * (1.0 - np.cos(a))) for a in np.radians([35.0, 85.0])]
    top = [(radius * np.sin(a), high + radius * np.cos(a)) for a in np.radians([85.0, 35.0])]
    model = Model()
    column = turned([(0.99 * x, z) for x, z in low + top], 8)
    points = column.vertices * [1.0, half_width / radius, 1.0]
    points[:, 2] = np.minimum(points[:, 2], max(tall, high))
    model.add("body", "#808080", TriangleMesh(points, column.faces))
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
