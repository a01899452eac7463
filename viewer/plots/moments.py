"""Small pictures from above of moments of a run: who was where, and how they came there."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np

from rmp3d.geometry.rotations import rotate
from rmp3d.viewer.palette import SELECTED, group_color
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.plots.maps import draw_scene

SIZE = (4.4, 3.3)
"""Of a picture [inches]."""
DPI = 100
TRAIL = 4.0
"""How long ago a trail begins [s]."""
LEAST_REACH = 6.0
"""Half of the width that is shown at least [m]."""
RIM = 2.5
"""Of what is shown around those that it is about [m]."""


def moment_pictures(
    playback: Playback, moments: Sequence[tuple[float, Sequence[int]]]
) -> list[bytes]:
    """Return a JPEG of each moment, seen from above; those that it is about have a bright rim.

    Args:
        playback: The run.
        moments: When [s], and rows of the members that it is about.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not moments:
        return []
    figure = Figure(figsize=SIZE, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.tick_params(labelsize=7)
    axes.set_xlabel("x [m]", fontsize=8)
    axes.set_ylabel("y [m]", fontsize=8)
    draw_scene(axes, playback.scene)
    pictures = []
    for time, members in moments:
        drawn = _draw(axes, playback, time, list(members))
        file = BytesIO()
        figure.savefig(file, format="jpeg", dpi=DPI, pil_kwargs={"quality": 82})
        pictures.append(file.getvalue())
        for each in drawn:
            each.remove()
    return pictures


def _draw(axes: Any, playback: Playback, time: float, members: list[int]) -> list[Any]:
    """Draw those that are there at a moment; return what was added."""
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Circle

    frame = playback.frame_at(time)[0]
    place = playback.position[frame, :, :2]
    about = place[members]
    middle = 0.5 * (about.min(axis=0) + about.max(axis=0))
    reach = max(LEAST_REACH, 0.5 * float(np.ptp(about, axis=0).max()) + RIM)
    high = reach * SIZE[1] / SIZE[0]
    axes.set(xlim=(middle[0] - reach, middle[0] + reach), ylim=(middle[1] - high, middle[1] + high))
    shown = np.flatnonzero(
        playback.there(frame) & (np.abs(place - middle) < [reach + 1.0, high + 1.0]).all(axis=1)
    )
    heading = rotate(playback.orientation_wxyz[frame], np.array([1.0, 0.0, 0.0]))[:, :2]
    first = max(0, frame - round(TRAIL / playback.dt))
    drawn: list[Any] = []
    for member in shown.tolist():
        color, radius = group_color(playback.group_of[member]), float(playback.radius[member])
        if playback.life is not None:
            first = max(first, int(playback.life[member, 0]))
        way = playback.position[first : frame + 1, member, :2]
        drawn += axes.plot(*way.T, color=color, linewidth=1.2, zorder=5)
        rim = SELECTED if member in members and len(members) <= 3 else 0.5 * color
        disk = Circle(
            tuple(place[member]), radius, facecolor=color, edgecolor=rim, zorder=6,
            linewidth=2.2 if member in members and len(members) <= 3 else 0.8,
        )  # fmt: skip
        drawn.append(axes.add_patch(disk))
        tip = place[member] + 1.7 * radius * heading[member]
        stroke = LineCollection([[place[member], tip]], colors=[0.4 * color], linewidths=1.6)
        stroke.set_zorder(7)
        drawn.append(axes.add_collection(stroke))
    return drawn
