"""How large structures are shown in a console and in messages: arrays by shape, on one line."""

from dataclasses import fields
from typing import Any

import numpy as np

LONGEST = 60  # letters of one value


def short_repr(structure: Any) -> str:
    """Return the text of a dataclass with the shape of each array instead of its numbers.

    Use it as ``__repr__ = short_repr`` in the class.
    """
    shown = ", ".join(
        f"{field.name}={in_short(getattr(structure, field.name))}"
        for field in fields(structure)
        if field.repr
    )
    return f"{type(structure).__name__}({shown})"


def in_short(value: Any) -> str:
    """Return the text of a value on one line, of an array its shape."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    if isinstance(value, tuple | list | dict) and len(value) > 3:
        return f"{len(value)} items"
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
