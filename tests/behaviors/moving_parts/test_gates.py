"""What members want before a gate that is closed."""

from types import SimpleNamespace

import numpy as np
import pytest

from rmp3d.behaviors.moving_parts.crossings import Crossing
from rmp3d.behaviors.moving_parts.gates import Gate, Gates, held_before
from rmp3d.behaviors.moving_parts.waiting import held_behind
from rmp3d.geometry.vectors import unit
from tests.behaviors.conftest import flock

# A door in a wall at x = 10 turns over the space before it; the path comes along y = 5.
BOX = np.array([[8.0, 4.0, 0.0], [10.1, 6.0, 2.5]])
ENTRY = np.array([7.4, 5.0, 0.0])


def wanted(position, desire, clock=0.0):
    place = np.array([7.8, 5.0, 0.0])
    closed = np.array([[0.0, 5.0]])
    crossing = Crossing(
        0, "door", closed, 20.0, BOX, 2.5, np.array([ENTRY, [10.6, 5.0, 0.0]]), place, 7.8
    )
    none = np.zeros(1, np.bool_)
    moves = SimpleNamespace(motion=SimpleNamespace(stands=False))
    parts = SimpleNamespace(
        parts=[moves],
        clock=np.array([clock]),
        hindering=none,
        away=np.zeros((1, 3)),
        may_go_on=none,
    )
    gates = Gates([Gate(crossing, 0, 3.0)], parts)
    gates.group_of = np.zeros(1, np.intp)
    agents = flock([position], grounded=True)
    return gates.resolve(agents, np.array([desire], float))[0]


@pytest.mark.parametrize("clock", [0.0, 6.0])
def test_who_stands_behind_the_leaf_of_a_door_goes_back_to_where_the_path_comes(clock):
    beside = [9.5, 3.3, 0.0]
    back = wanted(beside, [0.5, 1.4, 0.0], clock)
    np.testing.assert_allclose(back / np.linalg.norm(back), unit(ENTRY - beside), atol=1e-12)


@pytest.mark.parametrize(
    ("position", "desire"),
    [
        ([11.0, 5.0, 0.0], [1.4, 0.0, 0.0]),  # has passed
        ([10.8, 3.6, 0.0], [-0.5, 1.4, 0.0]),  # has passed, and turns around
        ([9.5, 3.3, 0.0], [-1.4, 0.0, 0.0]),  # goes elsewhere
        ([9.5, 1.0, 0.0], [0.2, 1.4, 0.0]),  # is far
        ([9.5, 3.3, 4.0], [0.5, 1.4, 0.0]),  # is above
        ([9.0, 5.0, 0.0], [1.4, 0.0, 0.0]),  # is inside already, and leaves it
    ],
)
def test_nobody_else_is_sent_back(position, desire):
    np.testing.assert_array_equal(wanted(position, desire), desire)


def test_before_the_entry_members_stop():
    np.testing.assert_allclose(wanted([7.6, 5.0, 0.0], [1.4, 0.0, 0.0]), 0.0, atol=1e-9)


def test_who_cannot_leave_straight_away_tries_other_directions_and_keeps_one_in_which_it_comes_on():
    moves = SimpleNamespace(motion=SimpleNamespace(stands=False))
    parts = SimpleNamespace(
        parts=[moves], clock=np.zeros(1), hindering=np.ones(1, np.bool_), dt=0.5,
        away=np.array([[0.6, 0.8, 0.0]]), may_go_on=np.zeros(1, np.bool_),
    )  # fmt: skip
    gates = Gates([], parts)
    gates.group_of = np.zeros(1, np.intp)

    def headings(place, steps):
        found = []
        for _ in range(steps):
            agents = flock([place], grounded=True)
            found.append(unit(gates.resolve(agents, np.zeros((1, 3)))[0]))
            np.testing.assert_array_equal(
                unit(gates.resolve(agents, np.zeros((1, 3)))[0]), found[-1]
            )
        return np.array(found)

    held = headings([0.0, 0.0, 0.0], 20)  # 10 s
    np.testing.assert_allclose(held[:3], 3 * [[0.6, 0.8, 0.0]], atol=1e-12)
    assert any(np.allclose(each, [-0.8, 0.6, 0.0]) for each in held)
    assert any(np.allclose(each, [0.8, -0.6, 0.0]) for each in held)
    kept = held[-1]
    for k in range(1, 20):  # comes on in it, and keeps it
        np.testing.assert_allclose(headings([1.0 * k, 0.0, 0.0], 1), [kept], atol=1e-12)
    parts.hindering = np.zeros(1, np.bool_)
    np.testing.assert_array_equal(
        gates.resolve(flock([[3.0, 0.0, 0.0]], grounded=True), np.ones((1, 3))), np.ones((1, 3))
    )
    parts.hindering = np.ones(1, np.bool_)  # for a moment it was not
    np.testing.assert_allclose(headings([20.0, 0.0, 0.0], 1), [kept], atol=1e-12)
    parts.hindering = np.zeros(1, np.bool_)
    for _ in range(6):
        gates.resolve(flock([[20.0, 0.0, 0.0]], grounded=True), np.ones((1, 3)))
    parts.hindering = np.ones(1, np.bool_)  # it had left the part
    np.testing.assert_allclose(headings([20.0, 0.0, 0.0], 1), [[0.6, 0.8, 0.0]], atol=1e-12)


