"""What a verb prints: facts as JSON or as text, and messages on standard error."""

import argparse
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.streams import say_error

if TYPE_CHECKING:
    from rmp3d.scenes import Scene, SceneDescription


def show(options: argparse.Namespace, facts: Any, text: str) -> None:
    """Print the facts as JSON, or the text; with ``-q`` no text."""
    if options.json:
        print(json_text(facts))
    elif not options.quiet:
        print(text)


def json_text(facts: Any) -> str:
    """Return indented JSON with a line for each row of numbers, such as a point of a path."""
    text = json.dumps(facts, indent=2, allow_nan=False)
    # A line break is only between values, never inside a string.
    return re.sub(r"\[\n([-+.,\deE\s]+)\]", lambda row: f"[{' '.join(row.group(1).split())}]", text)


def say_if_compiling(options: argparse.Namespace) -> None:
    """Say that numba compiles the kernels now, if they are not compiled yet."""
    from rmp3d.geometry.compiled import compiles_first

    if compiles_first():
        say(options, "compiling the kernels: once on each machine, about half a minute ...")


def say_notes(options: argparse.Namespace, notes: Iterable[str]) -> None:
    """Print the notes of a scene's reader, such as a missing texture, on standard error."""
    for note in notes:
        say(options, f"note: {note}")


def say_cost_of_reading(options: argparse.Namespace, description: "SceneDescription") -> None:
    """Say what reading large mesh files will take, on standard error."""
    from rmp3d.scenes.assembly import mesh_files
    from rmp3d.scenes.memory import reading_note

    files = [*mesh_files(description), *(entry.file for entry in description.meshes)]
    if note := reading_note(map(Path, files)):
        say(options, f"note: {note}")


def say_cost(options: argparse.Namespace, step: str, scene: "Scene") -> None:
    """Say what a step will take in a large scene, on standard error.

    Args:
        options: Of the verb.
        step: One of `rmp3d.scenes.memory.COSTS`.
        scene: Read already.
    """
    from rmp3d.scenes.memory import cost_note

    if note := cost_note(step, sum(len(part.mesh.faces) for part in scene.parts)):
        say(options, f"note: {note}")


def say(options: argparse.Namespace, text: str) -> None:
    """Print a message on standard error, not with ``-q`` or ``--json``."""
    if not (options.quiet or options.json):
        say_error(text)
