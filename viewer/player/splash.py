"""The first picture of a window: that it begins, until there is more to see."""

from typing import Any

import numpy as np
from pyglet import gl

from rmp3d.viewer.gpu.state import begin_picture
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.overlay.text import SMALLEST_LINE, GlyphAtlas
from rmp3d.viewer.player.scale import automatic_scale, line_of
from rmp3d.viewer.rendering.overlay_drawing import OverlayDrawing
from rmp3d.viewer.texts import tr

DARK = np.full(3, 0.11)


def draw_splash(window: Any) -> None:
    """Fill a pyglet window, and say that it is loading."""
    width, height = (int(value) for value in window.get_framebuffer_size())
    line = max(line_of(automatic_scale(window)), SMALLEST_LINE)
    overlay = Overlay(GlyphAtlas(line))
    overlay.rectangle(0, 0, width, height, DARK, 1.0)
    overlay.text(tr("RMP3D is loading ..."), width / 2.0, height / 2.0, align=0.5)
    begin_picture(0, (width, height))
    OverlayDrawing().draw(overlay, (width, height))
    window.flip()
    gl.glFlush()
