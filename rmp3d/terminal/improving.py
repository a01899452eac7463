"""What is said while a path is made cheaper, and afterwards."""

import argparse
from collections.abc import Mapping, Sequence
from math import isclose
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import say

if TYPE_CHECKING:
    from rmp3d.planner.optimizing.settings import Improvement


def say_better(options: argparse.Namespace, found: "Improvement") -> None:
    """Say that a better path is there, on standard error; not with ``-q`` or ``--json``."""
    cost = "" if isclose(found.cost, found.length) else f", cost {found.cost:.4f}"
    say(options, f"{found.seconds:.2f} s: length {found.length:.4f}{cost} (work {found.work})")


def improved_text(facts: Mapping[str, Any]) -> str:
    """Return the lines that say what optimizing gained, and how long the other ways are."""
    text = ""
    steps = facts.get("improvements", [])
    if steps:
        first, last = steps[0], steps[-1]
        text += (
            f"optimized: {facts['cost']['name']} {first['cost']:.4f} to {last['cost']:.4f} "
            f"{facts['cost']['unit']} in {_counted(len(steps) - 1, 'step')}\n"
        )
    ways = facts.get("alternatives", [])
    if ways:
        lengths = ", ".join(f"{way['length']:.4f}" for way in ways)
        text += f"{_counted(len(ways), 'way')} of different classes, length: {lengths}\n"
    return text + _tradeoffs_text(facts.get("tradeoffs", []))


def _tradeoffs_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of the costs of paths of which none is better than another in all of them."""
    if not rows:
        return ""
    names = list(rows[0]["costs"])
    wide = max(12, *map(len, names))
    lines = ["".join(name.rjust(wide) for name in names)]
    lines += ["".join(f"{row['costs'][name]:{wide}.4f}" for name in names) for row in rows]
    head = f"{len(rows)} paths, none better than another in every cost:"
    if len(rows) == 1:
        head = "one path is the best that was found, in every cost:"
    return "\n".join([head, *lines]) + "\n"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
