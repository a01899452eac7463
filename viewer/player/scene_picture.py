"""The picture below text and panel: drawn anew only when the scene looks different."""

from collections.abc import Callable

from rmp3d.viewer.gpu.state import finish
from rmp3d.viewer.gpu.targets import Picture, copy_colors
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.rendering.renderer import Renderer


class ScenePicture:
    """Keeps the last picture of the scene, so that text over it costs no drawing of the scene.

    Attributes:
        is_rough: Whether its edges are not smoothed.
        time: The moment [s] that it is of: where frames are not read yet, the nearest one.
    """

    def __init__(self) -> None:
        """Begin without one; needs a current OpenGL context only when it draws."""
        self._picture: Picture | None = None
        self._key: object = None
        self.is_rough = False
        self.time = 0.0

    @property
    def framebuffer(self) -> int:
        """OpenGL name of what was drawn last."""
        return 0 if self._picture is None else self._picture.framebuffer

    def forget(self) -> None:
        """Draw anew, whatever was drawn last."""
        self._key = None

    def draw(
        self,
        renderer: Renderer,
        controls: Controls,
        layers: Layers,
        *,
        smooth: bool,
        lines: tuple[object, Callable[[int], None]] | None = None,
    ) -> bool:
        """Draw what the controls show, unless the last picture is of the same; return whether.

        Args:
            renderer: Of the scene.
            controls: Time, camera, size and selected member.
            layers: What is drawn.
            smooth: Whether edges are smoothed.
            lines: What says that the lines over the scene are others, and what draws them into a
                framebuffer.
        """
        size = controls.size
        version, draw_lines = lines or (None, None)
        chosen, visible = controls.selection, controls.tools.visible
        time = renderer.playback.ready(controls.clock.time)
        seen = (renderer.playback, time, controls.camera, size, controls.selected)
        key = (*seen, chosen, visible, layers, version)
        if key == self._key and (self.is_rough <= (not smooth)):
            return False
        if self._picture is None or self._picture.size != size:
            if self._picture is not None:
                self._picture.delete()
            self._picture = Picture(size, 0)
        renderer.draw(
            time,
            controls.camera,
            size,
            layers=layers,
            selected=controls.selected,
            chosen=chosen,
            visible=visible,
            smooth=smooth,
            framebuffer=self._picture.framebuffer,
        )
        if draw_lines is not None:
            draw_lines(self._picture.framebuffer)
        self._key, self.is_rough, self.time = key, not smooth, time
        return True

    def wait(self) -> None:
        """Return when the card has drawn it."""
        finish()

    def show(self, corner: tuple[int, int]) -> None:
        """Copy it into the window, its lower left pixel to ``corner``."""
        if self._picture is not None:
            copy_colors(self._picture, 0, corner)
