"""How a real window is driven by mouse and keyboard: each step waits for what the last did."""

import subprocess
import sys
import time

import pyglet
from conftest import make_playback

__all__ = ["drive", "make_playback", "say", "xdotool"]

PATIENCE = 300.0  # [s] for one step; one that takes longer, on however busy a machine, hangs


def drive(window, steps):
    """Show a window until it is left; steps are an iterator of conditions to be waited for."""
    state = {"until": time.monotonic() + PATIENCE, "wait": next(steps)}

    def go_on(_: float) -> None:
        if time.monotonic() > state["until"]:
            say("gave up")
            window.controls.quitting = True
        elif state["wait"]():
            state["wait"] = next(steps, lambda: False)
            state["until"] = time.monotonic() + PATIENCE

    pyglet.clock.schedule_interval(go_on, 1 / 30)
    window.run()
    pyglet.clock.unschedule(go_on)
    say("left")


def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True)
