"""The one gate to pyglet: how this process draws is chosen once, before pyglet opens anything.

pyglet decides between a real screen and EGL when ``pyglet.window`` is first imported. A process
that has opened a window makes its pictures in hidden windows from then on; one that has made
pictures through EGL cannot open a window any more, unless it has called `use_screen` before.
Modules under ``viewer/gpu`` import ``pyglet.gl`` and must be imported after this choice.
"""

import ctypes
import ctypes.util
import os
import sys
from typing import Any

from rmp3d.viewer.errors import ViewerError
from rmp3d.viewer.gpu.dropping import mend_drops

LIBRARIES = "on Debian or Ubuntu: `apt install libgl1 libegl1 libgl1-mesa-dri`"
NO_SCREEN = (
    "use `--screenshot FILE.png` for a picture, or `xvfb-run` for a virtual screen "
    "(`apt install xvfb xauth libglx-mesa0`)"
)


def screen_problem() -> str | None:
    """Return why no window can be opened here, in a few words, or None if one can."""
    if not sys.platform.startswith("linux"):
        return None
    if not os.environ.get("DISPLAY"):
        return "there is no display (`DISPLAY` is not set)"
    name = ctypes.util.find_library("X11")
    if name is None:
        return "the library libX11 is missing"
    x11 = ctypes.CDLL(name)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(None)
    if not display:
        return f"the display {os.environ['DISPLAY']!r} cannot be opened"
    x11.XCloseDisplay(display)
    return None


def open_window(
    size: tuple[int, int], *, title: str, visible: bool, fullscreen: bool = False
) -> Any:
    """Return a pyglet window with an OpenGL 3.3 core context, current in this thread.

    Args:
        size: Width and height in pixels (a screen may scale them).
        title: What the window is called.
        visible: Whether to show it on the screen; otherwise EGL is used where there is one, and
            no window has been opened before.
        fullscreen: Whether to cover the screen.

    Raises:
        ViewerError: No screen (if visible), no OpenGL 3.3, or EGL was used before (if visible).
    """
    if visible:
        use_screen()
    elif "pyglet.window" not in sys.modules:
        _choose(headless=sys.platform.startswith("linux"))
    try:
        from pyglet import gl, window

        config = gl.Config(
            double_buffer=visible,
            depth_size=24,
            red_size=8,
            green_size=8,
            blue_size=8,
            major_version=3,
            minor_version=3,
        )
        options: dict[str, Any] = {
            "resizable": visible, "visible": visible, "vsync": visible, "file_drops": visible
        }  # fmt: skip
        if not fullscreen:
            options |= {"width": size[0], "height": size[1]}
        opened = window.Window(caption=title, config=config, fullscreen=fullscreen, **options)
    except _refusals() as error:
        what = "open a window" if visible else "draw"
        reason = str(error).split("\n")[0] or type(error).__name__
        raise ViewerError(f"cannot {what}: no OpenGL 3.3 here ({reason}); {LIBRARIES}") from error
    if visible:
        mend_drops(opened)
    return opened


def draws_in_software(window: Any) -> bool:
    """Return whether a window of `open_window` is drawn by the processor, not by a card."""
    name = window.context.get_info().get_renderer().lower()
    return any(word in name for word in ("llvmpipe", "softpipe", "swiftshader", "software"))


def use_screen() -> None:
    """Make windows possible in this process, before its first picture.

    Raises:
        ViewerError: No screen, or pictures were made through EGL already.
    """
    problem = screen_problem()
    if problem:
        raise ViewerError(f"cannot open a window: {problem}; {NO_SCREEN}")
    if "pyglet.window" not in sys.modules:
        _choose(headless=False)
    elif _is_headless():
        raise ViewerError(
            "this process has already made pictures without a screen and cannot open a window as "
            "well; start the program again for that, or call `viewer.use_screen()` first"
        )


def _choose(*, headless: bool) -> None:
    import pyglet

    pyglet.options.headless = headless
    pyglet.options.shadow_window = False
    # A question after each call takes a millisecond of a picture; `Renderer.draw` asks once.
    if "PYGLET_DEBUG_GL" not in os.environ:
        pyglet.options.debug_gl = False


def _is_headless() -> bool:
    import pyglet

    return bool(pyglet.options.headless)


def _refusals() -> tuple[type[Exception], ...]:
    """Return what is raised where no context can be made: by ctypes, and by pyglet's modules."""
    names = {
        "pyglet.window": ("WindowException",),
        "pyglet.gl": ("ContextException", "ConfigException"),
        "pyglet.gl.lib": ("GLException", "MissingFunctionException"),
    }
    loaded = {name: vars(sys.modules[name]) for name in names if name in sys.modules}
    found = [
        loaded[name][error] for name in loaded for error in names[name] if error in loaded[name]
    ]
    return (ImportError, OSError, AttributeError, RuntimeError, ValueError, *found)
