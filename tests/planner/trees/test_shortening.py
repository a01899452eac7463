"""Short cuts are shorter, proved, and keep the ends."""

import numpy as np

from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.shortening import shortened, straightened


def length(space, path):
    return float(space.distance(path[:-1], path[1:]).sum())


def detour(problem):
    """From start over a far corner and back, all on this side of the wall."""
    places = [problem.start[:3], [-1.5, 1, 1], [-1.5, 1, -1], [-1.6, -1, 0], [-1.2, 0.1, 0.1]]
    path = np.tile(problem.start, (len(places), 1))
    path[:, :3] = places
    return path


def test_a_detour_becomes_straight_where_nothing_is_in_the_way(window):
    space = RigidBodySpace.of_problem(window)
    path = detour(window)
    for short in (
        shortened(space, path, np.random.default_rng(0), 20_000),
        straightened(space, path),
    ):
        np.testing.assert_array_equal(short[[0, -1]], path[[0, -1]])
        assert len(short) == 2
        assert space.world.motions_are_free(short[:-1], short[1:]).all()


def test_short_cuts_go_around_what_is_in_the_way(bends):
    space = RigidBodySpace.of_problem(bends)
    places = [[-4.5, 0], [-4.5, -4.5], [-2, -4.5], [-2, 4.5], [0, 4.5], [0, 0]]
    path = np.tile(bends.start, (len(places), 1))
    path[:, :2] = places
    assert space.world.motions_are_free(path[:-1], path[1:]).all()
    short = shortened(space, path, np.random.default_rng(0), 20_000)
    assert length(space, short) < 0.95 * length(space, path)
    assert len(short) > 2
    assert space.world.motions_are_free(short[:-1], short[1:]).all()
    again = shortened(space, path, np.random.default_rng(0), 20_000)
    assert short.tobytes() == again.tobytes()


def test_after_the_deadline_nothing_is_cut(bends):
    space = RigidBodySpace.of_problem(bends)
    path = np.tile(bends.start, (2, 1))
    path[1, 1] += 1.0
    np.testing.assert_array_equal(shortened(space, path, np.random.default_rng(0), 500, 0.0), path)
