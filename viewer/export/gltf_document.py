"""A glTF 2.0 document under construction, and its binary container (GLB).

Khronos Group (2021), "glTF 2.0 specification", sections 3.6 (binary data) and 4.4 (GLB).
"""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

VERTICES, INDICES = 34962, 34963
COMPONENT_TYPES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

Kind = Literal[
    "accessors",
    "animations",
    "bufferViews",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
]


class GltfDocument:
    """Collects objects and their arrays; objects refer to each other by the row returned."""

    def __init__(self, asset: Mapping[str, Any]) -> None:
        self._json: dict[str, Any] = {"asset": {"version": "2.0", **asset}}
        self._chunks: list[bytes] = []
        self._size = 0

    def add(self, kind: Kind, item: Mapping[str, Any]) -> int:
        """Add an object to one of the document's lists; return its row."""
        rows: list[Mapping[str, Any]] = self._json.setdefault(kind, [])
        rows.append(item)
        return len(rows) - 1

    def rows(self, kind: Kind) -> list[Mapping[str, Any]]:
        """Return one of the document's lists."""
        found: list[Mapping[str, Any]] = self._json.setdefault(kind, [])
        return found

    def add_array(
        self,
        array: NDArray[Any],
        target: int = 0,
        *,
        normalized: bool = False,
        bounds: bool = False,
    ) -> int:
        """Add vertex or index data as a view of its own; return the accessor's row.

        Args:
            array: (M,) or (M, D), of a type in `COMPONENT_TYPES`; a row takes a multiple of 4
                bytes, unless it is a scalar.
            target: `VERTICES` or `INDICES`; 0 for what is neither.
            normalized: Whether integers stand for 0 to 1.
            bounds: Whether to state the smallest and largest values.
        """
        view = self._add_view([array], {"target": target} if target else {})
        extra = {"normalized": True} if normalized else {}
        return self._add_accessor(view, 0, array, bounds=bounds, extra=extra)

    def add_series(self, arrays: Sequence[NDArray[np.float32]], *, bounds: bool = False) -> range:
        """Add arrays of float32, (M,) or (M, D), in one view; return their accessors' rows."""
        view = self._add_view(arrays, {})
        offsets = np.cumsum([0] + [array.nbytes for array in arrays]).tolist()
        rows = [
            self._add_accessor(view, offset, array, bounds=bounds, extra={})
            for offset, array in zip(offsets, arrays, strict=False)
        ]
        return range(rows[0], rows[-1] + 1)

    def add_picture(self, data: bytes) -> int:
        """Add a PNG or JPEG as a texture that repeats; return the texture's row."""
        view = self._add_view([np.frombuffer(data, np.uint8)], {})
        kind = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
        image = self.add("images", {"bufferView": view, "mimeType": kind})
        if not self.rows("samplers"):
            self.add("samplers", {})  # repeats, and is smoothed
        return self.add("textures", {"source": image, "sampler": 0})

    def write(self, file: BinaryIO) -> None:
        """Write the document as one GLB file."""
        head = {**self._json, "scene": 0}
        if self._size:
            head["buffers"] = [{"byteLength": self._size}]
        text = json.dumps(head, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        data = text.encode()
        data += b" " * (-len(data) % 4)
        total = 12 + 8 + len(data) + (8 + self._size if self._size else 0)
        if total >= 2**32:
            raise ValueError("a GLB file is shorter than 4 GiB")
        file.write(struct.pack("<4sII", b"glTF", 2, total))
        file.write(struct.pack("<I4s", len(data), b"JSON") + data)
        if self._size:
            file.write(struct.pack("<I4s", self._size, b"BIN\0"))
            for chunk in self._chunks:
                file.write(chunk)

    def _add_view(self, arrays: Sequence[NDArray[Any]], extra: Mapping[str, Any]) -> int:
        start = self._size
        for array in arrays:
            self._append(np.ascontiguousarray(array).tobytes())
        size = self._size - start
        self._append(b"\0" * (-size % 4))
        view = {"buffer": 0, "byteOffset": start, "byteLength": size, **extra}
        return self.add("bufferViews", view)

    def _append(self, data: bytes) -> None:
        self._chunks.append(data)
        self._size += len(data)

    def _add_accessor(
        self, view: int, offset: int, array: NDArray[Any], *, bounds: bool, extra: Mapping[str, Any]
    ) -> int:
        columns = array.reshape(len(array), -1)
        accessor: dict[str, Any] = {
            "bufferView": view,
            "byteOffset": offset,
            "componentType": COMPONENT_TYPES[array.dtype.str[1:]],
            "count": len(array),
            "type": TYPES[columns.shape[1]],
            **extra,
        }
        if bounds:
            accessor["min"] = columns.min(axis=0).tolist()
            accessor["max"] = columns.max(axis=0).tolist()
        return self.add("accessors", accessor)
