"""The whole work flow in a real window, by mouse and keyboard, and what the screen shows of it."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

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
    "left",
]


# The share of pixels that may look otherwise than drawn afresh without a window. Without smooth
# edges and with coarse shadows 1 % do; a build has its roadmap's lines over the scene.
PICTURES = {
    "draft": 0.002,
    "building": 0.2,
    "running": 0.03,
    "running without shadows": 0.03,
    "paused without shadows": 0.002,
}
OTHER = 40  # levels of 255 by which a color is another one
ABOVE = 1.0  # [m] walls and roofs are looked at, not the ground that lines are drawn on

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


def test_the_scene_is_seen_while_it_is_built_and_run_with_and_without_shadows(tmp_path):
    done = driven("drive_pictures.py", tmp_path)
    assert done.stdout.splitlines() == [*PICTURES, "left"], done.stderr[-2000:]
    for name, share in PICTURES.items():
        with np.load(tmp_path / f"{name}.npz") as taken:
            row, column = taken["scene"][taken["scene"][:, 2] > ABOVE, :2].T.astype(int)
            screen, fresh = (taken[key][row, column].astype(int) for key in ("screen", "fresh"))
        assert len(row) > 1000
        other = np.abs(screen - fresh).max(axis=1) > OTHER
        assert other.mean() < share, name


def test_a_resized_window_shows_the_same_as_one_that_was_opened_so_large(tmp_path):
    done = driven("drive_resizing.py", tmp_path)
    kinds = ["player", "panel"]
    taken = [f"{kind} {how}" for kind in kinds for how in ("fresh", "resized", "covering")]
    assert done.stdout.split("\nleft\n") == [*taken, ""], done.stderr[-2000:]
    for kind in kinds:
        fresh, *others = (
            np.asarray(Image.open(tmp_path / f"{kind} {how}.png"))
            for how in ("fresh", "resized", "covering")
        )
        for other in others:
            np.testing.assert_array_equal(other, fresh, err_msg=kind)
