"""Takes pictures of the player's window, resized; run under a virtual screen of `LARGE` pixels.

Usage: drive_resizing.py FOLDER. Prints the name of each picture; leaves in FOLDER what the screen
shows of the window opened as large as the screen (`fresh`), resized to that (`resized`), and made
to cover the screen by its key (`covering`).
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
sys.path.insert(0, str(Path(__file__).parents[1]))
from conftest import make_playback
from PIL import ImageGrab

from rmp3d.viewer import Camera, ViewerWindow
from scripts.window_driving import drive, pause, say, xdotool

SMALL, LARGE = (800, 450), (1280, 720)


def steps(window, folder, how):
    """Show the help, make the window as large as the screen, and take a picture of it."""
    yield lambda: window.frames_drawn > 0
    window.controls.camera = Camera(distance=40.0)
    window.controls.key("h")
    yield from pause(6)
    if how == "resized":
        xdotool("search", "--name", "RMP3D", "windowsize", *LARGE)
    elif how == "covering":
        window.controls.key("f")
    yield lambda: window.window.get_framebuffer_size() == LARGE
    yield lambda: window.controls.size[1] == LARGE[1] and not window.controls.changed
    yield lambda: not window._scene.is_rough
    yield from pause(6)
    assert not window.controls.message
    picture = ImageGrab.grab()
    assert picture.size == LARGE
    picture.save(folder / f"{how}.png")
    say(how)
    window.controls.quitting = True
    yield lambda: False


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for how in ("fresh", "resized", "covering"):
        window = ViewerWindow(make_playback(), size=LARGE if how == "fresh" else SMALL)
        drive(window, steps(window, folder, how))
