import pytest

from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.clock import SPEEDS, PlaybackClock
from rmp3d.viewer.playback.playback import Event


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


def test_next_event_ends_at_the_last_one(playback):
    clock = PlaybackClock(playback)
    seen = [clock.next_event().text for _ in range(3)]
    assert seen == ["line to column", "column to line", "all arrived"]
    assert clock.next_event() is None
    assert clock.time == pytest.approx(playback.events[-1].time)
    clock.seek(0.0)
    assert clock.previous_event() is None


def test_a_crowd_of_events_is_columns_and_a_rare_one_keeps_its_mark():
    line = Timeline((1280, 720), 18, 100.0)
    arrived = [Event(0.1 * k, "arrived") for k in range(1000)]
    events = [*arrived, Event(50.0, "jam"), Event(50.1, "formation"), Event(80.0, "formation")]
    marked, columns = line.marks(sorted(events, key=lambda each: each.time))
    assert [(each.kind, each.time) for each in marked] == [("jam", 50.0), ("formation", 80.0)]
    assert {kind for kind, _, _ in columns} == {"arrived"}
    places = [x for _, x, _ in columns]
    assert len(set(places)) == len(places) < 120
    assert line.left <= min(places) <= max(places) <= line.right
    assert max(share for _, _, share in columns) == 1.0
    few, none = line.marks(arrived[::100])
    assert (len(few), none) == (10, [])


def test_timeline_pixels_and_times_are_inverse():
    line = Timeline((1280, 720), 18, 60.0)
    for time in (0.0, 12.5, 60.0):
        assert line.time_of(line.x_of(time)) == pytest.approx(time)
    assert line.time_of(-50) == 0.0
    assert line.time_of(5000) == 60.0
    assert line.holds(640, line.bottom)
    assert not line.holds(640, 300)
