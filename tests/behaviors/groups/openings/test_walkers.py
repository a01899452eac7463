"""Members of several groups see with the space of their own body."""

import numpy as np

from rmp3d.behaviors.groups.openings.walkers import Walkers


def test_a_thin_body_sees_through_where_a_thick_one_does_not(ways):
    walls = [([0.0, 0.2, 0], [0.2, 9, 2])]
    spaces = [ways.space(walls=walls, radius=radius) for radius in (0.3, 0.1)]
    walkers = Walkers([*spaces, None])
    walkers.group_of = np.array([0, 1, 0, 1, 2])
    begin, end = np.tile([-2.0, 0, 0], (5, 1)), np.tile([2.0, 0, 0], (5, 1))
    assert walkers.connects(np.arange(5), begin, end).tolist() == [False, True, False, True, False]
    assert walkers.connects(np.array([3, 2]), begin[:2], end[:2]).tolist() == [True, False]
    assert walkers.routed(np.arange(5)).tolist() == [0, 1, 2, 3]
    assert walkers.others().tolist() == [False, False, False, False, True]
