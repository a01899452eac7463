"""The site is built from the pages and the code, and every page of it can be reached."""

import re

import pytest

from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS, STEERING_BEHAVIORS
from rmp3d.cli import VERBS, verb_parsers
from rmp3d.planner import LOCAL_PLANNERS, SAMPLERS

pytest.importorskip("sphinx")

from scripts.site import api_pages, commands, keys, sources
from scripts.site.__main__ import main


def test_the_page_of_commands_has_every_verb_with_every_option():
    page = commands.page()
    parts = dict(re.findall(r"^## rmp3d (\w+)\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    assert set(parts) == set(VERBS)
    general = page.split("\n## ")[0]
    for verb, parser in verb_parsers().items():
        for action in parser._actions:
            for option in action.option_strings:
                assert f"`{option}" in parts[verb] + general, f"{verb} {option}"


def test_the_page_of_keys_has_everything_that_can_be_chosen_by_name():
    headings = re.findall(r"^### `(\w+)`$", keys.page(), re.MULTILINE)
    named = (GROUP_BEHAVIORS, FORMATIONS, STEERING_BEHAVIORS, SAMPLERS, LOCAL_PLANNERS)
    assert {name for registry in named for name in registry} <= set(headings)


def test_the_pages_of_the_api_show_each_object_once():
    shown = re.findall(r"^\.\. auto\w+:: (.+)$", "\n".join(api_pages.pages().values()), re.M)
    assert len(shown) == len(set(shown)) > 100


def test_every_page_of_a_chapter_is_there():
    pages = sources.gather()
    assert {f"{name}.md" for names in sources.CHAPTERS.values() for name in names} <= set(pages)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of Sphinx and its extensions about each other
def test_the_site_is_built_without_a_warning(tmp_path, capfd):
    """A warning is, among others, a link that leads nowhere or a docstring that cannot be read."""
    code = main(["-o", str(tmp_path / "site")])
    assert code == 0, capfd.readouterr().err
    made = {str(path.relative_to(tmp_path / "site")) for path in tmp_path.rglob("*.html")}
    assert {name.replace(".md", ".html") for name in sources.gather()} <= made
    assert "Every key" in (tmp_path / "site" / "reference" / "keys.html").read_text("utf-8")
