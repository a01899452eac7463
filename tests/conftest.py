"""What tests of several packages share.

Interrupts work in the tests even where those are started in the background, ignoring them.
"""

import gc
import importlib.util
import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# On a busy machine an example may take long to draw; that says nothing about the code.
settings.register_profile("busy", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("busy")

# Nine thousand tests and what they import stay to the end: Python need not look through them for
# cycles, neither as they are collected (a third of that time) nor in every test.
gc.disable()

os.environ["RMP3D_CACHE"] = "off"  # tests leave nothing in the user's folders
os.environ["RMP3D_CONFIG"] = "off"
os.environ["PYGLET_DEBUG_GL"] = "1"  # a wrong call of OpenGL ends the test that makes it

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_spec = importlib.util.spec_from_file_location(
    "written_meshes", Path(__file__).with_name("written_meshes.py")
)
_written_meshes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_written_meshes)


def pytest_collection_modifyitems(items):
    """Begin with files that have slow tests: begun last, one would keep one core busy alone."""
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: -min(slow[item.path], 1))


def pytest_collection_finish():
    """Look for cycles again, in what the tests themselves make."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def check_same():
    """The function that asserts that two `.glb` files of our scripts hold the same meshes."""
    return _written_meshes.check_same
