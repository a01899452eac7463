"""The roadmaps of a scenario: what its settings mean to the planner, and its roadmap file."""

from pathlib import Path

from rmp3d.planner.errors import RoadmapFileError
from rmp3d.planner.roadmap.building import RoadmapSettings
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.storage import load_roadmap
from rmp3d.planner.spaces import Space
from rmp3d.scenario.held import NOTHING_HELD, HeldObjects
from rmp3d.scenario.tables import PlannerSettings


def roadmap_settings(
    settings: PlannerSettings, held: HeldObjects = NOTHING_HELD
) -> RoadmapSettings:
    """Return the planner's settings of a scenario's table.

    Args:
        settings: The table.
        held: Samplers and local planners that are in no registry.

    Raises:
        InputError: No stop rule is set, or two options exclude each other.
    """
    return RoadmapSettings(
        sampler=held.choices.get(settings.sampler["name"], settings.sampler),
        local_planner=held.choices.get(settings.local_planner["name"], settings.local_planner),
        nodes=settings.nodes,
        connected_nodes=settings.connected_nodes,
        seconds=settings.seconds,
        until_solved=settings.until_solved,
        neighbors=settings.neighbors,
        radius=settings.radius,
        forest=settings.forest,
        lazy=settings.lazy,
    )


def stored_roadmap(file: str, space: Space, row: int) -> Roadmap | None:
    """Return the roadmap that group number ``row`` begins with, None for an empty one.

    Args:
        file: Of the scenario; empty: none.
        space: Of the group.
        row: A group without a file of its own begins with that of the first group if it fits;
            it may have another body, and builds a roadmap of its own then.

    Raises:
        RoadmapFileError: The group's file cannot be read, or does not fit.
    """
    if not file:
        return None
    own = file_of_group(Path(file), row)
    if row == 0 or own.exists():
        return load_roadmap(own, space)
    try:
        return load_roadmap(Path(file), space)
    except RoadmapFileError:
        return None


def file_of_group(file: Path, row: int) -> Path:
    """Return the file of group number ``row``: ``a.roadmap``, ``a-2.roadmap``, ``a-3.roadmap``."""
    return file if row == 0 else file.with_name(f"{file.stem}-{row + 1}{file.suffix}")
