"""The layer `regions`: where groups start and what their goals are."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.rotations import rotate
from rmp3d.scenes import Region
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import GOAL, START
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines
from rmp3d.viewer.shapes.edges import sharp_edges


@DRAWINGS.register("regions")
class RegionsDrawing(Drawing):
    """Start green, goal red."""

    moves = False

    def draw(self, seen: Seen) -> Drawn:
        """Return the same at every moment."""
        rows = [
            lines.region_outline(region, color) for region, color in start_and_goal(self.playback)
        ]
        rows += [
            _outline(self.playback, group, row, color)
            for group in range(len(self.playback.details))
            for row, color in enumerate((START, GOAL))
        ]
        return Drawn(lines=np.concatenate([lines.NO_LINES, *rows]))


def _outline(playback: Playback, group: int, row: int, color: Float) -> NDArray[np.float32]:
    """Return the edges of a planned body at its start (row 0) or its goal (row 1)."""
    ends = playback.details[group].ends
    if ends is None:
        return lines.NO_LINES
    kind = playback.characters[playback.character_of[playback.members(group)[0]]]
    edges = sharp_edges(kind.body.mesh)
    placed = rotate(ends[row, None, 3:], edges.reshape(-1, 3)).reshape(-1, 2, 3) + ends[row, :3]
    return lines.segments(placed[:, 0], placed[:, 1], color, 2.0, (1.0, 1.0))


def start_and_goal(playback: Playback) -> list[tuple[Region, Float]]:
    """Return (region, color) of the regions where groups' paths start and end.

    Recordings do not name them; a region is a group's start if the group's path begins in it,
    its goal if the path ends in it. A group without a path gives its members' first places.
    """
    found = {}
    for group in range(len(playback.group_names)):
        path = playback.paths[group] if playback.paths else np.empty((0, 3))
        if len(path) == 0:
            first = playback.position[0, playback.members(group)]
            path = first.mean(axis=0, keepdims=True) if len(first) else first
        if len(path) == 0:
            continue
        ends = [(path[0], START)] + ([(path[-1], GOAL)] if len(path) > 1 else [])
        for point, color in ends:
            inside = [r for r in playback.scene.regions.values() if r.contains(point[None])[0]]
            if inside:
                smallest = min(inside, key=lambda region: float(np.prod(np.ptp(region.bounds, 0))))
                found[smallest.name] = (smallest, color)
    return list(found.values())
