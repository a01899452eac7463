"""The work in a process of its own: it answers, gives up, dies and comes back."""

import os
import signal
import time
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.live import LiveSession
from rmp3d.viewer.panel.protocol import (
    Advance,
    Build,
    Built,
    Export,
    Failed,
    Grown,
    OfExport,
    Saved,
    Show,
    Shown,
    Started,
    StartRun,
    Stepped,
)

TABLE = {
    "name": "a",
    "scene": {"name": "plain"},
    "groups": [{"name": "group 1", "members": 2, "start": "west", "goal": "east",
                "behavior": {"name": "narrow_passages", "formation": "stairs"}}],
    "planner": {"nodes": 30},
}  # fmt: skip
ENDLESS = {**TABLE, "planner": {"nodes": 1_000_000}}
PATIENCE = 240.0  # [s], in which kernels may have to be compiled on a busy machine


STAIRS = """
import numpy as np
from dataclasses import dataclass
from rmp3d.behaviors.formations import FORMATIONS

@FORMATIONS.register("stairs")
@dataclass(frozen=True)
class Stairs:
    def slots(self, count, spacing):
        return spacing * np.arange(count)[:, None] * [1.0, 0.5, 0.0]
"""


@pytest.fixture
def session(tmp_path):
    """A session whose process knows a formation that is in a file of the user's own."""
    (tmp_path / "mine.py").write_text(STAIRS)
    session = LiveSession([str(tmp_path / "mine.py")])
    yield session
    session.close()


def wait_for(session, kind):
    """Return the first report of a kind, and all that came until then."""
    found, until = [], time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found += session.reports()
        wanted = [report for report in found if isinstance(report, kind)]
        if wanted:
            return wanted[0], found
        time.sleep(0.01)
    raise AssertionError(f"no {kind} but {[type(each).__name__ for each in found]}")


@pytest.mark.slow
def test_it_works_gives_up_dies_and_comes_back(session):
    session.send(Show(TABLE))
    assert session.busy
    shown, _ = wait_for(session, Shown)
    assert shown.playback.scene.name == "plain"

    session.send(Show({**TABLE, "scene": {"name": "nowhere"}}))
    failed, _ = wait_for(session, Failed)
    assert "no built-in scene named `nowhere`" in failed.text

    session.send(Build(ENDLESS))
    wait_for(session, Grown)
    worker = session._work.process.pid
    session.cancel()
    session.send(Build(TABLE))
    _, heard = wait_for(session, Built)
    assert not [each for each in heard if isinstance(each, Failed)], "what was given up is silent"
    assert session._work.process.pid == worker, "it gave up by itself"

    session.send(StartRun(TABLE))
    wait_for(session, Started)
    os.kill(session._work.process.pid, signal.SIGKILL)
    failed, _ = wait_for(session, Failed)
    assert "ended from outside" in failed.text
    session.send(Advance(5))
    failed, _ = wait_for(session, Failed)
    assert "there is no run" in failed.text
    session.send(Build(TABLE))
    wait_for(session, Built)


def exported(folder):
    """Return the names of all files but those of the formation `stairs`, which Python reads."""
    return [path.name for path in folder.iterdir() if path.is_file() and path.suffix != ".py"]


@pytest.mark.slow
def test_a_run_goes_on_while_a_film_is_written_and_a_film_given_up_leaves_nothing(
    session, tmp_path
):
    session.send(StartRun(TABLE))
    playback = wait_for(session, Started)[0].playback
    frames = np.repeat(playback.position, 4000, axis=0)
    long = replace(
        playback,
        position=frames,
        orientation_wxyz=np.repeat(playback.orientation_wxyz, 4000, axis=0),
        subgoal=np.repeat(playback.subgoal, 4000, axis=0),
        formation_of=np.repeat(playback.formation_of, 4000, axis=0),
    )
    path = tmp_path / "a.csv"
    session.send(Export(long, str(tmp_path / "a.gif")))
    wait_for(session, OfExport)
    assert not session.busy
    session.send(Advance(5))
    _, heard = wait_for(session, Stepped)
    assert not [each for each in heard if isinstance(getattr(each, "report", None), Saved)]
    session.cancel_exports()
    session.send(Export(playback, str(path)))
    while not path.exists():
        _, heard = wait_for(session, OfExport)
    assert exported(tmp_path) == ["a.csv"]
    session.send(Export(long, str(tmp_path / "a.gif")))
    wait_for(session, OfExport)
    session.close()
    assert exported(tmp_path) == ["a.csv"]
