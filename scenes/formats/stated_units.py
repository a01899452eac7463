"""Up axis and unit that a mesh file states, or that its format's standard fixes."""

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rmp3d.geometry.errors import InputError

HEAD = 1 << 20
"""Bytes at the beginning of a document in which its unit and axis stand."""
UNITS_OF_3MF = {
    b"micron": 1e-6, b"millimeter": 1e-3, b"centimeter": 1e-2, b"inch": 0.0254, b"foot": 0.3048,
    b"meter": 1.0,
}  # fmt: skip
NAMES = {1e-6: "micrometer", 1e-3: "millimeter", 1e-2: "centimeter", 0.1: "decimeter",
         0.0254: "inch", 0.3048: "foot", 1.0: "meter", 1e3: "kilometer"}  # fmt: skip


@dataclass(frozen=True)
class StatedUnits:
    """The up axis, and the meters per unit; None if nothing says how long a unit is."""

    up: Literal["y", "z"] = "z"
    unit: float | None = None


def stated_units(path: Path) -> StatedUnits:
    """Return axis and unit of a file, by its suffix.

    COLLADA and 3MF state their unit: without a statement it is the meter and the millimeter. A
    glTF file is in meters with y up. The other formats have no units.

    Raises:
        InputError: The file states a unit that is none.
    """
    suffix = path.suffix.lower()
    if suffix in (".glb", ".gltf"):
        return StatedUnits("y", 1.0)
    if suffix == ".dae":
        with path.open("rb") as file:
            return _of_collada(file.read(HEAD))
    if suffix == ".zae":
        return _of_collada(_head_in_archive(path, ".dae"))
    if suffix == ".3mf":
        return StatedUnits("z", _unit_of_3mf(_head_in_archive(path, ".model")))
    return StatedUnits()


def name_of_unit(unit: float) -> str:
    """Return the name of a unit of so many meters, or ``X m`` if it has none."""
    near = (name for size, name in NAMES.items() if abs(unit - size) <= 1e-6 * size)
    return next(near, f"{unit:g} m")


def _of_collada(head: bytes) -> StatedUnits:
    up = re.search(rb"<up_axis>\s*Y_UP\s*</up_axis>", head)
    found = re.search(rb"<unit\b([^>]{0,1000})>", head)
    stated = re.search(rb"""\bmeter\s*=\s*["']([^"']{0,60})["']""", found[1]) if found else None
    return StatedUnits("y" if up else "z", 1.0 if stated is None else _meters(stated[1]))


def _meters(text: bytes) -> float:
    """Return the number of meters that a COLLADA file states, also with a decimal comma."""
    try:
        meters = float(text.replace(b",", b"."))
    except ValueError:
        meters = 0.0
    if not 1e-9 <= meters <= 1e9:
        shown = text.decode("utf-8", "replace")
        raise InputError(f'its unit, <unit meter="{shown}">, is not a length in meters')
    return meters


def _unit_of_3mf(head: bytes) -> float:
    found = re.search(rb"<model\b([^>]{0,10000})>", head)
    stated = re.search(rb"""\bunit\s*=\s*["']([^"']{0,60})["']""", found[1]) if found else None
    word = stated[1] if stated else b"millimeter"
    if word not in UNITS_OF_3MF:
        known = ", ".join(name.decode() for name in UNITS_OF_3MF)
        shown = word.decode("utf-8", "replace")
        raise InputError(f"its unit is `{shown}`; 3MF knows {known}")
    return UNITS_OF_3MF[word]


def _head_in_archive(path: Path, suffix: str) -> bytes:
    """Return the beginning of the first document of a suffix in an archive, empty if none."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(suffix)]
        if not names:
            return b""
        with archive.open(min(names, key=len)) as file:
            return file.read(HEAD)
