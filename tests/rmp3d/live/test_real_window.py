"""The whole work flow in a real window, by mouse and keyboard, and what the screen shows of it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rmp3d.cli import main

HUNG = 1800.0  # [s] in which a driver ends; each of its steps has a limit of its own
REACHED = [
    "scene plain",
    "start True",
    "goal True",
    "built True",
    "ran and paused",
    "scrubbed",
    "selected",
    "changed",
    "over",
    "saved saved.toml",
    "saved saved.rmp3d",
    "dropped text/plain refused",
    "dropped text/uri-list taken",
    "left",
]


MOST_CLICKS = 25
STATES = ("draft", "help", "building", "planned", "running", "paused", "finished", "error",
          "playback")  # fmt: skip
SIZES = ("960x600", "800x450")

pytestmark = [
    pytest.mark.window,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xvfb-run") and shutil.which("xdotool")),
        reason="needs Xvfb, xvfb-run and xdotool (apt install xvfb xauth xdotool)",
    ),
]


def driven(name, folder):
    """Run a driver beside this file under a virtual screen; return what it says."""
    script = Path(__file__).with_name(name)
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", sys.executable, str(script)]
    return subprocess.run(
        [*command, str(folder)], capture_output=True, text=True, timeout=HUNG, check=False
    )


def test_a_scenario_is_made_run_changed_and_saved_and_runs_again_to_the_byte(tmp_path):
    done = driven("drive_panel.py", tmp_path)
    assert done.stdout.splitlines() == REACHED, done.stderr[-2000:]
    again = tmp_path / "again.rmp3d"
    main(["run", str(tmp_path / "saved.toml"), "-q", "-o", str(again)])
    assert again.read_bytes() == (tmp_path / "saved.rmp3d").read_bytes()


def test_two_groups_a_change_of_formation_and_a_film_take_at_most_25_clicks(tmp_path):
    done = driven("drive_clicks.py", tmp_path)
    *reached, clicks, left = done.stdout.splitlines()
    assert reached == ["groups west-east east-west", "changed", "film True"], done.stderr[-2000:]
    assert left == "left"
    assert int(clicks.removeprefix("clicks ")) <= MOST_CLICKS


def test_the_screen_shows_scene_members_lines_and_text_in_every_state_also_resized(tmp_path):
    command = [sys.executable, "-m", "scripts.window_film", "-o", str(tmp_path)]
    done = subprocess.run(
        [*command, "--sizes", ",".join(SIZES)],
        capture_output=True, text=True, timeout=HUNG, check=False, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    said = (tmp_path / "differences.txt").read_text()
    assert done.returncode == 0, said + done.stderr[-2000:]
    compared = [line.split(maxsplit=1)[1] for line in said.splitlines()]
    assert compared == [f"{state} {size}" for state in STATES for size in reversed(SIZES)]
    assert (tmp_path / "sheet-1.jpg").exists()
