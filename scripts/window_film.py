"""Goes through the whole work flow in a real window, and keeps a picture of every step.

Usage: python -m scripts.window_film [-o FOLDER] [--sizes 1280x720,1000x640,1920x1080,3840x2160]

Needs Xvfb and xdotool; it opens a virtual screen of its own. In every state (draft, building,
running, paused, finished, error, playback), at every size, the scene of the screen is compared with
the same moment drawn afresh without a window: scene, characters, lines and text. FOLDER gets the
pictures, sheets of them, and `differences.txt`; the exit code is 1 if a picture differs, or if a
step hangs.
"""

import argparse
import copy
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIZES = "1280x720,1000x640,1920x1080,3840x2160"
TABLE = {
    "name": "film",
    "scene": {"name": "parking"},
    "groups": [{"name": "visitors", "members": 6, "start": "motorcycles", "goal": "cars",
                "behavior": {"name": "narrow_passages", "formation": "line"}}],
    "planner": {"nodes": 150},
    "simulation": {"duration": 4.0},
}  # fmt: skip
ENDLESS = 1_000_000  # nodes: the build is stopped, not waited for
OTHER = 40  # levels of 255 by which a color is another one
SHARE = 0.001  # of pixels that may be others; edges of a rough picture are not smooth
ROUGH_SHARE = 0.03
THUMB, COLUMNS = 480, 4  # pixels across, pictures a row of a sheet


@dataclass
class Taken:
    """One picture of the screen, and what the same is drawn from afresh."""

    name: str
    screen: NDArray[np.uint8]  # (H, W, 3), right of the panel
    controls: Any
    layers: Any
    lines: NDArray[np.float32]
    is_rough: bool


