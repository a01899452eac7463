"""One loop over many rows, against numpy on few of them at a time."""

import numpy as np
import pytest

from rmp3d.geometry.rotations import frame, quaternion_from_matrix
from rmp3d.geometry.row_vectors import orientations
from rmp3d.geometry.vectors import LARGER, MANY, SHORT, clip_length, length, unit


@pytest.fixture
def rows():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(2 * MANY, 3)) * 10.0 ** rng.integers(-160, 100, (2 * MANY, 1))
    rows[:5] = [[0, 0, 0], [-0.0, 0, 0], [np.nan, 1, 0], [5e-324, 0, 0], [0, np.inf, 0]]
    return rows


def in_parts(call, *arrays):
    parts = range(0, len(arrays[0]), MANY // 2)
    return np.concatenate([call(*(a[k : k + MANY // 2] for a in arrays)) for k in parts])


@pytest.mark.filterwarnings("ignore:invalid value")
def test_many_rows_have_the_answers_of_few(rows):
    limit = np.random.default_rng(6).uniform(0.0, 2.0, len(rows))
    for call, arrays in ((length, (rows,)), (unit, (rows,)), (clip_length, (rows, limit))):
        few = in_parts(call, *arrays)
        np.testing.assert_allclose(call(*arrays), few, rtol=4e-16, atol=0.0)
        np.testing.assert_allclose(call(np.asfortranarray(rows), *arrays[1:]), few, rtol=4e-16)
    assert clip_length(rows, 1.0).shape == rows.shape


def test_orientations_are_those_of_the_frames():
    heading, up = np.random.default_rng(7).normal(size=(2, 4000, 3))
    up[:3] = heading[:3]  # parallel: another axis takes its place
    up[3], heading[4:7] = 0.0, np.eye(3)
    up[4:7] = np.eye(3)
    found = np.empty((4000, 4))
    orientations(heading, up, SHORT, LARGER, found)
    expected = quaternion_from_matrix(frame(heading, up))
    np.testing.assert_allclose(found, expected, atol=1e-15)
