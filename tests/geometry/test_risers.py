"""Motions from frame to frame without the heights of the steps that walkers go over."""

import numpy as np

from rmp3d.geometry.risers import without_risers

DT, RISE = 1 / 30, 0.17


def test_who_climbs_stairs_is_as_fast_as_in_plan_and_who_flies_or_rides_on_a_lift_is_not_changed():
    x = 1.2 * DT * np.arange(60)
    climber = np.column_stack([x, 0 * x, RISE * np.floor(x / 0.28)])
    slope = np.column_stack([x, 0 * x, 0.9 * x])
    rider = np.column_stack([0 * x, 0 * x, 0.05 * np.arange(60)])
    position = np.stack([climber, climber, slope, rider], axis=1)
    motion = np.diff(position, axis=0)
    found = without_risers(motion, np.array([True, False, True, True]))
    np.testing.assert_array_equal(found[:, 1:], motion[:, 1:])
    assert motion[:, 0, 2].max() / DT > 5.0
    np.testing.assert_allclose(np.linalg.norm(found[:, 0], axis=1), 1.2 * DT)


def test_of_no_motion_and_of_nobody_there_is_none():
    for shape in ((0, 2, 3), (3, 0, 3)):
        assert without_risers(np.zeros(shape), np.ones(shape[1], bool)).shape == shape
