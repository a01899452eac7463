"""The files that `rmp3d plan` reads and writes beside its answer, and what it says with -v."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.plans.result_file import is_result_file
from rmp3d.terminal.output import say

if TYPE_CHECKING:
    from rmp3d.planner import Roadmap
    from rmp3d.scenario import ScenarioTable
    from rmp3d.scenes import Scene
    from rmp3d.simulation import GroupPlan
    from rmp3d.viewer.plots.bands import Plan

ROOM = ("left", "right", "above", "below")
MOST_REJECTED = 2000  # attempts whose refused samples a picture shows


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for roadmap files, graphs and pictures, one for each group."""
    files = parser.add_argument_group(
        "files", "Of the first group, FILE; of the second one, FILE with -2 before its suffix; ..."
    )
    files.add_argument(
        "-o", "--picture", "--output", dest="output", type=Path, metavar="FILE",
        help="a map with samples, roadmap, path, and formations along it: .png .svg .pdf; or the "
        "result, to be watched: .json",
    )  # fmt: skip
    files.add_argument(
        "--profile", type=Path, metavar="FILE",
        help="a picture of clearance, room and formation along the path: .png .svg .pdf",
    )  # fmt: skip
    files.add_argument("--save", type=Path, metavar="FILE", help="the roadmap: .roadmap")
    files.add_argument(
        "--load", type=Path, metavar="FILE", help="a roadmap that was saved, to begin with"
    )
    files.add_argument(
        "--graphml", type=Path, metavar="FILE", help="the roadmap's graph for other programs"
    )


def use_loaded(options: argparse.Namespace) -> None:
    """Make the roadmap of ``--load`` the scenario's."""
    if options.load is not None:
        options.overrides.append(f'planner.roadmap="{options.load.resolve().as_posix()}"')


def write_files(
    options: argparse.Namespace, scenario: "ScenarioTable", scene: "Scene", plans: list["GroupPlan"]
) -> None:
    """Write the files that the options ask for.

    Raises:
        InputError: One cannot be written.
    """
    from rmp3d.planner import save_graphml, save_roadmap
    from rmp3d.scenario.roadmaps import file_of_group

    for row, plan in enumerate(plans):
        if options.save is not None:
            file = file_of_group(options.save, row)
            save_roadmap(plan.plan.roadmap, file)
            say(options, f"roadmap: {file}")
        if options.graphml is not None:
            file = file_of_group(options.graphml, row)
            save_graphml(plan.plan.roadmap, file)
            say(options, f"graph: {file}")
        if options.output is None and options.profile is None:
            continue
        formations = _formations(scenario, plan)
        if options.output is not None and not is_result_file(options.output):
            file = file_of_group(options.output, row)
            _draw_map(file, scenario, scene, plans, row, formations)
            say(options, f"map: {file}")
        if options.profile is not None:
            file = file_of_group(options.profile, row)
            _draw_profile(file, scenario, plan, formations)
            say(options, f"profile: {file}")


def write_unsolved(
    options: argparse.Namespace, scenario: "ScenarioTable", error: Exception
) -> None:
    """Draw the scene with what can be reached from start and from goal, and what is between.

    Raises:
        InputError: The picture cannot be written.
    """
    from rmp3d.planner.roadmap.failures import BlockedError
    from rmp3d.scenario import Scenario
    from rmp3d.viewer.plots.maps import save_map

    if options.output is None or is_result_file(options.output):
        return
    scene = Scenario.of(scenario).scene
    title = f"{scenario.name}: no path, seed {scenario.seed}"
    if isinstance(error, BlockedError):
        obstacle = error.obstacle
        mark = obstacle.position, obstacle.short
        save_map(options.output, scene, reached=error.reached, mark=mark, title=title)
    else:
        save_map(options.output, scene, title=title)
    say(options, f"map: {options.output}")


def save_interrupted(
    options: argparse.Namespace, scenario: "ScenarioTable", roadmap: "Roadmap"
) -> None:
    """Write what was built of the only group's roadmap before the user stopped, if asked for.

    Raises:
        InputError: It cannot be written.
    """
    from rmp3d.planner import save_roadmap

    if options.save is not None and len(scenario.groups) == 1:
        save_roadmap(roadmap, options.save)
        say(options, f"roadmap so far: {options.save}, {len(roadmap.configurations)} nodes")


