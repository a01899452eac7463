"""Who fell back in file and was passed changes places, and only then."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.groups.formation.overtaking import LOST, overtaken, passed_in_file

APART = np.full(4, 0.3)


def test_who_is_passed_takes_the_place_of_the_first_that_passed_it():
    station = np.array([5.0, 4.0, 7.0, 6.0])
    everybody = np.ones(4, np.bool_)
    assert overtaken([0], station, np.arange(4.0), everybody, APART) == [[0, 2]]
    assert overtaken([0], station, np.arange(4.0), ~everybody, APART) == []


@given(st.permutations(range(6)), st.sets(st.integers(0, 5)))
def test_only_those_who_fell_back_move_back_and_only_for_who_is_ahead(order, members):
    station, everybody = -np.array(order, float), np.ones(6, np.bool_)
    slot = np.arange(6)
    for one, other in overtaken(members, station, slot.astype(float), everybody, np.full(6, 0.5)):
        assert one in members
        assert station[other] > station[one]
        assert slot[other] > slot[one]
        slot[[one, other]] = slot[[other, one]]
    assert sorted(slot) == list(range(6))


def in_file(ways, files):
    """Return places of four, 1 m one behind the other, in files so far to the left."""
    slots = np.column_stack([np.arange(4.0), files, np.zeros(4)])
    start = np.column_stack([10.0 - slots[:, 0], slots[:, 1], np.zeros(4)])
    frame = FormationFrame.from_positions(
        ways.straight(40.0),
        ways.room(40.0, lambda s: 5.0 + 0 * s),
        1.0,
        1.3,
        1.8,
        1.2,
        False,
        start,
    )
    return frame, slots, start


def test_one_that_lost_its_place_gets_that_of_who_passed_it_in_its_own_file(ways):
    everybody = np.ones(4, np.bool_)
    frame, slots, position = in_file(ways, [0.0, 0.5, 0.0, 0.0])
    assert passed_in_file(frame, position, slots, everybody, APART) == []
    position[0] += [-2.5, 0.9, 0.0]  # behind the third; the second is of another file
    assert passed_in_file(frame, position, slots, everybody, APART) == [[0, 2]]
    nobody = np.array([True, True, False, False])
    assert passed_in_file(frame, position, slots, nobody, APART) == []


def test_a_little_disorder_changes_nothing(ways):
    frame, slots, position = in_file(ways, np.zeros(4))
    position[0] += [-0.9 * LOST, 0.0, 0.0]
    position[1] += [0.2, 0.0, 0.0]
    assert passed_in_file(frame, position, slots, np.ones(4, np.bool_), APART) == []


def test_one_whose_place_came_back_behind_its_follower_gets_the_followers(ways):
    """On stairs a place comes back to its member, which so never is far from it."""
    frame, slots, position = in_file(ways, np.zeros(4))
    everybody = np.ones(4, np.bool_)
    position[1, 0] = frame.station[1] = frame.station[2] - 0.6
    assert passed_in_file(frame, position, slots, everybody, APART) == []
    frame.came_back[1] = True
    assert passed_in_file(frame, position, slots, everybody, APART) == [[1, 2]]
    position[1, 0] = frame.station[1] = frame.station[2] - 0.2  # hardly behind: not passed yet
    assert passed_in_file(frame, position, slots, everybody, APART) == []
