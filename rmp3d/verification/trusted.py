"""Compares the scenario that a recording holds with one that its reader trusts."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rmp3d.geometry.printable import printable, shortened
from rmp3d.models.carried import as_carried
from rmp3d.recording import Header, RecordedEvent, is_of_character
from rmp3d.scenario import Scenario, ScenarioTable
from rmp3d.verification.report import Finding

SAYS_NOTHING = ("name", "description")
"""Keys that change no run."""
NAMES_OF_MESHES = ("mesh", "embed")
"""Keys of the scene that say where meshes are; what they hold is compared by its hash."""
LONGEST_KEY, LONGEST_VALUE = 100, 60  # letters
SOON = 2
"""A change is made at most so many frames after its time."""
ABSENT = object()


def differences(header: Header, trusted: Scenario) -> Iterator[Finding]:
    """Yield a finding ``scenario`` for each key in which a recording's scenario is another one.

    Every key counts but `name` and `description`. Meshes and characters are compared by what they
    are, not by the names of their files: these may lie elsewhere, or in the recording.

    Args:
        header: Of the recording.
        trusted: What it should be a run of.

    Raises:
        InputError: Scene or characters of the trusted scenario cannot be read.
    """
    here, there = _comparable(header.scenario), _comparable(trusted.table)
    of_scene = False
    for key, recorded, wanted in _different(here, there, ""):
        of_scene |= key.startswith("scene.")
        name = shortened(printable(key), LONGEST_KEY)
        yield _finding(f"`{name}`: {_shown(recorded)} in the recording, {_shown(wanted)} expected")
    if trusted.scene.hash != header.scene_hash and not of_scene:
        yield _finding("`scene`: its parts are not those of the expected one")
    yield from _other_characters(header, trusted)


def unsaid_changes(
    header: Header, events: Iterable[RecordedEvent], trusted: Scenario
) -> Iterator[Finding]:
    """Yield a finding ``scenario`` for each event of a change that the trusted scenario lacks.

    What goes by a change is no longer held to what the scenario says of the group, such as trips.
    """
    said = [(change.group, change.time) for change in trusted.table.changes]
    dt = trusted.table.simulation.dt
    for event in events:
        if event.kind != "change" or event.group < 0:
            continue
        name = header.scenario.groups[event.group].name
        if not any(own == name and abs(event.time - at) <= SOON * dt for own, at in said):
            what = f"`{shortened(printable(name), LONGEST_VALUE)}` is changed at {event.time:g} s"
            yield replace(_finding(f"{what}, nothing expected"), time=event.time, until=event.time)


def _other_characters(header: Header, trusted: Scenario) -> Iterator[Finding]:
    """Yield a finding for each group whose members have other bodies or limits."""
    carried = any(group.behavior["name"] == "carried" for group in trusted.table.groups)
    kinds = {name: trusted.held.character(name) for name in trusted.table.kinds}
    if carried:
        kinds = {name: as_carried(character) for name, character in kinds.items()}
    recorded = dict(zip(header.characters, header.character_hashes, strict=True))
    # Groups that only one of them has are another difference.
    for row, (own, wanted) in enumerate(
        zip(header.scenario.groups, trusted.table.groups, strict=False)
    ):
        names, others = own.characters_of(own.members), wanted.characters_of(wanted.members)
        for name, other in dict.fromkeys(zip(names, others, strict=False)):
            if not is_of_character(recorded[name], kinds[other]):
                yield _finding(
                    f"`groups.{row}.character`: {_shown(name)} in the recording has another body "
                    f"or other limits than the expected {_shown(other)}"
                )


def _comparable(table: ScenarioTable) -> dict[str, Any]:
    """Return a table as plain values, without what says nothing, and without names of files."""
    plain: dict[str, Any] = json.loads(table.to_json())
    for key in SAYS_NOTHING:
        del plain[key]
    for key in NAMES_OF_MESHES:
        plain["scene"].pop(key, None)
    for entry in plain["scene"].get("meshes") or []:
        del entry["file"]
    for group in plain["groups"]:
        del group["character"]
    return plain


def _different(here: Any, there: Any, key: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield (key, value here, value there) of what differs, as deep as both are tables or lists."""
    dot = f"{key}." if key else ""
    if isinstance(here, dict) and isinstance(there, dict):
        for name in [*here, *(name for name in there if name not in here)]:
            yield from _different(here.get(name, ABSENT), there.get(name, ABSENT), f"{dot}{name}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for row, (own, other) in enumerate(zip(here, there, strict=True)):
            yield from _different(own, other, f"{dot}{row}")
    elif here != there:
        yield key, here, there


def _finding(text: str) -> Finding:
    return Finding("scenario", 0.0, 0.0, text=text)


def _shown(value: Any) -> str:
    """Return a value as one short text; of tables and lists of tables, how many entries."""
    if value is ABSENT or value is None:
        return "nothing"
    if isinstance(value, dict) or (
        isinstance(value, list) and value and isinstance(value[0], dict)
    ):
        return f"{len(value)} entries"
    return shortened(printable(json.dumps(value, ensure_ascii=False)), LONGEST_VALUE)
