"""The view of another playback beside the first one, with its time, camera and layers."""

from typing import Any

from rmp3d.viewer.overlay.labels import draw_labels
from rmp3d.viewer.overlay.legends import draw_legends
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.playback.comparison import same_members
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.hud import draw_title
from rmp3d.viewer.visibility import Visibility


class SecondView:
    """Draws a playback to the right of the view of another one, which is as large.

    Attributes:
        playback: What is seen.
    """

    def __init__(self, playback: Playback, size: tuple[int, int]) -> None:
        """Begin; needs a current OpenGL context only when it draws.

        Args:
            playback: What is seen.
            size: Width and height of one view [pixels].
        """
        # OpenGL is loaded only where there is a window.
        from rmp3d.viewer.player.scene_picture import ScenePicture

        self.playback = playback
        self._renderer: Any = None
        self._scene = ScenePicture()
        self._controls = Controls(playback, size)

    def draw(self, first: Controls, corner: tuple[int, int], *, smooth: bool) -> None:
        """Draw it like the first view, with its own title, labels and legends.

        Args:
            first: Of the first view.
            corner: The first view's lower left pixel in the window.
            smooth: Whether edges are smoothed.
        """
        from rmp3d.viewer.rendering.renderer import Renderer

        if self._renderer is None:
            self._renderer = Renderer(self.playback)
        second, renderer = self._controls, self._renderer
        second.resize(first.size, first.atlas.height)
        second.camera, second.layers = first.camera, first.layers
        second.clock.seek(first.clock.time)
        visible = first.tools.visible
        second.tools.visible = Visibility(visible.hidden_parts, clip=visible.clip)
        same = dict(same_members(first.playback, self.playback).tolist())
        second.chosen.choose([same[row] for row in first.selection if row in same])
        self._scene.draw(renderer, second, first.layers, smooth=smooth)
        corner = corner[0] + first.size[0], corner[1]
        self._scene.show(corner)
        overlay, line = Overlay(first.atlas), float(first.atlas.height)
        draw_labels(overlay, renderer.labels, second.camera, second.size)
        draw_legends(overlay, renderer.legends, second.size[0] - line, line)
        draw_title(overlay, second)
        renderer.draw_overlay(overlay, second.size, corner)
