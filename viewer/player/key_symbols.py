"""Which key was pressed, whatever Shift makes of it."""

from typing import Any

CODES = range(8, 256)
"""Of keys under X11."""


def unshifted(window: Any, symbol: int) -> int:
    """Return the symbol that a key has without Shift: of ``^`` that of 6, on a US keyboard.

    Under X11 pyglet gives what is typed, which differs by the layout of the keyboard; elsewhere
    it names the key.

    Args:
        window: pyglet's.
        symbol: As pyglet gives it to ``on_key_press``.
    """
    display = getattr(window, "_x_display", None)
    if display is None:
        return symbol
    from pyglet.libs.x11 import xlib
    from pyglet.window import key

    for code in CODES:
        if int(xlib.XKeycodeToKeysym(display, code, 1)) == symbol:
            plain = int(xlib.XKeycodeToKeysym(display, code, 0))
            if key.symbol_string(plain).lstrip("_").isalnum():
                return plain
    return symbol
