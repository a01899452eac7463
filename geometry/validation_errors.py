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

from rmp3d.geometry.printable import printable, shortened

LONGEST = 60
"""A given value is shown with at most this many characters."""
LARGEST_SHOWN = 10**LONGEST


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
    return f"{where}: must be {in_words(kind)}, given {shown(value)}{_brackets(value, kind, where)}"


def _brackets(value: Any, kind: Any, where: str) -> str:
    """Return how to write a table that should be in a list, or a list that should be a table."""
    key = re.search(r"`([\w.-]+)`$", where)
    if key is None:  # inside a list, or no key
        return ""
    name = key.group(1)
    if isinstance(value, Mapping) and in_words(kind).endswith(" tables"):
        return f"; write [[{name}]], with two brackets"
    is_table = isinstance(value, list) and len(value) > 0 and isinstance(value[0], Mapping)
    if is_table and in_words(kind).startswith("a table"):
        return f"; write [{name}], with one bracket"
    return ""


def place(where: str, key: str) -> str:
    """Return the place of a key inside the table at ``where``."""
    key = shortened(printable(key), LONGEST)
    if not where:
        return f"`{key}`"
    if where.endswith("`"):
        return f"{where[:-1]}.{key}`"
    return f"{where}: `{key}`"


def in_words(kind: Any) -> str:
    """Return the allowed values of a type, as the end of ``must be ...``."""
    info = kind if isinstance(kind, inspect.Type) else inspect.type_info(kind)
    match info:
        case inspect.Metadata():
            examples = (info.extra_json_schema or {}).get("examples", [])
            return in_words(info.type) + "".join(f", such as {shown(each)}" for each in examples)
        case inspect.StrType():
            return "text" if info.max_length is None else f"text of up to {info.max_length} letters"
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
    """Return a value as it is written in the file, on one line, shortened if it is long."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "a number of too many digits"
    if isinstance(value, list | tuple):  # of a long list, only its start is made a text
        value = list(value[: LONGEST // 2])
    text = printable(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def _inner(value: Any, kind: Any, step: str) -> tuple[str | int, Any, Any]:
    """Return key, value and type at the next step of msgspec's path.

    The step ``...`` stands for any key of a table: the first key with a wrong value is taken.
    """
    if step == "..." and isinstance(value, Mapping):
        for inner in _kinds_in(kind, Mapping):
            for key, item in value.items():
                if not _fits(item, get_args(inner)[1]):
                    return str(key), item, get_args(inner)[1]
    if step.isdigit() and isinstance(value, Sequence) and int(step) < len(value):
        row = int(step)
        for inner in _kinds_in(kind, Sequence):
            items = [each for each in get_args(inner) if each is not ...] or [Any]
            return row, value[row], items[min(row, len(items) - 1)]
        return row, value[row], Any
    inside = value.get(step) if isinstance(value, Mapping) else None
    for inner in _kinds_in(kind, None):
        hints = get_type_hints(inner, include_extras=True)
        if step in hints:
            return step, inside, hints[step]
    return step, inside, Any


def _kinds_in(kind: Any, base: type | None) -> Iterator[Any]:
    """Yield the types of a union that are tables (`Mapping`) or lists (`Sequence`) of some type.

    Without a base, yield its structures and dataclasses.
    """
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        for each in get_args(kind):
            yield from _kinds_in(each, base)
    elif base is not None:
        if isinstance(origin, type) and issubclass(origin, base):
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
