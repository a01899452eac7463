"""A report speaks the language of the window: no text of its own is left in English."""

import numpy as np
import pytest

from rmp3d.recording import RecordingReader
from rmp3d.reporting.measures import MEASURES
from rmp3d.reporting.motion import FIGURE_GOALS, FIGURE_TEXTS
from rmp3d.reporting.page import write_report
from rmp3d.viewer import texts
from rmp3d.viewer.texts import said, speak, tr, translations


class Asked(dict):
    """Translations that note which texts have none."""

    def __init__(self, known):
        super().__init__(known)
        self.missing = set()

    def get(self, key, default=None):
        if key not in self:
            self.missing.add(key)
        return super().get(key, default)


@pytest.fixture
def recorded_run(world, tmp_path):
    """Two walk abreast, and stand for three seconds on their way."""
    x = np.concatenate([np.arange(0, 5, 0.04), np.full(100, 5.0), np.arange(5, 11, 0.04)])
    position = np.zeros((len(x), 2, 3))
    position[..., 0], position[..., 1] = 1.0 + x[:, None], [1.0, 2.0]
    with RecordingReader.open(world.record(tmp_path / "a.rmp3d", position)) as recording:
        yield recording


@pytest.fixture
def spanish(monkeypatch):
    speak("es")
    asked = Asked(texts._spoken)
    monkeypatch.setattr(texts, "_spoken", asked)
    yield asked
    monkeypatch.undo()
    speak("en")


def test_all_that_a_report_says_has_a_translation(spanish, recorded_run, tmp_path):
    write_report(recorded_run, tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    names = {texts.named(group.name) for group in recorded_run.scenario.groups}
    names |= set(map(texts.named, recorded_run.header.formations))
    left = {
        text
        for text in spanish.missing - names
        if any(letter.isalpha() for letter in text)
        and not any(text.endswith(f": {name}") for name in names)
    }
    assert left == set()
    assert '<html lang="es">' in page
    assert "<h2>Por qué ocurrió</h2>" in page
    assert "estuvo parado" in page
    assert "Why it happened" not in page
    assert "grupo 1" in page


def test_measures_and_figures_have_translations():
    known = translations("es")
    needed = {text for measure in MEASURES.values() for text in measure if text}
    needed |= set(FIGURE_TEXTS.values()) | set(FIGURE_GOALS.values()) - {"0"}
    assert needed <= known.keys()


def test_what_an_event_says_is_translated_with_its_numbers_and_names(spanish):
    assert said("line to column at 3.2 m") == "de línea a columna a los 3.2 m"
    assert said("goes on after 3.1 s and 2 other headings").startswith("sigue tras 3.1 s y 2")
    assert said("a text of a behavior of the user's own") == (
        "a text of a behavior of the user's own"
    )


def test_gaps_of_what_events_say_are_those_of_the_translation():
    for pattern, there in texts._told("es"):
        there.format(**dict.fromkeys(pattern.groupindex, "1"))
        assert all(f"{{{name}}}" in there for name in pattern.groupindex)


def test_an_old_recording_says_it_in_plain_words():
    assert said("lost sight of its subgoal") == "no longer sees the next point of its way"
    assert tr("wait") == "wait"
