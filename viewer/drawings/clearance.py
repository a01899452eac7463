"""The layer `clearance`: from the selected member to the nearest obstacle."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen
from rmp3d.viewer.drawings.obstacle_queries import ObstacleQueries
from rmp3d.viewer.palette import SELECTED
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines

ALONG = 17  # points of the axis that are asked
FAR = 1e6  # [m]


class Nearest:
    """Measures from members' capsules to what they must not touch; queries made when needed."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._queries = ObstacleQueries(playback.scene)

    def to(self, member: int, position: Float) -> tuple[float, Float, Float] | None:
        """Return the clearance [m] and both ends (3,) [m] of the shortest line; None: no obstacle.

        Args:
            member: Its row.
            position: (3,) where it is [m].
        """
        playback = self._playback
        kind = playback.characters[playback.character_of[member]]
        query = self._queries.of(kind)
        if query is None:
            return None
        capsule_axis, radius = kind.body.capsule_axis, kind.body.radius
        heights = np.linspace(capsule_axis[0], capsule_axis[1], ALONG)
        points = position + np.column_stack([np.zeros((ALONG, 2)), heights])
        gap, place, _ = query.closest_point(points, FAR)
        end = place[int(np.argmin(gap))]
        start = position + np.array([0.0, 0.0, np.clip(end[2] - position[2], *capsule_axis)])
        reach = max(float(np.linalg.norm(end - start)), 1e-9)
        clearance, _ = query.capsule_clearance(position[None], capsule_axis, radius, FAR)
        return float(clearance[0]), start + radius / reach * (end - start), end


@DRAWINGS.register("clearance")
class ClearanceDrawing(Drawing):
    """A line, and how long it is."""

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        self._nearest = Nearest(playback)

    def draw(self, seen: Seen) -> Drawn:
        """Return the line at a moment; nothing while nobody is selected."""
        if seen.selected < 0:
            return Drawn()
        found = self._nearest.to(seen.selected, seen.pose.position[seen.selected])
        if found is None:
            return Drawn()
        clearance, start, end = found
        line = lines.segments(start[None], end[None], SELECTED, 3.0, (1.0, 1.0))
        return Drawn(lines=line, labels=(Label(f"{clearance:.2f} m", (start + end) / 2, SELECTED),))
