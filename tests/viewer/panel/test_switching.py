"""Parts that appear and go by a click in the panel, and that undo takes back."""

from dataclasses import replace

import pytest

from rmp3d.scenes import PresenceDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.panel.protocol import ChangeRun
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.switching import switch_part, switched_parts

TABLE = {"name": "yards", "scene": {"name": "parking"}, "groups": [{"members": 3}]}


@pytest.fixture
def running(script, started):
    parts = {"floor": box((0, 0, -1), (9, 9, 0)), "wall": box((4, 4, 0), (5, 5, 1))}
    scene = Scene.from_mesh(parts, roles={"floor": "ground"})
    scene = scene.with_motions(presence=[PresenceDescription("wall")])
    state = PanelState(script, TABLE)
    state.run()
    script.answers.append(replace(started, playback=replace(started.playback, scene=scene)))
    state.update(None)
    return state


def test_a_click_asks_the_run_for_it_and_undo_takes_it_back(running, script):
    (wall,) = switched_parts(running)
    assert wall == ("wall", True, True)
    switch_part(running, wall)
    running.update(None)
    assert isinstance(script.sent[-1], ChangeRun)
    assert script.sent[-1].table["changes"] == [{"time": 0.0, "part": "wall", "there": False}]
    assert switched_parts(running) == [("wall", True, False)]  # the run has not told of it yet
    assert not running.waiting
    running.undo()
    running.update(None)
    assert not script.sent[-1].table.get("changes")
    assert switched_parts(running) == [wall]
