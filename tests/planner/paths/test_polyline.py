import numpy as np
import pytest

from rmp3d.planner.paths.polyline import (
    densified,
    densified_together,
    joined,
    stations,
    total_length,
    total_lengths,
)
from rmp3d.planner.spaces.walks import straighten


def test_densifying_keeps_the_points_and_bounds_the_gaps():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 3))
    dense = densified(points, 0.3)
    assert np.linalg.norm(np.diff(dense, axis=0), axis=1).max() <= 0.3 + 1e-9
    for point in points:
        assert (dense == point).all(axis=1).any()
    assert total_length(dense) == pytest.approx(total_length(points))


@pytest.mark.parametrize("count", [1, 2])
def test_densifying_few_points(count):
    points = np.arange(3.0 * count).reshape(count, 3)
    assert len(densified(points, 100.0)) == count


def test_many_polylines_are_measured_and_densified_as_each_alone():
    rng = np.random.default_rng(1)
    polylines = [rng.normal(size=(count, 3)) for count in (2, 1, 2, 30, 3, 1, 2)]
    points, first = densified_together(polylines, 0.3)
    assert first[0] == 0
    assert first[-1] == len(points)
    for row, polyline in enumerate(polylines):
        alone = densified(polyline, 0.3)
        np.testing.assert_array_equal(points[first[row] : first[row + 1]], alone)
    lengths = [total_length(polyline) for polyline in polylines]
    np.testing.assert_array_equal(total_lengths(polylines), lengths)
    assert len(total_lengths([])) == 0


def test_straight_runs_lose_their_inner_points_only():
    line = np.column_stack([np.arange(5.0), np.zeros(5), np.zeros(5)])
    bend = np.array([[4.0, 1, 0], [4.0, 2, 0]])
    points = np.concatenate([line, line[-1:], bend])
    kept = straighten(points, len(points))
    np.testing.assert_array_equal(points[:kept], [[0, 0, 0], [4, 0, 0], [4, 2, 0]])


def test_a_point_of_return_stays():
    points = np.array([[0.0, 0, 0], [2, 0, 0], [1, 0, 0]])
    assert straighten(points.copy(), 3) == 3


def test_stations_and_joining():
    a, b = np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[1.0, 0, 0], [1, 2, 0]])
    assert stations(joined([a, b])).tolist() == [0.0, 1.0, 3.0]
