from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer import Event
from rmp3d.viewer.export.contact_sheet import ContactSheet, _apart
from rmp3d.viewer.export.moments import key_moments


def test_moments_tell_before_at_and_after_each_change(playback):
    moments = key_moments(playback)
    reasons = [moment.reason for moment in moments]
    assert reasons == ["start", "before", "change", "after", "before", "change", "after", "end"]
    changes = [event.time for event in playback.events if event.kind == "formation"]
    assert [moment.time for moment in moments if moment.reason == "change"] == changes


def test_without_changes_moments_are_spread_over_the_run(playback):
    moments = key_moments(replace(playback, events=()))
    assert len(moments) == 6
    assert np.diff([moment.time for moment in moments]).max() <= playback.duration / 4 + 1e-9


def test_many_changes_are_thinned_and_the_ends_kept(playback):
    events = tuple(Event(0.4 * k, "formation") for k in range(1, 48))
    moments = key_moments(replace(playback, events=events))
    assert len(moments) == 9
    assert (moments[0].time, moments[-1].time) == (0.0, playback.duration)


def test_a_single_frame_has_one_moment(make):
    still = make(members=2, seconds=0.03)
    assert still.frame_count == 1
    assert [moment.reason for moment in key_moments(still)] == ["start"]


def test_badges_are_moved_apart_and_lone_ones_stay():
    points = np.array([[0.0, 0], [1, 0], [2, 0], [100, 0]])
    placed = _apart(points, 10.0)
    gaps = np.linalg.norm(placed[:, None] - placed, axis=2) + 100 * np.eye(4)
    assert gaps.min() >= 10.0 - 1e-9
    np.testing.assert_array_equal(placed[[0, 3]], points[[0, 3]])


@pytest.mark.usefixtures("opengl")
def test_sheet_has_an_overview_and_a_panel_for_each_moment(playback):
    steps = []
    sheet = ContactSheet(panel_width=160)
    picture = np.asarray(sheet.picture(playback, lambda done, total: steps.append((done, total))))
    panels = len(key_moments(playback))
    assert steps == [(k, panels + 1) for k in range(1, panels + 2)]
    gap, (width, height) = 160 // 40, (160, 90)
    line = 160 // 26 if 160 // 26 > 9 else 9
    top = 160 * 3 // 4 + 2 * gap
    paper = picture[0, 0]
    for place in range(9):
        x = gap + place % 3 * (width + gap)
        y = top + place // 3 * (height + 2 * line + gap)
        painted = (picture[y : y + height, x : x + width] != paper).any(axis=2).mean()
        assert painted == pytest.approx(1.0 if place < panels else 0.0, abs=0.01)
