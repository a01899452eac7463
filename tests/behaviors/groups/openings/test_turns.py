"""Openings that people come through both ways: the sides take turns."""

import numpy as np

from rmp3d.behaviors.groups.openings import NarrowOpening
from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.turns import LASTS, Turns

DOOR = NarrowOpening(np.zeros(3), np.array([1.0, 0.0]), 0.3, 0.4)


def may_pass(turns, x, goals):
    """Return who may pass, of members at x on the axis of the door that go on to x."""
    position, ahead = np.zeros((len(x), 3)), np.zeros((len(x), 1, 3))
    position[:, 0], ahead[:, 0, 0] = x, goals
    return turns.passing(Passers(DOOR, position, ahead, np.arange(len(x)), 6.0)).tolist()


def test_who_is_nearer_goes_first_and_the_other_side_waits_until_the_door_is_clear():
    turns = Turns(DOOR, 0.1)
    goals = [5.0, -5.0]
    assert may_pass(turns, [-1.0, 1.5], goals) == [True, False]
    assert may_pass(turns, [-0.2, 1.0], goals) == [True, False]
    assert not may_pass(turns, [0.5, 1.5], goals)[1]  # it has come through, and is in the way
    assert may_pass(turns, [1.5, 1.5], goals)[1]  # nobody else comes its way


def test_a_turn_ends_and_those_in_the_door_come_out_first():
    turns = Turns(DOOR, LASTS)
    x, goals = [-1.4, -0.5, 2.0], [5.0, 5.0, -5.0]
    assert may_pass(turns, x, goals) == may_pass(turns, x, goals) == [True, True, False]
    assert may_pass(turns, x, goals) == [False, True, False]
    assert may_pass(turns, [-1.4, 0.5, 2.0], goals) == [False, False, False]
    assert may_pass(turns, [-1.4, 1.5, 2.0], goals) == [False, False, True]


def test_who_stands_beside_a_jamb_is_not_in_the_door():
    turns, aside = Turns(DOOR, LASTS), np.array([[-0.3, 1.5, 0.0], [2.0, 0.0, 0.0]])
    ahead = np.array([[[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [-5.0, 0.0, 0.0]]])
    near = Passers(DOOR, aside, ahead, np.arange(2), 6.0)
    assert turns.passing(near).tolist() == turns.passing(near).tolist() == [True, False]
    assert turns.passing(near).tolist() == [False, True]  # it need not come out first
