import numpy as np
import pytest

from rmp3d.geometry.places import distinct


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.intp])
@pytest.mark.parametrize(("count", "columns"), [(0, 3), (1, 3), (500, 3), (500, 6)])
def test_distinct_rows_are_those_of_numpy(kind, count, columns):
    rows = np.random.default_rng(count).integers(0, 3, (count, columns)).astype(kind)
    found, row = distinct(rows)
    expected, inverse = np.unique(rows, axis=0, return_inverse=True)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(row, inverse.reshape(-1))
    np.testing.assert_array_equal(found[row], rows)


def test_zeros_of_both_signs_are_one_place():
    found, row = distinct(np.array([[0.0, -0.0, 1.0], [-0.0, 0.0, 1.0]]))
    assert (len(found), row.tolist()) == (1, [0, 0])
    assert not np.signbit(found).any()


@pytest.mark.parametrize("turned", [slice(0, 0), slice(5, 7), slice(1500, 1502)])
def test_rows_in_order_stay_and_those_that_are_nearly_so_are_sorted(turned):
    rows = np.unique(np.random.default_rng(0).integers(0, 30, (3000, 3)).astype(float), axis=0)
    given = rows.copy()
    given[turned] = rows[turned][::-1]
    found, row = distinct(given)
    np.testing.assert_array_equal(found, rows)
    np.testing.assert_array_equal(found[row], given)