class Film:
    """The steps of the work, and the pictures taken meanwhile."""

    def __init__(self, window: Any, folder: Path, sizes: list[tuple[int, int]]) -> None:
        from scripts.window_driving import Person

        self.window, self.folder, self.sizes = window, folder, sizes
        self.person = Person(window)
        self.taken: list[Taken] = []
        self.count = 0

    def steps(self) -> Any:
        """Yield what is waited for."""
        from scripts.window_driving import pause, xdotool

        window, person = self.window, self.person
        state = window.state
        self.keep("loading")
        yield lambda: state.places and not state.session.busy
        xdotool("search", "--name", "RMP3D", "windowfocus")
        yield from self.all_sizes("draft")
        yield from person.press("h")
        yield from self.all_sizes("help")
        yield from person.press("h")
        yield from person.click("behavior")
        self.keep("an open list")
        yield from person.press("Escape")
        state.edit(["planner", "nodes"], ENDLESS)
        yield from person.click("Build")
        yield lambda: state.phase == "building" and state.roadmaps
        yield from self.all_sizes("building")
        yield from person.click("Cancel")
        yield lambda: state.phase == "draft" and not state.session.busy
        state.undo()
        yield lambda: not state.session.busy
        yield from person.click("Build")
        yield lambda: state.phase == "built"
        yield from self.all_sizes("planned")
        yield from person.click("Run")
        yield lambda: state.phase == "running" and window.controls.clock.time > 0.5
        yield from self.all_sizes("running")
        if window.controls.clock.playing:
            yield from person.press("space")
        self.seek(min(1.5, state.simulated))
        yield from self.all_sizes("paused")
        for keys in (("Tab", "4"), ("3",), ("2", "j", "l"), ("1", "j", "l")):
            yield from person.press(*keys)
            yield lambda: not window.controls.moving
            self.keep("keys " + " ".join(keys))
        window.controls.clock.change_speed(9)
        yield from person.press("space")
        yield lambda: state.phase == "over" and not window.controls.clock.playing
        window.controls.clock.change_speed(-4)
        yield from self.all_sizes("finished")
        path = str(self.folder / "film.rmp3d")
        state.files.save(path)
        yield lambda: state.notice.text.startswith("saved")
        state.edit(["groups", 0, "members"], 7)
        yield from person.press("q")
        yield lambda: state.files.question is not None
        self.keep("a question before it is left")
        yield from person.press("Escape")
        state.undo()
        state.files.open("nonsense.toml")
        yield lambda: state.notice.is_error
        yield from self.all_sizes("error")
        state.files.open(path)
        yield lambda: state.phase == "recording" and not state.session.busy
        self.seek(1.0)
        yield from self.all_sizes("playback")
        yield from pause(2)
        window.controls.quitting = True
        yield lambda: False

    def seek(self, time: float) -> None:
        """Go to a time [s], as a click on the timeline does."""
        self.window.controls.clock.seek(time)
        self.window.controls.changed = True

    def all_sizes(self, name: str) -> Any:
        """Take pictures at every size, and go back to the first."""
        for size in [*self.sizes[1:], self.sizes[0]]:
            yield from self.resized(size)
            self.take(f"{name} {size[0]}x{size[1]}")

    def resized(self, size: tuple[int, int]) -> Any:
        """Let the window have a size, as a window manager would, and come to rest."""
        from scripts.window_driving import pause, xdotool

        window, controls = self.window, self.window.controls
        xdotool("search", "--name", "RMP3D", "windowsize", *size)
        xdotool("mousemove", size[0] - 60, size[1] // 2)  # where no tooltip comes up
        yield lambda: tuple(window.window.get_framebuffer_size()) == size
        yield lambda: window.controls.size[1] == size[1]
        yield from pause(4)
        rests = not controls.moving and window.state.phase != "building"
        yield lambda: not controls.changed and not (rests and window._scene.is_rough)
        yield from pause(2)

    def grab(self) -> NDArray[np.uint8]:
        """Return what the screen shows of the window."""
        from PIL import ImageGrab
        from pyglet import gl

        gl.glFinish()
        width, height = self.window.window.get_size()
        return np.asarray(ImageGrab.grab(xdisplay=""))[:height, :width, :3]

    def keep(self, name: str) -> NDArray[np.uint8]:
        """Save a picture of the whole window."""
        from PIL import Image

        from scripts.window_driving import say

        pixels = self.grab()
        Image.fromarray(pixels).save(self.folder / f"{self.count:03d} {name}.png")
        self.count += 1
        say(name)
        return pixels

    def take(self, name: str) -> None:
        """Save a picture, and keep what it is drawn from."""
        window, controls = self.window, copy.copy(self.window.controls)
        controls.clock, controls.rig = copy.copy(controls.clock), copy.copy(controls.rig)
        # What is selected and pointed at now, not at the end.
        controls.chosen, controls.tools = copy.copy(controls.chosen), copy.copy(controls.tools)
        layers = controls.layers
        if not window.state.has_frames:
            layers = replace(layers, regions=False)
        pixels = self.keep(name)[:, window.gui.width :]
        lines = window.line_rows()
        self.taken.append(Taken(name, pixels, controls, layers, lines, window._scene.is_rough))

    def compare(self) -> list[tuple[str, float, bool]]:
        """Draw all of them once more, without the window; return name, difference, too much."""
        from PIL import Image

        rows = []
        for each in self.taken:
            fresh = drawn_afresh(each)
            other = np.abs(fresh.astype(int) - each.screen).max(axis=2) > OTHER
            share = float(other.mean())
            differs = share > (ROUGH_SHARE if each.is_rough else SHARE)
            if differs:
                Image.fromarray(fresh).save(self.folder / f"{each.name} afresh.png")
            rows.append((each.name, share, differs))
        return rows


def drawn_afresh(taken: Taken) -> NDArray[np.uint8]:
    """Return the picture right of the panel, drawn by a renderer that has drawn nothing before."""
    from rmp3d.viewer.overlay.text import GlyphAtlas
    from rmp3d.viewer.player.hud import draw_hud
    from rmp3d.viewer.rendering.extra_lines import ExtraLines
    from rmp3d.viewer.rendering.offscreen import Offscreen

    controls = taken.controls
    controls.atlas = GlyphAtlas(controls.atlas.height)
    size, time, camera = controls.size, controls.clock.time, controls.camera
    with Offscreen(controls.playback, size) as offscreen:
        renderer, target = offscreen._renderer, offscreen._flat.framebuffer
        renderer.draw(
            time, camera, size, layers=taken.layers, selected=controls.selected,
            smooth=not taken.is_rough, framebuffer=target,
        )  # fmt: skip
        extra = ExtraLines()
        extra.upload(taken.lines)
        bounds = controls.playback.scene.bounds - renderer.origin
        extra.draw(target, renderer.nearby(camera), size, bounds)
        renderer.draw_overlay(draw_hud(controls, renderer.labels), size)
        return renderer.read(size, target)


def save_sheets(folder: Path, per_sheet: int = 24) -> None:
    """Save sheets of small pictures, to be looked at."""
    from PIL import Image, ImageDraw

    paths = sorted(folder.glob("[0-9][0-9][0-9] *.png"))
    height = THUMB * 9 // 16 + 20
    for first in range(0, len(paths), per_sheet):
        some = paths[first : first + per_sheet]
        rows = -(-len(some) // COLUMNS)
        sheet = Image.new("RGB", (COLUMNS * THUMB, rows * height), "white")
        draw = ImageDraw.Draw(sheet)
        for place, path in enumerate(some):
            x, y = place % COLUMNS * THUMB, place // COLUMNS * height
            with Image.open(path) as picture:
                picture.thumbnail((THUMB - 4, height - 22))
                sheet.paste(picture, (x + 2, y + 18))
            draw.text((x + 4, y + 3), path.stem, fill="black")
        sheet.save(folder / f"sheet-{first // per_sheet + 1}.jpg", quality=88)


def main(arguments: list[str] | None = None) -> int:
    """Make the film; return 1 if a picture differs from the same drawn afresh, or a step hangs."""
    parser = argparse.ArgumentParser(description="A film of pictures of the whole work flow.")
    parser.add_argument("-o", "--output", type=Path, default=Path("out/window-film"))
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--on-screen", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    sizes = [tuple(map(int, size.split("x"))) for size in options.sizes.split(",")]
    if not options.on_screen:
        again = [sys.executable, "-m", "scripts.window_film", "--on-screen", "--sizes",
                 options.sizes, "-o", str(options.output)]  # fmt: skip
        width, height = map(max, zip(*sizes, strict=True))  # each picture is one of all of it
        screen = ["xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24"]
        return subprocess.run([*screen, *again], check=False, env=os.environ).returncode
    from rmp3d.live import LiveSession
    from rmp3d.viewer.panel.window import PanelWindow
    from scripts.window_driving import drive, say

    folder = options.output
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("*.png"), *folder.glob("film.rmp3d")):
        old.unlink()
    window = PanelWindow(LiveSession(), TABLE, size=sizes[0])
    film = Film(window, folder.resolve(), sizes)
    is_whole = drive(window, film.steps())
    save_sheets(folder)
    rows = film.compare()
    text = "".join(
        f"{share:8.3%}  {name}{'  DIFFERS' if differs else ''}\n" for name, share, differs in rows
    )
    (folder / "differences.txt").write_text(text, encoding="utf-8")
    say(text)
    return int(not is_whole or any(differs for _, _, differs in rows))


if __name__ == "__main__":
    sys.exit(main())
