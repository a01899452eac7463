"""Checked TOML: a file becomes a typed structure, or an error names file, key and remedy.

The structures are `msgspec.Struct` classes (or dataclasses), so one declaration gives the
defaults, the types and the check. No file can run code.
"""

import difflib
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input, shown_path
from rmp3d.geometry.number_limits import refuse_senseless_numbers, without_numpy
from rmp3d.geometry.printable import shortened
from rmp3d.geometry.toml_depth import refuse_deep
from rmp3d.geometry.validation_errors import LONGEST, explain, place

T = TypeVar("T")
MAX_BYTES = 4 * 2**20
LONGEST_CAUSE = 200
"""Most letters of what a parser says about a text."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        InputError: The file is missing, not readable, larger than 4 MiB, nested too deeply, or not
            TOML; with the line.
    """
    content = read_input(path, MAX_BYTES)
    try:
        return parsed(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"{shown_path(path)}: not UTF-8 text (byte {error.start})") from None
    except ValueError as error:
        raise InputError(f"{shown_path(path)}: not valid TOML: {error}") from None


def parsed(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        ValueError: It is not TOML, or nested too deeply; says where.
    """
    refuse_deep(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(shortened(str(error), LONGEST_CAUSE)) from None
    except ValueError:  # Python's own limit of digits, without a place
        raise ValueError("a number has too many digits") from None


def checked(table: Mapping[str, Any], kind: type[T], where: str = "") -> T:
    """Convert a table to ``kind``; refuse unknown keys and wrong types.

    Args:
        table: As read from TOML, or of a Python program: NumPy's numbers are taken, too.
        kind: A msgspec structure or a dataclass.
        where: The table's own place; an error puts it before its key. It may begin with the
            file's name, as in ``"my.toml: scene"``.

    Raises:
        InputError: It names the key, the given value, and what would be right.
    """
    table = without_numpy(table)
    refuse_senseless_numbers(table, where)
    refuse_unknown(table, kind, where)
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise InputError(explain(error, table, kind, where)) from None
    except InputError as error:  # by the class's own check
        raise InputError(_placed(str(error), kind, where)) from None


def _placed(message: str, kind: type, where: str) -> str:
    """Return the message of a class's own check, with the place of the key that it begins with."""
    key, found, rest = message.removeprefix("`").partition("`: ")
    if where and found and re.split(r"[.\[]", key)[0] in _fields(kind):
        return f"{place(where, key)}: {rest}"
    return f"{where}: {message}" if where else message


def refuse_unknown(table: Mapping[str, Any], kind: type, where: str = "") -> None:
    """Raise `InputError` for a key of ``table`` (or of a table inside) that ``kind`` lacks.

    The error names the new key where ``kind.renamed`` has one for the old key.
    """
    known, renamed = _fields(kind), getattr(kind, "renamed", {})
    for key, value in table.items():
        here = place(where, key)
        if key in renamed:
            raise InputError(f"{here}: the key is called `{renamed[key]}` now")
        if key not in known:
            near = difflib.get_close_matches(key[:LONGEST], list(known), n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known: {', '.join(sorted(known))}"
            raise InputError(f"{here}: unknown key; {hint}")
        inner = _structure_in(known[key])
        if inner is None:
            continue
        inside = {here: value}
        if isinstance(value, list):
            inside = {f"{here[:-1]}[{row}]`": item for row, item in enumerate(value)}
        elif isinstance(known[key], msgspec.inspect.DictType) and isinstance(value, Mapping):
            inside = {place(here, name): item for name, item in value.items()}
        for there, item in inside.items():
            if isinstance(item, Mapping):
                refuse_unknown(item, inner, there)


@cache
def _fields(kind: type) -> Mapping[str, Any]:
    """Map field name (as in the file) to `msgspec.inspect` type, worked out once for each type."""
    info = msgspec.inspect.type_info(kind)
    return {field.encode_name: field.type for field in getattr(info, "fields", ())}


def _structure_in(info: Any) -> type | None:
    """Return the structure class in a type (a union, list or table); None for none or several."""
    if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
        return info.cls
    if isinstance(info, msgspec.inspect.UnionType):
        found = [cls for cls in map(_structure_in, info.types) if cls is not None]
        return found[0] if len(found) == 1 else None
    if isinstance(info, msgspec.inspect.ListType | msgspec.inspect.VarTupleType):
        return _structure_in(info.item_type)
    if isinstance(info, msgspec.inspect.DictType):
        return _structure_in(info.value_type)
    return None
