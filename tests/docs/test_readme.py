"""The README is short and true; the overview in docs/index.md names all that there is."""

import re
from pathlib import Path

import pytest

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.behaviors.formations import FORMATIONS
from rmp3d.cli import VERBS
from rmp3d.models import builtin_models
from rmp3d.planner import LOCAL_PLANNERS, SAMPLERS, SPACES
from rmp3d.scenes import builtin_scenes

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OVERVIEW = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
MOST_WORDS = 700
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
def test_the_overview_names_everything_registered(row):
    (cell,) = re.findall(rf"^\| {row} \| (.*) \|$", OVERVIEW, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", cell)) == set(ROWS[row])


def test_the_readme_is_short_and_has_one_picture():
    assert len(README.split()) < MOST_WORDS
    assert len(re.findall(r"!\[", README)) == 1


def test_the_verbs_of_the_readme_exist():
    assert set(re.findall(r"^rmp3d (\w+)", README, re.MULTILINE)) <= set(VERBS)


def test_the_figures_of_the_readme_are_in_their_tables():
    rows = re.findall(r"^\| (.+) \| (.+) \(\[table\]\((.+)\)\) \|$", README, re.MULTILINE)
    assert len(rows) == 7
    for what, said, table in rows:
        text = (ROOT / table).read_text(encoding="utf-8")
        if "groups" in table or "herding" in table:
            assert re.search(rf"^{said} runs ", text, re.MULTILINE), what
        if "worlds" in table:
            assert re.search(rf"^{said} scenes ", text, re.MULTILINE), what
    planner = (ROOT / "benchmarks" / "planner.md").read_text(encoding="utf-8")
    environments = planner.split("## Environments")[1].split("\n## ")[0]
    names = set(re.findall(r"^\| (.+?) \| 10/10 \| 10/10 \|", environments, re.MULTILINE))
    assert len(names) == 11
    crowds = (ROOT / "benchmarks" / "crowds.md").read_text(encoding="utf-8")
    thousand = re.findall(r"^\| \d \| 1,000 \| 100 % \|.*\| (\d+) \|$", crowds, re.MULTILINE)
    assert sorted(thousand) == ["102", "108", "111"]
    door = re.search(r"^\| 60 through a door of 1.0 m \| 0, 1, 2 \| (.*?) \|", crowds, re.MULTILINE)
    assert sorted(door[1].split(", ")) == ["1.77", "1.82", "1.83"]
    safety = (ROOT / "benchmarks" / "safety.md").read_text(encoding="utf-8")
    assert "| 100,000 | 40.53 | 194.99 |" in safety
