"""pyglet's events of a window, passed on to `Controls` in pixels and by the names of keys."""

from collections.abc import Callable
from typing import Any

from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.key_symbols import unshifted
from rmp3d.viewer.player.scale import automatic_scale, line_of, stepped

LETTER_STEPS = {"EQUAL": 1, "PLUS": 1, "NUM_ADD": 1, "MINUS": -1, "NUM_SUBTRACT": -1,
                "_0": 0, "NUM_0": 0}  # fmt: skip
KEY_NAMES = {"BRACKETLEFT": "[", "BRACKETRIGHT": "]"}


class WindowEvents:
    """The handlers of one window; ``window.push_handlers`` takes the object as it is.

    pyglet counts in points, `Controls` in pixels of what is seen; both from the lower left corner.
    """

    def __init__(self, window: Any, controls: Callable[[], Controls]) -> None:
        """Take a window, and a function that returns its present controls."""
        self._window, self._controls = window, controls

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of what is seen [pixels]."""
        width, height = self._window.get_framebuffer_size()
        return int(width), int(height)

    @property
    def scale(self) -> float:
        """How large letters and widgets are, 1 on a usual screen."""
        return automatic_scale(self._window) * self._controls().wish

    @property
    def corner(self) -> tuple[int, int]:
        """Where the lower left pixel of what is seen is in the window."""
        return 0, 0

    @property
    def ratio(self) -> float:
        """Pixels per point."""
        return float(self._window.get_framebuffer_size()[0] / max(self._window.get_size()[0], 1))

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the view that the mouse is in, at a point of the window."""
        return x * self.ratio - self.size[0] * self.is_in_second, y * self.ratio

    @property
    def has_two_views(self) -> bool:
        """Whether there is a second view beside the first."""
        return False

    @property
    def is_in_second(self) -> bool:
        """Whether the mouse is in a second view; a drag stays in the view where it began."""
        return self.has_two_views and self._controls().chosen.in_second

    def enter(self, x: float, y: float) -> None:
        """Take which of two views a point of the window is in."""
        chosen = self._controls().chosen
        chosen.in_second = False
        chosen.in_second = self.has_two_views and self.pixel(x, y)[0] >= self.size[0]

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Pass a key on by its name; one with Ctrl or the like is none of the viewer's."""
        from pyglet.window import key

        name = key.symbol_string(symbol)
        if modifiers & (key.MOD_CTRL | key.MOD_ALT | key.MOD_COMMAND):
            if name in LETTER_STEPS and not modifiers & key.MOD_ALT:
                self.wish(LETTER_STEPS[name])
            return True
        shift = bool(modifiers & key.MOD_SHIFT)
        if shift:
            name = key.symbol_string(unshifted(self._window, symbol))
        self._controls().key(KEY_NAMES.get(name, name.lower().lstrip("_")), shift=shift)
        return True  # pyglet would close the window on Escape by itself

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Pass a pressed button on."""
        from pyglet.window import key, mouse

        self.enter(x, y)
        name = mouse.buttons_string(button).lower()
        self._controls().press(
            *self.pixel(x, y),
            name,
            shift=bool(modifiers & key.MOD_SHIFT),
            ctrl=bool(modifiers & (key.MOD_CTRL | key.MOD_COMMAND)),
        )

    def on_mouse_drag(
        self, x: float, y: float, dx: int, dy: int, buttons: int, modifiers: int
    ) -> None:
        """Pass on a move with a button held."""
        self._controls().tools.leave()
        self._controls().drag(*self.pixel(x, y), dx * self.ratio, dy * self.ratio)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Pass on that a button was let go."""
        self._controls().release(*self.pixel(x, y))

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        """Pass on a turn of the wheel."""
        self.enter(x, y)
        self._controls().scroll(scroll_y, self.pixel(x, y))

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        """Pass on a move without a button."""
        self.enter(x, y)
        self._controls().hover(*self.pixel(x, y))

    def on_mouse_leave(self, x: float, y: float) -> None:
        """Let the tools know that the mouse is outside of the window."""
        self._controls().tools.leave()

    def wish(self, steps: int) -> None:
        """Let letters be so many steps larger, or smaller; 0: as they are by themselves."""
        controls = self._controls()
        controls.wish = stepped(controls.wish, steps) if steps else 1.0
        self.on_resize(*self._window.get_size())

    def on_resize(self, width: int, height: int) -> bool:
        """Take the window's new size."""
        self._controls().resize(self.size, line_of(self.scale))
        return True  # pyglet would set its own projection

    def on_expose(self) -> None:
        """Draw again what another window has covered."""
        self._controls().changed = True

    def on_close(self) -> bool:
        """Ask to leave; the window closes itself then."""
        self._controls().quitting = True
        return True
