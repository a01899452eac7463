"""What the tools write on the picture: coordinates, what is measured, hidden or selected."""

import numpy as np

from rmp3d.viewer.overlay.overlay import WHITE, Overlay
from rmp3d.viewer.palette import SELECTED
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.texts import tr

PLATE = np.full(3, 0.07)
OPACITY = 0.72


def draw_tools(overlay: Overlay, controls: Controls) -> tuple[float, float]:
    """Add them to the overlay, in the lower left corner above the timeline.

    Returns:
        The right and the upper end of what is written there [pixels]; zeros if nothing is.
    """
    tools, line = controls.tools, controls.atlas.height
    rows = [(text, WHITE) for text in _hidden(controls)]
    if tools.measured is not None:
        rows += [(text, SELECTED) for text in tools.measured.lines]
    elif tools.measuring:
        number = len(tools.points) + 1
        rows.append((tr("measuring: click point {number} of 2, Esc ends", number=number), SELECTED))
    if tools.pointed is not None:
        rows.append((tools.pointed.text, WHITE))
    reach = _plate(overlay, controls, rows) if rows else (0.0, 0.0)
    if controls.rectangle is not None:
        (x, y), (u, v) = controls.rectangle
        low, high = (min(x, u), min(y, v)), (max(x, u), max(y, v))
        overlay.rectangle(*low, *high, SELECTED, 0.18)
        thin = max(line / 12.0, 1.0)
        overlay.rectangle(low[0], low[1], high[0], low[1] + thin, SELECTED, 0.9)
        overlay.rectangle(low[0], high[1] - thin, high[0], high[1], SELECTED, 0.9)
        overlay.rectangle(low[0], low[1], low[0] + thin, high[1], SELECTED, 0.9)
        overlay.rectangle(high[0] - thin, low[1], high[0], high[1], SELECTED, 0.9)
    return reach


def _hidden(controls: Controls) -> list[str]:
    """Return what is not drawn, in words: nobody should miss what is only hidden."""
    visible = controls.tools.visible
    said = []
    if visible.hidden_parts:
        count, of = len(visible.hidden_parts), len(controls.playback.scene.parts)
        said.append(tr("{count} of {of} parts hidden", count=count, of=of))
    if visible.hidden_members:
        count, of = len(visible.hidden_members), controls.playback.member_count
        said.append(tr("{count} of {of} members hidden", count=count, of=of))
    if visible.clip is not None:
        said.append(visible.clip.text)
    return [" · ".join(said)] if said else []


def _plate(
    overlay: Overlay, controls: Controls, rows: list[tuple[str, np.ndarray]]
) -> tuple[float, float]:
    atlas, line = controls.atlas, controls.atlas.height
    most = 0.9 * controls.size[0] - 1.6 * line
    width = min(max(atlas.width(text) for text, _ in rows), most) + 1.2 * line
    bottom, step = controls.free_bottom + 0.4 * line, 1.3 * line
    top = bottom + step * len(rows) + 0.3 * line
    overlay.rectangle(0.6 * line, bottom, 0.6 * line + width, top, PLATE, OPACITY)
    for row, (text, color) in enumerate(rows):
        y = top - step * (row + 1)
        overlay.text(atlas.fitted(text, width - 0.9 * line), 1.2 * line, y, color=color)
    return 0.6 * line + width, top
