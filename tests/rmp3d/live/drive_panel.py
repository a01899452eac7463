"""Drives the real window by mouse and keyboard, as a person would; run under a virtual screen.

Usage: drive_panel.py FOLDER. Prints a line for each thing that was reached; leaves in FOLDER what
was saved.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.live import LiveSession
from rmp3d.viewer.panel.window import PanelWindow

sys.path.insert(0, str(Path(__file__).parents[3]))
from scripts.window_driving import Person, drive, pause, say, xdotool

TABLE = {
    "name": "yards",
    "scene": {"name": "parking"},
    "groups": [{"name": "visitors", "members": 4, "start": "motorcycles", "goal": "cars",
                "behavior": {"name": "narrow_passages", "formation": "line"}}],
    "planner": {"nodes": 150},
    "simulation": {"duration": 5.0},
}  # fmt: skip
SIZE = (960, 600)


def main(folder: Path) -> None:
    window = PanelWindow(LiveSession(), TABLE, size=SIZE, screenshot_folder=folder)
    drive(window, Steps(window, folder).all())


class Steps(Person):
    """What the person does, and what each step waits for."""

    def __init__(self, window: PanelWindow, folder: Path) -> None:
        super().__init__(window)
        self.folder = folder

    def all(self):
        window, state = self.window, self.window.state
        yield lambda: state.places and window.frames_drawn > 3
        xdotool("search", "--name", "RMP3D", "windowfocus")

        yield from self.choose("scene", "plain")
        yield lambda: state.playback.scene.name == "plain" and not state.session.busy
        say("scene", state.playback.scene.name)

        yield from self.choose("behavior", "narrow_passages")
        for role, point in (("start", [-15.0, 0.0, 0.0]), ("goal", [10.0, 1.0, 0.0])):
            yield from self.click(f"Place##{role}")
            yield lambda role=role: state.placing == role
            yield from self.click_at(self.on_screen(np.array(point)))
            yield lambda: not state.placing and not state.session.busy and not state.problems
            placed = state.draft.chosen[role]
            say(role, bool(np.linalg.norm(np.subtract(placed, point)) < 0.5))

        yield from self.click("Build")
        yield lambda: state.phase == "built"
        say("built", len(state.built.paths[0]) > 1)
        yield from self.click("Run")
        yield lambda: state.phase == "running" and window.controls.clock.time > 1.0
        yield from self.click("Pause")
        yield lambda: not window.controls.clock.playing
        say("ran and paused")

        bar, before = window.controls.timeline, window.controls.clock.time
        yield from self.click_at(self.outside((bar.x_of(0.4 * before), bar.bottom + 2)))
        yield lambda: window.controls.clock.time < 0.6 * before
        say("scrubbed")
        member = window.controls.playback.pose(window.controls.clock.time).position[2]
        yield from self.click_at(self.on_screen(member + np.array([0.0, 0.0, 1.0])))
        yield lambda: window.controls.selected >= 0
        say("selected")

        yield from self.choose("groups.0.behavior.formation", "column")
        yield lambda: state.notice.text.startswith("changed from ")
        say("changed")
        xdotool("key", "bracketright", "bracketright", "bracketright")
        yield from self.click("Play")
        yield lambda: state.phase == "over"
        say("over")

        yield from self.click("Files")
        for name in ("saved.toml", "saved.rmp3d"):
            yield from self.click("path")
            xdotool("key", "ctrl+a")
            yield from pause(4)
            path = str(self.folder / name)
            xdotool("type", path)
            yield lambda path=path: window.state.files.path == path
            yield from self.click("Save")
            yield lambda name=name: state.notice.text.endswith(name)
            say("saved", name)
        for offered in ("text/plain", "text/uri-list"):
            yield from self.dropped(self.folder / "saved.toml", offered)
        yield lambda: state.notice.text == "opened saved.toml"
        xdotool("mousemove", 700, 300)
        xdotool("key", "q")
        yield lambda: False

    def dropped(self, path: Path, offered: str) -> Any:
        """Drop a file on the scene, from another program."""
        script = Path(__file__).with_name("drop_file.py")
        command = [sys.executable, str(script), str(self.window.window._window), str(path), offered]
        source = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        yield lambda: source.poll() is not None
        say("dropped", offered, source.communicate()[0])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
