"""What is kept of members when some come and others leave."""

import numpy as np

from rmp3d.behaviors.turnover import Turnover


def test_rows_lie_one_after_the_other_whatever_newcomers_have():
    """Compiled loops would compile once more, in the middle of a run, for rows that do not."""
    values = np.arange(12.0).reshape(4, 3)
    members = Turnover(np.array([2, -1, 0]), 4)
    for fresh in (0.0, [7.0, 8.0, 9.0], np.full((3, 3), 5.0)):
        found = members.of(values, fresh)
        assert found.flags.c_contiguous
        assert found.flags.writeable
        np.testing.assert_array_equal(found[[0, 2]], values[[2, 0]])
        np.testing.assert_array_equal(found[1], np.broadcast_to(fresh, (3, 3))[1])
