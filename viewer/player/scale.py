"""How large letters and widgets are: by the screen and the user's wish, not by the window."""

from typing import Any

LINE = 18.0  # height of a line of text [pixels] at scale 1
LEAST_ROOM = (1280.0, 720.0)  # [pixels] of a window below which letters shrink with it
USUAL_DPI = 96.0
ROWS = 1440.0  # of a screen without a stated resolution, at which letters begin to grow
STEPS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
LEAST, MOST = 0.4, 6.0


def automatic_scale(window: Any) -> float:
    """Return the scale for a pyglet window's screen, smaller if the window has no room for it."""
    width, height = window.get_framebuffer_size()
    room = min(width / LEAST_ROOM[0], height / LEAST_ROOM[1])
    screen = max(float(window.dpi) / USUAL_DPI, float(window.screen.height) / ROWS, 1.0)
    return min(max(min(screen, room), LEAST), MOST)


def stepped(wish: float, steps: int) -> float:
    """Return the user's wish, so many steps larger or smaller."""
    nearest = min(range(len(STEPS)), key=lambda row: abs(STEPS[row] - wish))
    return STEPS[min(max(nearest + steps, 0), len(STEPS) - 1)]


def line_of(scale: float) -> int:
    """Return the height of a line of text [pixels]."""
    return max(round(LINE * scale), 1)
