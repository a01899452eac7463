"""Drives the player's window by mouse and keyboard, as a person would; run under a virtual screen.

Usage: drive_player.py FOLDER. Prints a line for each thing that was reached; a screenshot is left
in FOLDER.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
sys.path.insert(0, str(Path(__file__).parents[1]))
from conftest import make_playback

from rmp3d.viewer import Camera, ViewerWindow, render
from scripts.window_driving import drive, say, xdotool


def steps(window, folder):
    controls = window.controls
    yield lambda: window.frames_drawn > 0
    say("size", *controls.size)
    xdotool("search", "--sync", "--name", "RMP3D", "windowfocus")
    for key, done in {
        "space": lambda: controls.clock.playing and controls.clock.time > 0.5,
        "h": lambda: controls.show_help,
        "s": lambda: controls.message.startswith("saved ") and any(folder.glob("yards-*.png")),
        "g": lambda: controls.layers.grid,
        "r": lambda: "roadmap" in controls.message and not controls.layers.roadmap,
        "Tab": lambda: controls.selected == 0,
        "4": lambda: controls.rig.ride == "follow",
        "shift+6": lambda: set(controls.views.saved.cameras) == {"6"},
        "shift+0": lambda: set(controls.views.saved.cameras) == {"6", "0"},
        "shift+a": lambda: len(controls.selection) == controls.playback.member_count,
    }.items():
        xdotool("key", key)
        yield done
        say(key)
    azimuth = controls.camera.azimuth
    xdotool("mousemove", 640, 300, "mousedown", 1)
    yield lambda: controls._hold
    xdotool("mousemove", 700, 330)
    yield lambda: abs(controls.camera.azimuth - azimuth) > 0.05
    xdotool("mouseup", 1)
    yield lambda: not controls._hold
    say("orbited")
    xdotool("key", "q")
    yield lambda: False


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    window = ViewerWindow(make_playback(), screenshot_folder=folder)
    drive(window, steps(window, folder))
    picture = render(make_playback(), 1.0, Camera(distance=30.0), (64, 48))  # in a hidden window
    say("after", picture.shape, len(set(picture.reshape(-1, 3)[:, 0].tolist())) > 3)
