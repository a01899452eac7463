"""Check the structure of a glTF file before it is read: every index, every length, every count.

A reader that trusts them reads beyond a buffer, allocates what a count asks for, or repeats a mesh
without end. The errors name the element, such as ``accessors[3].bufferView``.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input
from rmp3d.scenes.formats.mesh_format import MAX_BYTES

MAX_JSON = 64 * 2**20
MAX_NODES = 100_000
MAX_DEPTH = 256
"""Most nodes within one another."""
MAX_REPEATED = 1_000_000
MAX_REPEATED_VERTICES = 5_000_000
"""Most triangles and vertices that are made by using a mesh or an accessor again."""
MAX_ZEROS = 1_000_000
"""Most elements of an accessor without data: they are all zero."""
COMPONENTS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
POINTS_AND_LINES = (0, 1, 2, 3)
STRIPS_AND_FANS = (5, 6)


def check_gltf(path: Path) -> None:
    """Check a glTF file, text or binary.

    Raises:
        InputError: An element is missing or out of range; names it.
        ValueError: It is not JSON.
    """
    is_binary = path.suffix.lower() == ".glb"
    with open_input(path, MAX_BYTES) as file:
        text = _json_chunk(file.read(20), path.stat().st_size, file) if is_binary else file.read()
    if len(text) > MAX_JSON:
        raise InputError(f"its JSON has more than {MAX_JSON // 2**20} MiB")
    document = json.loads(text)
    if not isinstance(document, dict):
        raise InputError("its JSON is not a table")
    asset = document.get("asset")
    version = str(asset.get("version", "")) if isinstance(asset, dict) else ""
    if version and not version.startswith("2"):
        raise InputError(f"it is glTF of version {version[:20]}; version 2 is read")
    _Checker(document).check()


def _json_chunk(head: bytes, size: int, file: Any) -> bytes:
    if head[:4] != b"glTF":
        raise InputError("it does not begin as a binary glTF file")
    if len(head) < 20:
        raise InputError(f"it has only {size} bytes")
    version, declared, length = (int.from_bytes(head[k : k + 4], "little") for k in (4, 8, 12))
    if version != 2:
        raise InputError(f"it is glTF of version {version}; version 2 is read")
    if declared > size:
        raise InputError(f"its header says {declared:,} bytes, but there are {size:,}")
    if head[16:20] != b"JSON" or 20 + length > size:
        raise InputError(f"its first chunk is not JSON of {length:,} bytes")
    return bytes(file.read(min(length, MAX_JSON + 1)))


class _Checker:
    """Walks through a document; the methods raise `InputError` with the element's place."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        names = ("buffers", "bufferViews", "accessors", "meshes", "nodes", "scenes")
        self.lists = {name: self._list(document, name, name) for name in names}
        self.distinct: dict[tuple[str, int], int] = {}  # elements by what holds them

    def check(self) -> None:
        required = self.document.get("extensionsRequired", [])
        packed = [name for name in required if "draco" in str(name) or "meshopt" in str(name)]
        if packed:
            raise InputError(f"its meshes are compressed (`{packed[0]}`); export it without")
        for row, view in enumerate(self.lists["bufferViews"]):
            self._check_view(f"bufferViews[{row}]", view)
        for row, accessor in enumerate(self.lists["accessors"]):
            self._check_accessor(f"accessors[{row}]", accessor)
        sizes = [
            self._mesh_size(f"meshes[{row}]", mesh) for row, mesh in enumerate(self.lists["meshes"])
        ]
        self._check_nodes()
        self._check_repeats(sizes)

    def _check_view(self, place: str, view: Mapping[str, Any]) -> None:
        buffer = self._referred(place, view, "buffer", "buffers")
        end = self._whole(place, view, "byteOffset", 0) + self._whole(place, view, "byteLength")
        size = self._whole(f"{place}.buffer", buffer, "byteLength")
        if end > size:
            raise InputError(f"{place} ends at byte {end:,} of a buffer of {size:,}")

    def _check_accessor(self, place: str, accessor: Mapping[str, Any]) -> None:
        count = self._whole(place, accessor, "count")
        component = COMPONENTS.get(self._whole(place, accessor, "componentType"))
        width = WIDTHS.get(str(accessor.get("type")))
        if component is None or width is None:
            raise InputError(f"{place} has an unknown `componentType` or `type`")
        if "bufferView" not in accessor:
            if count > MAX_ZEROS:
                raise InputError(f"{place} has {count:,} elements, but no data")
            return
        view = self._referred(place, accessor, "bufferView", "bufferViews")
        step = self._whole(place, view, "byteStride", 0) or component * width
        end = self._whole(place, accessor, "byteOffset", 0)
        end += max(count - 1, 0) * step + component * width * (count > 0)
        size = self._whole(place, view, "byteLength")
        if end > size:
            raise InputError(
                f"{place} has {count:,} elements that end at byte {end:,} of a view of {size:,}; "
                "is the file cut short?"
            )

    def _mesh_size(self, place: str, mesh: Mapping[str, Any]) -> tuple[int, int]:
        """Return the number of triangles and vertices of a mesh."""
        triangles = vertices = 0
        for row, primitive in enumerate(self._list(mesh, "primitives", f"{place}.primitives")):
            here = f"{place}.primitives[{row}]"
            attributes = primitive.get("attributes")
            if not isinstance(attributes, dict):
                raise InputError(f"{here}.attributes is missing")
            for name in attributes:
                self._referred(f"{here}.attributes", attributes, name, "accessors")
            if "POSITION" not in attributes:
                continue
            points = source = self._referred(here, attributes, "POSITION", "accessors")
            holder = "corners", int(attributes["POSITION"])
            if "indices" in primitive:
                source = self._referred(here, primitive, "indices", "accessors")
                holder = "indices", int(primitive["indices"])
            corners = self._whole(here, source, "count")
            mode = primitive.get("mode", 4)
            made = 0 if mode in POINTS_AND_LINES else corners // 3
            made = max(corners - 2, 0) if mode in STRIPS_AND_FANS else made
            self.distinct[holder] = made
            self.distinct["vertices", attributes["POSITION"]] = points["count"]
            triangles, vertices = triangles + made, vertices + points["count"]
        return triangles, vertices

    def _check_repeats(self, sizes: list[tuple[int, int]]) -> None:
        """Check that meshes and accessors are not used again without end."""
        uses = [0] * len(sizes)
        for row, node in enumerate(self.lists["nodes"]):
            if "mesh" in node:
                self._referred(f"nodes[{row}]", node, "mesh", "meshes")
                uses[node["mesh"]] += 1
        for column, (name, most) in enumerate(
            (("triangles", MAX_REPEATED), ("vertices", MAX_REPEATED_VERTICES))
        ):
            made = sum(max(use, 1) * size[column] for use, size in zip(uses, sizes, strict=True))
            own = sum(
                size for (kind, _), size in self.distinct.items() if (kind == "vertices") == column
            )
            if made > own + most:
                raise InputError(
                    f"its nodes and primitives repeat {own:,} {name} to {made:,}; at most "
                    f"{most:,} more are read"
                )

    def _check_nodes(self) -> None:
        """Check that the nodes are trees, not too deep."""
        nodes = self.lists["nodes"]
        if len(nodes) > MAX_NODES:
            raise InputError(f"{len(nodes):,} nodes; at most {MAX_NODES:,} are read")
        parents = [-1] * len(nodes)
        for row, node in enumerate(nodes):
            for place, child in enumerate(self._list(node, "children", f"nodes[{row}].children")):
                here = f"nodes[{row}].children[{place}]"
                if not _is_row(child, len(nodes)):
                    raise InputError(f"{here} refers to none of the {len(nodes)} nodes")
                if parents[child] >= 0:
                    raise InputError(f"{here}: node {child} has two parents")
                parents[child] = row
        layer = [row for row, parent in enumerate(parents) if parent < 0]
        seen = depth = 0
        while layer and depth <= MAX_DEPTH:
            seen, depth = seen + len(layer), depth + 1
            layer = [child for row in layer for child in nodes[row].get("children", [])]
        if layer:
            raise InputError(f"its nodes are nested more than {MAX_DEPTH} deep")
        if seen < len(nodes):
            raise InputError("its nodes are children of one another in a circle")

    def _list(self, table: Mapping[str, Any], key: str, place: str) -> list[Any]:
        found = table.get(key, [])
        if not isinstance(found, list):
            raise InputError(f"{place} should be a list")
        if key != "children" and not all(isinstance(each, dict) for each in found):
            raise InputError(f"{place} should be a list of tables")
        return found

    def _whole(
        self, place: str, table: Mapping[str, Any], key: str, default: int | None = None
    ) -> int:
        """Return a number of bytes or elements."""
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
            raise InputError(f"{place}.{key} should be a whole number, 0 or more")
        return value

    def _referred(
        self, place: str, table: Mapping[str, Any], key: str, name: str
    ) -> Mapping[str, Any]:
        """Return the element of a list that an index refers to."""
        index, found = table.get(key), self.lists[name]
        if not _is_row(index, len(found)):
            raise InputError(f"{place}.{key[:40]} refers to none of the {len(found)} {name}")
        element: Mapping[str, Any] = found[index]
        return element


def _is_row(index: Any, size: int) -> TypeGuard[int]:
    return isinstance(index, int) and not isinstance(index, bool) and 0 <= index < size
