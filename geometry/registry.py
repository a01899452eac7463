"""The one registry pattern: a named set of classes, filled by a decorator."""

import difflib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from itertools import accumulate
from pkgutil import walk_packages
from typing import NamedTuple, TypeVar

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.plain_fields import check_fields_first
from rmp3d.geometry.printable import printable, shortened

LONGEST_NAME = 60
"""Most letters of a name in an error."""
LONGEST_LIST = 400
"""Most letters of all names that an error lists."""
MOST_COMPARED = 1000

T = TypeVar("T")


class Entry(NamedTuple):
    """Where a class is registered: the kind of the registry, and the class's name in it."""

    kind: str
    name: str


_ENTRIES: dict[type, Entry] = {}


class Registry(Mapping[str, type]):
    """Classes by name, in name order; ``kind`` is the word that its errors use.

    >>> SAMPLERS = Registry("sampler")
    >>> @SAMPLERS.register("uniform")
    ... class Uniform: ...
    >>> SAMPLERS["uniform"] is Uniform
    True
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._classes: dict[str, type] = {}

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Return a decorator that enters a class under ``name``.

        A dataclass with a ``__post_init__`` has the types of its fields checked before it.
        """

        def enter(cls: type[T]) -> type[T]:
            if name in self._classes:
                raise ValueError(f"two classes are registered as {self.kind} {name!r}")
            self._classes[name] = cls
            _ENTRIES.setdefault(cls, Entry(self.kind, name))
            if is_dataclass(cls) and hasattr(cls, "__post_init__"):
                cls.__post_init__ = check_fields_first(cls.__post_init__)  # type: ignore[attr-defined]
            return cls

        return enter

    def __getitem__(self, name: str) -> type:
        try:
            return self._classes[name]
        except KeyError:
            raise InputError(unknown_name(self.kind, name, self._classes)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._classes))

    def __len__(self) -> int:
        return len(self._classes)

    def summary(self, name: str) -> str:
        """Return the first line of the docstring of the class called ``name``."""
        return (self[name].__doc__ or "").strip().split("\n")[0]


def load_folder(package: str, folders: Iterable[str]) -> None:
    """Import every module of a package, so that the classes there enter their registry.

    Modules in folders within the package are imported too, all in the order of their names.

    A package's ``__init__`` ends with ``load_folder(__name__, __path__)``. A new file in the
    folder is then found without a change of any other file.

    Args:
        package: Dotted name of the package.
        folders: Its ``__path__``.
    """
    for module in sorted(module.name for module in walk_packages(folders, f"{package}.")):
        import_module(module)


def entry_of(cls: type) -> Entry | None:
    """Return where a class is registered; None if it is in no registry."""
    return _ENTRIES.get(cls)


def unknown_name(kind: str, name: str, known: Mapping[str, object] | list[str]) -> str:
    """Say that ``name`` is not one of ``known``, and which is nearest."""
    given = shortened(printable(str(name)), LONGEST_NAME)
    names = [shortened(printable(each), LONGEST_NAME) for each in sorted(known)]
    near = difflib.get_close_matches(given, names[:MOST_COMPARED], n=1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    ends = list(accumulate(len(each) + 2 for each in names))
    listed = names[: bisect_right(ends, LONGEST_LIST)]
    more = f", ... ({len(names)} in all)" if len(listed) < len(names) else ""
    choices = f"choose from {', '.join(listed)}{more}" if names else "there are none"
    return f"no {kind} named `{given}`{hint} ({choices})"
