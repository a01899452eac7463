import pytest

from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.clock import SPEEDS, PlaybackClock


def test_plays_to_the_end_and_starts_over(playback):
    clock = PlaybackClock(playback)
    clock.advance(1.0)
    assert clock.time == 0.0
    clock.toggle()
    clock.advance(1.5)
    assert clock.time == pytest.approx(1.5)
    clock.advance(1e6)
    assert clock.time == playback.duration
    assert not clock.playing
    clock.toggle()
    assert clock.time == 0.0
    assert clock.playing


def test_steps_are_whole_frames_and_pause(playback):
    clock = PlaybackClock(playback, 1.01)
    clock.toggle()
    clock.step(1)
    assert not clock.playing
    assert clock.time / playback.dt == pytest.approx(31)
    clock.step(-1000)
    assert clock.time == 0.0


def test_speed_stays_in_the_list(playback):
    clock = PlaybackClock(playback)
    clock.change_speed(1)
    assert clock.speed == 2.0
    clock.change_speed(100)
    assert clock.speed == SPEEDS[-1]


def test_next_event_goes_round(playback):
    clock = PlaybackClock(playback)
    seen = [clock.next_event().text for _ in range(4)]
    assert seen == ["line to column", "column to line", "all arrived", "start"]


def test_timeline_pixels_and_times_are_inverse():
    line = Timeline((1280, 720), 18, 60.0)
    for time in (0.0, 12.5, 60.0):
        assert line.time_of(line.x_of(time)) == pytest.approx(time)
    assert line.time_of(-50) == 0.0
    assert line.time_of(5000) == 60.0
    assert line.holds(640, line.bottom)
    assert not line.holds(640, 300)
