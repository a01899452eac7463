"""A panel whose work is done at once, in this process, and events for its window."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from rmp3d.geometry.errors import Rmp3dError
from rmp3d.live import LiveSession
from rmp3d.live.backend import LiveBackend
from rmp3d.viewer.panel.protocol import Export, Failed, OfExport

_spec = importlib.util.spec_from_file_location(
    "viewer_conftest", Path(__file__).parents[2] / "viewer" / "conftest.py"
)
_viewer = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_viewer)
opengl = _viewer.opengl


class DirectSession:
    """Carries a command out when its reports are asked for."""

    forms = LiveSession.forms

    def __init__(self):
        self._told, self._waiting = [], []
        self._backend = LiveBackend(self._told.append)
        self.closed = False

    @property
    def busy(self):
        return bool(self._waiting)

    def send(self, command):
        self._waiting.append(command)

    def cancel(self):
        self._waiting.clear()

    def cancel_exports(self):
        pass

    def reports(self):
        command = self._waiting.pop(0) if self._waiting else None
        if command is not None:
            try:
                self._backend.handle(command)
            except Rmp3dError as error:
                self._told.append(Failed(str(error)))
        found = [OfExport(each) if isinstance(command, Export) else each for each in self._told]
        self._told.clear()
        return found

    def close(self):
        self.closed = True


class Hands:
    """Mouse and keyboard of a window with panel."""

    def __init__(self, window):
        self.window = window

    def event(self, *event):
        self.window.window.dispatch_event(*event)
        self.window.window.dispatch_events()  # a window in memory queues them
        self.window.frame(1 / 60)

    def frames(self, count):
        for _ in range(count):
            self.window.frame(1 / 60)

    def wait_for_camera(self):
        """Let the camera come to where it is sent, in few pictures."""
        for _ in range(40):
            if not self.window.controls.rig.moving:
                return
            self.window.frame(1 / 10)
        pytest.fail("the camera does not arrive")

    def press(self, at, modifiers=0):
        from pyglet.window import mouse

        x, y = round(at[0]), round(at[1])
        self.event("on_mouse_motion", x, y, 0, 0)
        self.event("on_mouse_press", x, y, mouse.LEFT, modifiers)

    def drag(self, at):
        from pyglet.window import mouse

        self.event("on_mouse_drag", round(at[0]), round(at[1]), 9, 9, mouse.LEFT, 0)

    def release(self, at):
        from pyglet.window import mouse

        self.event("on_mouse_release", round(at[0]), round(at[1]), mouse.LEFT, 0)
        self.frames(3)

    def stroke(self, points, modifiers=0):
        """Drag over points (3,) [m] of the scene."""
        pixels = [self.on_screen(np.array(point, float)) for point in points]
        self.press(pixels[0], modifiers)
        for pixel in pixels[1:]:
            self.drag(pixel)
        self.release(pixels[-1])

    def click(self, at):
        """Click at a point of the window, or on a widget by its name."""
        if isinstance(at, str):
            x, y = self.window.gui.centers[at]
            at = (x, self.window.window.get_size()[1] - y)
        self.press(at)
        self.release(at)

    def choose(self, name, item):
        self.click(name)
        self.click(f"{name}/{item}")

    def type(self, text):
        self.event("on_text", text)

    def on_screen(self, point):
        controls = self.window.controls
        x, y = controls.camera.project(point, controls.size)[0][0]
        return x + self.window.gui.width, y


@pytest.fixture
def direct():
    return DirectSession()


@pytest.fixture
def hands():
    """The class that moves mouse and keyboard of a window with panel."""
    return Hands
