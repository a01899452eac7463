"""The words of the replay page."""

import re
from importlib.resources import files

import pytest

from rmp3d.viewer import texts
from rmp3d.viewer.export.web_words import WORDS, words_of_page

FOLDER = files("rmp3d.viewer.export.web")


@pytest.fixture
def spanish():
    before = texts.language()
    texts.speak("es")
    yield
    texts.speak(before)


def test_each_word_of_the_page_has_a_translation(spanish):
    assert texts.language() == "es"
    for word in WORDS:
        assert word in texts.translations("es"), word
    assert words_of_page()["Next event"] == "Siguiente suceso"
    for word, said in words_of_page().items():
        assert word.count("{}") == said.count("{}")


def test_english_needs_no_words():
    assert words_of_page() == {}


def test_all_that_the_page_says_is_known():
    page = FOLDER.joinpath("page.html").read_text(encoding="utf-8")
    said = set(re.findall(r'(?:title|aria-label)="([^"$]+)"', page))
    for tag in ("kbd", "td", "button"):
        said |= set(re.findall(rf"<{tag}[^>]*>([^<>]+)</{tag}>", page))
    said |= set(re.findall(r"say\('([^']+)'", FOLDER.joinpath("replay.js").read_text("utf-8")))
    words = {re.sub(r"\s+", " ", each).strip() for each in said}
    keys = {"← →", "[ ]", "n", "l", "z", "?", "−", "+"}  # noqa: RUF001
    assert words - keys <= set(WORDS)
    assert len(words & set(WORDS)) > 20
