"""The contract of what a layer draws, and the registry of them by the layer's name."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.registry import Registry
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.shapes.lines import NO_LINES
from rmp3d.viewer.shapes.patches import NO_PATCHES
from rmp3d.viewer.shapes.rings import NO_RINGS

DRAWINGS = Registry("layer")


class Label(NamedTuple):
    """A short text at a point (3,) [m] of the world, in an sRGB color."""

    text: str
    at: Float
    color: Float


class Legend(NamedTuple):
    """What colors mean: a title with the unit, and the ends of a ramp of sRGB colors (K, 3)."""

    title: str
    low: str
    high: str
    colors: Float


@dataclass(frozen=True, eq=False)
class Seen:
    """The moment that is drawn.

    Attributes:
        time: [s].
        pose: Where members are then.
        selected: Row of the selected member, -1 for none.
        chosen: Rows of members that are selected with it.
        averaged: Whether maps are averages over the time up to the moment.
    """

    time: float
    pose: Pose
    selected: int = -1
    chosen: tuple[int, ...] = ()
    averaged: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Drawn:
    """What a drawing draws: lines, patches and rings (rows of `viewer.shapes`), labels, legends."""

    lines: NDArray[np.float32] = field(default_factory=lambda: NO_LINES)
    patches: NDArray[np.float32] = field(default_factory=lambda: NO_PATCHES)
    rings: NDArray[np.float32] = field(default_factory=lambda: NO_RINGS)
    labels: tuple[Label, ...] = ()
    legends: tuple[Legend, ...] = ()

    @classmethod
    def together(cls, drawn: Sequence["Drawn"]) -> "Drawn":
        """Return all of several as one, in order."""
        return cls(
            lines=np.concatenate([NO_LINES, *(each.lines for each in drawn)]),
            patches=np.concatenate([NO_PATCHES, *(each.patches for each in drawn)]),
            rings=np.concatenate([NO_RINGS, *(each.rings for each in drawn)]),
            labels=tuple(label for each in drawn for label in each.labels),
            legends=tuple(legend for each in drawn for legend in each.legends),
        )


class Drawing(ABC):
    """Draws one layer of one playback.

    Attributes:
        moves: Whether every moment looks different; else `version` says when it changes.
    """

    moves: ClassVar[bool] = True

    def __init__(self, playback: Playback) -> None:
        self.playback = playback

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return why there is nothing to show of a playback, in a few words; empty if there is."""
        return ""

    def version(self, time: float) -> int:
        """Return a number that changes when a drawing that does not move does."""
        return 0

    @abstractmethod
    def draw(self, seen: Seen) -> Drawn:
        """Return what is drawn at a moment."""


def missing_of(layer: str, playback: Playback) -> str:
    """Return why a layer has nothing to show of a playback; empty if it has."""
    drawing: type[Drawing] | None = DRAWINGS[layer] if layer in DRAWINGS else None
    return drawing.missing(playback) if drawing else ""
