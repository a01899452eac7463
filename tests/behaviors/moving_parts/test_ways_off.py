"""Who waits leaves the way of those who come off a part free, on both sides."""

import numpy as np
import pytest

from rmp3d.behaviors.moving_parts.ways_off import ABREAST, BETWEEN, WayOff, beginning
from tests.behaviors.conftest import flock

WAY = WayOff(np.array([[0.0, 0, 0], [4, 0, 0], [8, 0, 0]]), 0.3)
TO_THE_PART = [-1.0, 0.0, 0.0]


def velocity(place, desire):
    return WAY.left_free(flock([place], grounded=True), np.array([desire], float))[0]


@pytest.mark.parametrize("aside", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_who_stands_on_the_way_goes_off_it_to_its_side(aside, side):
    found = velocity([3.0, side * aside, 0.0], [0, 0, 0])
    assert found[0] == 0.0
    assert abs(found[1]) > 0.0
    assert aside == 0.0 or found[1] * side > 0.0


def test_who_stands_beside_it_does_not_come_onto_it_but_goes_along_it():
    one = flock([[0.0, 0.0, 0.0]], grounded=True)
    border = float(one.bodies.half_width[0]) + ABREAST * WAY.radius + BETWEEN
    found = velocity([3.0, border, 0.0], [-1.0, -1.0, 0.0])
    np.testing.assert_allclose(found, TO_THE_PART, atol=1e-9)


@pytest.mark.parametrize("place", [(-1.0, 0.1, 0.0), (9.0, 0.1, 0.0), (3.0, 0.1, 3.0)])
def test_who_is_before_it_beyond_it_or_above_it_is_not_concerned(place):
    np.testing.assert_array_equal(velocity(place, TO_THE_PART), TO_THE_PART)


def test_the_beginning_of_a_path_has_its_corners():
    path = np.array([[0.0, 0, 0], [3, 0, 0], [3, 4, 0], [9, 4, 0]])
    np.testing.assert_allclose(beginning(path, 5.0), [[0, 0, 0], [3, 0, 0], [3, 2, 0]])
    np.testing.assert_allclose(beginning(path, 99.0), path)
    assert len(beginning(path[:1])) == 1
