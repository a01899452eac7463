"""What keys and mouse do to player, camera and layers; knows nothing of pyglet.

Pixels count from the window's lower left corner. Keys are called by their names: letters in
lower case, ``space``, ``left``, ``right``, ``home``, ``end``, ``[``, ``]``, ``escape``.
"""

from collections.abc import Callable

import numpy as np

from rmp3d.geometry.compiled import compiles_first
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.presets import Ride, iso, named_camera
from rmp3d.viewer.cameras.rectangle import Pixel
from rmp3d.viewer.cameras.rig import Rig
from rmp3d.viewer.drawings import missing_of
from rmp3d.viewer.drawings.clearance import Nearest
from rmp3d.viewer.layers import Layers, layer_rows
from rmp3d.viewer.overlay.text import SMALLEST_LINE, GlyphAtlas, line_height
from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.bounds import scene_bounds
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.playback import Event, Playback
from rmp3d.viewer.player.kept_views import KeptViews
from rmp3d.viewer.player.selection import Selection
from rmp3d.viewer.player.time_bar import TimeBar
from rmp3d.viewer.player.tools import Tools
from rmp3d.viewer.texts import told, tr

TURN_PER_PIXEL = np.pi / 720.0  # of a window 720 pixels high: its height is half a turn
ZOOM_PER_NOTCH = 0.88
CLICK_PIXELS = 4.0  # a press that moves less than this is a click
MESSAGE_SECONDS = 3.0
LAYER_KEYS = {row.key: row for row in layer_rows()}
HELP = (
    ("Space", "play, pause"),
    ("← →", "step (Shift: 10 frames)"),
    ("Home End", "first, last frame"),
    ("[ ]", "slower, faster"),
    ("n  Shift+n", "next event, previous event"),
    ("left drag", "orbit"),
    ("right drag", "pan"),
    ("wheel", "zoom"),
    ("wheel on the time", "zoom in time"),
    ("Shift+drag on it", "repeat this part (click: no more)"),
    ("click", "select a member (Ctrl: one more)"),
    ("Shift+drag", "select members in a rectangle"),
    ("Shift+G  Shift+A", "select its group, everybody"),
    ("Del Shift+Del Ins", "hide, show only, show all"),
    ("PgUp PgDn", "storey above, below"),
    ("Shift+X Y Z  ↑ ↓", "clip plane; move it"),
    ("Shift+M", "measure between two clicks"),
    ("Tab", "select the next member"),
    ("1 2 3", "all, from above, the group or the selected"),
    ("4 5", "follow the member, look through its eyes"),
    ("6 7 8 9 0", "a view that was kept (Shift: keep it)"),
    ("z", "reset view"),
    ("f", "full screen"),
    ("s", "save a screenshot"),
    ("Ctrl+, Ctrl-, Ctrl0", "larger, smaller, usual letters"),
    ("h  q Esc", "this help, quit"),
)


