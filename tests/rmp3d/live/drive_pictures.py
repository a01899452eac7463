"""Takes pictures of a real window while it builds and runs; run under a virtual screen.

Usage: drive_pictures.py FOLDER. Prints the name of each picture; leaves in FOLDER, for each, an
archive with what the screen shows (`screen`), the same moment drawn afresh without a window
(`fresh`), and which pixels are of the scene, at which height (`scene`).
"""

import sys
from pathlib import Path

import numpy as np
from drive_panel import TABLE, Steps, drive, say
from PIL import ImageGrab

from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.live import LiveSession
from rmp3d.viewer import Offscreen
from rmp3d.viewer.panel.window import PanelWindow

LONG = {**TABLE, "planner": {"nodes": 1_000_000}}  # the build is stopped, not waited for
SIZE = (960, 600)
STEP = 4  # pixels between two of which it is known whether they are of the scene


class Pictures(Steps):
    """What the person does, and the pictures taken meanwhile."""

    def all(self):
        window, state = self.window, self.window.state
        self.taken = {}
        yield lambda: state.places and window.frames_drawn > 3
        self.take("draft")
        yield from self.click("Build")
        yield lambda: state.phase == "building" and state.roadmaps
        yield from self.pause(4)
        self.take("building")
        yield from self.click("Cancel")
        yield lambda: state.phase == "draft" and not state.session.busy
        state.edit(["planner", "nodes"], 150)
        yield lambda: not state.session.busy
        yield from self.click("Run")
        yield lambda: state.phase == "running" and window.controls.clock.time > 1.0
        self.take("running")
        window.controls.layers = window.controls.layers.toggled("shadows")
        yield from self.pause(4)
        self.take("running without shadows")
        yield from self.click("Pause")
        yield lambda: not window.controls.clock.playing
        yield from self.pause(4)
        self.take("paused without shadows")
        self.compare()
        window.controls.quitting = True
        yield lambda: False

    def take(self, name):
        """Keep what the screen shows, and all that a picture of the same depends on."""
        controls = self.window.controls
        width, height = self.window.window.get_size()
        x, y = self.window.window.get_location()
        screen = np.asarray(ImageGrab.grab((x, y, x + width, y + height)))
        seen = controls.playback, controls.clock.time, controls.camera, controls.layers
        self.taken[name] = screen[:, self.window.gui.width :], controls.size, *seen

    def compare(self):
        """Draw all of them once more, without the window."""
        for name, (screen, size, playback, time, camera, layers) in self.taken.items():
            with Offscreen(playback, size) as offscreen:
                fresh = offscreen.picture(time, camera, layers=layers)
            scene = on_scene(playback.scene, camera, size)
            np.savez(self.folder / f"{name}.npz", screen=screen, fresh=fresh, scene=scene)
            say(name)
        self.window.window.switch_to()


def on_scene(scene, camera, size):
    """Return rows (P, 3) of pixels whose line of sight meets the scene: row, column, height [m]."""
    columns, rows = np.meshgrid(np.arange(0, size[0], STEP), np.arange(0, size[1], STEP))
    pixels = np.stack([rows.ravel(), columns.ravel()], axis=1)
    rays = [camera.ray((x + 0.5, size[1] - y - 0.5), size) for y, x in pixels]
    origin, direction = (np.array(each) for each in zip(*rays, strict=True))
    distance, _ = MeshQuery(join([part.mesh for part in scene.parts])).cast_ray(origin, direction)
    height = origin[:, 2] + distance * direction[:, 2]
    met = np.isfinite(distance)
    return np.column_stack([pixels[met], height[met]])


if __name__ == "__main__":
    window = PanelWindow(LiveSession(), LONG, size=SIZE)
    drive(window, Pictures(window, Path(sys.argv[1])).all())
