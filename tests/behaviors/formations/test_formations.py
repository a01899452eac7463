"""The contract of every registered formation."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from behaviors.formations import FORMATIONS, Arrow, Column, Line

COUNTS = (0, 1, 2, 9, 20)


@pytest.fixture(params=list(FORMATIONS))
def formation(request):
    return FORMATIONS[request.param]()


@pytest.mark.parametrize("count", COUNTS)
def test_slots_are_finite_and_keep_their_spacing(formation, count):
    slots = formation.slots(count, 1.3)
    assert slots.shape == (count, 3)
    assert slots.dtype == np.float64
    assert np.isfinite(slots).all()
    if count > 1:
        assert pdist(slots).min() >= 1.3 - 1e-9


@pytest.mark.parametrize("count", COUNTS[1:])
def test_the_first_slot_leads(formation, count):
    slots = formation.slots(count, 0.8)
    assert slots[0, 0] == slots[:, 0].min() == 0.0, "nobody is ahead of the leader"
    assert abs(slots[0, 1]) <= 0.4 + 1e-9, "the leader is in the middle, if there is one"


@pytest.mark.parametrize("count", COUNTS[1:])
def test_formations_are_symmetric_within_half_a_spacing(formation, count):
    left = formation.slots(count, 1.0)[:, 1]
    assert abs(left.max() + left.min()) <= 1.0 / np.sqrt(2.0) + 1e-9
    odd = formation.slots(2 * count - 1, 1.0)[:, 1]
    np.testing.assert_allclose(np.sort(odd), np.sort(-odd), atol=1e-12)


def test_slots_scale_with_the_spacing(formation):
    np.testing.assert_allclose(formation.slots(7, 2.6), 2 * formation.slots(7, 1.3))


def test_a_line_is_abreast_and_a_column_in_file():
    line, column = Line().slots(5, 1.0), Column().slots(5, 1.0)
    np.testing.assert_allclose(line[:, 0], 0.0)
    np.testing.assert_allclose(np.sort(line[:, 1]), [-2, -1, 0, 1, 2])
    np.testing.assert_allclose(column, [[k, 0, 0] for k in range(5)])


@pytest.mark.parametrize("angle", [15.0, 30.0, 45.0, 75.0, 90.0])
def test_the_arms_of_an_arrow_make_its_angle_and_keep_the_spacing(angle):
    slots = Arrow(angle).slots(9, 1.0)
    found = np.degrees(np.arctan2(np.abs(slots[1:, 1]), slots[1:, 0]))
    np.testing.assert_allclose(found, angle)
    assert pdist(slots).min() >= 1.0 - 1e-9
