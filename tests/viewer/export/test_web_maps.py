"""The maps of the crowd in a replay page are those of the window."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer.maps.map_series import MapSeries, ground_cells


@pytest.fixture
def crowd(make):
    """Some who walk, one of whom comes late."""
    shown = make(members=6, seconds=4.0)
    life = np.tile([0, shown.frame_count], (6, 1))
    life[3, 0] = shown.frame_count // 2
    return replace(shown, life=life)


@pytest.fixture
def page(crowd, opened_replay):
    return opened_replay(crowd)


@pytest.mark.slow
@pytest.mark.parametrize("averaged", [False, True])
def test_maps_of_the_page_are_those_of_the_window(page, crowd, averaged):
    cells, time = ground_cells(crowd.scene), 2.25
    series = MapSeries(cells)
    found = (series.mean if averaged else series.at)(crowd, time)
    name = "mean" if averaged else "at"
    text = page.run(
        f"JSON.stringify((m => ({{d: [...m.density], f: [...m.flow]}}))"
        f"(replay.picture.marks.crowd.{name}({time})))"
    )
    seen = json.loads(text)
    for own, theirs in ((found.density, seen["d"]), (found.flow, seen["f"])):
        assert own.max() > 0.05
        # The page has positions to some millimeters.
        np.testing.assert_allclose(np.reshape(theirs, own.shape), own, atol=0.01 * own.max())


@pytest.mark.slow
def test_who_goes_up_a_riser_is_no_faster_for_it(crowd, opened_replay):
    up = crowd.position.copy()
    up[65:, 0, 2] += 0.3  # at 2.17 s, within one frame
    stairs = replace(crowd, position=up)
    speeds = [
        opened_replay(each).run("replay.picture.marks.crowd.speedOf(0, 2.25)")
        for each in (crowd, stairs)
    ]
    assert speeds[0] == pytest.approx(5.0, abs=0.02)
    assert speeds[1] == pytest.approx(speeds[0], abs=0.02)


@pytest.mark.slow
def test_one_map_is_on_at_a_time_and_has_a_legend(page):
    page.run("replay.toggleLayer('density'); replay.seek(1); replay.draw()")
    assert page.run("replay.picture.marks.map.count") > 30
    assert page.run("document.getElementById('legend').innerText").startswith("density [1/m²]")
    page.run("replay.toggleLayer('flow'); replay.toggleLayer('mean')")
    assert page.run("replay.shown.density") is False
    assert "mean flow" in page.run("document.getElementById('legend').innerText")
    page.run("replay.toggleLayer('flow')")
    assert page.run("document.getElementById('legend').style.display") == "none"
