"""The layer `regions`: where groups start, what their goals are, and where they are measured."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.rotations import rotate
from rmp3d.scenes import Region
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen
from rmp3d.viewer.palette import GOAL, MEASURED, START
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines
from rmp3d.viewer.shapes.edges import sharp_edges

RAISED = np.array([0.0, 0.0, 0.05])  # [m] of measuring lines over the ground
INSET = 0.25  # [m] of a goal that is drawn inside a start


@DRAWINGS.register("regions")
class RegionsDrawing(Drawing):
    """Start green, goal red; measuring lines yellow, with their names."""

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
        labels = []
        for name, ends in self.playback.measuring_lines:
            raised = ends + RAISED
            rows.append(lines.segments(raised[:1], raised[1:], MEASURED, 3.0, (1.0, 1.0)))
            labels.append(Label(name, raised.mean(axis=0), MEASURED))
        return Drawn(lines=np.concatenate([lines.NO_LINES, *rows]), labels=tuple(labels))


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
    """Return (region, color) of where each group starts and goes; each of them once.

    Where one group starts and another goes, the goal is drawn inside the start, so both are seen.
    """
    known = [(each.start, each.goal) for each in playback.details if each.start is not None]
    pairs = known if len(known) == len(playback.group_names) else _ends_of_paths(playback)
    starts = {_key(start): start for start, _ in pairs if start is not None}
    goals = {_key(goal): goal for _, goal in pairs if goal is not None}
    found = [(region, START) for region in starts.values()]
    for key, region in goals.items():
        found.append((_inside(region) if key in starts else region, GOAL))
    return found


def _ends_of_paths(playback: Playback) -> list[tuple[Region | None, Region | None]]:
    """Return start and goal of each group where they are not known.

    A region is a group's start if the group's path begins in it, its goal if the path ends in it.
    A group without a path gives its members' first places.
    """
    pairs = []
    for group in range(len(playback.group_names)):
        path = playback.paths[group] if playback.paths else np.empty((0, 3))
        if len(path) == 0:
            first = playback.position[0, playback.members(group)]
            path = first.mean(axis=0, keepdims=True) if len(first) else first
        start = _around(playback, path[0]) if len(path) else None
        pairs.append((start, _around(playback, path[-1]) if len(path) > 1 else None))
    return pairs


def _around(playback: Playback, point: Float) -> Region | None:
    """Return the smallest region around a point (3,) [m], if there is one."""
    inside = [r for r in playback.scene.regions.values() if r.contains(point[None])[0]]
    return min(inside, key=lambda each: float(np.prod(np.ptp(each.bounds, 0))), default=None)


def _key(region: Region) -> tuple[str, bytes]:
    return region.kind, region.bounds.tobytes()


def _inside(region: Region) -> Region:
    """Return a region a little smaller to all sides."""
    inset = np.minimum(INSET, 0.2 * np.ptp(region.bounds, axis=0))
    return replace(region, bounds=region.bounds + np.stack([inset, -inset]))
