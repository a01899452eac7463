"""List the built-in characters, check and describe the ones that you name, or add your own.

A character of your own is named by its .toml file. If the file is wrong, the error says where,
and the exit code is 2. `add FILE.glb` makes one of a rigged glTF file: it finds the skeleton and
the clips, measures body and stride, writes the .toml file, and says what it left out.
"""

import argparse
import math
import sys
from dataclasses import asdict
from pathlib import Path
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
        "characters",
        metavar="CHARACTER",
        nargs="*",
        help="a built-in character or a .toml file; or add FILE.glb",
    )
    parser.add_argument("-o", "--output", metavar="FOLDER", help="of add; default: this folder")
    parser.add_argument("--height", type=float, metavar="M", help="of add: of the character [m]")
    listing.add_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Print the characters; named ones, and all with ``-v``, with their parameters."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.models import builtin_models, builtin_summary, load_character

    given = options.characters
    if given[:1] == ["add"]:
        given = [_added(options, given[1:])]
    elif options.output is not None or options.height is not None:
        raise InputError("`--output` and `--height` are for `rmp3d models add FILE.glb`")
    options.verbose = options.verbose or bool(given)
    if options.verbose or options.json:
        rows = [_described(load_character(name)) for name in given or builtin_models()]
    else:
        rows = [{"name": name, "summary": builtin_summary(name)} for name in builtin_models()]
    return listing.show_rows(options, rows)


def _added(options: argparse.Namespace, files: list[str]) -> str:
    """Make a character of a rigged file; return the path of its character file."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.geometry.printable import printable
    from rmp3d.models.adding import add_character

    if len(files) != 1:
        raise InputError("`rmp3d models add` takes one file: `rmp3d models add FILE.glb`")
    if options.height is not None and not 0.0 < options.height < math.inf:
        raise InputError(f"`--height` must be positive, got {options.height}")
    path, notes = add_character(Path(files[0]), Path(options.output or "."), options.height)
    for note in (*notes, f"written: {path}"):
        sys.stderr.write(f"{printable(note)}\n")
    return str(path)


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
