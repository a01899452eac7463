"""The layer `trails`: where members have been in the last seconds."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import LIFTED
from rmp3d.viewer.shapes import lines

SECONDS = 6.0
SEGMENTS = 20_000  # in all; long trails of large crowds get coarser


@DRAWINGS.register("trails")
class TrailsDrawing(Drawing):
    """Lines that fade into the past."""

    def draw(self, seen: Seen) -> Drawn:
        """Return the trails up to a moment."""
        there = seen.pose.there
        colors = group_color(self.playback.group_of[there])
        return Drawn(lines=lines.trails(self._recent(seen)[:, there], colors))

    def _recent(self, seen: Seen) -> Float:
        """Return positions (S, N, 3) of the last seconds, oldest first, the present one last."""
        playback = self.playback
        frame, _ = playback.frame_at(seen.time)
        count = int(SECONDS / playback.dt)
        share = max(SEGMENTS // max(playback.member_count, 1), 2)
        stride = max(1, count // min(share, 90))
        frames = np.arange(frame % stride, frame + 1, stride)  # keeps corners in place
        frames = frames[-max(count // stride, 1) :]
        past = playback.position[frames]
        if playback.life is not None:  # who came later stood there until then
            first = playback.life[:, 0]
            came = playback.position[first.clip(max=frame), np.arange(len(first))]
            past = np.where((frames[:, None] < first)[..., None], came, past)
        recent = np.concatenate([past, seen.pose.position[None]])
        return recent + LIFTED
