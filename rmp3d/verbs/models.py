"""List the built-in characters."""

import argparse

from rmp3d.verbs.listing import add_arguments, show_rows

__all__ = ["add_arguments", "run"]


def run(options: argparse.Namespace) -> int:
    """Print them; with ``-v`` their vehicle parameters."""
    from dataclasses import asdict

    from models import builtin_models, builtin_summary, load_character

    rows = []
    for name in builtin_models():
        row: dict[str, object] = {"name": name, "summary": builtin_summary(name)}
        if options.json or options.verbose:
            character = load_character(name)
            row["options"] = {
                "vehicle": character.vehicle,
                "radius": character.body.radius,
                "height": float(character.mesh.bounds[1, 2] - character.mesh.bounds[0, 2]),
                "triangles": len(character.mesh.faces),
                **asdict(character.parameters),
            }
        rows.append(row)
    return show_rows(options, rows)
