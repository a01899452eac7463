"""The window that plays two playbacks: the second as ghosts in the first, or side by side."""

from typing import Any

from rmp3d.viewer.overlay.difference_plot import WHOLE, DifferencePlot
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.playback.comparison import Comparison
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.events import WindowEvents
from rmp3d.viewer.player.second_view import SecondView
from rmp3d.viewer.player.window import ViewerWindow
from rmp3d.viewer.texts import tr


class ComparingEvents(WindowEvents):
    """Events of two views, of which one is beside the other or over it.

    Attributes:
        side_by_side: Whether the second view is to the right of the first.
    """

    side_by_side = False

    @property
    def has_two_views(self) -> bool:
        """Whether the second view is beside the first."""
        return self.side_by_side

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of one view [pixels]."""
        width, height = super().size
        return (max(width // 2, 1) if self.side_by_side else width), height

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Take Shift+c: side by side, or ghosts; pass others on."""
        from pyglet.window import key

        if symbol == key.C and modifiers & key.MOD_SHIFT:
            self.side_by_side = not self.side_by_side
            controls, width = self._controls(), self._controls().size[0]
            self.on_resize(*self._window.get_size())
            if not controls.rig.ride:  # as much of the scene from side to side as before
                controls.rig.zoom(width / controls.size[0])
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
        self._plot = DifferencePlot(self.comparison)
        self.controls.chosen.second = self.comparison.second
        self.controls.plot = WHOLE
        if options.get("camera") is None:
            self.controls.rig.put(self.controls.whole_scene())  # over the plot, too
        self._renderer.show_ghosts(self.comparison.second)
        self._second = SecondView(self.comparison.second, self.events.size)
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
            self._second.draw(self.controls, (0, 0), smooth=not self._scene.is_rough)
        overlay = Overlay(self.controls.atlas)
        self._plot.draw(overlay, self.controls.timeline, self.controls.clock.time)
        self._renderer.draw_overlay(overlay, self.controls.size)
