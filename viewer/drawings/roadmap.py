"""The layer `roadmap`: nodes by component, edges by the weight that the group gives them."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Legend, Seen
from rmp3d.viewer.palette import COMPONENT_COLORS, HEAVY, LIGHT
from rmp3d.viewer.playback.bounds import lift
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines

# The heaviest weight on the scale of colors; one over it is the lightest.
SCALE = 100.0
LEGEND = Legend("weight of an edge", "1/100", "100", np.linspace(LIGHT, HEAVY, 8))


@DRAWINGS.register("roadmap")
class RoadmapDrawing(Drawing):
    """Thin lines and dots; the largest component first in the palette."""

    moves = False

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that no group has a roadmap."""
        found = any(len(details.nodes) for details in playback.details)
        return "" if found else "no group has a roadmap"

    def version(self, time: float) -> int:
        """Return how many times weights have been noted so far."""
        noted = [np.searchsorted(d.weight_time, time + 1e-9) for d in self.playback.details]
        return int(np.sum(noted, initial=0))

    def draw(self, seen: Seen) -> Drawn:
        """Return the roadmaps with the weights of a moment."""
        rows = [
            _rows(details, seen.time, lift(self.playback, group))
            for group, details in enumerate(self.playback.details)
        ]
        weighs = any(details.weights_at(seen.time) is not None for details in self.playback.details)
        return Drawn(
            lines=np.concatenate([lines.NO_LINES, *rows]), legends=(LEGEND,) if weighs else ()
        )


def _rows(details: GroupDetails, time: float, up: Float) -> NDArray[np.float32]:
    nodes, edges = details.nodes + up, details.edges
    colors = COMPONENT_COLORS[component_rank(details.component) % len(COMPONENT_COLORS)]
    weight = details.weights_at(time)
    start, end = nodes[edges[:, 0]], nodes[edges[:, 1]]
    opaque = (0.5, 0.5) if weight is None else (0.9, 0.9)
    if weight is None:
        joins = lines.segments(start, end, colors[edges[:, 0]], 1.0, opaque)
    elif weight.ndim == 1:
        joins = lines.segments(start, end, weight_colors(weight), 1.0, opaque)
    else:
        # The half of an edge at a node shows the weight of the direction that leaves there.
        middle = 0.5 * (start + end)
        halves = [
            lines.segments(near, middle, weight_colors(way), weight_widths(way), opaque)
            for near, way in zip((start, end), weight.T, strict=True)
        ]
        joins = np.concatenate(halves)
    return np.concatenate([joins, lines.dots(nodes, colors, 3.5)])


def component_rank(component: Index) -> Index:
    """Return for each node (V,) the rank of its component by size, 0 for the largest."""
    labels, row, count = np.unique(component, return_inverse=True, return_counts=True)
    rank = np.empty(len(labels), np.intp)
    rank[np.argsort(-count, kind="stable")] = np.arange(len(labels))
    return np.asarray(rank[row.reshape(-1)])


def weight_colors(weight: Float) -> Float:
    """Return sRGB colors (E, 3) from light to heavy, on a scale of the weights' logarithm.

    The scale goes from 1/100 over 1, the weight of an edge of which nothing is known, to 100; so a
    color means the same at every moment.
    """
    return np.asarray(LIGHT + _share(weight)[:, None] * (HEAVY - LIGHT))


def weight_widths(weight: Float) -> Float:
    """Return the width (E,) of each edge: 2 up to the weight 1, and up to 7 above it."""
    return np.asarray(2.0 + 10.0 * np.maximum(_share(weight) - 0.5, 0.0))


def _share(weight: Float) -> Float:
    """Return the place (E,) of weights on the scale, 0..1."""
    scale = np.log(np.maximum(weight, 1e-12)) / np.log(SCALE)
    return np.asarray(np.clip(0.5 + 0.5 * scale, 0.0, 1.0))
