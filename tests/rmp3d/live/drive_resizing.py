"""Takes pictures of real windows that were resized; run under a virtual screen of `LARGE` pixels.

Usage: drive_resizing.py FOLDER. Prints the name of each picture; leaves in FOLDER what the screen
shows of the player's window and of the window with panel, each opened as large as the screen
(`fresh`), resized to that (`resized`), and made to cover the screen by its key (`covering`).
"""

import sys
from pathlib import Path

from drive_panel import TABLE, Steps, drive, say, xdotool
from driving import make_playback  # found as `drive_panel` says where
from PIL import ImageGrab

from rmp3d.live import LiveSession
from rmp3d.viewer import Camera, ViewerWindow
from rmp3d.viewer.panel.window import PanelWindow

SMALL, LARGE = (800, 450), (1280, 720)


class Resizing(Steps):
    """Shows the help, makes the window as large as the screen, and takes a picture of it."""

    def __init__(self, window, folder, name):
        super().__init__(window, folder)
        self.name = name

    def all(self):
        window = self.window
        yield lambda: window.frames_drawn > 0 and window.controls.playback.title == "yards"
        window.controls.camera = Camera(distance=40.0)
        window.controls.key("h")
        yield from self.pause(6)
        if self.name.endswith("resized"):
            found = ["search", "--name", "RMP3D", "windowsize"]
            xdotool(*found, *LARGE)
        elif self.name.endswith("covering"):
            window.controls.key("f")
        yield lambda: window.window.get_framebuffer_size() == LARGE
        yield lambda: window.controls.size[1] == LARGE[1] and not window.controls.changed
        yield from self.pause(12)
        assert not window.controls.message
        picture = ImageGrab.grab()
        assert picture.size == LARGE
        picture.save(self.folder / f"{self.name}.png")
        say(self.name)
        window.controls.quitting = True
        yield lambda: False


def main(folder):
    for kind in ("player", "panel"):
        for how in ("fresh", "resized", "covering"):
            size = LARGE if how == "fresh" else SMALL
            if kind == "player":
                window = ViewerWindow(make_playback(), size=size)
            else:
                window = PanelWindow(LiveSession(), TABLE, size=size)
            drive(window, Resizing(window, folder, f"{kind} {how}").all())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
