"""The window with the panel: the panel to the left, the scene to the right of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.viewer.errors import ViewerError
from rmp3d.viewer.gpu.platforms import LIBRARIES
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.overlay.difference_plot import WHOLE, DifferencePlot
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.panel.events import PanelEvents
from rmp3d.viewer.panel.marks import path_lines, place_lines, roadmap_lines
from rmp3d.viewer.panel.opening import Opening
from rmp3d.viewer.panel.placing import Placing
from rmp3d.viewer.panel.playbacks import blank, same_members, same_scene
from rmp3d.viewer.panel.protocol import Table
from rmp3d.viewer.panel.session import Session
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.comparison import Comparison
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.second_view import SecondView
from rmp3d.viewer.player.window import LONGEST_TICK, ViewerWindow
from rmp3d.viewer.settings import WindowSettings
from rmp3d.viewer.texts import speak, tr


class PanelWindow(ViewerWindow):
    """A window in which scenarios are made, planned, run and watched.

    Attributes:
        state: What the panel knows.
        gui: The drawn panel.
        events: The handlers of pyglet's events.
        opening: What it was asked to begin with, until that is there.
    """

    events: PanelEvents

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
        settings: WindowSettings | None = None,
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
            settings: What is remembered; nothing if None.

        Raises:
            ViewerError: There is no screen or no OpenGL 3.3.
        """
        self._session = session
        self.state = PanelState(session, table, target=target, settings=settings)
        speak(self.state.settings.language)
        super().__init__(
            blank(),
            size=size,
            fullscreen=fullscreen,
            visible=visible,
            screenshot_folder=screenshot_folder,
        )
        try:
            from rmp3d.viewer.panel.gui import Gui
        except ImportError as error:
            raise ViewerError(f"the panel cannot be drawn ({error}); {LIBRARIES}") from None

        self.opening: Opening | None = None
        self._plot: DifferencePlot | None = None
        self._second: SecondView | None = None
        self._source: Path | None = None  # beside which views are kept
        self._plotted: object = (None, None)  # what that is of
        self.gui = self.events.gui = Gui(self.window, self.state)
        self.controls.wish = self.state.settings.letters
        self.events.on_resize(*self.window.get_size())

    def _new_events(self) -> PanelEvents:
        self._placing = Placing(self.state, lambda: self.controls)
        return PanelEvents(self.window, lambda: self.controls, self.state, self._placing)

    def begin(self, opening: Opening) -> None:
        """Go to a moment and a camera as soon as they are there; a run goes on from there."""
        self.opening = opening
        if opening.time > 0.0:
            self.state.run()

    def listen(self) -> None:
        """Take what the session has told, and ask it for more."""
        if self.state.update(self.controls.clock):
            self.events.lively = max(self.events.lively, 2)
        self._follow()

    def close(self) -> None:
        """Close window and session."""
        self._session.close()
        self.window.switch_to()
        self.gui.close()
        super().close()

    def _follow(self) -> None:
        """Show the panel's state."""
        state, controls = self.state, self.controls
        if controls.wish != state.settings.letters:
            controls.wish = state.settings.letters
            self.events.on_resize(*self.window.get_size())
        state.intervening.selected = controls.selection
        found = state.playback
        if found is not None and found is not self._renderer.playback:
            self._take(found)
        if self._lines_shown() != self._lines:
            controls.changed = True
        self._compare()
        if state.files.source != self._source:
            self._source = state.files.source
            self.controls.views.load(self._source)
        controls, clock = self.controls, self.controls.clock
        self._say_what_is_seen(controls)
        rig = controls.rig
        ride = rig.ride if rig.ride in ("", "group") else f"{rig.ride}:{rig.member}"
        state.files.camera = ride or "iso"
        clock.open_ended = state.phase == "running"
        if state.take_start():
            clock.seek(0.0)
            clock.playing = True
        if self.opening is not None and self.opening.reached(state, controls):
            self.opening = None
        if state.phase == "over" and clock.at_end:
            clock.playing = False

    def _compare(self) -> None:
        """Show the members of a recording that is compared, and how far apart they are."""
        state, compared = self.state, self.state.compared
        ghosts = None if state.side_by_side else compared
        if self._renderer.ghosts is not ghosts:
            self._renderer.show_ghosts(ghosts)
            self._scene.forget()
            self.controls.changed = True
        beside = compared if state.side_by_side else None
        self.controls.chosen.second = beside
        if beside is not (None if self._second is None else self._second.playback):
            width = self.controls.size[0]
            self._second = None if beside is None else SecondView(beside, self.events.size)
            self.events.on_resize(*self.window.get_size())
            if not self.controls.rig.ride:  # as much of the scene from side to side as before
                self.controls.rig.zoom(width / self.controls.size[0])
            self.controls.changed = True
        whole = state.playback if state.phase in ("over", "recording") else None
        key = (whole, compared)
        if key != self._plotted:
            self._plotted, self._plot = key, None
            if whole is not None and compared is not None:
                self._plot = DifferencePlot(Comparison.of(whole, compared))
        self.controls.plot = 0.0 if self._plot is None else WHOLE

    def _say_what_is_seen(self, controls: Controls) -> None:
        """Let the legend count the members that are stated, where the draft shows fewer."""
        state = self.state
        counts = None if state.has_frames else state.draft.counts
        banner = "" if state.playback is not None or state.notice.is_error else tr("loading ...")
        if (counts, banner) != (controls.counts, controls.banner):
            controls.counts, controls.banner, controls.changed = counts, banner, True

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
                speed, time = controls.clock.speed, controls.clock.time
                playing = controls.clock.playing
                controls.clock = PlaybackClock(playback)
                controls.bar.span = None
                if self.state.is_live:  # members have come
                    controls.clock.seek(time)
                    controls.clock.playing = playing
                while controls.clock.speed != speed:
                    controls.clock.change_speed(1 if controls.clock.speed < speed else -1)
                controls.selected = -1
                controls.tools.forget_members()
            else:
                self.controls = Controls(playback, self.events.size)
                for name in ("layers", "fullscreen", "wish"):
                    setattr(self.controls, name, getattr(controls, name))
                self.controls.views.saved = controls.views.saved
                self.events.on_resize(*self.window.get_size())
        self.controls.changed = True

    def _lines_shown(self) -> tuple[object, ...]:
        state = self.state
        places = self._placing.places or state.places
        draft = (places, state.roadmaps, state.built, state.phase, state.draft.group)
        preview = state.preview
        at = None if preview.point is None else tuple(preview.point)
        painted = state.painting.seen
        return (*super()._lines_shown(), *draft, at, preview.answer, preview.heading, painted)

    def line_rows(self) -> NDArray[np.float32]:
        """Return the lines over the scene: starts and goals of the draft, growing roadmaps."""
        state, origin = self.state, self._renderer.origin
        places = self._placing.places or state.places
        rows = [super().line_rows()]
        if state.phase in ("building", "built"):
            rows += [roadmap_lines(state.roadmaps, origin), path_lines(state.built.paths, origin)]
        if not state.has_frames:
            rows.append(place_lines(places, state.draft.group, origin))
        if not state.has_frames or state.painting.active:
            rows.append(state.painting.lines(origin))
        members = self._renderer.playback.members(state.draft.group)
        if len(members):
            playback = self._renderer.playback
            character = playback.characters[playback.character_of[members[0]]]
            rows.append(state.preview.lines(character, origin))
        return np.concatenate(rows)

    def _drawn_layers(self) -> Layers:
        # Starts and goals of a draft are drawn by the panel, which knows them.
        layers = self.controls.layers
        return layers if self.state.has_frames else replace(layers, regions=False)

    def _draw_panel(self, seconds: float) -> None:
        if self._second is not None:
            smooth = not self._scene.is_rough
            self._second.draw(self.controls, self.events.corner, smooth=smooth)
        if self._plot is not None:
            overlay = Overlay(self.controls.atlas)
            self._plot.draw(overlay, self.controls.timeline, self.controls.clock.time)
            self._renderer.draw_overlay(overlay, self.controls.size, self.events.corner)
        self.events.lively -= 1
        self.gui.draw(min(seconds, LONGEST_TICK), self.controls)
        self.events.drawn()

    def _is_left(self) -> bool:
        return self.controls.quitting or self.state.files.leaving

    def _is_lively(self) -> bool:
        return self.events.lively > 0 or self.gui.inputs.wants_keys

    def _is_busy(self) -> bool:
        return self.state.phase == "building"


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
