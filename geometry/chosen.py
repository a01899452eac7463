"""What a table with a ``name`` and options chooses from a registry."""

from collections.abc import Mapping
from typing import Any

from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry, unknown_name


def chosen(registry: Registry, table: Mapping[str, Any], where: str) -> Any:
    """Return the registered object that a table with ``name`` and options describes.

    Args:
        registry: What there is to choose from; its classes are dataclasses.
        table: As read from TOML.
        where: The table's own place, which an error names.

    Raises:
        InputError: No or an unknown name, an unknown option, a wrong type or value.
    """
    options = dict(table)
    name = options.pop("name", None)
    if not isinstance(name, str):
        raise InputError(f"{where}: needs a `name`; there is {', '.join(registry)}")
    if name not in registry:
        raise InputError(f"{where}: {unknown_name(registry.kind, name, list(registry))}")
    try:
        return checked(options, registry[name], where)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None
