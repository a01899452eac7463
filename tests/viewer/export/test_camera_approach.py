"""Cameras of films that come nearer where something is in the way."""

import numpy as np
import pytest

from rmp3d.viewer.export.camera_path import APPROACH, EASE, approached

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
