"""From a setting to an object: a registered name, alone or in a table with its parameters."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from rmp3d.geometry import InputError, Registry
from rmp3d.geometry.checked_toml import checked

Choice: TypeAlias = str | dict[str, Any]


def choose(registry: Registry, choice: Choice) -> Any:
    """Return an instance of the class that a setting names.

    Args:
        registry: Classes by name; each a dataclass of its parameters.
        choice: ``"gaussian"``, or ``{"name": "gaussian", "std": 0.3}``.

    Raises:
        InputError: No such name, no such parameter, or a value of the wrong type.
    """
    table: Mapping[str, Any] = {"name": choice} if isinstance(choice, str) else choice
    name = table.get("name")
    if not isinstance(name, str):
        raise InputError(f"`{registry.kind}` needs a `name` (there is {', '.join(registry)})")
    parameters = {key: value for key, value in table.items() if key != "name"}
    return checked(parameters, registry[name], f"`{registry.kind}`")
