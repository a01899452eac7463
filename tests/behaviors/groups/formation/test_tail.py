"""Who is still in a passage goes on in file; who is out takes the new slot for good."""

import numpy as np

from rmp3d.behaviors.formations import Column, Line
from rmp3d.behaviors.groups.formation.tail import Tail


def test_the_file_goes_on_until_each_is_out():
    tail = Tail(Column().slots(4, 1.0), 10.0, 9.5, np.zeros(4, np.bool_))
    slots = Line().slots(4, 1.0)
    new = np.full(4, 10.0), slots[:, 1:]
    station = np.array([10.0, 9.0, 8.0, 7.0])
    for _ in range(40):
        followed, aside = tail.advance(station, *new, 0.1)
        out = station >= 9.5
        np.testing.assert_array_equal(tail.out, out)
        np.testing.assert_allclose(followed[out], 10.0)
        np.testing.assert_allclose(aside[out], slots[out, 1:])
        np.testing.assert_allclose(aside[~out], 0.0)
        np.testing.assert_allclose(followed[~out], tail.head - np.arange(4.0)[~out])
        station = np.maximum(station, np.minimum(followed, station + 0.1))
    assert tail.out.all()
    np.testing.assert_allclose(new[0], 10.0, err_msg="what is passed is not written to")


def test_the_last_in_file_is_behind_who_is_out_counts_no_more():
    tail = Tail(Column().slots(4, 1.0), 10.0, 9.5, np.array([True, False, False, False]))
    assert tail.behind(np.array([2.0, 9.0, 8.5, 7.0])) == 0.0, "ahead of a place is not behind"
    assert tail.behind(np.array([2.0, 8.7, 7.5, 7.0])) == 0.5
    tail.out[:] = True
    assert tail.behind(np.zeros(4)) == 0.0
