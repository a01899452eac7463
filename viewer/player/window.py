"""The window that plays: the state of `Controls` onto the screen, again whenever it changes."""

import re
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.explaining import explained
from rmp3d.viewer.gpu.platforms import draws_in_software, open_window
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.events import WindowEvents
from rmp3d.viewer.player.hud import draw_hud
from rmp3d.viewer.player.pace import Pace
from rmp3d.viewer.rendering.pictures import write_picture
from rmp3d.viewer.texts import tr

FRAME_SECONDS = 1.0 / 60.0
SETTLED = 0.2  # [s] without a change, after which edges are smoothed where that is slow
LONGEST_TICK = 0.25  # [s] after a hiccup time goes on from where it was, without a jump


class ViewerWindow:
    """A window that plays one playback.

    Attributes:
        controls: The state that events change.
        events: The handlers of pyglet's events.
        window: pyglet's window.
        frames_drawn: How many pictures were drawn.
    """

    def __init__(
        self,
        playback: Playback,
        *,
        size: tuple[int, int] = (1280, 720),
        time: float = 0.0,
        camera: Camera | None = None,
        fullscreen: bool = False,
        visible: bool = True,
        screenshot_folder: Path = Path(),
        file: Path | None = None,
    ) -> None:
        """Open it.

        Args:
            playback: What to play.
            size: Width and height [pixels].
            time: Where to start [s].
            camera: Where from; all of the scene if None.
            fullscreen: Whether to cover the screen.
            visible: Whether it is on the screen; otherwise it takes events in memory only.
            screenshot_folder: Where the key `s` saves pictures.
            file: Of what is played; views are kept beside it.

        Raises:
            ViewerError: There is no screen or no OpenGL 3.3.
        """
        title = f"{playback.title} - RMP3D" if playback.title else "RMP3D"
        self.window = open_window(size, title=title, visible=visible, fullscreen=fullscreen)
        from rmp3d.viewer.player.splash import draw_splash

        draw_splash(self.window)  # before the rest is loaded, which may take seconds
        from rmp3d.viewer.player.scene_picture import ScenePicture
        from rmp3d.viewer.rendering.extra_lines import ExtraLines
        from rmp3d.viewer.rendering.renderer import Renderer

        self._renderer = Renderer(playback)
        self._extra = ExtraLines()
        self._lines: object = None  # what the extra lines show
        self._scene = ScenePicture()
        self._rest = 0.0  # [s] since something has changed
        self._pace = Pace(draws_in_software(self.window))
        self._folder = screenshot_folder
        self.events = self._new_events()
        self.controls = Controls(playback, self.events.size, time=time, camera=camera)
        self.controls.fullscreen = fullscreen
        self.controls.views.load(file)
        self.events.on_resize(*self.window.get_size())
        self.frames_drawn = 0
        self.window.push_handlers(self.events)

    def _new_events(self) -> WindowEvents:
        return WindowEvents(self.window, lambda: self.controls)

    def run(self) -> None:
        """Play until the user leaves."""
        import pyglet

        pyglet.clock.schedule_interval(self.frame, FRAME_SECONDS)
        try:
            pyglet.app.run(None)
        finally:
            pyglet.clock.unschedule(self.frame)
            self.close()

    def frame(self, seconds: float) -> None:
        """Let time pass, and draw if anything has changed."""
        self.listen()
        controls = self.controls
        controls.tick(min(seconds, LONGEST_TICK))
        controls.tools.look_again()
        if controls.playback.loader is not None:  # what is shown may have been read by now
            controls.changed |= controls.playback.ready(controls.clock.time) != self._scene.time
        if self._is_left():
            self._leave()
            return
        if bool(self.window.fullscreen) != controls.fullscreen:
            self.window.set_fullscreen(controls.fullscreen)
            self.events.on_resize(*self.window.get_size())
        if controls.screenshot_wanted:
            controls.screenshot_wanted = False
            self._save_screenshot()
        self._rest = 0.0 if controls.changed else self._rest + seconds
        if (controls.changed or self.settles or self._is_lively()) and min(self.events.size) > 1:
            self._draw(seconds)

    def listen(self) -> None:
        """Take what has come from elsewhere."""

    def settle(self) -> None:
        """Draw as it looks when nothing moves."""
        self._rest = SETTLED
        self._draw(0.0)

    @property
    def settles(self) -> bool:
        """Whether a rough picture is to be drawn once more, smooth, as nothing moves now."""
        rests = self._rest >= SETTLED and not self.controls.moving
        return self._scene.is_rough and rests and not self._is_busy()

    def _is_left(self) -> bool:
        return self.controls.quitting

    def _is_lively(self) -> bool:
        return False

    def _is_busy(self) -> bool:
        """Whether the picture will soon be another one although the controls rest."""
        return False

    def close(self) -> None:
        """Close the window."""
        if self.controls.playback.loader is not None:
            self.controls.playback.loader.close()
        self.window.close()

    def _draw(self, seconds: float) -> None:
        """Draw the scene where it looks different, and text and panel over it."""
        controls = self.controls
        controls.changed = False
        self.window.switch_to()
        smooth = not self._pace.slow or (self._rest >= SETTLED and not self._is_busy())
        self._draw_scene(smooth=smooth)
        corner = self.events.corner
        self._scene.show(corner)
        overlay = draw_hud(controls, self._renderer.labels, self._renderer.legends)
        self._renderer.draw_overlay(overlay, controls.size, corner)
        self._draw_panel(seconds)
        self.window.flip()
        self.frames_drawn += 1

    def _draw_scene(self, *, smooth: bool) -> None:
        self._upload_lines()
        lines, began = (self._lines, self._draw_lines), perf_counter()
        is_new = self._scene.draw(
            self._renderer, self.controls, self._drawn_layers(), smooth=smooth, lines=lines
        )
        if is_new and smooth and not self._pace.slow:
            self._scene.wait()  # a card goes on drawing when it has been told what
            self._pace.note(perf_counter() - began)

    def _drawn_layers(self) -> Layers:
        return self.controls.layers

    def _lines_shown(self) -> tuple[object, ...]:
        """Return what the lines over the scene are about: others, when it has changed."""
        return self._renderer.playback.scene, self.controls.tools, self.controls.tools.version

    def _upload_lines(self) -> None:
        shown = self._lines_shown()
        if shown != self._lines:
            self._lines = shown
            self._extra.upload(self.line_rows())

    def line_rows(self) -> NDArray[np.float32]:
        """Return the lines over the scene."""
        return self.controls.tools.line_rows(self._renderer.origin)

    def _draw_lines(self, framebuffer: int) -> None:
        bounds = self._renderer.playback.scene.bounds - self._renderer.origin
        camera, size = self._renderer.nearby(self.controls.camera), self.controls.size
        self._extra.draw(framebuffer, camera, size, bounds)

    def _draw_panel(self, seconds: float) -> None:
        """Draw what is over the scene, or beside it."""

    def _save_screenshot(self) -> None:
        """Save the picture without text, and say where to or why not."""
        from PIL import Image

        controls = self.controls
        self.window.switch_to()
        self._draw_scene(smooth=True)
        pixels = self._renderer.read(controls.size, self._scene.framebuffer)
        name = re.sub(r"[^\w.-]+", "-", controls.playback.title) or "rmp3d"
        path = self._folder / f"{name}-{controls.clock.time:07.2f}s.png"
        try:
            write_picture(Image.fromarray(pixels), path)
        except InputError as error:
            controls.notify(explained(str(error)))
        else:
            controls.notify(tr("saved {path}", path=path))

    def _leave(self) -> None:
        import pyglet

        pyglet.app.exit()
