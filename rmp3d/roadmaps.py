"""The roadmaps of a scenario: what its settings mean to the planner, and its roadmap file."""

from pathlib import Path

from planner.errors import RoadmapFileError
from planner.prm import RoadmapSettings
from planner.roadmap import Roadmap
from planner.spaces import Space
from planner.storage import load_roadmap
from rmp3d.scenario import PlannerSettings


def roadmap_settings(settings: PlannerSettings) -> RoadmapSettings:
    """Return the planner's settings of a scenario's table.

    Raises:
        ValueError: No stop rule is set, or two options exclude each other.
    """
    return RoadmapSettings(
        sampler=settings.sampler,
        local_planner=settings.local_planner,
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
        row: The file must fit the first group; another group may have another body, and builds a
            roadmap of its own then.

    Raises:
        RoadmapFileError: The file cannot be read, or does not fit.
    """
    if not file:
        return None
    try:
        return load_roadmap(Path(file), space)
    except RoadmapFileError:
        if row == 0:
            raise
        return None