def test_who_comes_from_either_side_and_is_held_up_behind_a_leaf_goes_back_to_the_end_it_sees():
    ends = np.array([[10.6, 5.0, 0.0], ENTRY])  # of this the second one is on its side
    closed = np.array([[0.0, 5.0]])
    crossing = Crossing(0, "door", closed, 20.0, BOX, 2.5, ends, ends[0], 0.0)
    moves = SimpleNamespace(motion=SimpleNamespace(stands=False))
    none = np.zeros(1, np.bool_)
    parts = SimpleNamespace(
        parts=[moves], clock=np.array([6.0]), dt=0.5, hindering=none, away=np.zeros((1, 3)),
        may_go_on=none,
    )  # fmt: skip
    space = SimpleNamespace(connects=lambda a, b: (a[:, 0] < 10.0) == (b[:, 0] < 10.0))

    def last(desire, steps):
        gates = Gates([Gate(crossing, 0, 3.0, space)], parts)
        gates.group_of = np.zeros(1, np.intp)
        found = [
            gates.resolve(flock([beside], grounded=True), np.array(desire)) for _ in range(steps)
        ]
        return found[-1][0]

    beside, wants = [9.5, 3.3, 0.0], [[0.5, 1.4, 0.0]]
    np.testing.assert_array_equal(last(wants, 3), wants[0])  # not yet for long
    np.testing.assert_allclose(unit(last(wants, 6)), unit(ENTRY - beside), atol=1e-12)
    stays = [[0.0, 0.0, 0.0]]
    np.testing.assert_array_equal(last(stays, 6), stays[0])  # is where it is to be
    parts.clock[:] = 1.0
    assert abs(last(wants, 6)[1]) < 1.4  # it is closed: it waits


def test_who_stands_in_the_way_of_one_who_makes_room_makes_room_too_and_so_on():
    places = [[5.0, 5, 0], [4.3, 5, 0], [3.6, 5.1, 0], [5.0, 5.8, 0], [1.5, 5, 0]]
    agents = flock(places, grounded=True)
    hindering = np.array([True, False, False, False, False])
    away = np.where(hindering[:, None], [-1.0, 0, 0], 0.0)
    parts = SimpleNamespace(
        parts=[], clock=np.zeros(0), hindering=hindering, dt=0.5, away=away,
        may_go_on=np.zeros(5, np.bool_),
    )  # fmt: skip
    gates = Gates([], parts)
    gates.group_of = np.zeros(5, np.intp)
    wanted = np.tile([1.0, 0.0, 0.0], (5, 1))
    found = gates.resolve(agents, wanted)
    assert (found[:3, 0] < 0.0).all()  # it, who is behind it, and who is behind that one
    np.testing.assert_array_equal(found[3:], wanted[3:])  # beside it, and farther off


def test_nearer_to_where_it_waits_a_member_slows_down_without_a_jump():
    """By the root of what is left alone, one before a lift stepped to and fro by a centimeter."""
    step, east = 0.002, np.array([[1.4, 0.0, 0.0]])
    near = [[x, 5.0, 0.0] for x in np.arange(7.0, BOX[0, 0], step)]
    before = held_before(flock(near, grounded=True), np.repeat(east, len(near), axis=0), BOX)
    behind = []
    for place in near:
        pair = flock([[8.3, 5.0, 0.0], place], grounded=True)
        waits = np.array([True, False])
        behind.append(held_behind(pair, np.repeat(east, 2, axis=0), waits, ~waits)[1])
    for found in (before, np.array(behind)):
        assert found[0, 0] > 0.5
        assert found[-1, 0] == 0.0
        assert np.abs(np.diff(found[:, 0])).max() <= 4.0 * step + 1e-9
