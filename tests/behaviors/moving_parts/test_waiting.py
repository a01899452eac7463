"""Who comes up to those that wait before a moving part waits behind them."""

import numpy as np
import pytest

from rmp3d.behaviors.moving_parts import waiting
from rmp3d.behaviors.moving_parts.waiting import held_behind
from tests.behaviors.conftest import flock

# Of bodies with a radius of 0.3 m; the first waits, the others want to go on east.
ROW = [[0.0, 0.0, 0.0], [-0.8, 0.0, 0.0], [-1.6, 0.1, 0.0]]


def wanted(position, desire, waiting=(0,), may_wait=None):
    count = len(position)
    desire = np.broadcast_to(np.array(desire, float), (count, 3))
    waits = np.isin(np.arange(count), waiting)
    may = np.ones(count, np.bool_) if may_wait is None else np.array(may_wait)
    return held_behind(flock(position, grounded=True), desire, waits, may)


def test_the_second_and_the_third_in_a_file_wait_behind_the_one_at_the_gate():
    found = wanted(ROW, [1.4, 0.0, 0.0])
    np.testing.assert_array_equal(found[0], [1.4, 0.0, 0.0])
    allowed = np.sqrt(4.0 * 0.1)  # half the braking, over the room that is left
    assert (np.abs(found[1:, 0]) <= allowed + 0.05).all()
    assert (np.linalg.norm(found[1:], axis=1) < 0.7).all()


def test_who_waits_near_another_stands_and_does_not_shuffle_about(monkeypatch):
    """People before a lift stepped to and fro by two centimeters, and turned about."""
    aslant = [1.0, 0.8, 0.0]
    sideways = [wanted([ROW[0], [-gap - 0.6, 0.0, 0.0]], aslant)[1, 1] for gap in (0.05, 0.2, 0.3)]
    assert sideways[0] == 0.0 < sideways[1] < sideways[2] < 0.8
    assert wanted([ROW[0], [-1.0, 0.0, 0.0]], aslant)[1, 1] == 0.8  # not there yet
    monkeypatch.setattr(waiting, "SLIDES", 1.0)
    assert wanted([ROW[0], [-0.65, 0.0, 0.0]], aslant)[1, 1] == 0.8


@pytest.mark.parametrize(
    ("position", "desire"),
    [
        ([-0.8, 0.0, 0.0], [-1.4, 0.0, 0.0]),  # goes away
        ([-0.8, 0.0, 0.0], [0.2, 1.4, 0.0]),  # goes by
        ([-6.0, 0.0, 0.0], [1.4, 0.0, 0.0]),  # is far
    ],
)
def test_whose_way_is_free_goes_on(position, desire):
    np.testing.assert_array_equal(wanted([ROW[0], position], desire)[1], desire)


def test_who_does_not_want_to_go_where_the_part_is_waits_behind_nobody():
    found = wanted(ROW, [1.4, 0.0, 0.0], may_wait=[True, False, False])
    np.testing.assert_array_equal(found, np.broadcast_to([1.4, 0.0, 0.0], (3, 3)))


def test_with_nobody_at_the_gate_nobody_waits():
    found = wanted(ROW, [1.4, 0.0, 0.0], waiting=())
    np.testing.assert_array_equal(found, np.broadcast_to([1.4, 0.0, 0.0], (3, 3)))
