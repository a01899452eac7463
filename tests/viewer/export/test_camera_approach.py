"""Cameras of films that come nearer where something is in the way."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer.export.camera_path import (
    APPROACH,
    EASE,
    RAISING,
    approached,
    calmed_turns,
    camera_path,
)

TIMES = np.arange(0.0, 10.0, 1 / 30)


@pytest.mark.parametrize("width", [0.05, 0.5, 1.0])
def test_a_door_brings_the_camera_nearer_evenly_and_in_time(width):
    wanted = np.where(np.abs(TIMES - 5.0) < width, 1.8, 7.4)
    found = approached(wanted, TIMES, APPROACH, EASE)
    assert (found <= wanted + 1e-12).all()
    pace = np.diff(found) * 30
    assert np.abs(pace).max() <= APPROACH + 1e-9
    assert np.abs(np.diff(pace)).max() * 30 < 4.0 * APPROACH / EASE  # [m/s^2] no kick
    assert found[0] == pytest.approx(7.4, abs=0.01)
    assert found.min() == pytest.approx(1.8, abs=0.05)


def test_one_picture_stays_as_it_is():
    assert approached(np.array([3.0]), np.zeros(1), APPROACH, EASE).tolist() == [3.0]


def test_turns_and_rises_behind_a_member_are_spread_over_time(make):
    playback = make()
    turned = playback.orientation_wxyz.copy()
    turned[240:300] = [0.0, 0.0, 0.0, 1.0]  # about, and back 2 s later
    playback = replace(playback, orientation_wxyz=turned)
    cameras = camera_path("follow:4", playback, TIMES, 16 / 9)
    back = np.array([camera.axes[2] for camera in cameras])
    turn = np.arccos(np.clip(np.sum(back[1:] * back[:-1], axis=1), -1.0, 1.0))
    assert turn.max() * 30 < np.radians(130.0)
    assert np.ptp([camera.azimuth for camera in cameras]) > np.radians(90.0)
    rise = np.diff([camera.elevation for camera in cameras]) * 30
    assert np.abs(rise).max() <= RAISING + 1e-9


@pytest.mark.parametrize("azimuth", [[0.0, 3.0, -3.0, 3.0], [0.2, 0.2, 3.3, 3.3]])
def test_smoothed_turns_go_through_the_smaller_angle(azimuth):
    found = calmed_turns(np.repeat(azimuth, 90), np.arange(360) / 30, 0.7)
    assert np.abs(np.diff(found)).max() * 30 < np.pi / (0.7 * 2.5)
