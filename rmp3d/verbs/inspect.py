"""List the parts of a scene or a mesh, survey where a character can walk, and propose a scenario.

The target is a built-in scene, a scenario file, or any mesh file. The survey names storeys, rooms,
doors with their clear widths, and what cannot be reached and why. With --write, the proposal
becomes a scenario file that runs. With -o, a map with a panel for each storey is drawn.

Of a problem file (.env, .cfg): its parts, the body, and whether start and goal are free, and why
not. Of a result of `rmp3d plan` (.json) also its path, proved again. The exit code is 1 if a start
or goal is not free, or a path is not.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import say_cost, say_cost_of_reading, say_if_compiling, show
from rmp3d.verbs.options import add_output_options, add_set_option
from rmp3d.verbs.planned import is_plan, read_plan

if TYPE_CHECKING:
    from rmp3d.inspection.proposal import Proposal
    from rmp3d.scenes import Scene

NO_ROLES = (
    "no roles are given (`scene.roles`): triangles that are flat enough count as ground, all "
    "others as obstacles"
)
MOST_LINES = 14  # of the table of parts, without -v
MEMBERS = 5  # of the proposed group


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        help="a built-in scene, a scenario file (.toml), a mesh file, a problem file (.env, .cfg), "
        "or a result of `rmp3d plan` (.json)",
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="write the proposal as a scenario: .toml"
    )
    parser.add_argument("--force", action="store_true", help="let --write replace a file")
    parser.add_argument(
        "--character", metavar="C", help="who shall go through it; default: the scenario's"
    )
    parser.add_argument(
        "--members", type=int, metavar="N", help="how many, if there is room; default: 5"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="file of a map: .png .svg .pdf"
    )
    parser.add_argument(
        "--map", action="store_true", help="print a map in the terminal, one for each storey"
    )
    parser.add_argument("--storey", type=int, metavar="N", help="only this storey in the maps")
    parser.add_argument(
        "--bounds", nargs=4, type=float, metavar=("X", "Y", "X", "Y"),
        help="only this rectangle in the maps: lower and upper corner [m]",
    )  # fmt: skip
    parser.add_argument("--query", type=Path, metavar="FILE", help="start and goal of an .env")
    parser.add_argument(
        "--robot", type=Path, metavar="FILE", help="robot of an .env, a .robot or a mesh"
    )
    add_set_option(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print what was found; write the map and the scenario."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.inspection.proposal import ending_of, proposed
    from rmp3d.inspection.report import facts as survey_facts
    from rmp3d.inspection.written import write_scenario
    from rmp3d.scenario.targets import described_scene, description_of_target
    from rmp3d.scenes.meshes import each_file_read_once

    if is_plan(options.target):
        return _inspect_plan(options)
    for name in ("query", "robot"):
        if getattr(options, name) is not None:
            raise InputError(f"{options.target}: --{name} is for an .env problem")
    if options.members is not None and options.members < 1:
        raise InputError(f"--members must be at least 1, got {options.members}")
    description, group = description_of_target(options.target, options.overrides)
    say_cost_of_reading(options, description)
    character = "pedestrian" if group is None else group.kinds[0]
    with each_file_read_once():  # what is proposed may be the same files turned, or on a plane
        scene = described_scene(options.target, description)
        say_if_compiling(options)
        say_cost(options, "looking for storeys, rooms and doors", scene)
        found = proposed(
            scene,
            description,
            ending_of(options.target),
            options.character or character,
            options.members or (MEMBERS if group is None else group.members),
        )
    if options.write is not None:
        write_scenario(found, options.write, force=options.force)
    if options.output is not None:
        _draw(options, found)
    facts = facts_of(found.scene)
    show(options, {**facts, **survey_facts(found)}, _text(facts, options, found))
    return 0


def _inspect_plan(options: argparse.Namespace) -> int:
    """Print what a problem file or a result holds; draw a map of a problem."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.inspection.problem import problem_facts, problem_text
    from rmp3d.viewer.plots.maps import save_map

    for name in ("write", "force", "character", "members", "map", "storey", "bounds", "overrides"):
        if getattr(options, name):
            flag = "set" if name == "overrides" else name
            raise InputError(f"{options.target}: --{flag} is for scenes that are walked in")
    plan = read_plan(options)
    if options.output is not None:
        body = plan.bodies[0]
        start, goal = (end.configuration[:3] for end in body.ends)
        save_map(
            options.output, plan.scene, nodes=body.nodes, edges=body.edges,
            component=body.component, paths=[each.configurations[:, :3] for each in plan.bodies],
            start=start, goal=goal, title=plan.title,
        )  # fmt: skip
    facts = problem_facts(plan, facts_of(plan.scene))
    show(options, facts, problem_text(facts, plan))
    free = all(not end.reason for body in plan.bodies for end in body.ends)
    return 0 if free and (plan.free or not plan.facts) else 1


