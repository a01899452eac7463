"""The page on watching lists the layers, events and cameras that there are."""

import re
from pathlib import Path

from rmp3d.viewer.cameras.presets import NAMES
from rmp3d.viewer.layers import Layers, layer_rows
from rmp3d.viewer.playback.events import MARKS

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "viewing.md").read_text(encoding="utf-8")


def test_every_layer_is_in_the_table_with_its_key_and_whether_it_is_on():
    found = re.findall(r"^\| `(\w)` \| `(\w+)` \| (.+) \| (on)? ?\|$", PAGE, re.MULTILINE)
    usual = Layers()
    assert found == [
        (row.key, row.name, f"{row.title}: {row.shows}", "on" if getattr(usual, row.name) else "")
        for row in layer_rows()
    ]


def test_every_kind_of_event_is_in_the_table_with_its_mark():
    found = re.findall(r"^\| (.) \| `(\w+)` \| .+ \|$", PAGE, re.MULTILINE)
    assert found == [(mark.shape, kind) for kind, mark in MARKS.items()]


def test_every_camera_is_in_the_table():
    found = re.findall(r"^\| `([\w:]+)` \| \d \|", PAGE, re.MULTILINE)
    assert all(f"`{name}`" in NAMES for name in found)
    assert len(found) == 5
