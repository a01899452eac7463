"""The page about groups tells the options that there are, with their defaults."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from rmp3d.behaviors import GROUP_BEHAVIORS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "groups.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", SECTIONS)
def test_the_options_of_a_section_are_those_of_the_behavior(name):
    told = dict(re.findall(r"^\| `(\w+)` \| (\S+)", SECTIONS[name], re.MULTILINE))
    there = {field.name: field.default for field in fields(GROUP_BEHAVIORS[name])}
    assert set(told) == set(there)
    for option, default in there.items():
        text = told[option].strip('`"')
        assert text in (str(default), f"{default:g}" if isinstance(default, float) else "", "true")


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_shows_a_picture(name):
    assert f"pictures/groups/{name}.jpg" in SECTIONS[name]
