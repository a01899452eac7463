"""From a setting to an object: a registered name, alone or in a table with its parameters."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry, unknown_name

Choice: TypeAlias = str | Mapping[str, Any] | Any
"""A name; a table with ``name`` and parameters; or an object of a registered class itself."""


def chosen(registry: Registry, choice: Choice, where: str = "") -> Any:
    """Return the registered object that a setting describes.

    Args:
        registry: What there is to choose from; its classes are dataclasses of their parameters.
        choice: ``"gaussian"``, ``{"name": "gaussian", "std": 0.3}``, or ``Gaussian(std=0.3)``.
        where: The place of the setting, which an error names; by default the registry's kind.

    Raises:
        InputError: No or an unknown name, an unknown parameter, a wrong type or value.
    """
    if isinstance(choice, tuple(registry.values())):
        return choice
    prefix = f"{where}: " if where else ""
    parameters: dict[str, Any] = {"name": choice}
    if isinstance(choice, Mapping):
        parameters = dict(choice)
    name = parameters.pop("name", None)
    if not isinstance(name, str):
        whose = prefix or f"`{registry.kind}` "
        raise InputError(f"{whose}needs a `name`; there is {', '.join(registry)}")
    if name not in registry:
        raise InputError(prefix + unknown_name(registry.kind, name, list(registry)))
    place = where or f"`{registry.kind}`"
    try:
        return checked(parameters, registry[name], place)
    except ValueError as error:
        raise InputError(f"{place}: {error}") from None


def as_table(registry: Registry, choice: Choice) -> dict[str, Any]:
    """Return a setting as a table with ``name`` and parameters, as a file has it.

    Raises:
        InputError: It is an object of no registered class.
    """
    if isinstance(choice, str):
        return {"name": choice}
    if isinstance(choice, Mapping):
        return dict(choice)
    for name, kind in registry.items():
        if type(choice) is kind:
            return {"name": name} | {
                field.name: getattr(choice, field.name) for field in fields(kind) if field.init
            }
    raise InputError(f"no {registry.kind} is of the type `{type(choice).__name__}`")
