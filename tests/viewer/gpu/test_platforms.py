import os
import subprocess
import sys

import pytest

from rmp3d.viewer import ViewerError, screen_problem
from rmp3d.viewer.gpu.platforms import open_window

HUNG = 300.0  # [s]; a process that takes longer, on however busy a machine, hangs


def run(code, **environment):
    env = {key: value for key, value in os.environ.items() if key != "DISPLAY"} | environment
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True, text=True, timeout=HUNG, env=env,
    )  # fmt: skip


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is asked for on Linux only")
def test_without_a_display_a_window_says_what_to_do_in_one_line(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(ViewerError, match="DISPLAY") as caught:
        open_window((8, 8), title="", visible=True)
    assert "--screenshot" in str(caught.value)
    assert "xvfb-run" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is asked for on Linux only")
def test_a_display_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":7654")
    assert "X11" in screen_problem() or ":7654" in screen_problem()


def test_without_opengl_the_libraries_are_named():
    code = """
import ctypes, ctypes.util
real = ctypes.cdll.LoadLibrary
def missing(name):
    if any(word in str(name) for word in ("GL", "EGL")):
        raise OSError(f"{name}: not here")
    return real(name)
ctypes.cdll.LoadLibrary = missing
ctypes.util.find_library = lambda name: None
from rmp3d.viewer import ViewerError
from rmp3d.viewer.gpu.platforms import open_window
try:
    open_window((8, 8), title="", visible=False)
except ViewerError as error:
    print(error)
"""
    done = run(code)
    assert "no OpenGL 3.3 here" in done.stdout, done.stderr
    assert "apt install libgl1 libegl1 libgl1-mesa-dri" in done.stdout
    assert done.stdout.count("\n") == 1


def test_importing_the_viewer_loads_no_heavy_package():
    heavy = "('pyglet', 'matplotlib', 'PIL', 'trimesh')"
    code = f"import sys, rmp3d.viewer; print([m for m in {heavy} if m in sys.modules])"
    assert run(code).stdout.strip() == "[]"


@pytest.mark.parametrize(("asked", "checks"), [(False, {}), (True, {"PYGLET_DEBUG_GL": "1"})])
def test_a_wrong_call_of_opengl_ends_the_picture_but_calls_are_checked_one_by_one_on_demand(
    asked, checks
):
    code = """
from pyglet import gl
from rmp3d.viewer import ViewerError
from rmp3d.viewer.gpu.platforms import open_window
window = open_window((8, 8), title="", visible=False)
from rmp3d.viewer.gpu.state import end_picture
end_picture()
try:
    gl.glEnable(1)
    end_picture()
except ViewerError as error:
    print(error)
except gl.lib.GLException:
    print("at the call")
"""
    env = {"PYGLET_DEBUG_GL": ""} | checks
    done = run(code if asked else "import os; del os.environ['PYGLET_DEBUG_GL']" + code, **env)
    assert done.stdout.startswith("at the call" if asked else "OpenGL cannot draw"), done.stderr
    assert ("0x0500" in done.stdout) != asked