class Controls:
    """The viewer's state, and how events change it.

    Attributes:
        clock: The clock.
        rig: What carries the camera.
        layers: What is drawn.
        selected: Row of the selected member, -1 for none; to set it selects nobody else.
        tools: Hides, cuts, points and measures.
        chosen: The selected members.
        rectangle: Corners (2, 2) of the one that selects members [pixels], while it is drawn.
        pointed: Event under the mouse, if any, and where the mouse is.
        show_help: Whether the help is on screen.
        message: A short notice, empty when it has been up long enough.
        fullscreen: Whether the user wants the window to cover the screen.
        quitting: Whether the user wants to leave.
        screenshot_wanted: Whether the user wants a picture; the window makes it and clears this.
        changed: Whether there is something new to draw; the window clears this.
        atlas: Letters at the size that suits the window.
        bar: What of the time the bar at the bottom shows.
        wish: How much larger the user wants letters than they are by themselves.
        counts: Members of each group, if more are meant than are seen; None: those that are seen.
        banner: What is said in the middle while there is nothing to see.
        plot: Height of a plot over the timeline [lines of text].
        views: Cameras that are kept.
    """

    def __init__(
        self,
        playback: Playback,
        size: tuple[int, int],
        *,
        time: float = 0.0,
        camera: Camera | None = None,
    ) -> None:
        self.clock = PlaybackClock(playback, time)
        self.bar = TimeBar()
        self.layers = Layers()
        self.tools, self.chosen, self.views = Tools(self), Selection(self), KeptViews(self)
        self.rectangle: tuple[Pixel, Pixel] | None = None
        self.show_help = False
        self.fullscreen = self.quitting = self.screenshot_wanted = False
        self.changed = True
        self.message, self._message_left = "", 0.0
        self._hold = ""  # what a held button does: orbit, pan, scrub, choose, add
        self._moved, self._played_before = 0.0, False
        self.atlas = GlyphAtlas(SMALLEST_LINE)
        self.wish = 1.0
        self.counts: tuple[int, ...] | None = None
        self.banner = ""
        self.plot = 0.0
        self.resize(size)
        self._home = camera
        self.rig = Rig(self._home or self.whole_scene())
        self.pointed: tuple[Event, float] | None = None
        self._nearest = Nearest(playback)

    @property
    def playback(self) -> Playback:
        """What is shown."""
        return self.clock.playback

    @property
    def selected(self) -> int:
        """Row of the selected member, -1 for none."""
        return self.chosen.first

    @selected.setter
    def selected(self, member: int) -> None:
        self.chosen.choose([member] if member >= 0 else [])

    @property
    def selection(self) -> tuple[int, ...]:
        """Rows of all selected members."""
        return self.chosen.rows

    @property
    def camera(self) -> Camera:
        """From where we look."""
        return self.rig.camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self.rig.put(camera)

    @property
    def moving(self) -> bool:
        """Whether the next picture will soon be followed by another."""
        return self.clock.playing or bool(self._hold) or self.rig.moving

    @property
    def timeline(self) -> Timeline:
        """The bar at the bottom, for the present size."""
        return self.bar.timeline(self.size, self.atlas, self.clock)

    @property
    def free_bottom(self) -> float:
        """Pixel row above timeline and plot."""
        return self.timeline.panel_top + self.plot * self.atlas.height

    def resize(self, size: tuple[int, int], line: int | None = None) -> None:
        """Take the window's new size and the height of a line of text [pixels].

        Without one, letters are as large as suits a picture of this size.
        """
        self.size = (max(size[0], 1), max(size[1], 1))
        line = max(line or line_height(self.size), SMALLEST_LINE)
        if self.atlas.height != line:
            self.atlas = GlyphAtlas(line)
        self.changed = True

    def tick(self, seconds: float) -> None:
        """Let ``seconds`` of real time pass."""
        if self.clock.playing:
            self.clock.advance(seconds)
            self.bar.follow(self.clock)
            self.changed = True
        was_moving = self.rig.moving
        aspect = self.size[0] / self.size[1]
        if self.rig.tick(seconds, self.playback, self.clock.time, aspect) or was_moving:
            self.changed = True
        if self.message:
            self._message_left -= seconds
            if self._message_left <= 0.0:
                self.message = ""
                self.changed = True

    def notify(self, message: str) -> None:
        """Put a short notice on the screen for a while."""
        self.message, self._message_left, self.changed = message, MESSAGE_SECONDS, True

    def key(self, name: str, *, shift: bool = False) -> None:
        """Take a key press; unknown keys do nothing."""
        if any(each.key(name, shift=shift) for each in (self.tools, self.chosen, self.views)):
            self.changed = True
            return
        stride = 10 if shift else 1
        actions: dict[str, Callable[[], object]] = {
            "space": self.clock.toggle,
            "left": lambda: self.clock.step(-stride),
            "right": lambda: self.clock.step(stride),
            "home": lambda: self.clock.seek(0.0),
            "end": lambda: self.clock.seek(self.playback.duration),
            "[": lambda: self.clock.change_speed(-1),
            "]": lambda: self.clock.change_speed(1),
            "n": lambda: self._go_to_event(back=shift),
            "z": self._reset_view,
            "tab": lambda: self.select(self.selected + (-1 if shift else 1)),
            "1": lambda: self.rig.send(self.whole_scene()),
            "2": lambda: self.rig.send(self._named("top")),
            "3": lambda: self.rig.join("group", -1, self.selection),
            "4": lambda: self._join("follow"),
            "5": lambda: self._join("first"),
            "h": lambda: setattr(self, "show_help", not self.show_help),
            "f": lambda: setattr(self, "fullscreen", not self.fullscreen),
            "s": lambda: setattr(self, "screenshot_wanted", True),
            "q": lambda: setattr(self, "quitting", True),
            "escape": lambda: setattr(self, "quitting", not self.cancel()),
        }
        layer = LAYER_KEYS.get(name.upper() if shift else name) or LAYER_KEYS.get(name)
        if layer is not None:
            self.toggle(layer.name)
        elif name in actions:
            actions[name]()
        self.changed = True

    def press(
        self, x: float, y: float, button: str, *, shift: bool = False, ctrl: bool = False
    ) -> None:
        """Take a mouse button (``left``, ``middle``, ``right``) pressed at a pixel."""
        self._moved, self._pressed = 0.0, (x, y)
        if button == "left" and shift and self.timeline.holds(x, y):
            self._hold = "loop"
            self.bar.begin_loop(x)
        elif button == "left" and self.timeline.holds_play(x, y):
            self.clock.toggle()
        elif button == "right" and self.timeline.holds(x, y):
            self._hold = "pan time"
        elif button == "left" and self.timeline.holds(x, y):
            self._hold = "scrub"
            self._played_before, self.clock.playing = self.clock.playing, False
            self._scrub(x)
        else:
            left = "choose" if shift else "add" if ctrl else "orbit"
            self._hold = left if button == "left" else "pan"

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        """Take a move of the mouse, by (dx, dy) to a pixel, with a button held."""
        self._moved += abs(dx) + abs(dy)
        if self._hold == "scrub":
            self._scrub(x)
        elif self._hold == "loop":
            self.bar.drag_loop(self.timeline, x, self.clock)
        elif self._hold == "pan time":
            self.bar.pan(self.timeline, -dx)
        elif self._hold == "choose":
            self.rectangle = self._pressed, (x, y)
        elif self._hold in ("orbit", "add"):
            turn = TURN_PER_PIXEL * 720.0 / self.size[1]
            self.rig.orbit(-turn * dx, -turn * dy)
        elif self._hold == "pan":
            self.rig.pan((dx, dy), self.size)
        self.changed = True

    def release(self, x: float, y: float) -> None:
        """Take the end of a press; a left click without a move selects."""
        if self._hold == "scrub":
            self.clock.playing = self._played_before and not self.clock.at_end
        elif self._hold == "loop":
            self.bar.drag_loop(self.timeline, x, self.clock)
        elif self.rectangle is not None:
            self.chosen.drag(*self.rectangle)
        elif self._hold in ("orbit", "add", "choose") and self._moved < CLICK_PIXELS:
            self._click((x, y), several=self._hold != "orbit")
        self.rectangle = None
        self._hold = ""
        self.changed = True

    def cancel_press(self) -> None:
        """Let go of what a press grabbed, as if it had not been."""
        self._hold, self.rectangle = "", None

    def scroll(self, notches: float, at: tuple[float, float] | None = None) -> None:
        """Take a turn of the wheel at a pixel; away zooms in, over the time bar in time."""
        if at is not None and self.timeline.holds(*at):
            self.bar.zoom(self.timeline, at[0], notches, self.playback.dt)
        else:
            self.rig.zoom(ZOOM_PER_NOTCH**notches)
        self.changed = True

    def select_at(self, x: float, y: float) -> None:
        """Select the member seen at a pixel, walls or not; none if there is none."""
        self._click((x, y), several=False)

    def _click(self, pixel: Pixel, *, several: bool) -> None:
        """Take a left click: a point to measure, or a member, perhaps beside others."""
        if self.tools.measuring:
            self.tools.click(pixel)
        else:
            self.chosen.click(pixel, several=several)
        self.changed = True

    def select(self, member: int) -> None:
        """Select a member by its row, counted round; nobody if there are none."""
        count = self.playback.member_count
        self.selected = member % count if count else -1
        if self.rig.ride in ("follow", "first"):
            self.rig.join(self.rig.ride, self.selected)
        self.changed = True

    def hover(self, x: float, y: float) -> None:
        """Take a move of the mouse without a button: events on the timeline tell what they are."""
        found = self.timeline.event_at(x, y, self.playback)
        pointed = None if found is None else (found, x)
        if pointed is not None or self.pointed is not None:
            self.pointed, self.changed = pointed, True
        if self.timeline.holds(x, y):
            self.tools.leave()
        else:
            self.tools.hover((x, y))

    def look(self, name: str) -> None:
        """Look from a camera of `rmp3d.viewer.cameras.presets.named_camera` at once.

        Raises:
            InputError: There is no such camera, or no such member.
        """
        self.rig.put(self._named(name))
        self.changed = True

    def clearance(self) -> float | None:
        """Return how far [m] the selected member is from the nearest obstacle, if there is one.

        It is not told where that would make the user wait for the kernels to be compiled.
        """
        if self.selected < 0 or compiles_first():
            return None
        found = self._nearest.to(self.selected, self.playback.pose(self.clock.time))
        return None if found is None else found[0]

    def _scrub(self, x: float) -> None:
        self.clock.seek(self.timeline.time_of(x))
        self.changed = True

    def whole_scene(self) -> Camera:
        """Return a camera on all of the scene, in the middle of what bar and plot leave free."""
        taken = self.free_bottom
        whole = iso(scene_bounds(self.playback), self.size[0] / max(self.size[1] - taken, 1.0))
        return whole.zoomed(self.size[1] / max(self.size[1] - taken, 1.0)).panned(
            (0.0, taken / 2.0), self.size
        )

    def _named(self, name: str) -> Camera:
        return named_camera(name, self.playback, self.clock.time, self.size[0] / self.size[1])

    def _reset_view(self) -> None:
        self.rig.send(self._home or self.whole_scene())

    def cancel(self) -> bool:
        """Close the help, or end measuring; return whether there was something to end."""
        if found := self.show_help:
            self.show_help = False
        elif found := self.tools.measuring:
            self.tools.toggle_measuring()
        self.changed |= found
        return found

    def _join(self, ride: Ride) -> None:
        if self.selected < 0:
            self.select(0)
        if self.selected < 0:
            self.notify(tr("there is no member to follow"))
        else:
            self.rig.join(ride, self.selected)

    def toggle(self, layer: str) -> None:
        """Switch a layer, and say so; or why there is nothing to show."""
        row = next(row for row in layer_rows() if row.name == layer)
        missing = missing_of(layer, self.playback)
        if missing and not getattr(self.layers, layer):
            self.notify(tr(missing))
            return
        self.layers = self.layers.toggled(layer)
        self.notify(f"{tr(row.title)} {tr('on' if getattr(self.layers, layer) else 'off')}")

    def _go_to_event(self, *, back: bool) -> None:
        clock, hidden = self.clock, self.bar.hidden
        event = clock.previous_event(hidden) if back else clock.next_event(hidden)
        self.bar.follow(clock)
        if event is not None:
            self.notify(told(event.text, event.kind))
        elif self.playback.events:
            said = "there is no event before this" if back else "there is no event after this"
            self.notify(tr(said))
        else:
            self.notify(tr("there are no events"))
