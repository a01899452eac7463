"""Pictures without a window: the same renderer into memory, through EGL where there is one."""

from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.gpu.platforms import open_window
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.overlay.labels import draw_clock, draw_labels
from rmp3d.viewer.overlay.legends import draw_legends
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.overlay.text import GlyphAtlas, line_height
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.visibility import ALL, Visibility

LARGEST = 8192  # pixels a side; beyond it drivers differ


class Offscreen:
    """Renders many pictures of one playback; a context manager that frees the card's memory.

    Raises:
        ViewerError: There is no OpenGL 3.3 here.
    """

    def __init__(
        self, playback: Playback, size: tuple[int, int], ghosts: Playback | None = None
    ) -> None:
        """Open a hidden context.

        Args:
            playback: What to draw.
            size: Width and height of every picture [pixels].
            ghosts: Another playback, whose members are drawn see-through.
        """
        if not (1 <= min(size) and max(size) <= LARGEST):
            raise ValueError(f"`size` must be between 1 and {LARGEST} pixels a side, got {size}")
        self.size = size
        self._window = open_window((16, 16), title=playback.title, visible=False)
        from rmp3d.viewer.gpu.targets import Picture
        from rmp3d.viewer.rendering.renderer import Renderer

        self._renderer = Renderer(playback)
        self._renderer.show_ghosts(ghosts)
        self._flat = Picture(size, 0)
        self._atlas = GlyphAtlas(line_height(size))

    def picture(
        self,
        time: float,
        camera: Camera,
        *,
        layers: Layers | None = None,
        selected: int = -1,
        visible: Visibility = ALL,
        clock: bool = False,
    ) -> NDArray[np.uint8]:
        """Return a moment as pixels (H, W, 3), top row first.

        Args:
            time: [s].
            camera: From where.
            layers: What is drawn; the usual ones if None. Their labels are set too.
            selected: Row of the member to highlight, -1 for none.
            visible: What of scene and members is drawn.
            clock: Whether the time is written into the lower right corner.
        """
        self._window.switch_to()
        target = self._flat.framebuffer
        self._renderer.draw(
            time, camera, self.size, layers=layers, selected=selected, visible=visible,
            framebuffer=target,
        )  # fmt: skip
        legends = self._renderer.legends
        if clock or self._renderer.labels or legends:
            overlay, line = Overlay(self._atlas), self._atlas.height
            draw_labels(overlay, self._renderer.labels, camera, self.size)
            bottom = (2.7 if clock else 0.8) * line
            draw_legends(overlay, legends, self.size[0] - 0.8 * line, bottom)
            if clock:
                draw_clock(overlay, time, self.size)
            self._renderer.draw_overlay(overlay, self.size)
        return self._renderer.read(self.size, target)

    def close(self) -> None:
        """Free the context."""
        self._window.close()

    def __enter__(self) -> "Offscreen":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def render(
    playback: Playback,
    time: float,
    camera: Camera,
    size: tuple[int, int] = (1280, 720),
    *,
    ghosts: Playback | None = None,
    layers: Layers | None = None,
    selected: int = -1,
    clock: bool = False,
) -> NDArray[np.uint8]:
    """Return one picture (H, W, 3) of a moment, top row first; see `Offscreen.picture`.

    Raises:
        ViewerError: There is no OpenGL 3.3 here.
    """
    with Offscreen(playback, size, ghosts) as offscreen:
        return offscreen.picture(time, camera, layers=layers, selected=selected, clock=clock)
