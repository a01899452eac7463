"""An AC3D file as data: materials, and a tree of objects with vertices and surfaces; its writer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.whole_file import whole_file

POLYGON, CLOSED_LINE, OPEN_LINE, STRIP = 0, 1, 2, 4
"""The kinds of surfaces, by the lowest four bits of their flags."""

STILL = frozen(np.zeros(3))
UPRIGHT = frozen(np.eye(3))
"""Location and rotation of an object that states none."""


@dataclass(frozen=True, eq=False)
class Surfaces:
    """The surfaces of one object, their corners one after another.

    Attributes:
        flags: (S,) as in the file; the lowest four bits say what it is.
        material: (S,) row of its material; -1: none.
        count: (S,) how many corners it has.
        corners: (C,) vertex rows, C being the sum of ``count``.
    """

    flags: Index
    material: Index
    count: Index
    corners: Index


@dataclass(frozen=True, eq=False)
class Ac3dObject:
    """One ``OBJECT``; a point v of it is at ``v @ rotation + location`` of its parent.

    Attributes:
        kind: ``world``, ``group``, ``poly`` or ``light``.
        name: Empty if the file has none.
        parent: Row of the parent in `Document.objects`, which is lower; -1: none.
        location: (3,) in the file's units.
        rotation: (3, 3), acts on rows; may scale and mirror.
        vertices: (V, 3) in the object's own frame.
        surfaces: In rows of ``vertices``.
        texture: File of its texture, as the file states it; empty if it has none.
        places: (C, 2) texture coordinates of the corners of ``surfaces``; without rows if it has
            no texture. They are read, and not written.
    """

    kind: str
    name: str
    parent: int
    location: Float
    rotation: Float
    vertices: Float
    surfaces: Surfaces
    texture: str = ""
    places: Float = field(default_factory=lambda: frozen(np.zeros((0, 2))))


@dataclass(frozen=True, eq=False)
class Ac3dDocument:
    """An AC3D file.

    Attributes:
        material_names: One for each material.
        colors: (M, 3) red, green, blue of each material, usually 0 to 1.
        objects: In the order of the file: a parent is followed by all that is below it.
    """

    material_names: tuple[str, ...]
    colors: Float
    objects: tuple[Ac3dObject, ...]


def write_document(path: Path, document: Ac3dDocument) -> None:
    """Write a document that `scenes.ac3d_parser.read_document` returns to the last bit.

    A quotation mark in a name becomes an apostrophe: the format cannot write it.

    Raises:
        ValueError: The objects are not in the order of a file.
        InputError: The file cannot be written.
    """
    kids = _kids(document.objects)
    with whole_file(path) as binary:
        file = TextIOWrapper(binary, "utf-8", newline="\n")
        file.write("AC3Db\n")
        for name, color in zip(document.material_names, document.colors, strict=True):
            file.write(
                f'MATERIAL "{_plain(name)}" rgb {_text(color)}  amb {_text(color)}  '
                "emis 0 0 0  spec 0 0 0  shi 0  trans 0\n"
            )
        for each, count in zip(document.objects, kids, strict=True):
            _write_object(file, each, count)
        file.detach()  # flushes, and leaves the file open for its owner


def _kids(objects: Sequence[Ac3dObject]) -> list[int]:
    """Return how many kids each object has.

    Raises:
        ValueError: An object's parent is none of those that are still open before it.
    """
    kids = [0] * len(objects)
    ancestors: list[int] = []
    for row, each in enumerate(objects):
        while ancestors and ancestors[-1] != each.parent:
            ancestors.pop()
        if each.parent >= 0:
            if not ancestors:
                raise ValueError(f"object {row} does not follow its parent {each.parent}")
            kids[each.parent] += 1
        ancestors.append(row)
    return kids


def _write_object(file: TextIO, each: Ac3dObject, kids: int) -> None:
    write = file.write
    write(f"OBJECT {_plain(each.kind)}\n")
    if each.name:
        write(f'name "{_plain(each.name)}"\n')
    if not np.array_equal(each.rotation, UPRIGHT):
        write(f"rot {_text(each.rotation.reshape(-1))}\n")
    if each.location.any():
        write(f"loc {_text(each.location)}\n")
    if len(each.vertices):
        write(f"numvert {len(each.vertices)}\n")
        file.writelines(f"{_text(vertex)}\n" for vertex in each.vertices)
    surfaces = each.surfaces
    if len(surfaces.flags):
        write(f"numsurf {len(surfaces.flags)}\n")
        file.writelines(_surface_lines(surfaces))
    write(f"kids {kids}\n")


def _surface_lines(surfaces: Surfaces) -> Iterator[str]:
    ends = np.cumsum(surfaces.count)
    rows = zip(surfaces.flags, surfaces.material, surfaces.count, ends, strict=True)
    for flags, material, count, end in rows:
        mat = f"mat {material}\n" if material >= 0 else ""
        refs = "".join(f"{corner} 0 0\n" for corner in surfaces.corners[end - count : end])
        yield f"SURF 0x{flags:02x}\n{mat}refs {count}\n{refs}"


def _text(numbers: Float) -> str:
    """Return numbers as the shortest text that reads back to the same bits."""
    return " ".join(map(repr, numbers.tolist()))


def _plain(name: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in name).replace('"', "'")
