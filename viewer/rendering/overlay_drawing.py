"""Text and panels of an `Overlay`, drawn over a picture."""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.viewer.gpu.buffers import QuadBuffer
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import SEE_THROUGH, set_state
from rmp3d.viewer.gpu.targets import Coverage
from rmp3d.viewer.overlay.overlay import Overlay


class OverlayDrawing:
    """Draws overlays; the letters are on the graphics card."""

    def __init__(self) -> None:
        """Begin without letters; needs a current OpenGL context."""
        self._quad, self._quads = Program("overlay"), QuadBuffer()
        self._atlas = Coverage()
        self._letters: NDArray[np.uint8] | None = None  # the picture in `_atlas`

    def draw(
        self, overlay: Overlay, size: tuple[int, int], corner: tuple[int, int] = (0, 0)
    ) -> None:
        """Draw over the bound framebuffer, of ``size`` pixels from a corner on."""
        if overlay.atlas.image is not self._letters:
            self._letters = overlay.atlas.image
            self._atlas.upload(self._letters)
        gl.glViewport(*corner, *size)
        set_state(depth=None, blend=SEE_THROUGH)
        self._atlas.bind(0)
        self._quad.use(
            viewport=np.array(size, float), atlas_size=np.array(self._atlas.size, float), atlas=0
        )
        self._quads.rows.upload(overlay.rows())
        self._quads.draw()
        gl.glBindVertexArray(0)
