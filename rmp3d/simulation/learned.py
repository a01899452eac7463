"""Keeping what groups have learned: their roadmaps, with weights, in files."""

from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rmp3d.planner.roadmap.storage import save_roadmap
from rmp3d.scenario.roadmaps import file_of_group
from rmp3d.simulation.planning import GroupPlan
from rmp3d.simulation.run import Simulation


def save_roadmaps(simulation: Simulation, file: Path) -> list[Path]:
    """Write the roadmap of each group that has one, with what the group has learned until now.

    Where the weights come from is written beside them: the scenario, its seed, how long it ran,
    and the version of the program.

    Args:
        simulation: At its end, or at any moment before.
        file: Of the first group; that of the second one has ``-2`` before its suffix, and so on.

    Returns:
        The files written.

    Raises:
        RoadmapFileError: One cannot be written.
    """
    written = []
    for row, (plan, run) in enumerate(zip(simulation.plans, simulation.runs, strict=True)):
        if not isinstance(plan, GroupPlan):
            continue
        roadmap = run.learned_roadmap() or plan.plan.roadmap
        if roadmap.learned is not None:
            provenance = {
                **roadmap.learned.provenance,
                "scenario": simulation.scenario.name,
                "seed": simulation.scenario.seed,
                "members": plan.group.members,
                "seconds": round(simulation.time, 3),
                "rmp3d": _package_version(),
            }
            roadmap = replace(roadmap, learned=replace(roadmap.learned, provenance=provenance))
        written.append(file_of_group(file, row))
        save_roadmap(roadmap, written[-1])
    return written


def _package_version() -> str:
    try:
        return version("rmp3d")
    except PackageNotFoundError:
        return "unknown"
