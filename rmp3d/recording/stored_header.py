"""Reads the header of a recording: what its file says before the frames."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import frozen
from rmp3d.geometry.number_limits import are_sensible
from rmp3d.recording import layout
from rmp3d.recording.embedded import read_embedded
from rmp3d.recording.header import Header
from rmp3d.recording.stored import DamagedError, StoredFile, decoded_text
from rmp3d.scenario import ScenarioTable

MOST_MEMBERS = 1_000_000
PLAN_SHAPES: dict[str, tuple[str | int, ...]] = {
    "nodes": ("V", 3),
    "edges": ("E", 2),
    "attempts": (1,),
    "station": ("J",),
    "position": ("J", 3),
    "left": ("J", 3),
    "up": ("J", 3),
    "room_left": ("J",),
    "room_right": ("J",),
    "room_above": ("J",),
    "room_below": ("J",),
    "room_width": ("J",),
    "choice": ("J",),
    "width": ("J",),
    "fits": ("C", "J"),
    "formation": ("C",),
    "spacing": ("C",),
    "slots": ("C", "n", 3),
    "radius": (1,),
}
"""Shapes of planned arrays, by name; equal letters are equal numbers."""
PLAN_TEXTS = ("formation",)
"""Planned arrays of texts; all others are of numbers."""


def read_header(file: StoredFile) -> Header:
    """Return the header.

    Raises:
        DamagedError: A part is missing, or parts contradict each other.
        InputError: The scenario, or a mesh in the file, cannot be used.
    """
    scenario = ScenarioTable.from_json(file.text("scenario"))
    if scenario.member_count > MOST_MEMBERS:
        raise DamagedError(f"it says that there are more than {MOST_MEMBERS} members")
    members = file.read("members", layout.MEMBER, 1)
    if scenario.member_count != len(members):  # before anything is made for each member
        raise DamagedError("its members do not agree with its scenario")
    names, kinds = scenario.kinds, file.read("characters", layout.CHARACTER, 1)
    if len(kinds) != len(names):
        raise DamagedError("its characters do not agree with its scenario")
    rows = range(len(scenario.groups))
    return Header(
        scenario=scenario,
        scene_hash=decoded_text(file.attribute("scene_hash", "S"), "scene_hash"),
        characters=names,
        character_hashes=tuple(decoded_text(row, "characters") for row in kinds["sha256"].tolist()),
        character_of=frozen(members["character"], np.intp),
        group_of=frozen(members["group"], np.intp),
        formations=file.texts("formations"),
        paths=tuple(_path(file, row) for row in rows),
        plans=tuple(_plan(file, row) for row in rows),
        behaviors=file.texts("behaviors") if file.has("behaviors") else (),
        moving=file.texts("moving") if file.has("moving") else (),
        held=read_embedded(file, scenario),
    )


def _path(file: StoredFile, group: int) -> NDArray[np.float64]:
    path = file.read(f"groups/{group}/path", np.float64, 2)
    if path.shape[1] != 3 or not are_sensible(path):
        raise DamagedError(f"`groups/{group}/path` is no path")
    return path


def _plan(file: StoredFile, group: int) -> dict[str, NDArray[Any]]:
    place = f"groups/{group}/plan"
    plan = {
        name: file.read(f"{place}/{name}", "S" if name in PLAN_TEXTS else "biuf")
        for name in file.names(place)
    }
    sizes: dict[str | int, int] = {}
    for name in PLAN_SHAPES.keys() & plan.keys():
        wanted, found = PLAN_SHAPES[name], plan[name].shape
        if len(wanted) != len(found) or any(
            size != (each if isinstance(each, int) else sizes.setdefault(each, size))
            for each, size in zip(wanted, found, strict=True)
        ):
            raise DamagedError(f"`{place}/{name}` does not agree with the rest of the plan")
    for name, array in plan.items():
        # Room without an end is infinite.
        if array.dtype.kind == "f" and not are_sensible(array[~np.isinf(array)]):
            raise DamagedError(f"`{place}/{name}` has values without sense")
    for name, size in (("edges", sizes.get("V", 0)), ("choice", sizes.get("C", 0))):
        rows = plan.get(name, np.empty(0, np.intp))
        if rows.dtype.kind not in "iu" or (rows.size and not 0 <= rows.min() <= rows.max() < size):
            raise DamagedError(f"`{place}/{name}` leads to rows that are not there")
    return plan
