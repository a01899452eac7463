"""A command whose output cannot be written says so in a line, and never writes it elsewhere."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
RMP3D = f"{sys.executable} -m rmp3d"


def shell(command, **environment):
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env={**os.environ, **environment}
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("scenes >/dev/full", "rmp3d scenes: standard output cannot be written (No space left"),
        ("scenes >&-", "rmp3d scenes: standard output cannot be written (it is closed)"),
        ("--help >/dev/full", "rmp3d: standard output cannot be written (No space left"),
    ],
)
def test_output_that_cannot_be_written_is_one_plain_line(command, said, unbuffered):
    done = shell(f"{RMP3D} {command}", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


def test_without_standard_error_there_is_nothing_to_say():
    assert shell(f"{RMP3D} scenes 2>&- | head -1").stdout.startswith("canyon")
    for command in ("nonsense 2>&-", "nonsense 2>/dev/full", "scenes >&- 2>&-"):
        done = shell(f"{RMP3D} {command}")
        assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


FIRST_FILE = """
import sys
from rmp3d.terminal.streams import prepare_streams
prepare_streams()
with open(sys.argv[1], "w") as file:
    print(file.fileno(), file=file)
"""


def test_without_standard_streams_no_file_takes_their_place(tmp_path):
    path = tmp_path / "a"
    command = f"{sys.executable} -c '{FIRST_FILE}' {shlex.quote(str(path))} <&- >&- 2>&-"
    assert shell(command).returncode == 0
    assert int(path.read_text()) > 2
