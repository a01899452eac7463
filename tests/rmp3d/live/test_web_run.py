import base64
import json
import re
import zlib

import numpy as np

from rmp3d.live.web_run import WebRun
from rmp3d.recording import RecordingReader
from rmp3d.scenario import Scenario
from rmp3d.scenario.loading import from_table
from rmp3d.simulation import simulate
from rmp3d.viewer.panel.protocol import Advance

TABLE = {
    "name": "watched",
    "scene": {"name": "plain"},
    "groups": [{"name": "a", "members": 2, "start": "west", "goal": "east",
                "behavior": {"name": "narrow_passages"}}],
    "planner": {"nodes": 60},
    "simulation": {"duration": 0.8},
}  # fmt: skip


def head_of(code):
    data = zlib.decompress(base64.b64decode(code))
    return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def test_pages_show_what_is_simulated_so_far_and_the_run_is_that_of_the_command_line(tmp_path):
    run = WebRun(Scenario.of(from_table(TABLE)))
    page = run.page().decode()
    (code,) = re.findall(r'<script id="recording" type="text/plain">([^<]*)</script>', page)
    head = head_of(code)
    assert (head["frames"], head["goes_on"]) == (1, True)
    assert "connect-src 'self'" in page
    assert run.more(1) == b"", "nothing yet"
    run.go_on()
    assert not run.problem
    more = head_of(run.more(1))
    assert (more["frames"], more["goes_on"]) == (25, False)
    assert "connect-src" not in run.page().decode()
    simulate(from_table(TABLE), recording_path=tmp_path / "a.rmp3d")
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        shown = run.playback.position
        np.testing.assert_allclose(recording.position(), shown, atol=1e-6)  # which it rounds to


def test_what_pages_get_is_made_once_for_all_and_not_all_the_time(monkeypatch):
    monkeypatch.setattr("rmp3d.live.web_run.PATIENCE", 1e9)
    run = WebRun(Scenario.of(from_table(TABLE)))
    run._backend.handle(Advance(6))
    first = run.more(1)
    assert (head_of(first)["frames"], head_of(first)["goes_on"]) == (6, True)
    run._backend.handle(Advance(12))
    assert run.more(1) is first
    assert run.more(6) == b"", "the run goes on instead"
    run.go_on()
    last = run.more(6)
    assert (head_of(last)["frames"], head_of(last)["goes_on"]) == (25, False)
    assert run.more(25) is run.more(1) is last
