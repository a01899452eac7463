"""What a glTF file holds beside its meshes: nodes, skins and animations, checked as read.

Khronos Group (2021), "glTF 2.0 specification", sections 3.5 (nodes), 3.6 (accessors), 3.7.3
(skins) and 3.11 (animations).
"""

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.vectors import unit
from rmp3d.models.gltf_buffers import GltfBuffers
from rmp3d.scenes.formats.gltf_structure import WIDTHS, check_gltf
from rmp3d.scenes.formats.mesh_format import MAX_BYTES

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
MAX_KEYS = 2_000_000
"""Key frames of all animations of a file."""
MAX_POSES = 60_000
"""Animations of a file times its nodes: each animation is posed as a whole."""
COLUMNS = {"translation": 3, "rotation": 4, "scale": 3}


class GltfScene:
    """A glTF file, binary or text.

    Attributes:
        json: Its document.
        parents: (K,) row of each node's parent, -1 for none.
    """

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises:
            InputError: It is not glTF, an element is out of range or uses what is not read; the
                error names the element.
        """
        try:
            check_gltf(path)
        except (ValueError, RecursionError) as error:
            raise InputError(f"its JSON cannot be read: {plain_cause(error)}") from None
        data = read_input(path, MAX_BYTES)
        chunk = b""
        if path.suffix.lower() == ".glb":
            length = int.from_bytes(data[12:16], "little")
            data, rest = data[20 : 20 + length], data[20 + length :]
            chunk = rest[8 : 8 + int.from_bytes(rest[:4], "little")] if len(rest) >= 8 else b""
        self.json: dict[str, Any] = json.loads(data)
        self._buffers = GltfBuffers(path.parent, chunk)
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self.nodes: list[dict[str, Any]] = self.rows("nodes")
        self.parents = np.full(len(self.nodes), -1, np.intp)
        for row, node in enumerate(self.nodes):
            for child in node.get("children", []):
                self.parents[child] = row
        self._order = sorted(range(len(self.nodes)), key=self._depth)

    def is_drawn(self, row: int) -> bool:
        """Whether a node is in the scene of the file, which may have more than it shows."""
        scenes = self.rows("scenes")
        if not scenes:
            return True
        while self.parents[row] >= 0:
            row = int(self.parents[row])
        scene = self.referred("scenes", self.json.get("scene", 0), "scene")
        return row in scene.get("nodes", [])

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return one of the document's lists of tables."""
        if name not in self._lists:
            found = self.json.get(name, [])
            if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
                raise InputError(f"`{name}` should be a list of tables")
            self._lists[name] = found
        return self._lists[name]

    def referred(self, name: str, row: Any, place: str) -> dict[str, Any]:
        """Return an element of a list by its row."""
        found = self.rows(name)
        if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < len(found):
            raise InputError(f"{place} refers to none of the {len(found)} {name}")
        return found[row]

    def array(self, row: Any, place: str, width: int) -> NDArray[Any]:
        """Return the elements of an accessor, (M, width), integers for 0 to 1 as such."""
        accessor = self.referred("accessors", row, place)
        if "sparse" in accessor or "bufferView" not in accessor:
            raise InputError(f"{place}: sparse accessors and ones without data are not read")
        if WIDTHS[accessor["type"]] != width:
            raise InputError(f"{place} has elements of {accessor['type']}, not of {width} numbers")
        view = self.referred("bufferViews", accessor["bufferView"], place)
        data = self._bytes(view)
        kind = np.dtype(TYPES[accessor["componentType"]])
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", 0) or kind.itemsize * width
        count = accessor["count"]
        if count and start + (count - 1) * step + kind.itemsize * width > len(data):
            raise InputError(f"{place} ends behind the end of the file; is it cut short?")
        strides = (step, kind.itemsize)
        found = np.ndarray((count, width), kind, data, start, strides)
        if accessor.get("normalized", False) and kind.kind != "f":
            largest = float(np.iinfo(kind).max)
            return np.maximum(found.astype(np.float64) / largest, -1.0)
        return found.astype(np.float64 if kind.kind == "f" else np.intp)

    def image(self, row: Any, place: str) -> Any:
        """Return a picture for Pillow; None if it is damaged, or not there."""
        from PIL import Image

        texture = self.referred("textures", row, place)
        picture = self.referred("images", texture.get("source"), place)
        try:
            if "bufferView" in picture:
                view = self.referred("bufferViews", picture["bufferView"], place)
                start = view.get("byteOffset", 0)
                data = self._bytes(view)[start : start + view["byteLength"]]
            else:
                data = self._buffers.at(picture.get("uri"), f"{place}: its picture")
            return Image.open(BytesIO(data))
        except (InputError, OSError, Image.DecompressionBombError):
            return None

    def _bytes(self, view: Mapping[str, Any]) -> bytes:
        """Return the buffer in which a view is."""
        row = view["buffer"]
        return self._buffers.buffer(row, self.rows("buffers")[row])

    def transforms(self, moved: Mapping[tuple[int, str], Float], count: int) -> Float:
        """Return the nodes' transforms to the world at T moments, (T, K, 4, 4).

        Args:
            moved: (T, D) values by node and property, in place of the stated ones.
            count: T.
        """
        found = np.empty((count, len(self.nodes), 4, 4))
        for row in self._order:
            local = self._local(row, moved, count)
            above = self.parents[row]
            found[:, row] = local if above < 0 else found[:, above] @ local
        return found

    def channels(self, animation: Mapping[str, Any], place: str) -> dict[tuple[int, str], Any]:
        """Return (times (M,), values (M, D), interpolation) by node and property."""
        found: dict[tuple[int, str], Any] = {}
        samplers, channels = animation.get("samplers"), animation.get("channels")
        if not isinstance(samplers, list) or not isinstance(channels, list):
            raise InputError(f"{place} needs lists of `samplers` and `channels`")
        for row, channel in enumerate(channels):
            here = f"{place}.channels[{row}]"
            target = channel.get("target", {}) if isinstance(channel, dict) else {}
            node, path = target.get("node"), target.get("path")
            if path not in COLUMNS or node is None:
                continue  # weights of morph targets, or what an extension moves
            self.referred("nodes", node, f"{here}.target.node")
            index = channel.get("sampler")
            if not isinstance(index, int) or not 0 <= index < len(samplers):
                raise InputError(f"{here}.sampler refers to none of {len(samplers)} samplers")
            sampler = samplers[index]
            times = self.array(sampler.get("input"), f"{here}: `input`", 1)[:, 0]
            values = self.array(sampler.get("output"), f"{here}: `output`", COLUMNS[path])
            way = sampler.get("interpolation", "LINEAR")
            values = values[1::3] if way == "CUBICSPLINE" else values
            if len(times) == 0 or len(times) != len(values) or (np.diff(times) < 0.0).any():
                raise InputError(f"{here}: its times do not increase, or do not fit its values")
            if not (np.isfinite(times).all() and np.isfinite(values).all()):
                raise InputError(f"{here}: its times or values are not finite")
            found[node, path] = times, values, way
        if sum(times.size for times, _, _ in found.values()) > MAX_KEYS:
            raise InputError(f"{place}: more than {MAX_KEYS:,} key frames")
        return found

    def _local(self, row: int, moved: Mapping[tuple[int, str], Float], count: int) -> Float:
        """Return a node's transforms to its parent, (T, 4, 4)."""
        node = self.nodes[row]
        found = np.zeros((count, 4, 4))
        found[:, 3, 3] = 1.0
        if "matrix" in node:
            found[:] = _numbers(node["matrix"], 16, f"nodes[{row}].matrix").reshape(4, 4).T
            return found
        values = {}
        for name, usual in (
            ("translation", [0.0] * 3), ("rotation", [0.0, 0.0, 0.0, 1.0]), ("scale", [1.0] * 3),
        ):  # fmt: skip
            stated = _numbers(node.get(name, usual), len(usual), f"nodes[{row}].{name}")
            values[name] = moved.get((row, name), np.tile(stated, (count, 1)))
        turned = matrix_from_quaternion(np.roll(unit(values["rotation"]), 1, axis=1))
        found[:, :3, :3] = turned * values["scale"][:, None, :]
        found[:, :3, 3] = values["translation"]
        return found

    def _depth(self, row: int) -> int:
        depth = 0
        while self.parents[row] >= 0:
            row, depth = int(self.parents[row]), depth + 1
        return depth


def sampled(channel: tuple[Float, Float, str], path: str, times: Float) -> Float:
    """Return the values (T, D) of a channel at times (T,) [s]."""
    own, values, way = channel
    if way == "STEP":
        row: Index = np.clip(np.searchsorted(own, times, side="right") - 1, 0, len(own) - 1)
        return np.asarray(values[row])
    if path == "rotation":  # the short way from key to key
        dots = np.einsum("ij,ij->i", values[1:], values[:-1])
        signs = np.cumprod(np.concatenate([[1.0], np.where(dots < 0.0, -1.0, 1.0)]))
        values = values * signs[:, None]
    return np.stack([np.interp(times, own, column) for column in values.T], axis=-1)


def _numbers(values: Any, count: int, place: str) -> Float:
    try:
        found = np.array(values, np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (count,) or not np.isfinite(found).all():
        raise InputError(f"{place} should be {count} numbers")
    return found
