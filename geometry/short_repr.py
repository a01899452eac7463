"""How large structures are shown in a console: their arrays by shape, not number by number."""

from dataclasses import fields
from typing import Any

import numpy as np

LONGEST = 60  # letters of one value


def short_repr(structure: Any) -> str:
    """Return the text of a dataclass with the shape of each array instead of its numbers.

    Use it as ``__repr__ = short_repr`` in the class.
    """
    shown = ", ".join(
        f"{field.name}={_shown(getattr(structure, field.name))}"
        for field in fields(structure)
        if field.repr
    )
    return f"{type(structure).__name__}({shown})"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    if isinstance(value, tuple | list | dict) and len(value) > 3:
        return f"{len(value)} items"
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
