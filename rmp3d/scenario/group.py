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
    """Characters with a common start and a common behavior.

    >>> Group("drone", 9, start="west", goal=(10, 0, 3), speed_limit=2.0).members
    9

    Args:
        character: A name (`rmp3d models`), a file, or a `Character`; or a list, whose entries the
            members take in turn.
        members: Number of members, 1 to 100,000.
        start: A region of the scene by its name, a point (3,) [m], a `Box` or a `Sphere`.
        goal: The same; None for a behavior that has no goal.
        behavior: An object such as ``SelfGuided()``, also of a class of your own; a name
            (`rmp3d behaviors`); or a dictionary with ``name`` and options.
        goal_radius: Members within this distance [m] of a goal that is a point have arrived; by
            default it is large enough for all members.
        speed_limit: Highest speed of the members [m/s]; by default the character's own.
        max_step: Highest step [m] that the members go up and down; by default the lowest of their
            characters' own.
        heading: Where all members look at the start, from x to y [degrees], -360 to 360; by default
            along their path, or as the behavior says. Not for vehicles with a
            ``turn_radius``, which stand along their way, and not for what is carried.
        at_rest: What members do that stand still for a while, when they are drawn: a clip of their
            character such as ``sit`` or ``graze``, or ``stand``; by default those graze that can.
        afterwards: What the members do after all of them have arrived: an object such as
            ``RoamAbout()``; a name, such as ``"wander"`` or ``"return"``; or a dictionary with
            ``name`` and options. By default what is usual after the behavior.
        reserve: So many more members may come while it runs than the scenario's changes say, for
            which a recording has room.
        name: For messages and legends; by default ``group 1``, ``group 2``, ...

    Raises:
        InputError: There is no such argument; the error names the nearest. The values are checked
            where the group is used, as in `Scenario`.
    """

    character: GivenCharacter | tuple[GivenCharacter, ...]
    members: int
    start: GivenPlace
    goal: GivenPlace | None
    behavior: Choice
    goal_radius: float | None
    speed_limit: float | None
    max_step: float | None
    heading: float | None
    at_rest: str
    afterwards: Choice | None
    reserve: int
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
        max_step: float | None = None,
        heading: float | None = None,
        at_rest: str = "",
        afterwards: Choice | None = None,
        reserve: int = 0,
        name: str = "",
        **unknown: Never,
    ) -> None:
        refuse_unknown_arguments(unknown, [field.name for field in fields(self)], "Group argument")
        several = isinstance(character, list | tuple)
        values: dict[str, Any] = {
            "character": tuple(character) if several else character,  # type: ignore[arg-type]
            "members": members, "start": start, "goal": goal, "behavior": behavior,
            "goal_radius": goal_radius, "speed_limit": speed_limit, "max_step": max_step,
            "heading": heading, "at_rest": at_rest, "afterwards": afterwards,
            "reserve": reserve, "name": name,
        }  # fmt: skip
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def named(self, name: str) -> "Group":
        """Return the same group by another name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return Group(**{**values, "name": name})


@dataclass(frozen=True, eq=False, kw_only=True)
class Change:
    """What becomes different for a group, or in the scene, during a run.

    >>> Change(time=5.0, group="group 1", speed_limit=0.5).time
    5.0

    Attributes:
        time: Time of the change [s]; it happens at the first step that is not earlier.
        group: Name of the group; none if only a part of the scene changes.
        behavior: The new behavior, of the same class; None: no change.
        afterwards: What the members do from then on after all of them have arrived, as of `Group`;
            None: no change.
        speed_limit: The new speed limit [m/s]; None: no change.
        add: A region of the scene, or a point (3,) [m], where members come; None: nobody comes.
        count: How many come.
        remove: Members that leave: the number of one, counted from 0, or a list of such; or a
            region, which all leave who are in it; None: nobody leaves.
        send: A point (3,) [m] to which the members go from then on; (): they go on with what they
            did before; None: no change.
        part: A part of the scene that appears or goes, or a pattern; one that `with_motions` was
            given a `PresenceDescription` of. None: no change.
        there: Whether it is there from then on.
    """

    time: float
    group: str = ""
    behavior: Choice | None = None
    afterwards: Choice | None = None
    speed_limit: float | None = None
    add: str | Sequence[float] | None = None
    count: int = 1
    remove: str | int | Sequence[int] | None = None
    send: Sequence[float] | None = None
    part: str | None = None
    there: bool = True
