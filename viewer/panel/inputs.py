"""pyglet's events as Dear ImGui takes them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from imgui_bundle import imgui
from pyglet.window import key, mouse

BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
SPECIAL = {
    key.TAB: imgui.Key.tab,
    key.BACKSPACE: imgui.Key.backspace,
    key.RETURN: imgui.Key.enter,
    key.NUM_ENTER: imgui.Key.keypad_enter,
    key.ESCAPE: imgui.Key.escape,
    key.DELETE: imgui.Key.delete,
    key.LEFT: imgui.Key.left_arrow,
    key.RIGHT: imgui.Key.right_arrow,
    key.UP: imgui.Key.up_arrow,
    key.DOWN: imgui.Key.down_arrow,
    key.PAGEUP: imgui.Key.page_up,
    key.PAGEDOWN: imgui.Key.page_down,
    key.HOME: imgui.Key.home,
    key.END: imgui.Key.end,
    key.SPACE: imgui.Key.space,
}
LETTERS = {getattr(key, letter): getattr(imgui.Key, letter.lower()) for letter in "ACVXYZ"}
KEYS = {**SPECIAL, **LETTERS}
MODIFIERS = {
    key.MOD_CTRL: imgui.Key.mod_ctrl,
    key.MOD_SHIFT: imgui.Key.mod_shift,
    key.MOD_ALT: imgui.Key.mod_alt,
}
HELD = {
    key.LCTRL: key.MOD_CTRL,
    key.RCTRL: key.MOD_CTRL,
    key.LSHIFT: key.MOD_SHIFT,
    key.RSHIFT: key.MOD_SHIFT,
    key.LALT: key.MOD_ALT,
    key.RALT: key.MOD_ALT,
}
"""What keys do while they are held."""


class Inputs:
    """Feeds the current imgui context from the events of a window.

    ImGui asks for Ctrl when it draws: let go in the frame in which A was pressed, it would be an A
    alone. So a modifier let go, and all after it, waits for the next frame if a key was pressed.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._io = imgui.get_io()
        self._pressed = False
        self._later: list[Callable[[], None]] = []

    def begun(self) -> None:
        """Take that a frame has begun, with all that came before."""
        self._pressed, later = False, self._later
        self._later = []
        for take in later:
            take()

    def resize(self) -> None:
        """Take the window's size and how many pixels a point has."""
        width, height = self._window.get_size()
        pixels = self._window.get_framebuffer_size()
        self._io.display_size = imgui.ImVec2(max(width, 1), max(height, 1))
        self._io.display_framebuffer_scale = imgui.ImVec2(
            max(pixels[0], 1) / max(width, 1), max(pixels[1], 1) / max(height, 1)
        )

    def move(self, x: float, y: float) -> None:
        """Take where the mouse is, in points from the lower left corner."""
        self._io.add_mouse_pos_event(x, self._io.display_size.y - y)

    def button(self, button: int, *, down: bool) -> None:
        """Take a mouse button pressed or let go."""
        if button in BUTTONS:
            self._io.add_mouse_button_event(BUTTONS[button], down)

    def scroll(self, x: float, y: float) -> None:
        """Take a turn of the wheel."""
        self._io.add_mouse_wheel_event(x, y)

    def key(self, symbol: int, modifiers: int, *, down: bool) -> None:
        """Take a key pressed or let go.

        X11 says the modifiers of before the event: Shift let go is still among them.
        """
        held = HELD.get(symbol, 0)
        if self._later or (held and not down and self._pressed):
            self._later.append(partial(self._take_key, symbol, modifiers, held, down=down))
        else:
            self._take_key(symbol, modifiers, held, down=down)

    def _take_key(self, symbol: int, modifiers: int, held: int, *, down: bool) -> None:
        self._pressed = self._pressed or (down and not held)
        modifiers = modifiers | held if down else modifiers & ~held
        for mask, modifier in MODIFIERS.items():
            self._io.add_key_event(modifier, bool(modifiers & mask))
        if symbol in KEYS:
            self._io.add_key_event(KEYS[symbol], down)

    def text(self, text: str) -> None:
        """Take what was typed."""
        if self._later:
            self._later.append(partial(self._take_text, text))
        else:
            self._take_text(text)

    def _take_text(self, text: str) -> None:
        for letter in text:
            if letter.isprintable():
                self._io.add_input_character(ord(letter))

    @property
    def wants_mouse(self) -> bool:
        """Whether the mouse is over a widget, or one holds it."""
        return bool(self._io.want_capture_mouse)

    @property
    def wants_keys(self) -> bool:
        """Whether a text is being edited."""
        return bool(self._io.want_text_input)
