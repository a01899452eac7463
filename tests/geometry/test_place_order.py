"""The order of places: every row once, near ones one after another."""

import numpy as np
import pytest

from rmp3d.geometry.place_order import CELL, FEW, by_place


def test_points_of_one_cell_follow_one_another_in_ascending_order():
    rng = np.random.default_rng(3)
    points = rng.uniform(0.0, 60.0, (3000, 3))
    order = by_place(points)
    assert (np.sort(order) == np.arange(3000)).all()
    cell = np.floor((points[:, :2] - points[:, :2].min(axis=0)) / CELL)[order]
    is_new = (cell[1:] != cell[:-1]).any(axis=1)
    assert is_new.sum() == len(np.unique(cell, axis=0)) - 1
    assert (np.diff(order)[~is_new] > 0).all()
    assert np.abs(np.diff(cell, axis=0)).sum(axis=1).max() == 1  # never a jump


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_few_points_and_those_that_are_nowhere_stay_as_they_are(bad):
    points = np.random.default_rng(0).normal(size=(FEW, 3))
    np.testing.assert_array_equal(by_place(points[1:]), np.arange(FEW - 1))
    points[5, 1] = bad
    np.testing.assert_array_equal(by_place(points), np.arange(FEW))


def test_points_in_one_place_or_far_apart_are_sorted():
    for points in (np.zeros((FEW, 3)), np.logspace(0, 11, 3 * FEW).reshape(-1, 3)):
        np.testing.assert_array_equal(np.sort(by_place(points)), np.arange(FEW))