def _draw(options: argparse.Namespace, found: "Proposal") -> None:
    """Draw a panel for each storey; the scene from above where nobody walks."""
    if found.survey is None:
        from rmp3d.viewer.plots.maps import save_map

        save_map(options.output, found.scene, title=found.scene.name)
        return
    from rmp3d.inspection.panels import storey_plans
    from rmp3d.viewer.plots.storeys import save_storeys

    plans = storey_plans(found, options.storey, options.bounds)
    title = f"{found.scene.name}, where `{found.survey.character.name}` walks"
    if len(plans) < len(found.survey.storeys) and options.storey is None:
        title += f"; {len(plans)} of {len(found.survey.storeys)} storeys, `--storey` shows others"
    save_storeys(options.output, plans, title=title)


def _map_text(options: argparse.Namespace, found: "Proposal") -> list[str]:
    """Return the plans in letters, where they are asked for."""
    if not options.map or found.survey is None:
        return []
    from rmp3d.inspection.panels import storey_plans
    from rmp3d.inspection.text_map import text_map

    plans = storey_plans(found, options.storey, options.bounds)
    return ["", *(f"{text_map(plan)}\n" for plan in plans)]


def facts_of(scene: "Scene") -> dict[str, Any]:
    """Return the facts that `--json` prints."""
    walkable = scene.walkable
    return {
        "scene": scene.name,
        "parts": [
            {
                "name": part.name,
                "role": part.role,
                "triangles": len(part.mesh.faces),
                "watertight": part.mesh.is_watertight,
                "bounds": part.mesh.bounds.tolist(),
            }
            for part in scene.parts
        ],
        "triangles": sum(len(part.mesh.faces) for part in scene.parts),
        "walkable_area": 0.0 if walkable is None else float(walkable.areas.sum()),
        "bounds": scene.bounds.tolist(),
        "regions": [
            {"name": name, "kind": region.kind, "bounds": region.bounds.tolist()}
            for name, region in scene.regions.items()
        ],
        "roles_stated": scene.roles_stated,
        "notes": list(scene.notes),
        "hash": scene.hash,
    }


def _text(facts: dict[str, Any], options: argparse.Namespace, found: "Proposal") -> str:
    from rmp3d.inspection.report import text
    from rmp3d.terminal.part_table import part_table

    parts = part_table(facts["parts"]).splitlines()
    if len(parts) > MOST_LINES and not options.verbose:
        parts = [*parts[: MOST_LINES - 1], "... -v lists more of them, --json all"]
    lines = [
        *parts,
        "",
        f"{_count(len(facts['parts']), 'part')}, {_count(facts['triangles'], 'triangle')}, "
        f"walkable area {facts['walkable_area']:.1f} m^2",
        f"bounds {_box(facts['bounds'])} m",
    ]
    lines += [
        f"region {row['name']}: {row['kind']} {_box(row['bounds'])}" for row in facts["regions"]
    ]
    if not facts["roles_stated"]:
        lines.append(NO_ROLES)
    lines += [f"note: {note}" for note in facts["notes"]]
    lines.append(text(found, options.write))
    lines += _map_text(options, found)
    if options.output is not None:
        lines.append(f"map: {options.output}")
    return "\n".join(lines)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _box(bounds: list[list[float]]) -> str:
    low, high = (" ".join(f"{value:.2f}" for value in corner) for corner in bounds)
    return f"({low}) .. ({high})"
