"""List the parts, roles, walkable area, bounds and regions of a scene or a mesh.

The target is a built-in scene, a scenario file, or any mesh file. With -o, a map is drawn.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import show
from rmp3d.verbs.options import add_output_options, add_set_option

if TYPE_CHECKING:
    from rmp3d.scenes import Scene

NO_ROLES = (
    "no roles are given (`scene.roles`): triangles that are flat enough count as ground, all "
    "others as obstacles"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument(
        "target", metavar="SCENE", help="a built-in scene, a scenario file (.toml), or a mesh file"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="file of a map: .png .svg .pdf"
    )
    add_set_option(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the table; write the map."""
    from rmp3d.scenario.targets import scene_of

    scene = scene_of(options.target, options.overrides)
    if options.output is not None:
        from rmp3d.viewer.plots.maps import save_map

        save_map(options.output, scene, title=scene.name)
    facts = facts_of(scene)
    show(options, facts, _text(facts, options))
    return 0


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


def _text(facts: dict[str, Any], options: argparse.Namespace) -> str:
    from rmp3d.terminal.text_table import table

    rows = [
        [part["name"], part["role"], part["triangles"], part["watertight"], _box(part["bounds"])]
        for part in facts["parts"]
    ]
    lines = [
        table(rows, ("part", "role", "triangles", "watertight", "from .. to [m]")),
        "",
        f"{len(rows)} parts, {facts['triangles']} triangles, "
        f"walkable area {facts['walkable_area']:.1f} m^2",
        f"bounds {_box(facts['bounds'])} m",
    ]
    lines += [
        f"region {row['name']}: {row['kind']} {_box(row['bounds'])}" for row in facts["regions"]
    ]
    if not facts["roles_stated"]:
        lines.append(NO_ROLES)
    lines += [f"note: {note}" for note in facts["notes"]]
    if options.output is not None:
        lines.append(f"map: {options.output}")
    return "\n".join(lines)


def _box(bounds: list[list[float]]) -> str:
    low, high = (" ".join(f"{value:.2f}" for value in corner) for corner in bounds)
    return f"({low}) .. ({high})"
