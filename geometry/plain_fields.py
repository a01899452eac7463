"""The check that a dataclass was given numbers where it has numbers, before it computes with them.

What a file states is checked as it is read (`checked_toml`); this is for what a program states.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, wraps
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short


def check_fields_first(own_check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a ``__post_init__`` that looks at the types of the fields before its own check.

    Fields with other annotations than those in `KINDS`, ``Literal`` and unions of them are not
    looked at.
    """

    @wraps(own_check)
    def check(self: Any) -> None:
        cls: Any = type(self)
        for name, kinds in _plain_kinds(cls):
            value = getattr(self, name)
            if not any(kind.has(value) for kind in kinds):
                words = " or ".join(kind.words for kind in kinds if kind.words)
                raise InputError(f"`{name}` must be {words}, got {in_short(value)}")
        own_check(self)

    return check


@dataclass(frozen=True)
class _PlainKind:
    """What a field may hold: values of some classes, or some values."""

    classes: tuple[type, ...]
    words: str
    values: tuple[object, ...] = ()

    def has(self, value: Any) -> bool:
        if isinstance(value, bool | np.bool_) and bool not in self.classes:
            return False
        return isinstance(value, self.classes) or (isinstance(value, str) and value in self.values)


KINDS: dict[Any, _PlainKind] = {
    float: _PlainKind((Real,), "a number"),
    int: _PlainKind((Integral,), "a whole number"),
    bool: _PlainKind((bool, np.bool_), "True or False"),
    str: _PlainKind((str,), "a text"),
    list: _PlainKind((list, tuple), "a list"),
    NoneType: _PlainKind((NoneType,), ""),
}
"""By annotation."""


@cache
def _plain_kinds(cls: Any) -> tuple[tuple[str, tuple[_PlainKind, ...]], ...]:
    """Return the fields that are looked at, and what each may hold."""
    hints = get_type_hints(cls)
    found = ((each.name, _kinds(hints[each.name])) for each in fields(cls) if each.init)
    return tuple((name, kinds) for name, kinds in found if kinds)


def _kinds(hint: Any) -> tuple[_PlainKind, ...]:
    """Return what a field with this annotation may hold; nothing if that is not known here."""
    is_union = get_origin(hint) in (Union, UnionType)
    kinds = []
    for each in get_args(hint) if is_union else (hint,):
        if get_origin(each) is Literal:
            values = get_args(each)
            kinds.append(_PlainKind((), " or ".join(f'"{value}"' for value in values), values))
        elif (get_origin(each) or each) in KINDS:
            kinds.append(KINDS[get_origin(each) or each])
        else:
            return ()
    return tuple(kinds) if any(kind.classes for kind in kinds) else ()  # else its own check
