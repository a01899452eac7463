import numpy as np

from rmp3d.viewer.cameras.picking import pick_member


def sampled(origin, direction, position, capsule_axis, radius):
    """Walk along the ray and down each axis; slow, and of another kind."""
    reach = np.linspace(0, 40, 1201)
    on_ray = origin + reach[:, None] * direction
    best, row = np.inf, -1
    for member in range(len(position)):
        heights = np.linspace(*capsule_axis[member], 40)
        points = position[member] + heights[:, None] * [0, 0, 1]
        gap = np.linalg.norm(on_ray[:, None] - points[None], axis=2)
        if gap.min() <= radius[member]:
            near = reach[np.argmin(gap.min(axis=1))]
            if near < best:
                best, row = near, member
    return row, best


def test_picks_the_member_that_sampling_finds():
    rng = np.random.default_rng(0)
    position = rng.uniform(-6, 6, (8, 3)) * [1, 1, 0.1]
    capsule_axis, radius = np.tile([0.3, 1.5], (8, 1)), np.full(8, 0.3)
    hits = 0
    for _ in range(24):
        origin = rng.uniform([-10, -10, 2], [10, 10, 22])
        goal = position[rng.integers(8)] + rng.normal(0, 0.5, 3) + [0, 0, 0.9]
        direction = (goal - origin) / np.linalg.norm(goal - origin)
        expected, _ = sampled(origin, direction, position, capsule_axis, radius)
        wider, _ = sampled(origin, direction, position, capsule_axis, radius + 0.03)
        thinner, _ = sampled(origin, direction, position, capsule_axis, radius - 0.03)
        if expected == wider == thinner:  # away from the silhouette, where sampling decides
            assert pick_member(origin, direction, position, capsule_axis, radius) == expected
            hits += expected >= 0
    assert hits > 5


def test_straight_down_and_behind_and_nobody():
    position, capsule_axis, radius = np.zeros((1, 3)), np.array([[0.0, 1.0]]), np.array([0.5])
    down = np.array([0.0, 0.0, -1.0])
    assert pick_member(np.array([0.2, 0, 9]), down, position, capsule_axis, radius) == 0
    assert pick_member(np.array([0.2, 0, 9]), -down, position, capsule_axis, radius) == -1
    assert pick_member(np.zeros(3), down, position[:0], capsule_axis[:0], radius[:0]) == -1
