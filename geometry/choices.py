"""From a setting to an object, and back: a name, a table with options, or the object itself."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import PurePath
from typing import Any, TypeAlias

from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import shortened
from rmp3d.geometry.registry import Registry, entry_of, unknown_name

LONGEST = 60  # letters of a value that an error repeats
Choice: TypeAlias = str | Mapping[str, Any] | Any
"""A name; a table with ``name`` and parameters; or an object of a registered class itself."""


def choose(registry: Registry, choice: Choice, where: str = "") -> Any:
    """Return the registered object that a setting describes.

    Args:
        registry: The choices; its classes are dataclasses of their parameters. A class whose
            options have moved says in its ``moved_options`` what is to be written now.
        choice: ``"gaussian"``, ``{"name": "gaussian", "std": 0.3}``, or ``Gaussian(std=0.3)``. An
            object of a class that is in no registry is taken as it is.
        where: The place of the setting, which an error names; by default the registry's kind.

    Raises:
        InputError: No or an unknown name, an unknown parameter, a wrong type or value, or an
            object of another kind.
    """
    if not isinstance(choice, str | Mapping):
        _refuse_other(registry, choice, where or f"`{registry.kind}`")
        return choice
    prefix = f"{where}: " if where else ""
    parameters: dict[str, Any] = {"name": choice} if isinstance(choice, str) else dict(choice)
    name = parameters.pop("name", None)
    if not isinstance(name, str):
        place = prefix or f"`{registry.kind}` "
        raise InputError(f"{place}needs a `name`; choose from {', '.join(registry)}")
    if name not in registry:
        raise InputError(prefix + unknown_name(registry.kind, name, list(registry)))
    place = where or f"`{registry.kind}`"
    for key, now in getattr(registry[name], "moved_options", {}).items():
        if key in parameters:
            raise InputError(f"{place}: `{key}` is no option any more; {now}")
    try:
        return checked(parameters, registry[name], place)
    except ValueError as error:
        raise InputError(f"{place}: {error}") from None


def table_of(registry: Registry, choice: Choice) -> dict[str, Any]:
    """Return the table of a setting: ``name``, and the parameters that differ from the defaults.

    This is the inverse of `choose`. The table has only plain values, as in TOML and JSON. A class
    that needs another table than its fields has a method ``as_table``.

    Args:
        registry: Where the object's class is registered.
        choice: As for `choose`; a parameter may be an object, too.

    Raises:
        InputError: The class is in no registry, or the table could not be read back.
    """
    setting = _plain(choice) if isinstance(choice, Mapping) else choice
    own = choose(registry, setting)
    entry = entry_of(type(own))
    if entry is None:
        raise InputError(
            f"`{type(own).__name__}` is in no registry, so a file cannot name it; put "
            f"`register(...)` of the registry of its kind ({registry.kind}) before the class"
        )
    table: dict[str, Any] = _plain(own)
    choose(registry, table)
    return table


def _refuse_other(registry: Registry, choice: Any, where: str) -> None:
    """Raise `InputError` for an object that is certainly not of the registry's kind."""
    if isinstance(choice, type):
        raise InputError(f"{where}: give an object, `{choice.__name__}(...)`, not the class")
    entry = entry_of(type(choice))
    if entry is not None and type(choice) not in registry.values():
        raise InputError(f"{where}: `{entry.name}` is a {entry.kind}, not a {registry.kind}")
    if choice is None or isinstance(choice, int | float | list | tuple | set):
        raise InputError(
            f"{where}: needs a `name`, a table with `name`, or an object; given "
            f"{shortened(repr(choice), LONGEST)}; "
            f"choose from {', '.join(registry)}"
        )


def _plain(value: Any) -> Any:
    """Return a value as tables, lists, numbers and texts."""
    if hasattr(value, "as_table"):
        return _plain(value.as_table())
    if is_dataclass(value) and not isinstance(value, type):
        entry = entry_of(type(value))
        changed = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        for field in fields(value):
            if not field.init or _full(changed[field.name]) == _full(_default(field)):
                del changed[field.name]
        return changed if entry is None else {"name": entry.name, **changed}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, PurePath):
        return str(value)
    return value.tolist() if hasattr(value, "tolist") else value


def _default(field: "Field[Any]") -> Any:
    """Return the default of a dataclass field as a plain value; `MISSING` if it has none."""
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return default if default is MISSING else _plain(default)


def _full(value: Any) -> Any:
    """Return a value in which a name alone and a table with that name only are equal."""
    if isinstance(value, list):
        return [_full(item) for item in value]
    if isinstance(value, dict):
        full = {key: _full(item) for key, item in value.items()}
        return full["name"] if list(full) == ["name"] else full
    return value
