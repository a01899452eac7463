"""PLY: vertices and polygons, as text or binary, with colors."""

from pathlib import Path
from typing import TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input, shown_path
from rmp3d.scenes.formats.mesh_format import MAX_BYTES, MESH_FORMATS, RawFile
from rmp3d.scenes.formats.ply_header import PlyElement, PlyHeader, read_header
from rmp3d.scenes.formats.polygon_mesh import polygon_mesh
from rmp3d.scenes.formats.text_rows import TextRows

CORNERS = ("vertex_indices", "vertex_index")
Columns: TypeAlias = dict[str, np.ndarray | tuple[Index, Index]]
"""By property: values (R,), or for lists all their items (I,) and the length of each (R,)."""


@MESH_FORMATS.register(".ply")
class Ply:
    """PLY; other elements than vertices and faces are passed over."""

    def read(self, path: Path) -> RawFile:
        """Return the mesh of a file.

        Raises:
            InputError: Names the line or the element that cannot be understood.
        """
        content = read_input(path, MAX_BYTES)
        header = read_header(path, content)
        if header.has_texture:
            from rmp3d.scenes.formats import trimesh_reader  # takes half a second

            return trimesh_reader.read(path)
        elements = (
            _text(path, content, header) if header.is_text else _binary(path, content, header)
        )
        vertex, face = elements.get("vertex", {}), elements.get("face", {})
        missing = [axis for axis in "xyz" if not isinstance(vertex.get(axis), np.ndarray)]
        if missing:
            raise InputError(
                f"{shown_path(path)}: cannot be read as PLY: its vertices have no `{missing[0]}`"
            )
        vertices = np.column_stack([vertex[axis] for axis in "xyz"]).astype(np.float64)
        lists = [face[name] for name in CORNERS if isinstance(face.get(name), tuple)]
        corners, counts = lists[0] if lists else (np.empty(0, np.intp), np.empty(0, np.intp))
        return polygon_mesh(
            path, vertices, corners, counts,
            vertex_colors=_colors(vertex), face_colors=_colors(face),
        )  # fmt: skip


def _colors(columns: Columns) -> Float | None:
    """Return red, green and blue (R, 3), 0 to 1; None if they are not all there."""
    found = [columns.get(name) for name in ("red", "green", "blue")]
    if not all(isinstance(column, np.ndarray) for column in found):
        return None
    shares = []
    for column in found:
        assert isinstance(column, np.ndarray)
        largest = 1.0 if column.dtype.kind == "f" else float(np.iinfo(column.dtype).max)
        shares.append(column / largest)
    return np.column_stack(shares).astype(np.float64)


def _text(path: Path, content: bytes, header: PlyHeader) -> dict[str, Columns]:
    body = content[header.size :].decode("utf-8", "replace")
    rows = TextRows(path, body, header.lines + 1)
    found: dict[str, Columns] = {}
    for element in header.elements:
        what = f"rows of `{element.name[:40]}`"
        columns: Columns = {}
        names = element.properties
        if not names:
            continue
        if all(each.count_kind is None for each in names):
            table = rows.take_table(element.count, len(names), what)
            for column, each in zip(table.T, names, strict=True):
                columns[each.name] = _as_kind(column, each.kind)
        elif element.name != "face":
            rows.skip(element.count, what)
        elif names[0].count_kind is not None:
            values = [each for each in names[1:] if each.count_kind is None]
            beside = len(values) if len(values) == len(names) - 1 else 0
            corners, sizes, others = rows.take_lists(element.count, what, beside)
            columns[names[0].name] = corners, sizes
            for column, each in zip(others.T, values, strict=False):
                columns[each.name] = _as_kind(column, each.kind)
        else:
            raise rows.error("a face with numbers before its list of vertices is not read")
        found.setdefault(element.name, columns)
    return found


def _as_kind(column: Float, kind: np.dtype) -> np.ndarray:
    """Return values of a text in the type that the header states."""
    if kind.kind == "f":
        return column.astype(kind)
    limits = np.iinfo(kind)
    return np.clip(np.nan_to_num(column), limits.min, limits.max).astype(kind)


