"""The README names all that there is."""

import re
from pathlib import Path

import pytest

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.behaviors.formations import FORMATIONS
from rmp3d.cli import VERBS
from rmp3d.models import builtin_models
from rmp3d.planner import LOCAL_PLANNERS, SAMPLERS, SPACES
from rmp3d.scenes import builtin_scenes

README = Path(__file__).parents[2] / "README.md"
ROWS = {
    "scenes": builtin_scenes(),
    "characters": builtin_models(),
    "spaces": SPACES,
    "samplers": SAMPLERS,
    "local planners": LOCAL_PLANNERS,
    "group behaviors": GROUP_BEHAVIORS,
    "formations": FORMATIONS,
}


@pytest.mark.parametrize("row", ROWS)
def test_the_table_names_everything_registered(row):
    text = README.read_text(encoding="utf-8")
    (cell,) = re.findall(rf"^\| {row} \| (.*) \|$", text, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", cell)) == set(ROWS[row])


def test_links_lead_to_files_and_verbs_exist():
    text = README.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (README.parent / target).exists(), target
    assert set(re.findall(r"^rmp3d (\w+)", text, re.MULTILINE)) <= set(VERBS)
