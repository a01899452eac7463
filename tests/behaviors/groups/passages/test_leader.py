"""The virtual leader: when it goes on, and when it waits."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.passages.leader import VirtualLeader

ENTRANCE = 10.0


def moved(station, aside, from_one_side):
    """How far [m] a leader goes in 0.1 s, the first of a column ``aside`` [m] of its slot."""
    leader = VirtualLeader(spacing=1.0, cruise_speed=1.3, dt=0.1, station=station)
    leader.take_formation(station, False, ENTRANCE, from_one_side)
    leader.advance(np.zeros(2), np.array([aside, 0.0]), True, 1.0, 50.0)
    return leader.station - station


def test_the_leader_makes_space_for_the_first_of_a_file_that_comes_from_one_side():
    """At 2 m there are 8 m left to come in, at 0.6 m aside for each; at 9 m there is one."""
    assert moved(2.0, 4.0, from_one_side=True) == pytest.approx(0.13)
    assert moved(2.0, 4.0, from_one_side=False) == 0.0
    assert moved(9.0, 4.0, from_one_side=True) == 0.0
