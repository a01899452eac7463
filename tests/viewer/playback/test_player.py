import pytest

from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.player import SPEEDS, Player


def test_plays_to_the_end_and_starts_over(playback):
    player = Player(playback)
    player.advance(1.0)
    assert player.time == 0.0
    player.toggle()
    player.advance(1.5)
    assert player.time == pytest.approx(1.5)
    player.advance(1e6)
    assert player.time == playback.duration
    assert not player.playing
    player.toggle()
    assert player.time == 0.0
    assert player.playing


def test_steps_are_whole_frames_and_pause(playback):
    player = Player(playback, 1.01)
    player.toggle()
    player.step(1)
    assert not player.playing
    assert player.time / playback.dt == pytest.approx(31)
    player.step(-1000)
    assert player.time == 0.0


def test_speed_stays_in_the_list(playback):
    player = Player(playback)
    player.change_speed(1)
    assert player.speed == 2.0
    player.change_speed(100)
    assert player.speed == SPEEDS[-1]


def test_next_event_goes_round(playback):
    player = Player(playback)
    seen = [player.next_event().text for _ in range(4)]
    assert seen == ["line to column", "column to line", "all arrived", "start"]


def test_timeline_pixels_and_times_are_inverse():
    line = Timeline((1280, 720), 18, 60.0)
    for time in (0.0, 12.5, 60.0):
        assert line.time_of(line.x_of(time)) == pytest.approx(time)
    assert line.time_of(-50) == 0.0
    assert line.time_of(5000) == 60.0
    assert line.holds(640, line.bottom)
    assert not line.holds(640, 300)
