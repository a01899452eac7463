"""Short cuts of polylines and of a rigid body's motions: shorter, proved, with the same ends."""

import numpy as np

from rmp3d.planner.paths.polyline import total_length
from rmp3d.planner.paths.shortening import shortened, shortened_motions, straightened
from rmp3d.planner.spaces import RigidBodySpace, make_space


def test_a_straight_path_costs_no_proof(rooms, walker):
    space = make_space("ground", rooms, walker)
    straight = np.array([[-8.0, 0, 0], [0, 0, 0], [8, 0, 0]])
    before = space.world.counts.copy()
    found = shortened(space, straight, np.random.default_rng(0), 0.1)
    assert space.world.counts.since(before).collision == 0
    assert total_length(found) == 16.0


def test_a_detour_is_cut_to_a_proved_path_with_the_same_ends(rooms, walker):
    space = make_space("ground", rooms, walker)
    detour = np.array([[-8.0, 4, 0], [-6, -3, 0], [0, 0, 0], [6, -3, 0], [8, 4, 0]])
    assert space.world.polylines_are_free([detour]).all()
    found = shortened(space, detour, np.random.default_rng(0), 0.1)
    np.testing.assert_array_equal(found[[0, -1]], detour[[0, -1]])
    assert space.world.polylines_are_free([found]).all()
    corner = np.array([0.0, 0.6 - 0.28])
    shortest = np.linalg.norm(detour[[0, -1], :2] - corner, axis=1).sum()
    assert shortest - 0.05 < total_length(found) < shortest + 0.15


def detour_of(problem):
    """From start over a far corner and back, all on this side of the wall."""
    places = [problem.start[:3], [-1.5, 1, 1], [-1.5, 1, -1], [-1.6, -1, 0], [-1.2, 0.1, 0.1]]
    path = np.tile(problem.start, (len(places), 1))
    path[:, :3] = places
    return path


def test_a_detour_becomes_straight_where_nothing_is_between(window):
    space = RigidBodySpace.of_problem(window)
    path = detour_of(window)
    for short in (
        shortened_motions(space, path, np.random.default_rng(0), 20_000),
        straightened(space, path),
    ):
        np.testing.assert_array_equal(short[[0, -1]], path[[0, -1]])
        assert len(short) == 2
        assert space.world.motions_are_free(short[:-1], short[1:]).all()


def test_short_cuts_go_around_walls(bends):
    space = RigidBodySpace.of_problem(bends)
    places = [[-4.5, 0], [-4.5, -4.5], [-2, -4.5], [-2, 4.5], [0, 4.5], [0, 0]]
    path = np.tile(bends.start, (len(places), 1))
    path[:, :2] = places
    assert space.world.motions_are_free(path[:-1], path[1:]).all()
    short = shortened_motions(space, path, np.random.default_rng(0), 20_000)
    assert total_length(short, space) < 0.95 * total_length(path, space)
    assert len(short) > 2
    assert space.world.motions_are_free(short[:-1], short[1:]).all()
    again = shortened_motions(space, path, np.random.default_rng(0), 20_000)
    assert short.tobytes() == again.tobytes()


def test_after_the_deadline_nothing_is_cut(bends):
    space = RigidBodySpace.of_problem(bends)
    path = np.tile(bends.start, (2, 1))
    path[1, 1] += 1.0
    np.testing.assert_array_equal(
        shortened_motions(space, path, np.random.default_rng(0), 500, 0.0), path
    )
