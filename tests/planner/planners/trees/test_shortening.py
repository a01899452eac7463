"""Short cuts are shorter, proved, and keep the ends."""

import numpy as np

from rmp3d.planner.collision.rigid_queries import RigidWorld
from rmp3d.planner.planners.trees.shortening import shortened, straightened


def length(world, path):
    return float(world.space.distance(path[:-1], path[1:]).sum())


def detour(problem):
    """From start over a far corner and back, all on this side of the wall."""
    places = [problem.start[:3], [-1.5, 1, 1], [-1.5, 1, -1], [-1.6, -1, 0], [-1.2, 0.1, 0.1]]
    path = np.tile(problem.start, (len(places), 1))
    path[:, :3] = places
    return path


def test_a_detour_becomes_straight_where_nothing_is_in_the_way(window):
    world = RigidWorld(window)
    path = detour(window)
    for short in (
        shortened(world, path, np.random.default_rng(0), 20_000),
        straightened(world, path),
    ):
        np.testing.assert_array_equal(short[[0, -1]], path[[0, -1]])
        assert len(short) == 2
        assert world.motions_are_free(short[:-1], short[1:]).all()


def test_short_cuts_go_around_what_is_in_the_way(bends):
    world = RigidWorld(bends)
    places = [[-4.5, 0], [-4.5, -4.5], [-2, -4.5], [-2, 4.5], [0, 4.5], [0, 0]]
    path = np.tile(bends.start, (len(places), 1))
    path[:, :2] = places
    assert world.motions_are_free(path[:-1], path[1:]).all()
    short = shortened(world, path, np.random.default_rng(0), 20_000)
    assert length(world, short) < 0.95 * length(world, path)
    assert len(short) > 2
    assert world.motions_are_free(short[:-1], short[1:]).all()
    again = shortened(world, path, np.random.default_rng(0), 20_000)
    assert short.tobytes() == again.tobytes()


def test_after_the_deadline_nothing_is_cut(bends):
    world = RigidWorld(bends)
    path = np.tile(bends.start, (2, 1))
    path[1, 1] += 1.0
    np.testing.assert_array_equal(shortened(world, path, np.random.default_rng(0), 500, 0.0), path)
