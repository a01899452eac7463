"""How long a process has been there."""

import subprocess
import sys

import pytest

from rmp3d.terminal import process_age

ASLEEP = """
import time
time.sleep(0.4)
from rmp3d.terminal.process_age import *
print(seconds_since_start())
"""


@pytest.mark.slow
def test_a_process_knows_when_it_began():
    ran = subprocess.run([sys.executable, "-c", ASLEEP], capture_output=True, text=True, check=True)
    least = 0.4 if sys.platform == "linux" else 0.0
    assert least <= float(ran.stdout) < process_age.LONGEST_START


@pytest.mark.parametrize("stat", ["", "1 (a) b) S", "1 (a) b) S " + "0 " * 40])
def test_without_the_systems_word_it_is_the_processor_time(stat, monkeypatch):
    monkeypatch.setattr(process_age.Path, "read_text", lambda *_, **__: stat)
    monkeypatch.setattr(process_age.time, "process_time", lambda: 0.25)
    monkeypatch.setattr(process_age.time, "clock_gettime", lambda _: 1e6)
    assert process_age.seconds_since_start() == 0.25
