"""What members of a crowd go after: a point ahead, the end of the way, or where they are."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.crowd.carrots import write_carrots


@pytest.mark.parametrize("count", [0, 1, 700])
def test_who_walks_goes_after_a_point_ahead_and_the_others_to_where_they_stay(count):
    rng = np.random.default_rng(0)
    position, subgoal = rng.random((2, count, 3))
    subgoal[::7] = position[::7]
    pace, last, waiting = rng.random(count), rng.random(count) < 0.3, rng.random(count) < 0.3
    goal, velocity = np.full((2, count, 3), np.nan)
    position.setflags(write=False)
    write_carrots(position, subgoal, pace, last, waiting, goal, velocity)
    walks, stays = ~last & ~waiting, last & ~waiting
    assert np.array_equal(goal[waiting], position[waiting])
    assert np.array_equal(goal[stays], subgoal[stays])
    assert not velocity[~walks].any()
    offset = (subgoal - position)[walks]
    size = np.linalg.norm(offset, axis=1, keepdims=True)
    ahead = np.divide(offset, size, out=np.zeros_like(offset), where=size > 0.0)
    ahead = pace[walks, None] * ahead
    assert np.allclose(goal[walks] - position[walks], 0.5 * ahead, atol=1e-15)
    assert np.allclose(velocity[walks], 0.25 * ahead, atol=1e-15)
