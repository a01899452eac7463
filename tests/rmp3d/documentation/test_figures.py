"""The thesis' figures: every one has a picture on its page, and a scenario that runs clean."""

from pathlib import Path

import pytest

from rmp3d.documentation.pictures import FIGURES, FOLDER
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "figures.md"
SCENARIOS = sorted({shot.scenario for shot in FIGURES})


def test_the_page_shows_every_figure_and_names_its_scenario():
    text = PAGE.read_text()
    for number in range(7, 18):
        assert f"## 6.{number} " in text
    for shot in FIGURES:
        assert f"../pictures/{shot.file}" in text
        assert shot.scenario in text
        assert (FOLDER / shot.file).is_file()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_figure_begins_and_verification_finds_nothing(name, tmp_path):
    path = tmp_path / "figure.rmp3d"  # benchmarks/figures.md has the whole runs
    simulate(load(name, ["simulation.duration=1"]), recording_path=path)
    with RecordingReader.open(path) as recording:
        kinds = {finding.kind for finding in verify(recording).findings}
    assert kinds <= {"not_arrived"}
