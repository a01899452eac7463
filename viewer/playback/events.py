"""How kinds of events look on the timeline: a color and a shape each."""

from typing import NamedTuple

from rmp3d.geometry.arrays import Float, frozen

QUIET = frozenset({"start", "end"})  # marked by the bar's ends themselves


class Mark(NamedTuple):
    """A glyph of the font, in an sRGB color."""

    shape: str
    color: Float


DEFAULT = Mark("|", frozen([0.92, 0.93, 0.95]))
MARKS = {
    "formation": Mark("◆", frozen([1.00, 0.78, 0.20])),
    "spacing": Mark("◇", frozen([1.00, 0.78, 0.20])),
    "arrived": Mark("●", frozen([0.30, 0.85, 0.50])),
    "goal": Mark("★", frozen([0.30, 0.85, 0.50])),
    "found": Mark("★", frozen([0.98, 0.90, 0.35])),
    "told": Mark("☆", frozen([0.98, 0.90, 0.35])),
    "jam": Mark("■", frozen([0.95, 0.35, 0.25])),
    "jam_over": Mark("□", frozen([0.95, 0.35, 0.25])),
    "caught": Mark("✖", frozen([0.95, 0.45, 0.85])),
    "dead_end": Mark("▼", frozen([0.85, 0.60, 0.40])),
    "reroute": Mark("▶", frozen([0.45, 0.75, 1.00])),
    "part": Mark("■", frozen([0.85, 0.60, 0.40])),
    "appear": Mark("▲", frozen([0.85, 0.60, 0.40])),
    "go": Mark("▽", frozen([0.85, 0.60, 0.40])),
    "replan": Mark("▶", frozen([0.30, 0.85, 0.50])),
    "no_way": Mark("▼", frozen([0.95, 0.35, 0.25])),
    "change": Mark("▲", frozen([0.75, 0.60, 1.00])),
}
"""Kinds that are not here look like `DEFAULT`."""


def mark_of(kind: str) -> Mark:
    """Return how events of a kind look."""
    return MARKS.get(kind, DEFAULT)
