"""What keys and mouse do to player, camera and layers; knows nothing of pyglet.

Pixels count from the window's lower left corner. Keys are called by their names: letters in
lower case, ``space``, ``left``, ``right``, ``home``, ``end``, ``[``, ``]``, ``escape``.
"""

from collections.abc import Callable

import numpy as np

from viewer.bounds import scene_bounds
from viewer.camera import Camera
from viewer.layers import Layers
from viewer.picking import pick_member
from viewer.playback import Playback
from viewer.player import Player
from viewer.presets import iso
from viewer.text import GlyphAtlas
from viewer.timeline import Timeline

TURN_PER_PIXEL = np.pi / 720.0  # of a window 720 pixels high: its height is half a turn
ZOOM_PER_NOTCH = 0.88
CLICK_PIXELS = 4.0  # a press that moves less than this is a click
MESSAGE_SECONDS = 3.0
SMALLEST_LINE = 9  # pixels
LAYER_KEYS = {"w": "wireframe", "g": "grid", "t": "trails", "p": "path", "x": "hidden"}
LAYER_WORDS = {"hidden": "members behind walls"}

HELP = (
    ("Space", "play, pause"),
    ("← →", "step (Shift: 10 frames)"),
    ("Home End", "first, last frame"),
    ("[ ]", "slower, faster"),
    ("n", "next event"),
    ("left drag", "orbit"),
    ("right drag, Shift+left", "pan"),
    ("wheel", "zoom"),
    ("click", "select a member"),
    ("z", "reset view"),
    ("p t g", "path, trails, grid"),
    ("u", "subgoals"),
    ("w x", "wireframe, see through walls"),
    ("f", "full screen"),
    ("s", "save a screenshot"),
    ("h", "this help"),
    ("q Esc", "quit"),
)


