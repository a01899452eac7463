"""A group of characters and a change of one, as objects of a Python program."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Never, TypeAlias

from rmp3d.geometry.choices import Choice
from rmp3d.models import Character
from rmp3d.scenario.settings import refuse_unknown_arguments
from rmp3d.scenes import Box, Sphere

GivenCharacter: TypeAlias = str | Path | Character
"""A built-in character's name, the path of a character file, or a `Character`."""
GivenPlace: TypeAlias = str | Sequence[float] | Box | Sphere
"""A region's name, a point (3,) [m], or a `Box` or `Sphere`."""


@dataclass(frozen=True, eq=False, init=False)
class Group:
    """Characters that start in one place and behave in one way.

    >>> Group("drone", 9, start="west", goal=(10, 0, 3), speed_limit=2.0).members
    9

    Args:
        character: A name (`rmp3d models`), a file, a `Character`; or several, which the members
            take in turn.
        members: How many, 1 to 10,000.
        start: A region of the scene by its name, a point (3,) [m], a `Box` or a `Sphere`.
        goal: The same; None for a behavior that has no goal.
        behavior: An object such as ``SelfGuided()``, also of a class of your own; a name
            (`rmp3d behaviors`); or a dictionary with ``name`` and options.
        goal_radius: A member is there when it is this near to a goal that is a point [m]; by
            default there is room for all members.
        speed_limit: Highest speed of the members [m/s]; by default the character's own.
        name: For messages and legends; by default ``group 1``, ``group 2``, ...

    Raises:
        InputError: There is no such argument; names the nearest. Values are checked by what the
            group is given to, such as `Scenario`.
    """

    character: GivenCharacter | tuple[GivenCharacter, ...]
    members: int
    start: GivenPlace
    goal: GivenPlace | None
    behavior: Choice
    goal_radius: float | None
    speed_limit: float | None
    name: str

    def __init__(
        self,
        character: GivenCharacter | Sequence[GivenCharacter] = "pedestrian",
        members: int = 5,
        *,
        start: GivenPlace = "start",
        goal: GivenPlace | None = None,
        behavior: Choice = "narrow_passages",
        goal_radius: float | None = None,
        speed_limit: float | None = None,
        name: str = "",
        **unknown: Never,
    ) -> None:
        refuse_unknown_arguments(unknown, [field.name for field in fields(self)], "Group argument")
        several = isinstance(character, list | tuple)
        values: dict[str, Any] = {
            "character": tuple(character) if several else character,  # type: ignore[arg-type]
            "members": members, "start": start, "goal": goal, "behavior": behavior,
            "goal_radius": goal_radius, "speed_limit": speed_limit, "name": name,
        }  # fmt: skip
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def named(self, name: str) -> "Group":
        """Return the same group by another name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return Group(**{**values, "name": name})


@dataclass(frozen=True, eq=False, kw_only=True)
class Change:
    """What becomes different for a group while a run goes on.

    >>> Change(time=5.0, group="group 1", speed_limit=0.5).time
    5.0

    Attributes:
        time: From when on [s]; the first moment that is not earlier counts.
        group: Name of the group.
        behavior: Its behavior from then on, of the same class; None: as before.
        speed_limit: From then on [m/s]; None: as before.
    """

    time: float
    group: str
    behavior: Choice | None = None
    speed_limit: float | None = None
