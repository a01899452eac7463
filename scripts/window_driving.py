"""A real window driven by mouse and keyboard, as a person would: each step waits for the last."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyglet

PATIENCE = 300.0  # [s] for one step; one that takes longer, on however busy a machine, hangs
SETTLING = 4  # frames that a widget needs

Condition = Callable[[], Any]
Steps = Iterator[Condition]


def drive(window: Any, steps: Steps) -> bool:
    """Show a window until it is left; steps are conditions to be waited for.

    Returns:
        Whether no step hung.
    """
    state = {"until": time.monotonic() + PATIENCE, "wait": next(steps), "hung": False}

    def go_on(_: float) -> None:
        if time.monotonic() > state["until"]:
            say("gave up")
            state["hung"] = True
            window.controls.quitting = True
        elif state["wait"]():
            state["wait"] = next(steps, lambda: False)
            state["until"] = time.monotonic() + PATIENCE

    pyglet.clock.schedule_interval(go_on, 1 / 30)
    window.run()
    pyglet.clock.unschedule(go_on)
    say("left")
    return not state["hung"]


def say(*words: object) -> None:
    """Tell at once what was reached."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def xdotool(*words: object) -> None:
    """Move mouse or keyboard."""
    subprocess.run(["xdotool", *map(str, words)], check=True)


def pause(frames: int) -> Steps:
    """Wait until the window has been asked for so many frames."""
    left = iter(range(frames))
    yield lambda: next(left, None) is None


class Person:
    """Mouse and keyboard of one window with panel."""

    def __init__(self, window: Any) -> None:
        self.window = window

    def click(self, name: str) -> Steps:
        """Click on a widget once it is drawn."""
        yield lambda: name in self.window.gui.centers
        yield from pause(SETTLING)
        yield from self.click_at(self.window.gui.centers[name])

    def choose(self, name: str, item: str) -> Steps:
        """Choose an item of a list."""
        yield from self.click(name)
        yield from self.click(f"{name}/{item}")
        yield from pause(SETTLING)

    def click_at(self, at: Any) -> Steps:
        """Click at a point of the window, counted from its upper left corner."""
        xdotool("mousemove", round(at[0]), round(at[1]))
        yield from pause(SETTLING)
        xdotool("mousedown", 1)
        yield from pause(SETTLING)
        xdotool("mouseup", 1)
        yield from pause(SETTLING)

    def press(self, *keys: str) -> Steps:
        """Press keys, one after the other."""
        xdotool("key", *keys)
        yield from pause(SETTLING)

    def on_screen(self, point: Any) -> tuple[float, float]:
        """Return where a point (3,) [m] is seen."""
        controls = self.window.controls
        return self.outside(controls.camera.project(np.asarray(point), controls.size)[0][0])

    def outside(self, pixel: Any) -> tuple[float, float]:
        """Return the window's point at a pixel of what is seen."""
        return pixel[0] + self.window.gui.width, self.window.window.get_size()[1] - pixel[1]
