"""The whole work flow in a real window, by mouse and keyboard; and what it saved runs again."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rmp3d.cli import main

DRIVER = Path(__file__).with_name("drive_studio.py")
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


@pytest.mark.window
@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xvfb-run") and shutil.which("xdotool")),
    reason="needs Xvfb, xvfb-run and xdotool (apt install xvfb xauth xdotool)",
)
def test_a_scenario_is_made_run_changed_and_saved_and_runs_again_to_the_byte(tmp_path):
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", sys.executable, str(DRIVER)]
    done = subprocess.run(
        [*command, str(tmp_path)], capture_output=True, text=True, timeout=560, check=False
    )
    assert done.stdout.splitlines() == REACHED, done.stderr[-2000:]
    again = tmp_path / "again.rmp3d"
    main(["run", str(tmp_path / "saved.toml"), "-q", "-o", str(again)])
    assert again.read_bytes() == (tmp_path / "saved.rmp3d").read_bytes()
