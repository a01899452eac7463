"""Lines over a finished picture, seen through everything: what the panel marks on the ground."""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.gpu.buffers import SegmentBuffer
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import SEE_THROUGH, set_state

REFERENCE_HEIGHT = 720.0  # line widths are stated for pictures of this height
OPACITY = 0.8


class ExtraLines:
    """Rows of `rmp3d.viewer.shapes.lines` that stay until others are uploaded."""

    def __init__(self) -> None:
        self._program, self._segments = Program("segment"), SegmentBuffer()

    def upload(self, rows: NDArray[np.float32]) -> None:
        """Replace the lines."""
        self._segments.rows.upload(rows)

    def draw(self, framebuffer: int, camera: Camera, size: tuple[int, int], bounds: Float) -> None:
        """Draw them into a framebuffer of ``size`` pixels.

        Args:
            framebuffer: OpenGL name.
            camera: From where, in the coordinates of the rows.
            size: Of the framebuffer [pixels].
            bounds: (2, 3) corners of the scene [m], in these coordinates.
        """
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
        gl.glViewport(0, 0, *size)
        set_state(depth=None, blend=SEE_THROUGH)
        self._program.use(
            view_projection=camera.view_projection(size[0] / size[1], bounds),
            viewport=np.array(size, float),
            near=camera.distance / 100.0,
            width_scale=max(size[1] / REFERENCE_HEIGHT, 0.5),
            opacity=OPACITY,
        )
        self._segments.draw()
