"""Write a rig as binary glTF 2.0: a mesh for each look, one skin, an animation for each clip."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.whole_file import write_whole
from rmp3d.models.skeleton import CharacterRig, Clip, Look
from rmp3d.scenes.build.glb import color_material
from rmp3d.scenes.paint import NO_PICTURE

GENERATOR = "rmp3d rig"
"""Says in a file that its skin and clips are as `rmp3d.models.rig_file` wants them."""
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
COMPONENTS = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
VERTICES, INDICES = 34962, 34963
DIGITS = 5
"""Decimals of lengths [m] and quaternions in the file: enough to see, the same on each machine."""


def y_up(vectors: Float) -> Float:
    """Return vectors (..., 3) of our world, z up, in glTF's, y up: (x, y, z) to (x, z, -y)."""
    return np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1)


class _File:
    """A glTF document and its one buffer."""

    def __init__(self) -> None:
        self.head: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": GENERATOR},
            "scene": 0,
        }
        self.data = bytearray()

    def add(self, kind: str, item: dict[str, Any]) -> int:
        rows: list[dict[str, Any]] = self.head.setdefault(kind, [])
        rows.append(item)
        return len(rows) - 1

    def stored(self, data: bytes) -> dict[str, Any]:
        """Append bytes; return the view of them."""
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self.data += data
        self.data += b"\0" * (-len(self.data) % 4)
        return view

    def array(self, values: NDArray[Any], target: int = 0, *, bounds: bool = False) -> int:
        """Append an array; return the row of its accessor."""
        if values.dtype.kind == "f":
            values = np.round(values, DIGITS).astype("<f4") + np.float32(0.0)
        values = np.ascontiguousarray(values)
        view = self.stored(values.tobytes())
        row = self.add("bufferViews", view | ({"target": target} if target else {}))
        flat = values.reshape(len(values), -1)
        item: dict[str, Any] = {
            "bufferView": row,
            "componentType": COMPONENTS[values.dtype.str[1:]],
            "count": len(values),
            "type": TYPES[flat.shape[1]],
        }
        if bounds:
            item |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        return self.add("accessors", item)

    def bytes(self) -> bytes:
        self.head["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.head, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self.data)
        head = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON")
        return head + text + struct.pack("<I4s", len(self.data), b"BIN\0") + bytes(self.data)


def write_rig(path: Path, rig: CharacterRig) -> None:
    """Write a rig to a file that `rmp3d.models.rig_file` reads: the same rig, the same bytes."""
    file = _File()
    own = rig.skeleton
    for row, name in enumerate(own.names):
        above = own.position[own.parents[row]] if row else np.zeros(3)
        offset = np.round(y_up(own.position[row] - above), DIGITS) + 0.0
        children = np.flatnonzero(own.parents == row).tolist()
        node = {"name": name, "translation": offset.tolist()}
        file.add("nodes", node | ({"children": children} if children else {}))
    bind = np.tile(np.eye(4), (len(own.names), 1, 1))
    bind[:, 3, :3] = -y_up(own.position)  # by columns
    extras = {
        "legs": [list(vars(leg).values()) for leg in rig.legs],
        "steered": list(rig.steered),
        "wheelbase": round(rig.wheelbase, DIGITS),
    }
    matrices = file.array(bind.reshape(-1, 16))
    joints = list(range(len(own.names)))
    file.add("skins", {"joints": joints, "inverseBindMatrices": matrices, "extras": extras})
    colors: dict[str | bytes, int] = {}
    meshes = [file.add("nodes", _look_node(file, row, each, colors))
              for row, each in enumerate(rig.looks)]  # fmt: skip
    for row, each in enumerate(rig.looks):  # in no scene: other programs do not draw them
        for level, simpler in enumerate(each.levels, 1):
            file.add("nodes", _look_node(file, row, simpler, colors, level))
    file.add("scenes", {"nodes": [0, *meshes]})
    file.head["materials"] = [
        color_material(each) if isinstance(each, str) else _picture_material(file, each)
        for each in colors
    ]
    for clip in rig.clips.values():
        _add_clip(file, rig, clip)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, file.bytes(), "the rig")


