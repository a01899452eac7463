import re

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.front import notebook


@pytest.fixture
def scene():
    floor = [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, 0]], [[0, 1, 2], [0, 2, 3]]
    wall = [[4, 4, 0], [5, 4, 0], [5, 4, 2]], [[0, 1, 2]]
    return rp.Scene.from_mesh(
        {"floor": floor, "wall": wall}, roles={"floor": "ground"}, name="room",
        regions={"west": rp.Box([1, 1, 0], [3, 8, 2]), "east": rp.Box([6, 1, 0], [8, 8, 2])},
    )  # fmt: skip


def test_the_last_line_of_a_cell_is_a_replay_that_asks_for_nothing(scene):
    formatters = pytest.importorskip("IPython.core.formatters", reason="no IPython here")
    formatter = formatters.DisplayFormatter()
    notebook.register(formatter)
    result = rp.plan(scene, body="pedestrian", start="west", goal="east", nodes=60, seed=1)
    for value in (scene, result, result.problem):
        shown = formatter.format(value)[0]["text/html"]
        assert shown.startswith('<iframe srcdoc="')
        assert not re.search(r"(src|href)=&quot;(?!data:)", shown)
    assert "text/html" not in formatter.format(np.zeros(3))[0]


def test_a_large_scene_is_a_map_and_says_so(scene, monkeypatch):
    monkeypatch.setattr(notebook, "LARGEST_SCENE", 2)
    shown = notebook.html_of(scene)
    assert '<img alt="map from above"' in shown
    assert "room: too large for a replay in a notebook (3 triangles, more than 2)" in shown
    monkeypatch.setattr(notebook, "LARGEST_SCENE", 100)
    monkeypatch.setattr(notebook, "LARGEST_PAGE", 1000)
    assert "MB, more than 0 MB" in notebook.html_of(scene)


def test_outside_of_a_notebook_nothing_is_told(monkeypatch):
    told = []
    monkeypatch.setattr(notebook, "register", told.append)
    notebook.use_in_notebook()
    kernel = type("Shell", (), {"kernel": 1, "display_formatter": "its"})()
    fake = type("IPython", (), {"get_ipython": staticmethod(lambda: kernel)})
    monkeypatch.setitem(__import__("sys").modules, "IPython", fake)
    notebook.use_in_notebook()
    assert told == ["its"]