def _binary(path: Path, content: bytes, header: PlyHeader) -> dict[str, Columns]:
    found: dict[str, Columns] = {}
    start = header.size
    for element in header.elements:
        if element.properties:
            columns, start = _binary_element(path, content, start, element)
            found.setdefault(element.name, columns)
    return found


def _binary_element(
    path: Path, content: bytes, start: int, element: PlyElement
) -> tuple[Columns, int]:
    """Return the columns of an element that begins at a byte, and where it ends."""
    least = sum((each.count_kind or each.kind).itemsize for each in element.properties)
    if element.count * least > len(content) - start:
        raise _too_short(path, content, start, element)
    if element.count == 0:
        return {}, start
    lengths = _lengths_of_first(path, content, start, element)
    row = np.dtype(
        [
            item
            for number, (each, length) in enumerate(zip(element.properties, lengths, strict=True))
            for item in (
                [(f"v{number}", each.kind)]
                if each.count_kind is None
                else [(f"n{number}", each.count_kind), (f"v{number}", each.kind, (length,))]
            )
        ]
    )
    end = start + element.count * row.itemsize
    if end <= len(content):
        rows = np.frombuffer(content, row, element.count, start)
        lists = [number for number, each in enumerate(element.properties) if each.count_kind]
        if all((rows[f"n{number}"] == lengths[number]).all() for number in lists):
            columns: Columns = {}
            for number, each in enumerate(element.properties):
                values = rows[f"v{number}"]
                if each.count_kind is not None:
                    sizes = np.full(element.count, lengths[number], np.intp)
                    columns[each.name] = values.astype(np.intp).reshape(-1), sizes
                else:
                    columns[each.name] = values
            return columns, end
    return _row_by_row(path, content, start, element)


def _lengths_of_first(path: Path, content: bytes, start: int, element: PlyElement) -> list[int]:
    """Return the length of each list in the first row; 0 for a value."""
    lengths = []
    for each in element.properties:
        length = 0
        if each.count_kind is not None:
            length = _length(path, content, start, element, each.count_kind)
            start += each.count_kind.itemsize + length * each.kind.itemsize
        else:
            start += each.kind.itemsize
        lengths.append(length)
    return lengths


def _row_by_row(path: Path, content: bytes, start: int, element: PlyElement) -> tuple[Columns, int]:
    """Read lists of different lengths; the values beside them are passed over."""
    items: dict[str, list[np.ndarray]] = {}
    sizes: dict[str, list[int]] = {}
    for _ in range(element.count):
        for each in element.properties:
            if each.count_kind is None:
                start += each.kind.itemsize
                continue
            length = _length(path, content, start, element, each.count_kind)
            start += each.count_kind.itemsize
            if start + length * each.kind.itemsize > len(content):
                raise _too_short(path, content, start, element)
            if each.name in CORNERS:
                values = np.frombuffer(content, each.kind, length, start)
                items.setdefault(each.name, []).append(values)
                sizes.setdefault(each.name, []).append(length)
            start += length * each.kind.itemsize
    if start > len(content):
        raise _too_short(path, content, start, element)
    columns: Columns = {
        name: (np.concatenate(rows).astype(np.intp), np.array(sizes[name], np.intp))
        for name, rows in items.items()
    }
    return columns, start


def _length(path: Path, content: bytes, at: int, element: PlyElement, kind: np.dtype) -> int:
    """Return the length of the list that begins at a byte."""
    if at + kind.itemsize > len(content):
        raise _too_short(path, content, at, element)
    length = int(np.frombuffer(content, kind, 1, at)[0])
    if not 0 <= length <= len(content) - at:
        raise InputError(
            f"{shown_path(path)}: cannot be read as PLY: byte {at}: a list of {length:,} numbers "
            f"in element `{element.name[:40]}`; is the file damaged?"
        )
    return length


def _too_short(path: Path, content: bytes, at: int, element: PlyElement) -> InputError:
    return InputError(
        f"{shown_path(path)}: cannot be read as PLY: its header says {element.count:,} rows of "
        f"`{element.name[:40]}`, but the file ends before them (at byte {len(content):,}); "
        "is it cut short?"
    )
