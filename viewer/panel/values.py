"""Values of any kind as one line of text, and back, as ``--set`` on the command line reads them."""

import json
import tomllib
from collections.abc import Mapping
from math import isfinite
from typing import Any

from rmp3d.viewer.explaining import explained
from rmp3d.viewer.panel.forms import FormField
from rmp3d.viewer.texts import named, tr


def text_of(value: Any) -> str:
    """Return a value as TOML on one line; a text as it is, None as nothing."""
    if value is None:
        return ""
    return value if isinstance(value, str) else _inline(value)


def lines_of(value: Any) -> str:
    """Return a value as TOML, a list of several things with a line for each."""
    if isinstance(value, list | tuple) and len(value) > 1:
        return "[" + ",\n ".join(map(_inline, value)) + "]"
    if isinstance(value, Mapping) and len(value) > 1:
        return "{ " + ",\n  ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items()) + " }"
    return text_of(value)


def hint_of(value: Any) -> str:
    """Return what is seen in an empty field of a value; empty for values that are written."""
    if isinstance(value, list | tuple) and not value:
        return 'none, or ["a", "b"]'
    return "none" if value is None or value == {} else ""


def value_of(text: str) -> Any:
    """Return what a line of TOML means; what is not TOML is a text, and nothing is None."""
    if not text.strip():
        return None
    try:
        # Tables may not be broken between lines in TOML 1.0.
        line = text.replace("\n", " ") if text.lstrip().startswith("{") else text
        return tomllib.loads(f"value = {line}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text.strip()


def number_text(value: float | None, unit: str = "") -> str:
    """Return a number as it is shown in a field, with its unit; nothing for None."""
    if value is None:
        return ""
    shown = str(value) if isinstance(value, int) else f"{value:.6g}"
    return f"{shown} {named(unit.replace('%%', '%'))}".rstrip()


def number_of(field: FormField, text: str) -> float | int | None:
    """Return the number that was typed into a field; for nothing None, or 0 if that has a meaning.

    Raises:
        ValueError: It is no number, or not allowed; says what is.
    """
    unit = field.unit.replace("%%", "%")
    typed = text.strip().removesuffix(named(unit)).removesuffix(unit).strip().replace(",", ".")
    if not typed and field.optional:
        return None
    if not typed and field.zero:
        return 0
    whole = field.kind == "int"
    try:
        value = int(typed) if whole else float(typed)
    except ValueError:
        value = float("nan")
    low, high = field.low, field.high
    above, below = low is None or value >= low, high is None or value <= high
    if not (isfinite(value) and above and below):
        what = "a whole number" if whole else "a number"
        if low is not None and high is not None:
            what += f" from {low:g} to {high:g}"
        elif low is not None:
            what += f" of at least {low:g}"
        elif high is not None:
            what += f" of at most {high:g}"
        or_none = ", or nothing" if field.optional else ""
        said = explained(f"{typed!r} is not {what}{or_none}; nothing was changed")
        raise ValueError(f"{tr(field.label)}: {said}")
    return value


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, int | float):
        return repr(value)
    return _quoted(str(value))


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else _quoted(key)


def _quoted(text: str) -> str:
    # A text of JSON is one of TOML, but for one letter that TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
