"""A session that answers what a test tells it to, and the playbacks of the viewer's tests."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rmp3d.scenario import GroupTable, PlannerSettings, SimulationSettings
from rmp3d.viewer.panel.protocol import Started, Stepped

_spec = importlib.util.spec_from_file_location(
    "viewer_conftest", Path(__file__).parents[1] / "conftest.py"
)
_viewer = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_viewer)


class Script:
    """Remembers what it was sent; tells what the test puts into ``answers``."""

    forms = {"group": GroupTable, "planner": PlannerSettings, "simulation": SimulationSettings}  # noqa: RUF012

    def __init__(self):
        self.sent, self.answers = [], []
        self.busy = False
        self.cancelled = self.ended_exports = 0
        self.closed = False

    def send(self, command):
        self.sent.append(command)

    def cancel(self):
        self.cancelled += 1

    def cancel_exports(self):
        self.ended_exports += 1

    def reports(self):
        found, self.answers = self.answers, []
        return found

    def close(self):
        self.closed = True


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def whole():
    """The frames of a run that a test lets go on bit by bit."""
    return _viewer.make_playback(members=3)


@pytest.fixture
def started(whole):
    first = replace(
        whole,
        position=whole.position[:1],
        orientation_wxyz=whole.orientation_wxyz[:1],
        subgoal=whole.subgoal[:1],
        formation_of=whole.formation_of[:1],
        events=(),
    )
    return Started(first)


@pytest.fixture
def more(whole):
    """A function that makes the report of frames ``a`` up to ``b``."""

    def make(a, b, over=False):
        rows = slice(a, b)
        return Stepped(
            whole.position[rows],
            whole.orientation_wxyz[rows],
            whole.subgoal[rows],
            np.asarray(whole.formation_of[rows]),
            whole.formation,
            (),
            over,
        )

    return make
