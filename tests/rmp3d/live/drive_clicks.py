"""Makes a scene with two groups, a change of formation and a film, by mouse alone.

Usage: drive_clicks.py FOLDER. Prints what was reached and with how many clicks; leaves the film in
FOLDER. The person chooses everything where it is seen, from the panel's first picture on.
"""

import os
import sys
from pathlib import Path

from rmp3d.live import LiveSession
from rmp3d.viewer.panel.window import PanelWindow

sys.path.insert(0, str(Path(__file__).parents[3]))
from scripts.window_driving import Person, drive, pause, say, xdotool

TABLE = {
    "name": "two",
    "scene": {"name": "parking"},
    "groups": [{"members": 3, "start": "motorcycles", "goal": "cars"}],
    "planner": {"nodes": 60},
}
SIZE = (960, 600)


class Steps(Person):
    """What the person does, and what each step waits for."""

    clicks = 0

    def click_at(self, at):
        self.clicks += 1
        yield from super().click_at(at)

    def all(self):
        window, state = self.window, self.window.state
        yield lambda: state.places and window.frames_drawn > 3
        yield from self.choose("scene", "plain")
        yield lambda: state.playback.scene.name == "plain" and not state.session.busy
        yield from self.choose("behavior", "narrow_passages")
        yield from self.two_groups()
        say("groups", *(group["start"] + "-" + group["goal"] for group in state.draft.groups))
        yield from self.click("Run")
        yield lambda: state.phase == "running" and window.controls.clock.time > 0.2
        yield from self.choose("groups.1.behavior.formation", "column")
        yield lambda: state.notice.text.startswith("changed from ")
        say("changed")
        yield from self.click("Pause")
        yield from self.click("Files")
        yield from self.choose("export", ".gif")
        yield lambda: state.notice.text.startswith("saved ")
        say("film", Path(state.notice.text.removeprefix("saved ")).stat().st_size > 10_000)
        say("clicks", self.clicks)
        window.controls.quitting = True
        yield lambda: False

    def two_groups(self):
        """Give the first group a start and a goal, and add one that goes the other way."""
        state = self.window.state
        for start, goal in (("west", "east"), ("east", "west")):
            if start == "east":
                yield from self.click("+")
            yield from self.choose("start", start)
            yield from self.choose("goal", goal)
            yield lambda: not state.session.busy
        yield from pause(2)


def main(folder: Path) -> None:
    os.chdir(folder)
    window = PanelWindow(LiveSession(), TABLE, size=SIZE, screenshot_folder=folder)
    xdotool("mousemove", 700, 300)
    drive(window, Steps(window).all())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