def _look_node(
    file: _File, row: int, look: Look, colors: dict[str | bytes, int], level: int = 0
) -> dict[str, Any]:
    """Add the mesh of a look, one primitive for each color and picture; return its node.

    Args:
        file: Of the rig.
        row: Of the look.
        look: Its mesh, or a simpler one of it.
        colors: The materials by their colors or pictures; its own are added.
        level: 0 for the whole mesh, more for simpler ones.
    """
    shades = np.round(255 * look.colors).astype(int)
    paint = look.paint
    bare = np.ones(len(shades), np.bool_) if paint is None else paint.picture == NO_PICTURE
    primitives = []
    for shade in dict.fromkeys(map(tuple, shades[bare].tolist())):
        own = np.flatnonzero(bare & (shades == shade).all(axis=1))
        color = "#{:02x}{:02x}{:02x}".format(*shade)
        material = colors.setdefault(color, len(colors))
        primitives.append(_primitive(file, look, own, material))
    if paint is not None:
        for picture in paint.used():
            own = np.flatnonzero(paint.picture == picture)
            material = colors.setdefault(paint.pictures[picture], len(colors))
            primitives.append(_primitive(file, look, own, material, paint.places[own]))
    name = f"look {row}" + (f", level {level}" if level else "")
    mesh = file.add("meshes", {"name": name, "primitives": primitives})
    extras = {"look": row} | ({"level": level} if level else {})
    return {"name": name, "mesh": mesh, "skin": 0, "extras": extras}


def _primitive(
    file: _File, look: Look, own: Index, material: int, places: Float | None = None
) -> dict[str, Any]:
    """Add some faces (n,) of a look, with places (n, 3, 2) in a picture if they have one."""
    faces = look.mesh.faces[own]
    if places is None:
        used, corners = np.unique(faces, return_inverse=True)
    else:
        rows = np.column_stack([faces.reshape(-1), np.round(places.reshape(-1, 2), DIGITS)])
        rows, corners = np.unique(rows, axis=0, return_inverse=True)
        used = rows[:, 0].astype(np.intp)
    attributes = {
        "POSITION": file.array(y_up(look.mesh.vertices[used]), VERTICES, bounds=True),
        "JOINTS_0": file.array(look.skin.joints[used].astype("u1"), VERTICES),
        "WEIGHTS_0": file.array(look.skin.weights[used], VERTICES),
    }
    if places is not None:  # glTF's v goes down
        attributes["TEXCOORD_0"] = file.array(rows[:, 1:] * [1.0, -1.0] + [0.0, 1.0], VERTICES)
    kind = "<u2" if len(used) < 65535 else "<u4"
    indices = file.array(corners.reshape(-1).astype(kind), INDICES)
    return {"attributes": attributes, "indices": indices, "material": material}


def _picture_material(file: _File, picture: bytes) -> dict[str, Any]:
    """Add an encoded picture; return the material of faces that have it."""
    kind = "image/png" if picture.startswith(b"\x89PNG") else "image/jpeg"
    view = file.add("bufferViews", file.stored(picture))
    image = file.add("images", {"bufferView": view, "mimeType": kind})
    texture = {"index": file.add("textures", {"source": image})}
    surface = {"baseColorTexture": texture, "metallicFactor": 0.0, "roughnessFactor": 0.9}
    return {"pbrMetallicRoughness": surface}


def _add_clip(file: _File, rig: CharacterRig, clip: Clip) -> None:
    """Add an animation: a channel for each joint that turns, and one for the root's place."""
    times = np.linspace(0.0, clip.duration, len(clip.rotation) + 1)
    source = file.array(times, bounds=True)
    channels: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []

    def track(node: int, path: str, values: Float) -> None:
        values = np.concatenate([values, values[:1]])
        target = {"node": node, "path": path}
        channels.append({"sampler": len(samplers), "target": target})
        output = file.array(values)
        samplers.append({"input": source, "output": output, "interpolation": "LINEAR"})

    track(0, "translation", y_up(rig.skeleton.position[0] + clip.root))
    for row in range(len(rig.skeleton.names)):
        turned = clip.rotation[:, row].copy()
        if np.abs(np.abs(turned[:, 0]) - 1.0).max() > 1e-7:
            for k in range(1, len(turned)):  # the short way from key to key
                turned[k] *= np.sign(turned[k] @ turned[k - 1]) or 1.0
            rotation = np.concatenate([y_up(turned[:, 1:]), turned[:, :1]], axis=1)
            track(row, "rotation", rotation)
    extras = {"stride": round(clip.stride, DIGITS)}
    animation = {"name": clip.name, "channels": channels, "samplers": samplers, "extras": extras}
    file.add("animations", animation)
