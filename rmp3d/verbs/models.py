"""List the built-in characters, or check and describe the ones that you name.

A character of your own is named by its .toml file. If the file is wrong, the error says where,
and the exit code is 2.
"""

import argparse
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rmp3d.verbs import listing

if TYPE_CHECKING:
    from rmp3d.models import Character

UNITS = {
    "size": "m",
    "radius": "m",
    "capsule_axis": "m",
    "mass": "kg",
    "max_speed": "m/s",
    "cruise_speed": "m/s",
    "max_force": "N",
    "max_braking": "N",
    "max_turn_rate": "degrees/s",
    "max_pitch": "degrees",
    "max_roll": "degrees",
    "max_step": "m",
}
FLIGHT = ("banking",)
"""Parameters of flyers only."""
GROUND = ("max_roll", "lean", "max_step")
"""Parameters of walkers only."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add characters and options."""
    parser.add_argument(
        "characters", metavar="CHARACTER", nargs="*", help="a built-in character or a .toml file"
    )
    listing.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the characters; named ones, and all with ``-v``, with their parameters."""
    from rmp3d.models import builtin_models, builtin_summary, load_character

    given = options.characters
    options.verbose = options.verbose or bool(given)
    if options.verbose or options.json:
        rows = [_described(load_character(name)) for name in given or builtin_models()]
    else:
        rows = [{"name": name, "summary": builtin_summary(name)} for name in builtin_models()]
    return listing.show_rows(options, rows)


def _described(character: "Character") -> dict[str, Any]:
    """Return a row of the list; numbers have the units of character files."""
    body, low, high = character.body, *character.mesh.bounds
    facts = {
        "vehicle": character.vehicle,
        "size": (high - low).tolist(),
        "triangles": len(character.mesh.faces),
        "body_triangles": len(body.mesh.faces),
        "body_watertight": body.mesh.is_watertight,
        "radius": body.radius,
        "capsule_axis": list(body.capsule_axis),
        **asdict(character.parameters),
    }
    others = FLIGHT if character.grounded else GROUND
    facts = {key: value for key, value in facts.items() if key not in others}
    for key, unit in UNITS.items():
        if unit.startswith("degrees") and key in facts:
            facts[key] = math.degrees(facts[key])
    return {
        "name": character.name,
        "summary": character.description,
        "options": {key: _plain(value) for key, value in facts.items()},
        "units": {key: unit for key, unit in UNITS.items() if key in facts},
    }


def _plain(value: Any) -> Any:
    """Return numbers without the digits that single precision and radians leave behind."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