def details(scenario: "ScenarioTable", plans: list["GroupPlan"]) -> list[dict[str, Any]]:
    """Return what is worth knowing of each group's roadmap and path, with profiles as lists."""
    import numpy as np

    from rmp3d.planner import measure_coverage, measure_profile

    rows = []
    for plan in plans:
        roadmap = plan.plan.roadmap
        profile = measure_profile(plan.plan.session.space, plan.plan.path)
        arrays = {name: getattr(profile, name) for name in ("station", "clearance")}
        arrays |= {f"room_{side}": getattr(profile, side) for side in ROOM}
        rows.append(
            {
                "name": plan.group.name,
                "attempts": roadmap.attempts,
                "untried": roadmap.statistics.untried,
                "coverage": measure_coverage(roadmap, np.random.default_rng(scenario.seed)),
                "profile": {name: array.round(6).tolist() for name, array in arrays.items()},
            }
        )
    return rows


def details_text(rows: list[dict[str, Any]]) -> str:
    """Return the details for people."""
    from rmp3d.terminal.text_table import table

    header = ("group", "samples tried", "pairs untried", "coverage", "least room [m]")
    lines = []
    for row in rows:
        profile = row["profile"]
        room = min(a + b for a, b in zip(profile["room_left"], profile["room_right"], strict=True))
        lines.append([row["name"], row["attempts"], row["untried"], row["coverage"], room])
    return table(lines, header)


def _formations(scenario: "ScenarioTable", plan: "GroupPlan") -> "Plan | None":
    """Return the arrays of a group's formation plan; None if its behavior has none."""
    import numpy as np

    from rmp3d.behaviors.groups import GroupTask, NarrowPassages
    from rmp3d.simulation.tasks import task_of

    behavior = plan.behavior
    if not isinstance(behavior, NarrowPassages):
        return None
    task = task_of([plan], 0, scenario.simulation.dt, np.random.default_rng(0))
    assert isinstance(task, GroupTask)
    planned, window = behavior.planned(task)
    return planned.arrays(task.path, window)


def _draw_map(
    output: Path, scenario: "ScenarioTable", scene: "Scene", plans: list["GroupPlan"], row: int,
    formations: "Plan | None",
) -> None:  # fmt: skip
    import numpy as np

    from rmp3d.geometry.choices import choose
    from rmp3d.planner import SAMPLERS
    from rmp3d.planner.sampling.rejected import rejected_configurations
    from rmp3d.viewer.plots.maps import save_map

    roadmap, path = plans[row].plan.roadmap, plans[row].plan.path
    paths, names = [plan.plan.path.points for plan in plans], []
    ways = plans[row].plan.alternatives
    if ways:
        paths = [way.configurations[:, :3] for way in ways]
        names = [f"way {number + 1}: {way.length:.4g} m" for number, way in enumerate(ways)]
    rejected = rejected_configurations(
        choose(SAMPLERS, scenario.planner.sampler),
        roadmap.space,
        min(roadmap.attempts, MOST_REJECTED),
        np.random.default_rng([scenario.seed, row, 0]),
    )
    save_map(
        output,
        scene,
        nodes=roadmap.configurations[:, :3],
        edges=roadmap.edges,
        component=roadmap.component,
        rejected=rejected[:, :3],
        paths=paths,
        names=names,
        start=path.points[0],
        goal=path.points[-1],
        bands=() if formations is None else (formations,),
        title=f"{scenario.name}, {plans[row].group.name}, seed {scenario.seed}",
    )


def _draw_profile(
    output: Path, scenario: "ScenarioTable", plan: "GroupPlan", formations: "Plan | None"
) -> None:
    from rmp3d.planner import measure_profile
    from rmp3d.planner.spaces.directions import is_level
    from rmp3d.viewer.plots.profiles import save_profile

    profile = measure_profile(plan.plan.session.space, plan.plan.path)
    save_profile(
        output,
        profile.station,
        profile.clearance,
        profile.left,
        profile.right,
        radius=plan.space.world.body.radius,
        most=profile.most,
        above=None if is_level(plan.space) else profile.above,
        below=None if is_level(plan.space) else profile.below,
        capsule_axis=plan.space.world.body.capsule_axis,
        plan=formations,
        title=f"{scenario.name}, {plan.group.name}, seed {scenario.seed}",
    )
