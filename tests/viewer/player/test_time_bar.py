"""The bar at the bottom: a part of the time, some kinds of events, a part that is repeated."""

import pytest

from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.hud import draw_hud

SIZE = (1280, 720)


@pytest.fixture
def controls(playback):
    return Controls(playback, SIZE)


def test_the_wheel_over_the_bar_zooms_in_time_and_keeps_what_is_under_the_mouse(controls):
    bar, distance = controls.timeline, controls.camera.distance
    at = (bar.x_of(5.0), bar.bottom + 1)
    for _ in range(6):
        controls.scroll(1.0, at)
    first, last = controls.timeline.shown
    assert last - first == pytest.approx(bar.duration * 0.8**6)
    assert controls.timeline.time_of(at[0]) == pytest.approx(5.0)
    assert controls.camera.distance == distance
    plain = len(draw_hud(controls).rows())
    controls.press(*at, "right")
    controls.drag(at[0] - 100, at[1], -100, 0)
    controls.release(at[0] - 100, at[1])
    assert controls.timeline.time_of(at[0] - 100) == pytest.approx(5.0)
    for _ in range(7):
        controls.scroll(-1.0, at)
    assert controls.timeline.shown == (0.0, bar.duration)
    assert len(draw_hud(controls).rows()) != plain
    controls.scroll(1.0, (600, 400))
    assert controls.camera.distance < distance


def test_a_click_on_the_sign_beside_the_time_plays_and_pauses(controls):
    at, camera = (20.0, controls.timeline.panel_top - 10.0), controls.camera
    for plays in (True, False):
        controls.press(*at, "left")
        controls.drag(at[0] + 9.0, at[1], 9.0, 0.0)
        controls.release(at[0] + 9.0, at[1])
        assert controls.clock.playing == plays
    assert controls.camera == camera
    controls.press(at[0] + 100.0, at[1], "left")
    assert not controls.clock.playing


def test_what_is_shown_goes_on_with_the_clock(controls):
    bar = controls.timeline
    for _ in range(8):
        controls.scroll(1.0, (bar.x_of(1.0), bar.bottom))
    controls.clock.seek(controls.timeline.shown[1] - 0.1)
    controls.key("space")
    controls.tick(0.5)
    first, last = controls.timeline.shown
    assert first < controls.clock.time < last


def test_a_part_that_is_marked_is_played_again_and_again_until_a_click(controls):
    bar = controls.timeline
    controls.press(bar.x_of(6.0), bar.bottom, "left", shift=True)
    controls.drag(bar.x_of(4.0), 300, -9, 9)
    controls.release(bar.x_of(4.0), 300)
    assert controls.clock.loop == pytest.approx((4.0, 6.0))
    controls.clock.seek(5.5)
    controls.key("space")
    times = []
    for _ in range(60):
        controls.tick(0.1)
        times.append(controls.clock.time)
    assert min(times) == pytest.approx(4.0)
    assert max(times) == pytest.approx(6.0)
    assert sum(time == pytest.approx(4.0) for time in times) >= 2
    controls.press(bar.x_of(5.0), bar.bottom, "left", shift=True)
    controls.release(bar.x_of(5.0), bar.bottom)
    assert controls.clock.loop is None
    for _ in range(30):
        controls.tick(0.1)
    assert controls.clock.time > 6.0


def test_a_kind_of_event_that_is_hidden_has_no_mark_and_is_passed_over(controls):
    events = [event for event in controls.playback.events if event.kind not in ("start", "end")]
    kind = events[0].kind
    bar = controls.timeline
    assert any(event.kind == kind for event in bar.marks(events)[0])
    controls.bar.switch(kind)
    bar = controls.timeline
    assert not any(event.kind == kind for event in bar.marks(events)[0])
    found = bar.event_at(bar.x_of(events[0].time), bar.bottom, controls.playback)
    assert found is None or found.kind != kind
    controls.clock.seek(0.0)
    for _ in range(len(controls.playback.events)):
        controls.key("n")
        assert controls.clock.time not in [each.time for each in events if each.kind == kind]
    controls.bar.switch(kind)
    assert controls.bar.hidden == frozenset()
