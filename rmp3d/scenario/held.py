"""Objects in memory that a scenario names, and that are in no file and no registry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rmp3d.geometry.choices import Choice, choose
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import Registry
from rmp3d.models import Character, load_character
from rmp3d.scenes import SceneSource
from rmp3d.scenes.assembly import is_in_memory


@dataclass(frozen=True, eq=False)
class HeldObjects:
    """Objects in memory, by the names that a scenario's table gives them.

    Attributes:
        scene: The meshes of the scene; None if they are in files.
        characters: By name, such as ``memory:robot``.
        choices: Behaviors, samplers and local planners by the ``name`` in their table, which is
            that of their class.
    """

    scene: SceneSource | None = None
    characters: Mapping[str, Character] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)

    def character(self, name: str) -> Character:
        """Return the character of a name: one in memory, a built-in one, or a file's.

        Raises:
            InputError: There is none.
        """
        if name in self.characters:
            return self.characters[name]
        if is_in_memory(name):
            raise InputError(
                f"`{name}` was a character in the memory of a Python process; it is not here: "
                "save the scenario from Python (`scenario.save`), which writes it beside it"
            )
        return load_character(name)

    def choose(self, registry: Registry, choice: Choice, where: str = "") -> Any:
        """Return the object that a setting describes; see `geometry.choices.choose`.

        Raises:
            InputError: An unknown name or option, a wrong type or value.
        """
        return choose(registry, self.meant(choice), where)

    def meant(self, choice: Choice) -> Choice:
        """Return the object in memory that a setting names, else the setting."""
        name = choice.get("name") if isinstance(choice, Mapping) else choice
        return self.choices.get(name, choice) if isinstance(name, str) else choice


NOTHING_HELD = HeldObjects()
