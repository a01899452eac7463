import numpy as np

from rmp3d.planner.paths.polyline import total_length
from rmp3d.planner.paths.shortening import shortened
from rmp3d.planner.spaces import make_space


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
