"""The file of a result that `rmp3d plan -o FILE.json` writes."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import json_text, say

if TYPE_CHECKING:
    from rmp3d.plans.body_plan import BodyPlan


def is_result_file(path: Path | None) -> bool:
    """Whether ``-o`` asks for the result, and not for a picture."""
    return path is not None and path.suffix.lower() == ".json"


def write_result(
    options: argparse.Namespace, facts: dict[str, Any], bodies: Sequence["BodyPlan"]
) -> None:
    """Write the result that ``-o FILE.json`` asks for: the facts, and the roadmaps of the bodies.

    Raises:
        InputError: It cannot be written.
    """
    from rmp3d.geometry.whole_file import write_whole
    from rmp3d.plans.facts import roadmap_keys

    roadmaps = [roadmap_keys(body.nodes, body.edges, body.rejected()) for body in bodies]
    write_whole(options.output, json_text({**facts, "roadmaps": roadmaps}) + "\n")
    say(options, f"result: {options.output}")
