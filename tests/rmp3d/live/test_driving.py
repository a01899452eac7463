"""The driver of real windows says when a step hangs."""

from types import SimpleNamespace

import pyglet
import pytest

from scripts import window_driving


class Window:
    """A window with nothing but its loop."""

    def __init__(self):
        self.controls = SimpleNamespace(quitting=False)

    def run(self):
        while not self.controls.quitting:
            pyglet.clock.tick()


@pytest.mark.parametrize("hangs", [False, True])
def test_a_step_that_hangs_ends_the_window_and_is_told(monkeypatch, hangs):
    window = Window()
    if hangs:
        monkeypatch.setattr(window_driving, "PATIENCE", -1.0)

    def steps():
        yield lambda: True
        window.controls.quitting = not hangs
        yield lambda: False

    assert window_driving.drive(window, steps()) is not hangs
