from itertools import pairwise

import numpy as np
import pytest

from rmp3d.planner.collision.straight_runs import bends


def test_of_a_straight_run_the_ends_are_left():
    corners = np.array([[0.0, 0, 0], [30.0, 7, 1], [31.0, 50, 2]])
    dense = np.concatenate([
        corners[0] + np.linspace(0, 1, 400, endpoint=False)[:, None] * (corners[1] - corners[0]),
        corners[1] + np.linspace(0, 1, 300)[:, None] * (corners[2] - corners[1]),
    ])  # fmt: skip
    np.testing.assert_array_equal(bends(dense, 1e-6), [0, 400, 699])


@pytest.mark.parametrize("slack", [1e-9, 1e-4])
def test_what_is_left_out_is_within_the_slack_of_what_is_left(slack):
    rng = np.random.default_rng(2)
    angle = np.cumsum(rng.choice([0.0, 1e-5, 0.3], 500))  # straight, bent by little, and turning
    step = np.stack([np.cos(angle), np.sin(angle), np.zeros(500)], axis=1)
    points = np.cumsum(step * rng.uniform(0.0, 1.0, (500, 1)), axis=0)
    rows = bends(points, slack)
    for first, last in pairwise(rows):
        way = (points[last] - points[first]) / np.linalg.norm(points[last] - points[first])
        off = points[first : last + 1] - points[first]
        assert np.linalg.norm(off - (off @ way)[:, None] * way, axis=1).max() <= slack


def test_where_a_polyline_turns_back_or_stands_its_ends_stay():
    there_and_back = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(bends(there_and_back, 1e-6), [0, 2, 4])
    standing = np.zeros((3, 3))
    assert set(bends(standing, 1e-6)) >= {0, 2}
    np.testing.assert_array_equal(bends(standing[:1], 1e-6), [0])