class Controls:
    """The viewer's state, and how events change it.

    Attributes:
        player: The clock.
        camera: From where we look.
        layers: What is drawn.
        selected: Row of the selected member, -1 for none.
        show_help: Whether the help is on screen.
        message: A short notice, empty when it has been up long enough.
        fullscreen: Whether the user wants the window to cover the screen.
        quitting: Whether the user wants to leave.
        screenshot_wanted: Whether the user wants a picture; the window makes it and clears this.
        changed: Whether there is something new to draw; the window clears this.
        atlas: Letters at the size that suits the window.
    """

    def __init__(
        self,
        playback: Playback,
        size: tuple[int, int],
        *,
        time: float = 0.0,
        camera: Camera | None = None,
    ) -> None:
        self.player = Player(playback, time)
        self.layers = Layers()
        self.selected = -1
        self.show_help = False
        self.message = ""
        self.fullscreen = self.quitting = self.screenshot_wanted = False
        self.changed = True
        self._message_left = 0.0
        self._hold = ""  # what a held button does: orbit, pan, scrub
        self._moved = 0.0
        self._played_before = False
        self.atlas = GlyphAtlas(SMALLEST_LINE)
        self.resize(size)
        self._home = camera
        self.camera = self._home or self._whole_scene()

    @property
    def playback(self) -> Playback:
        """What is shown."""
        return self.player.playback

    @property
    def moving(self) -> bool:
        """Whether the next picture will soon be followed by another."""
        return self.player.playing or bool(self._hold)

    @property
    def timeline(self) -> Timeline:
        """The bar at the bottom, for the present size."""
        return Timeline(self.size, self.atlas.height, self.playback.duration)

    def resize(self, size: tuple[int, int]) -> None:
        """Take the window's new size [pixels]; letters grow with it."""
        self.size = (max(size[0], 1), max(size[1], 1))
        line = max(round(18.0 * min(self.size[1] / 720.0, self.size[0] / 960.0)), SMALLEST_LINE)
        if self.atlas.height != line:
            self.atlas = GlyphAtlas(line)
        self.changed = True

    def tick(self, seconds: float) -> None:
        """Let ``seconds`` of real time pass."""
        if self.player.playing:
            self.player.advance(seconds)
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
        stride = 10 if shift else 1
        actions: dict[str, Callable[[], object]] = {
            "space": self.player.toggle,
            "left": lambda: self.player.step(-stride),
            "right": lambda: self.player.step(stride),
            "home": lambda: self.player.seek(0.0),
            "end": lambda: self.player.seek(self.playback.duration),
            "[": lambda: self.player.change_speed(-1),
            "]": lambda: self.player.change_speed(1),
            "n": self._next_event,
            "z": self._reset_view,
            "u": self._toggle_subgoals,
            "h": lambda: setattr(self, "show_help", not self.show_help),
            "f": lambda: setattr(self, "fullscreen", not self.fullscreen),
            "s": lambda: setattr(self, "screenshot_wanted", True),
            "q": lambda: setattr(self, "quitting", True),
            "escape": lambda: setattr(self, "quitting", True),
        }
        if name in LAYER_KEYS:
            self._toggle(LAYER_KEYS[name])
        elif name in actions:
            actions[name]()
        self.changed = True

    def press(self, x: float, y: float, button: str, *, shift: bool = False) -> None:
        """Take a mouse button (``left``, ``middle``, ``right``) pressed at a pixel."""
        self._moved = 0.0
        if button == "left" and self.timeline.holds(x, y):
            self._hold = "scrub"
            self._played_before, self.player.playing = self.player.playing, False
            self._scrub(x)
        else:
            self._hold = "orbit" if button == "left" and not shift else "pan"

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        """Take a move of the mouse, by (dx, dy) to a pixel, with a button held."""
        self._moved += abs(dx) + abs(dy)
        if self._hold == "scrub":
            self._scrub(x)
        elif self._hold == "orbit":
            turn = TURN_PER_PIXEL * 720.0 / self.size[1]
            self.camera = self.camera.orbited(-turn * dx, -turn * dy)
        elif self._hold == "pan":
            self.camera = self.camera.panned((dx, dy), self.size)
        self.changed = True

    def release(self, x: float, y: float) -> None:
        """Take the end of a press; a left click without a move selects."""
        if self._hold == "scrub":
            self.player.playing = self._played_before and not self.player.at_end
        elif self._hold == "orbit" and self._moved < CLICK_PIXELS:
            self.select_at(x, y)
        self._hold = ""
        self.changed = True

    def cancel_press(self) -> None:
        """Let go of what a press took hold of, as if it had not been."""
        self._hold = ""

    def scroll(self, notches: float) -> None:
        """Take a turn of the wheel; away from the user zooms in."""
        self.camera = self.camera.zoomed(ZOOM_PER_NOTCH**notches)
        self.changed = True

    def select_at(self, x: float, y: float) -> None:
        """Select the member seen at a pixel, walls or not; none if there is none."""
        playback = self.playback
        origin, direction = self.camera.ray((x, y), self.size)
        position = playback.pose(self.player.time).position
        self.selected = pick_member(origin, direction, position, playback.spine, playback.radius)
        self.changed = True

    def _scrub(self, x: float) -> None:
        self.player.seek(self.timeline.time_of(x))
        self.changed = True

    def _whole_scene(self) -> Camera:
        """Return a camera on all of the scene, in the middle of what the timeline leaves free."""
        taken = self.timeline.panel_top
        whole = iso(scene_bounds(self.playback), self.size[0] / max(self.size[1] - taken, 1.0))
        return whole.zoomed(self.size[1] / max(self.size[1] - taken, 1.0)).panned(
            (0.0, taken / 2.0), self.size
        )

    def _reset_view(self) -> None:
        self.camera = self._home or self._whole_scene()

    def _toggle(self, layer: str) -> None:
        self.layers = self.layers.toggled(layer)
        word = LAYER_WORDS.get(layer, layer)
        self.notify(f"{word} {'on' if getattr(self.layers, layer) else 'off'}")

    def _toggle_subgoals(self) -> None:
        if self.playback.subgoal is None:
            self.notify("this recording has no subgoals")
        else:
            self._toggle("subgoals")

    def _next_event(self) -> None:
        event = self.player.next_event()
        self.notify(event.text or event.kind if event else "there are no events")
