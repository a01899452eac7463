"""A camera that rides along turns evenly."""

import numpy as np
import pytest

from rmp3d.viewer.cameras.swing import FASTEST, Swing

STEP = 1 / 30


@pytest.mark.parametrize("turn", np.radians([20.0, 90.0, 179.0, 200.0]))
def test_it_turns_by_the_smaller_angle_no_faster_than_the_eye_can_follow(turn):
    swing = Swing()
    swing.toward(0.3, 0.5, STEP)
    seen = [swing.toward(0.3 + turn, 0.9, STEP) for _ in range(150)]
    azimuth, elevation = np.unwrap([(0.3, 0.5), *seen], axis=0)[1:].T
    pace = np.diff(azimuth, prepend=0.3) / STEP
    assert np.abs(pace).max() <= FASTEST + 1e-9
    assert np.exp(1j * azimuth[-1]) == pytest.approx(np.exp(1j * (0.3 + turn)), abs=1e-3)
    assert np.ptp(azimuth) <= np.pi
    assert elevation[-1] == pytest.approx(0.9, abs=1e-3)
    assert elevation.max() <= 0.9 + 1e-9, "it does not swing over"


def test_it_is_at_the_first_goal_at_once_and_at_the_next_one_after_it_has_forgotten():
    swing = Swing()
    assert swing.toward(1.0, 0.2, STEP) == (1.0, 0.2)
    assert swing.toward(3.0, 0.2, STEP)[0] < 1.1
    swing.forget()
    assert swing.toward(3.0, 0.2, STEP) == (3.0, 0.2)
