from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from rmp3d.viewer.playback.playback import Event


def turning(make):
    playback = make(members=3, seconds=1.0, dt=0.1)
    turns = Rotation.random(playback.frame_count * 3, rng=np.random.default_rng(0))
    wxyz = turns.as_quat(scalar_first=True).reshape(-1, 3, 4)
    return replace(playback, orientation_wxyz=wxyz)


def test_pose_agrees_with_scipy_slerp_and_linear_positions(make):
    playback = turning(make)
    times = np.arange(playback.frame_count) * playback.dt
    for time in np.random.default_rng(1).uniform(0, playback.duration, 30):
        pose = playback.pose(time)
        for member in range(3):
            frames = Rotation.from_quat(playback.orientation_wxyz[:, member], scalar_first=True)
            expected = Slerp(times, frames)(time)
            found = Rotation.from_quat(pose.orientation_wxyz[member], scalar_first=True)
            assert (expected.inv() * found).magnitude() < 1e-7
            for axis in range(3):
                x = np.interp(time, times, playback.position[:, member, axis])
                assert pose.position[member, axis] == pytest.approx(x, abs=1e-12)


def test_pose_at_a_frame_is_that_frame_and_outside_it_is_the_nearest_end(make):
    playback = turning(make)
    np.testing.assert_array_equal(playback.pose(-5.0).position, playback.position[0])
    np.testing.assert_array_equal(playback.pose(99.0).position, playback.position[-1])
    np.testing.assert_allclose(playback.pose(0.3).position, playback.position[3], atol=1e-12)


def test_frame_lookup(playback):
    assert playback.frame_at(0.0) == (0, 0.0)
    frame, share = playback.frame_at(10.25 * playback.dt)
    assert frame == 10
    assert share == pytest.approx(0.25)
    assert playback.frame_at(1e9) == (playback.frame_count - 1, 0.0)


def test_one_frame_and_nobody_is_a_playback(make):
    still = make(members=0)
    still = replace(
        still,
        position=still.position[:1],
        orientation_wxyz=still.orientation_wxyz[:1],
        subgoal=None,
        formation_of=still.formation_of[:1],
    )
    assert still.duration == 0.0
    assert still.pose(3.0).position.shape == (0, 3)


def test_formation_changes_at_its_event(playback):
    change = playback.events[1].time
    assert playback.formation_at(change - 2 * playback.dt, 0) == "line"
    assert playback.formation_at(change + 2 * playback.dt, 0) == "column"


def test_next_event_is_strictly_later(playback):
    first = playback.next_event(0.0)
    assert first is playback.events[1]
    assert playback.next_event(first.time).time > first.time
    assert playback.next_event(playback.duration) is None


def test_events_are_put_in_order_of_time(playback):
    events = (Event(3.0, "jam"), Event(1.0, "formation"))
    assert [event.time for event in replace(playback, events=events).events] == [1.0, 3.0]


def test_arrays_are_read_only_copies(make):
    playback = make()
    with pytest.raises(ValueError, match="read-only"):
        playback.position[0] = 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dt": 0.0}, "`dt` must be positive"),
        ({"position": np.zeros((4, 3))}, r"`position` must have shape \(T >= 1, N, 3\)"),
        ({"orientation_wxyz": np.zeros((600, 9, 3))}, r"`orientation_wxyz` must have shape"),
        ({"group_of": np.full(9, 1)}, r"`group_of` must be in 0..0, got 1"),
        ({"character_of": np.zeros(2)}, r"`character_of` must have shape \(9,\)"),
        ({"formation": ("line",)}, r"`formation_of` must be in -1..0, got 1"),
        ({"events": (Event(0.0, "jam", 0, 12),)}, r"`events\[\].member` must be in -1..8, got 12"),
        ({"paths": ((), ())}, "`paths` must hold one per group"),
    ],
)
def test_wrong_arrays_are_refused_by_name(playback, change, message):
    with pytest.raises(ValueError, match=message):
        replace(playback, **change)


def test_a_position_that_is_not_finite_is_refused(playback):
    position = playback.position.copy()
    position[3, 1, 0] = np.nan
    with pytest.raises(ValueError, match="`position` has values that are not finite"):
        replace(playback, position=position)
