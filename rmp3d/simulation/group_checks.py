"""What is refused of a group before anything is planned: what its characters cannot do."""

from collections.abc import Iterable

from rmp3d.errors import prefix_errors_with_key
from rmp3d.geometry.errors import InputError
from rmp3d.models import Character
from rmp3d.models.character import check_step
from rmp3d.models.skeleton import STANDING, clips_at_rest
from rmp3d.scenario import ScenarioTable


def check_carried(scenario: ScenarioTable, row: int, character: Character) -> None:
    """Refuse what cannot be together with a group of characters that are carried.

    Raises:
        InputError: Names the key of the group of a row.
    """
    group = scenario.groups[row]
    name, carried = group.behavior["name"], character.vehicle == "carried"
    if carried and name != "carried":
        raise InputError(
            f"`groups[{row}].behavior`: `{name}` is not for `{character.name}`, which does not "
            "move by itself (its vehicle is `carried`); choose the behavior `carried`"
        )
    if carried and len(scenario.groups) > 1:
        raise InputError(
            f"`groups[{row}].behavior`: members that are carried go by a schedule and give way to "
            "nobody, so their group has the scene to itself; leave the other groups out"
        )
    if carried and group.may_leave_goal:
        raise InputError(
            f"`groups[{row}].afterwards`: members that are carried stay where their schedule ends; "
            "leave the key out"
        )
    limited = group.speed_limit is not None or scenario.changes
    if carried and limited:
        raise InputError(
            f"`groups[{row}].speed_limit` and `changes` are not for members that are carried by a "
            f"schedule; say `groups[{row}].behavior.speed`"
        )


def check_group_step(scenario: ScenarioTable, row: int, characters: Iterable[Character]) -> None:
    """Refuse a step that the members of a group cannot take.

    Raises:
        InputError: Names the key of the group of a row.
    """
    max_step = scenario.groups[row].max_step
    if max_step is None:
        return
    for character in characters:
        if not character.grounded:
            raise InputError(
                f"`groups[{row}].max_step`: `{character.name}` does not walk; leave the key out"
            )
        with prefix_errors_with_key(f"groups[{row}]"):
            check_step(max_step, character)


def check_heading(scenario: ScenarioTable, row: int, characters: Iterable[Character]) -> None:
    """Refuse a heading for those that cannot look where they like.

    Raises:
        InputError: Names the key of the group of a row.
    """
    if scenario.groups[row].heading is None:
        return
    for character in characters:
        why = ""
        if character.vehicle == "carried":
            why = "is carried, and turns as its path says"
        elif character.parameters.turn_radius > 0.0:
            why = "cannot turn on the spot, and begins along its way"
        if why:
            raise InputError(f"`groups[{row}].heading`: `{character.name}` {why}; leave it out")


def check_at_rest(scenario: ScenarioTable, row: int, characters: Iterable[Character]) -> None:
    """Refuse what none of the members of a group can do at rest.

    Raises:
        InputError: Names the key of the group of a row.
    """
    name, known = scenario.groups[row].at_rest, {STANDING}
    if name in ("", STANDING):
        return
    for character in characters:
        if character.rig is not None:
            known |= set(clips_at_rest(character.rig))
    if name not in known:
        raise InputError(
            f"`groups[{row}].at_rest`: no member has a clip {name!r}; choose from "
            f"{', '.join(sorted(known))}"
        )
