"""Writes a proposal as a scenario file, with comments in plain words."""

import json
import os
import re
from pathlib import Path
from typing import Any

import tomli_w

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import whole_file
from rmp3d.inspection.proposal import Proposal
from rmp3d.inspection.survey import Survey
from rmp3d.scenario.saving import table_of
from rmp3d.scenes.assembly import is_in_memory

MOST_ROOMS, MOST_DOORS = 40, 40
NARROWEST = 0.01  # m, of a door that becomes a region
IN_FORMATION = 20  # members of a group at most; 40 need more time in a line than the run has


def write_scenario(proposal: Proposal, path: Path, *, force: bool = False) -> None:
    """Write a scenario file that runs.

    Args:
        proposal: What is proposed.
        path: Ends in ``.toml``.
        force: Whether an older file is replaced.

    Raises:
        InputError: There is no trip, the file exists, or it cannot be written.
    """
    if path.suffix != ".toml":
        raise InputError(f"{path}: a scenario file ends in `.toml`")
    if proposal.trip is None:
        raise InputError(
            f"{path}: not written: there is no room for a trip of `{proposal.named}`; try "
            "`--character` with a smaller one, or `--set scene.scale=...`"
        )
    if path.exists() and not force:
        raise InputError(f"{path}: exists already; `--force` replaces it")
    text = scenario_text_of(proposal, path.resolve().parent)
    with whole_file(path, "the scenario") as file:
        file.write(text.encode())


def scenario_text_of(proposal: Proposal, folder: Path) -> str:
    """Return the text of the scenario, with paths of files relative to a folder."""
    trip = proposal.trip
    assert trip is not None
    name = proposal.scene.name
    lines = [f"# {name}: proposed by `rmp3d inspect`. Change what you like.", ""]
    lines += [f"# {reason}" for reason in proposal.reasons]
    lines += [tomli_w.dumps({"scene": _scene(proposal, folder)}), "[scene.regions]"]
    lines += [
        f"# {trip.members} {proposal.character.name} go from `start` to `goal`, about "
        f"{trip.length:.0f} m."
    ]
    regions = {"start": _box(trip.start), "goal": _box(trip.goal)}
    lines += _regions(regions)
    rooms = {} if proposal.survey is None else rooms_and_doors(proposal.survey)
    own = table_of(proposal.description).get("regions", {})
    kept = {name: region for name, region in {**rooms, **own}.items() if name not in regions}
    if kept:
        lines += [
            "# Other places that can be `start` or `goal` of a group: boxes within rooms, and",
            "# doors, whose radius is half the clear width that was measured.",
        ]
        lines += _regions(kept)
    group = {
        "character": _relative(proposal.named, folder),
        "members": trip.members, "start": "start", "goal": "goal",
    }  # fmt: skip
    lines += ["", "[[groups]]"]
    if trip.members > IN_FORMATION:
        lines.append("# So many do not go in formation.")
        group["behavior"] = "self_guided"
    lines.append(tomli_w.dumps(group))
    lines += [tomli_w.dumps({"simulation": {"duration": proposal.duration}})]
    return "\n".join(lines)


def rooms_and_doors(survey: Survey) -> dict[str, dict[str, Any]]:
    """Return the first rooms and doors as regions of a scenario file."""
    rooms = {room.name: _box((room.lower, room.upper)) for room in survey.rooms.rooms[:MOST_ROOMS]}
    doors = {
        door.name: {"center": list(door.place), "radius": round(0.5 * door.width, 3)}
        for door in survey.rooms.doors[:MOST_DOORS]
        if door.width >= NARROWEST
    }
    return {**rooms, **doors}


def _scene(proposal: Proposal, folder: Path) -> dict[str, Any]:
    table = table_of(proposal.description)
    table.pop("regions", None)
    if proposal.description.ground is not None:
        table["ground"] = {"height": proposal.description.ground.height}
    mesh = table.get("mesh")
    if isinstance(mesh, str):
        table["mesh"] = _relative(mesh, folder)
    elif isinstance(mesh, list):
        table["mesh"] = [_relative(file, folder) for file in mesh]
    for placed in table.get("meshes", []):
        placed["file"] = _relative(placed["file"], folder)
    return table


def _relative(name: str, folder: Path) -> str:
    """Return the path of a file from a folder; other names as they are."""
    if is_in_memory(name) or not os.path.isabs(name):
        return name
    return Path(os.path.relpath(name, folder)).as_posix()


def _regions(regions: dict[str, dict[str, Any]]) -> list[str]:
    """Return regions, one on each line."""
    lines = []
    for name, region in regions.items():
        key = name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name)
        values = ", ".join(f"{each} = {value}" for each, value in region.items())
        lines.append(f"{key} = {{ {values} }}")
    return lines


def _box(corners: tuple[tuple[float, ...], tuple[float, ...]]) -> dict[str, list[float]]:
    return {"lower": list(corners[0]), "upper": list(corners[1])}
