"""The planner of a scenario, and the files of its roadmaps."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from rmp3d.geometry.choices import choose, table_of
from rmp3d.geometry.errors import InputError
from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.planners import PLANNERS, Planner
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.roadmap.storage import load_roadmap
from rmp3d.planner.spaces import Space
from rmp3d.scenario.held import HeldObjects
from rmp3d.scenario.tables import PlannerSettings


def planner_of(settings: PlannerSettings, usual: str) -> Planner:
    """Return the planner that the settings name; ``usual`` is the one that "auto" means.

    Raises:
        InputError: No planner has that name, or a parameter is wrong.
    """
    choice = usual if settings.planner == "auto" else settings.planner
    chosen = choose(PLANNERS, choice, "`planner.planner`")
    table = table_of(PLANNERS, chosen)
    kind: Any = PLANNERS[table["name"]]
    planner: Planner
    if issubclass(kind, RoadmapSettings):
        own = {key: value for key, value in table.items() if key != "name"}
        planner = replace(settings.as_kind(kind), **own)
    else:
        planner = chosen
    return planner


def with_held(settings: PlannerSettings, held: HeldObjects) -> PlannerSettings:
    """Return the settings with objects in memory that are in no registry themselves."""
    return replace(
        settings,
        sampler=held.meant(settings.sampler),
        local_planner=held.meant(settings.local_planner),
        cost=held.meant(settings.cost),
    )


def stored_roadmap(file: str, space: Space, row: int) -> Roadmap | None:
    """Return the roadmap that group number ``row`` begins with, None for an empty one.

    Args:
        file: Of the scenario; empty: none.
        space: Of the group.
        row: Row of the group. A group without a file of its own begins with the first group's
            roadmap, if that fits; a group with another body builds its own roadmap.

    Raises:
        RoadmapFileError: The group's file cannot be read, or does not fit.
    """
    if not file:
        return None
    own = file_of_group(Path(file), row)
    if row == 0 or own.exists():
        try:
            return load_roadmap(own, space)
        except InputError as error:
            raise RoadmapFileError(f"`planner.roadmap`: {error}") from None
    try:
        return load_roadmap(Path(file), space)
    except InputError:
        return None


def file_of_group(file: Path, row: int) -> Path:
    """Return the file of group number ``row``: ``a.roadmap``, ``a-2.roadmap``, ``a-3.roadmap``."""
    return file if row == 0 else file.with_name(f"{file.stem}-{row + 1}{file.suffix}")
