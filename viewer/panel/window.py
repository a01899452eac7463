"""The window with the panel: the panel to the left, the scene to the right of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.errors import ViewerError
from rmp3d.viewer.gpu.platforms import LIBRARIES
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.panel.marks import meets, moved, path_lines, place_lines, roadmap_lines
from rmp3d.viewer.panel.opening import Opening
from rmp3d.viewer.panel.playbacks import blank, same_members, same_scene
from rmp3d.viewer.panel.protocol import Place, Session, Table
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.controls import CLICK_PIXELS, Controls
from rmp3d.viewer.player.hud import draw_hud
from rmp3d.viewer.player.window import LONGEST_TICK, ViewerWindow
from rmp3d.viewer.shapes.lines import NO_LINES

GRAB_PIXELS = 16.0  # of a window 720 high; from a mark to a press that takes hold of it
LIVELY_FRAMES = 6  # drawn after an event, until the widgets have settled
Role = Literal["start", "goal"]


class PanelWindow(ViewerWindow):
    """A window in which scenarios are made, planned, run and watched.

    Attributes:
        state: The state of the panel.
        gui: Its drawing.
        opening: What it was asked to begin with, until that is there.
    """

    def __init__(
        self,
        session: Session,
        table: Table,
        *,
        target: str = "",
        size: tuple[int, int] = (1280, 720),
        fullscreen: bool = False,
        visible: bool = True,
        screenshot_folder: Path = Path(),
    ) -> None:
        """Open it.

        Args:
            session: Does the work; closed with the window.
            table: Of the first draft.
            target: A scenario or recording to open instead.
            size: Width and height [pixels].
            fullscreen: Whether to cover the screen.
            visible: Whether it is on the screen; otherwise it takes events in memory only.
            screenshot_folder: Where the key `s` saves pictures.

        Raises:
            ViewerError: There is no screen or no OpenGL 3.3.
        """
        self.gui: Any = None  # there is none yet when the window asks for its size
        super().__init__(
            blank(),
            size=size,
            fullscreen=fullscreen,
            visible=visible,
            screenshot_folder=screenshot_folder,
        )
        from rmp3d.viewer.rendering.extra_lines import ExtraLines

        try:
            from rmp3d.viewer.panel.gui import Gui
        except ImportError as error:
            raise ViewerError(f"the panel cannot be drawn ({error}); {LIBRARIES}") from None

        self._session = session
        self.state = PanelState(session, table, target=target)
        self.opening: Opening | None = None
        self.gui = Gui(self.window, self.state)
        self._picture: Any = None
        self._extra = ExtraLines()
        self._marks: object = None
        self._lively = LIVELY_FRAMES
        self._held: Role | None = None  # the mark that the mouse drags
        self._pressed_at: tuple[float, float] | None = None
        self._over_panel = False
        self.window.push_handlers(
            on_mouse_motion=self._on_mouse_motion,
            on_key_release=self._on_key_release,
            on_text=self._on_text,
        )
        self.controls.resize(self._size())

    def begin(self, opening: Opening) -> None:
        """Go to a moment and a camera as soon as they are there; a run goes on from there."""
        self.opening = opening
        if opening.time > 0.0:
            self.state.run()

    def frame(self, seconds: float) -> None:
        """Take what the session has told, let time pass, and draw if anything has changed."""
        self.listen()
        controls = self.controls
        controls.tick(min(seconds, LONGEST_TICK))
        if controls.quitting:
            self._leave()
            return
        if bool(self.window.fullscreen) != controls.fullscreen:
            self.window.set_fullscreen(controls.fullscreen)
            self._on_resize(*self.window.get_size())
        if controls.screenshot_wanted:
            controls.screenshot_wanted = False
            self._save_screenshot()
            controls.changed = True
        lively = self._lively > 0 or self.gui.inputs.wants_keys
        if (controls.changed or lively) and min(self._size()) > 1:
            self._lively -= 1
            self.window.switch_to()
            if controls.changed or self._picture is None:
                controls.changed = False
                self._draw_scene()
            self._show_picture()
            self.gui.draw(min(seconds, LONGEST_TICK), controls)
            self.window.flip()
            self.frames_drawn += 1

    def listen(self) -> None:
        """Take what the session has told, and ask it for more."""
        if self.state.update(self.controls.clock):
            self._lively = max(self._lively, 2)
        self._follow()

    def close(self) -> None:
        """Close window and session."""
        self._session.close()
        self.window.switch_to()
        self.gui.close()
        super().close()

    def _follow(self) -> None:
        """Show what the panel's state holds now."""
        state, controls = self.state, self.controls
        found = state.playback
        if found is not None and found is not self._renderer.playback:
            self._take(found)
        marks = (state.places, state.roadmaps, state.paths, state.phase, state.draft.group)
        if marks != self._marks:
            self._marks = marks
            self._upload_marks(state.places)
        controls, clock = self.controls, self.controls.clock
        clock.open_ended = state.phase == "running"
        if state.take_start():
            clock.seek(0.0)
            clock.playing = True
        if self.opening is not None and self.opening.reached(state, controls):
            self.opening = None
        if state.phase == "over" and clock.at_end:
            clock.playing = False

    def _take(self, playback: Playback) -> None:
        from rmp3d.viewer.rendering.renderer import Renderer

        before, controls = self._renderer.playback, self.controls
        if same_members(before, playback) and same_scene(before, playback):
            self._renderer.show(playback)
            controls.clock.playback = playback
            controls.clock.seek(controls.clock.time)
        else:
            self._renderer = Renderer(playback, like=self._renderer)
            if same_scene(before, playback):
                speed = controls.clock.speed
                controls.clock = PlaybackClock(playback)
                while controls.clock.speed != speed:
                    controls.clock.change_speed(1 if controls.clock.speed < speed else -1)
                controls.selected = -1
            else:
                layers, full = controls.layers, controls.fullscreen
                self.controls = Controls(playback, self._size())
                self.controls.layers, self.controls.fullscreen = layers, full
        self.controls.changed = True

    def _upload_marks(self, places: tuple[Place, ...]) -> None:
        state = self.state
        rows = [NO_LINES]
        if state.phase in ("building", "built"):
            rows += [roadmap_lines(state.roadmaps), path_lines(state.paths)]
        if not state.is_live and state.phase != "recording":
            rows.append(place_lines(places, state.draft.group))
        self._extra.upload(np.concatenate(rows))
        self.controls.changed = True

    def _draw_scene(self) -> None:
        """Draw all but the panel into a picture that stays until something changes."""
        from rmp3d.viewer.gpu.targets import Picture

        controls, size = self.controls, self.controls.size
        if self._picture is None or self._picture.size != size:
            if self._picture is not None:
                self._picture.delete()
            self._picture = Picture(size, 0)
        target = self._picture.framebuffer
        # Starts and goals of a draft are drawn by the panel, which knows them.
        own = not self.state.is_live and self.state.phase != "recording"
        layers = replace(controls.layers, regions=False) if own else controls.layers
        self._renderer.draw(
            controls.clock.time,
            controls.camera,
            size,
            layers=layers,
            selected=controls.selected,
            smooth=not (self._slow and (controls.moving or self.state.phase == "building")),
            framebuffer=target,
        )
        self._extra.draw(target, controls.camera, size, self._renderer.playback)
        self._renderer.draw_overlay(draw_hud(controls, self._renderer.labels), size)

    def _show_picture(self) -> None:
        from rmp3d.viewer.gpu.targets import copy_colors

        copy_colors(self._picture, 0, (self._panel_width(), 0))

    def _panel_width(self) -> int:
        return 0 if self.gui is None else int(self.gui.width)

    def _size(self) -> tuple[int, int]:
        """Return the pixels to the right of the panel."""
        width, height = super()._size()
        return max(width - self._panel_width(), 1), height

    def _ratio(self) -> float:
        return float(super()._size()[0] / max(self.window.get_size()[0], 1))

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel right of the panel at a point of the window."""
        ratio = self._ratio()
        return x * ratio - self._panel_width(), y * ratio

    def _on_hover(self, x: float, y: float, dx: float, dy: float) -> None:
        """Leave it to `_on_mouse_motion`, which knows of the panel."""

    def _on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        was, self._over_panel = self._over_panel, self._at(x, y)[0] < 0.0
        self.gui.inputs.move(x, y)
        self.controls.hover(*self._at(x, y))
        if was or self._over_panel or self.gui.inputs.wants_mouse:
            self._lively = LIVELY_FRAMES

    def _on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        self._lively = LIVELY_FRAMES
        self.gui.inputs.move(x, y)
        at = self._at(x, y)
        self._over_panel = at[0] < 0.0
        if self._over_panel or self.gui.inputs.wants_mouse:
            self.gui.inputs.button(button, down=True)
            return
        self._pressed_at = at
        self._held = self._mark_at(at) if button == 1 else None
        if self._held is None:
            super()._on_mouse_press(x - self._panel_width() / self._ratio(), y, button, modifiers)

    def _on_mouse_drag(
        self, x: float, y: float, dx: int, dy: int, buttons: int, modifiers: int
    ) -> None:
        self._lively = LIVELY_FRAMES
        self.gui.inputs.move(x, y)
        if self._pressed_at is None:
            return
        if self._held is None:
            left = self._panel_width() / self._ratio()
            super()._on_mouse_drag(x - left, y, dx, dy, buttons, modifiers)
            return
        point = self._ground(self._at(x, y))
        if point is not None:
            self._upload_marks(moved(self.state.places, self.state.draft.group, self._held, point))

    def _on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        self._lively = LIVELY_FRAMES
        self.gui.inputs.button(button, down=False)
        if self._pressed_at is None:
            return
        at, pressed = self._at(x, y), self._pressed_at
        self._pressed_at = None
        clicked = np.hypot(at[0] - pressed[0], at[1] - pressed[1]) < CLICK_PIXELS
        if self._held is not None:
            role, self._held = self._held, None
            self._marks = None
            if not clicked:
                self._place(role, at)
        elif self.state.placing and clicked and button == 1:
            self.controls.cancel_press()
            self._place(self.state.placing, at)
        else:
            super()._on_mouse_release(x - self._panel_width() / self._ratio(), y, button, modifiers)

    def _on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        self._lively = LIVELY_FRAMES
        if self._at(x, y)[0] < 0.0 or self.gui.inputs.wants_mouse:
            self.gui.inputs.scroll(scroll_x, scroll_y)
        else:
            super()._on_mouse_scroll(x, y, scroll_x, scroll_y)

    def _on_key_press(self, symbol: int, modifiers: int) -> bool:
        from pyglet.window import key

        self._lively = LIVELY_FRAMES
        self.gui.inputs.key(symbol, modifiers, down=True)
        if self.gui.inputs.wants_keys:
            return True
        if symbol == key.ESCAPE and self.state.placing:
            self.state.placing = ""
            return True
        return super()._on_key_press(symbol, modifiers)

    def _on_key_release(self, symbol: int, modifiers: int) -> None:
        self._lively = LIVELY_FRAMES
        self.gui.inputs.key(symbol, modifiers, down=False)

    def _on_text(self, text: str) -> None:
        self._lively = LIVELY_FRAMES
        if self.gui.inputs.wants_keys:
            self.gui.inputs.text(text)

    def _on_resize(self, width: int, height: int) -> bool:
        if self.gui is not None:
            self.gui.resize()
            self._lively = LIVELY_FRAMES
        return super()._on_resize(width, height)

    def _place(self, role: Role, at: tuple[float, float]) -> None:
        """Put a start or goal to where a line of sight meets the ground."""
        point = self._ground(at)
        if point is None:
            self.controls.notify("there is no ground")
            return
        self.state.placing = role
        self.state.place(point)

    def _ground(self, at: tuple[float, float]) -> Float | None:
        """Return the point (3,) [m] of the ground at a pixel; a flyer's keeps its height."""
        state, controls = self.state, self.controls
        playback = self._renderer.playback
        origin, direction = controls.camera.ray(at, controls.size)
        point = meets(playback.scene, origin, direction)
        rows = playback.members(state.draft.group)
        if point is None or len(rows) == 0:
            return point
        if playback.characters[playback.character_of[rows[0]]].vehicle == "flying":
            height = playback.position[0, rows[0], 2]
            point = np.array([point[0], point[1], max(height, point[2])])
        return point

    def _mark_at(self, at: tuple[float, float]) -> Role | None:
        """Return whether a start or goal of the chosen group is at a pixel."""
        state, controls = self.state, self.controls
        if state.is_live or state.phase in ("building", "recording") or state.placing:
            return None
        reach = GRAB_PIXELS * controls.size[1] / 720.0
        for place in state.places:
            if place.group == state.draft.group and place.point is not None:
                pixel = controls.camera.project(place.point[:3], controls.size)[0][0]
                if np.hypot(*(pixel - np.array(at))) < reach:
                    return "start" if place.role == "start" else "goal"
        return None


def open_panel(
    session: Session, table: Table, layers: Layers, opening: Opening, **options: Any
) -> None:
    """Open the window with the panel, and return when the user closes it.

    ``options`` are those of `PanelWindow`.

    Raises:
        ViewerError: There is no screen or no OpenGL 3.3; says what to do instead.
    """
    try:
        window = PanelWindow(session, table, **options)
    except BaseException:
        session.close()
        raise
    window.controls.layers = layers
    window.begin(opening)
    window.run()
