"""The layers `room` and `formations`: bands along the path."""

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen
from rmp3d.viewer.palette import FORMATION_COLORS, NARROW, WIDE
from rmp3d.viewer.playback.bounds import LIFTED, group_radius
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines
from rmp3d.viewer.shapes.patches import strip
from rmp3d.viewer.texts import named

NARROW_BODIES, WIDE_BODIES = 1.5, 6.0  # members that fit abreast where the band is red, and blue


def _missing(playback: Playback) -> str:
    found = any(details.corridor is not None for details in playback.details)
    return "" if found else "no group has measured the free width along its path"


@DRAWINGS.register("room")
class CorridorDrawing(Drawing):
    """The strip that members can use, wall to wall, and the width of narrow places."""

    moves = False
    missing = staticmethod(_missing)

    def draw(self, seen: Seen) -> Drawn:
        """Return the same at every moment."""
        drawn = []
        for group, details in enumerate(self.playback.details):
            if details.corridor is None or len(details.corridor.station) < 2:
                continue
            radius = group_radius(self.playback, group)
            corridor, center = details.corridor, details.corridor.position + LIFTED
            width = corridor.room_left + corridor.room_right + 2.0 * radius
            share = (width / (2.0 * radius) - NARROW_BODIES) / (WIDE_BODIES - NARROW_BODIES)
            colors = NARROW + np.clip(share, 0.0, 1.0)[:, None] * (WIDE - NARROW)
            left = center + (corridor.room_left + radius)[:, None] * corridor.left
            right = center - (corridor.room_right + radius)[:, None] * corridor.left
            edges = [lines.polyline(side, colors[:-1], 1.5, 0.8) for side in (left, right)]
            labels = [
                Label(f"{width[row]:.1f} m", center[row], frozen([1.0, 1.0, 1.0]))
                for row in narrow_places(width, 2.0 * WIDE_BODIES * radius)
            ]
            band = strip(left, right, colors, 0.26)
            drawn.append(Drawn(lines=np.concatenate(edges), patches=band, labels=tuple(labels)))
        return Drawn.together(drawn)


@DRAWINGS.register("formations")
class FormationDrawing(Drawing):
    """A ribbon along the path in the color of the planned formation, with its name."""

    moves = False
    missing = staticmethod(_missing)

    def draw(self, seen: Seen) -> Drawn:
        """Return the same at every moment."""
        drawn = []
        for group, details in enumerate(self.playback.details):
            corridor = details.corridor
            if corridor is None or len(corridor.formation) < 2:
                continue
            half = 1.5 * group_radius(self.playback, group)
            center, left = corridor.position + LIFTED, corridor.left
            starts = np.flatnonzero(np.diff(corridor.formation, prepend=-2))
            for first, last in zip(starts, [*starts[1:], len(corridor.formation) - 1], strict=True):
                row = int(corridor.formation[first])
                if row < 0 or last <= first:
                    continue
                color = FORMATION_COLORS[row % len(FORMATION_COLORS)]
                at, aside = center[first : last + 1], half * left[first : last + 1]
                band = strip(at + aside, at - aside, np.tile(color, (len(at), 1)), 0.7)
                gate = lines.segments(
                    at[:1] + 1.5 * aside[:1], at[:1] - 1.5 * aside[:1], color, 4.0, (1.0, 1.0)
                )
                label = Label(named(corridor.names[row]), at[min(4, len(at) - 1)], color)
                drawn.append(Drawn(lines=gate, patches=band, labels=(label,)))
        return Drawn.together(drawn)


def narrow_places(width: Float, most: float) -> list[int]:
    """Return the row where a width (J,) [m] is least in each stretch of it below ``most``.

    Of several as narrow it is the middle one.
    """
    edges = np.flatnonzero(np.diff(width < most, prepend=False, append=False))
    found = []
    for first, end in edges.reshape(-1, 2):
        least = np.flatnonzero(width[first:end] <= width[first:end].min() + 0.02)
        found.append(int(first + least[len(least) // 2]))
    return found
