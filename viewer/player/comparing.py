"""The window that plays two playbacks: the second as ghosts in the first, or side by side."""

from typing import Any

from rmp3d.viewer.overlay.difference_plot import WHOLE, DifferencePlot
from rmp3d.viewer.overlay.labels import draw_labels
from rmp3d.viewer.overlay.legends import draw_legends
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.playback.comparison import Comparison
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.events import WindowEvents
from rmp3d.viewer.player.window import ViewerWindow
from rmp3d.viewer.texts import tr
from rmp3d.viewer.visibility import Visibility


class ComparingEvents(WindowEvents):
    """Events of two views, of which one is beside the other or over it.

    Attributes:
        side_by_side: Whether the second view is to the right of the first.
    """

    side_by_side = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of one view [pixels]."""
        width, height = super().size
        return (max(width // 2, 1) if self.side_by_side else width), height

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the first view at a point of the window, or the one like it."""
        column, row = super().pixel(x, y)
        return column % self.size[0] if self.side_by_side else column, row

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Take Shift+c: side by side, or ghosts; pass others on."""
        from pyglet.window import key

        if symbol == key.C and modifiers & key.MOD_SHIFT:
            self.side_by_side = not self.side_by_side
            self.on_resize(*self._window.get_size())
            said = "side by side" if self.side_by_side else "the second one as ghosts"
            self._controls().notify(tr(said))
            return True
        return super().on_key_press(symbol, modifiers)


class ComparingWindow(ViewerWindow):
    """A window that plays two playbacks with one clock and one camera.

    Attributes:
        comparison: Of both.
    """

    events: ComparingEvents

    def __init__(self, first: Playback, second: Playback, **options: Any) -> None:
        """Open it; ``options`` are those of `ViewerWindow`.

        Raises:
            ViewerError: There is no screen or no OpenGL 3.3.
        """
        self.comparison = Comparison.of(first, second)
        super().__init__(self.comparison.first, **options)
        from rmp3d.viewer.player.scene_picture import ScenePicture

        self._plot = DifferencePlot(self.comparison)
        self.controls.plot = WHOLE
        self._renderer.show_ghosts(self.comparison.second)
        self._second: Any = None  # renderer of the second view, when there is one
        self._second_scene = ScenePicture()
        self._second_controls = Controls(self.comparison.second, self.events.size)
        self.controls.notify(tr("{name} as ghosts; Shift+C: side by side", name=second.title))

    def _new_events(self) -> ComparingEvents:
        return ComparingEvents(self.window, lambda: self.controls)

    def _draw_scene(self, *, smooth: bool) -> None:
        wanted = None if self.events.side_by_side else self.comparison.second
        if self._renderer.ghosts is not wanted:
            self._renderer.show_ghosts(wanted)
            self._scene.forget()
        super()._draw_scene(smooth=smooth)

    def _draw_panel(self, seconds: float) -> None:
        if self.events.side_by_side:
            self._draw_second(smooth=not self._scene.is_rough)
        overlay = Overlay(self.controls.atlas)
        self._plot.draw(overlay, self.controls.timeline, self.controls.clock.time)
        self._renderer.draw_overlay(overlay, self.controls.size)

    def _draw_second(self, *, smooth: bool) -> None:
        """Draw the second view like the first, with its own title, labels and legends."""
        from rmp3d.viewer.rendering.renderer import Renderer

        if self._second is None:
            self._second = Renderer(self.comparison.second)
        first, second = self.controls, self._second_controls
        second.resize(first.size, first.atlas.height)
        second.camera, second.layers = first.camera, first.layers
        second.clock.seek(first.clock.time)
        visible = first.tools.visible
        second.tools.visible = Visibility(visible.hidden_parts, clip=visible.clip)
        same = dict(self.comparison.pairs.tolist())
        second.chosen.choose([same[row] for row in first.selection if row in same])
        self._second_scene.draw(self._second, second, first.layers, smooth=smooth)
        corner = first.size[0], 0
        self._second_scene.show(corner)
        overlay, line = Overlay(first.atlas), first.atlas.height
        draw_labels(overlay, self._second.labels, second.camera, second.size)
        draw_legends(overlay, self._second.legends, second.size[0] - line, line)
        overlay.text(second.playback.title, line, second.size[1] - 1.9 * line)
        self._second.draw_overlay(overlay, second.size, corner)
