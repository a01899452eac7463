"""The error text for a value of the wrong type: its place, what it must be, what was given.

msgspec finds that a value is wrong. The functions here find which one, and say it in the words of
the file, such as ``scene.up: must be "y" or "z", given "q"``.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

LONGEST = 60
"""A given value is shown with at most this many characters."""


def explain(error: msgspec.ValidationError, value: Any, kind: Any, where: str) -> str:
    """Return one line about a value that could not be converted.

    Args:
        error: What `msgspec.convert` raised.
        value: The value that could not be converted.
        kind: The type it should have.
        where: The place of ``value``; see `place`.
    """
    message, _, path = str(error).rpartition(" - at `$")
    if not message:
        message, path = path, "`"
    for step in re.findall(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]", path[:-1]):
        key, value, kind = _inner(value, kind, step[0] or step[1])
        where = place(where, key) if isinstance(key, str) else f"{where[:-1]}[{key}]`"
    missing = re.fullmatch(r"Object missing required field `(.*)`", message)
    if missing:
        name = missing.group(1)
        return f"{place(where, name)}: is missing; must be {_of_field(kind, name)}"
    where = where or "table"
    if not re.match(r"Expected `|Invalid enum value ", message):  # by the class's own check
        return f"{where}: {message}"
    return f"{where}: must be {in_words(kind)}, given {shown(value)}"


def place(where: str, key: str) -> str:
    """Return the place of a key inside the table at ``where``."""
    if not where:
        return f"`{key}`"
    if where.endswith("`"):
        return f"{where[:-1]}.{key}`"
    return f"{where}: `{key}`"


def in_words(kind: Any) -> str:
    """Return the allowed values of a type, as the end of ``must be ...``."""
    info = kind if isinstance(kind, inspect.Type) else inspect.type_info(kind)
    match info:
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number" + _range(info)
        case inspect.FloatType():
            return "a number" + _range(info)
        case inspect.LiteralType():
            return _listed([shown(value) for value in sorted(info.values, key=str)])
        case inspect.UnionType():
            kinds = [each for each in info.types if not isinstance(each, inspect.NoneType)]
            return _listed([in_words(each) for each in kinds])
        case inspect.TupleType():
            return f"a list of {len(info.item_types)} {_plural(info.item_types[0])}"
        case inspect.ListType() | inspect.VarTupleType():
            size = _size(info.min_length, info.max_length)
            return f"a list of {size}{_plural(info.item_type)}"
        case inspect.StructType() | inspect.DataclassType():
            return f"a table with {_listed([field.encode_name for field in info.fields], 'and')}"
    return "a table" if isinstance(info, inspect.DictType) else "another value"


def shown(value: Any) -> str:
    """Return a value as it is written in the file, shortened if it is long."""
    if isinstance(value, Mapping):
        return "a table"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def _inner(value: Any, kind: Any, step: str) -> tuple[str | int, Any, Any]:
    """Return key, value and type at the next step of msgspec's path.

    The step ``...`` stands for any key of a table: the first key with a wrong value is taken.
    """
    if step == "...":
        for inner in _kinds_in(kind, dict):
            for key, item in value.items():
                if not _fits(item, get_args(inner)[1]):
                    return key, item, get_args(inner)[1]
    if step.isdigit() and isinstance(value, list):
        row = int(step)
        for inner in [*_kinds_in(kind, tuple), *_kinds_in(kind, list)]:
            items = [each for each in get_args(inner) if each is not ...]
            return row, value[row], items[min(row, len(items) - 1)]
    for inner in _kinds_in(kind, None):
        hints = get_type_hints(inner, include_extras=True)
        if step in hints:
            return step, value.get(step), hints[step]
    return step, value.get(step), Any


def _kinds_in(kind: Any, origin: type | None) -> Iterator[Any]:
    """Yield the types of a union that have an origin (``dict``, ``list``, ``tuple``).

    Without an origin, yield its structures and dataclasses.
    """
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from _kinds_in(each, origin)
    elif origin is not None:
        if get_origin(kind) is origin:
            yield kind
    elif is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        yield kind


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _of_field(kind: Any, name: str) -> str:
    """Return the allowed values of a field of the structure in ``kind``."""
    for inner in _kinds_in(kind, None):
        hints = get_type_hints(inner, include_extras=True)
        if name in hints:
            return in_words(hints[name])
    return "given"


def _range(info: inspect.IntType | inspect.FloatType) -> str:
    """Return ``" from 1 to 9"``, ``" above 0"``, ...; an empty text if there are no limits."""
    if info.ge is not None and info.le is not None:
        return f" from {_exact(info.ge)} to {_exact(info.le)}"
    limits = {"at least": info.ge, "above": info.gt, "at most": info.le, "below": info.lt}
    said = [f"{word} {_exact(limit)}" for word, limit in limits.items() if limit is not None]
    return " " + " and ".join(said) if said else ""


def _exact(limit: float) -> str:
    return str(limit) if isinstance(limit, int) else f"{limit:g}"


def _size(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f"{least} to {most} "
    if least is not None:
        return f"{least} or more "
    return "" if most is None else f"up to {most} "


def _plural(info: inspect.Type) -> str:
    words = in_words(info)
    match info:
        case inspect.IntType() | inspect.FloatType():
            kind = "whole numbers" if isinstance(info, inspect.IntType) else "numbers"
            return kind + _range(info)
        case inspect.StructType() | inspect.DataclassType() | inspect.DictType():
            return "tables"
        case inspect.TupleType() | inspect.ListType() | inspect.VarTupleType():
            return "lists" + words.removeprefix("a list")
    return f"values: {words}" if words != "text" else "texts"


def _listed(words: Sequence[str], last: str = "or") -> str:
    return ", ".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"
