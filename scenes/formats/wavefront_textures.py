"""Textures of a Wavefront OBJ file, read in a second pass if a material has one."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.scenes.formats.textures import NamedTextures
from rmp3d.scenes.paint import NO_PICTURE


def texture_of_line(words: Sequence[str]) -> str:
    """Return the file of a ``map_Kd`` line of a material; its options come before it.

    An option has up to three numbers or one word, so the name is what follows the last of them; a
    name may contain spaces.
    """
    rest = list(words)
    while rest and rest[0].startswith("-"):
        count = 3 if rest[0] in ("-o", "-s", "-t") else 2 if rest[0] == "-mm" else 1
        del rest[0]
        while count and len(rest) > 1 and _is_number_or_switch(rest[0]):
            del rest[0]
            count -= 1
    return " ".join(rest)


def texture_places(lines: Iterable[tuple[int, str]], wanted: Index, counts: Index) -> Float:
    """Return the texture coordinates (C, 2) of the corners of some polygons, NaN where none.

    Args:
        lines: Numbers and texts of the file's lines, without comments.
        wanted: (P,) ascending numbers of the lines of the polygons.
        counts: (P,) their numbers of corners; C is their sum.
    """
    places, rows = array("d"), np.full(int(counts.sum()), -1, np.int64)
    starts, at = np.cumsum(counts) - counts, 0
    for number, line in lines:
        word, _, rest = line.partition(" ")
        if word == "vt":
            places.extend(_two_numbers(rest))
        elif word == "f" and at < len(wanted) and number == wanted[at]:
            for corner, text in enumerate(rest.split()[: counts[at]]):
                rows[starts[at] + corner] = _row(text, len(places) // 2)
            at += 1
    known = np.frombuffer(places).reshape(-1, 2) if places else np.empty((0, 2))
    found = np.full((len(rows), 2), np.nan)
    valid = (rows >= 0) & (rows < len(known))
    found[valid] = known[rows[valid]]
    return found


def places_of_faces(
    faces: Index, polygon: Index, corners: Index, counts: Index, places: Float
) -> Float:
    """Return the texture coordinates (F, 3, 2) of triangles that polygons were cut into.

    Args:
        faces: (F, 3) vertices.
        polygon: (F,) row of each triangle's polygon.
        corners: (C,) vertices of the polygons, one after the other.
        counts: (P,) numbers of their corners.
        places: (C, 2) texture coordinates of the corners.
    """
    base = int(max(corners.max(initial=0), faces.max(initial=0))) + 1
    keys = np.repeat(np.arange(len(counts)), counts) * base + corners
    order = np.argsort(keys, kind="stable")
    found = np.searchsorted(keys[order], polygon[:, None] * base + faces)
    return np.asarray(places[order[np.minimum(found, len(keys) - 1)]])


def painted(
    folder: Path, colors: Float, places: Float, names: Index, pictures: Mapping[int, str]
) -> tuple[Float, Index, NamedTextures]:
    """Return the colors (F, 3) with those of textures, the picture of each face, and the textures.

    Args:
        folder: Of the mesh file.
        colors: (F, 3) without textures.
        places: (F, 3, 2) texture coordinates, NaN where none.
        names: (F,) material of each face.
        pictures: The texture of each material that has one.
    """
    textures = NamedTextures(folder)
    colors, picture = colors.copy(), np.full(len(colors), NO_PICTURE)
    for material, name in pictures.items():
        rows = np.flatnonzero(names == material)
        colors[rows] = textures.painted(colors[rows], places[rows], name)
        picture[rows] = textures.rows(places[rows], name)
    return colors, picture, textures


def _is_number_or_switch(word: str) -> bool:
    if word in ("on", "off"):
        return True
    with suppress(ValueError):
        float(word)
        return True
    return False


def _two_numbers(rest: str) -> tuple[float, float]:
    try:
        u, v, *_ = [float(word) for word in [*rest.split(), "0.0"]]
    except ValueError:
        return np.nan, np.nan
    return u, v


def _row(corner: str, count: int) -> int:
    """Return the row of a corner's texture coordinate, -1 if it has none."""
    parts = corner.split("/")
    try:
        index = int(parts[1]) if len(parts) > 1 and len(parts[1]) < 20 else 0
    except ValueError:
        return -1
    if index < 0:
        return count + index
    return index - 1
