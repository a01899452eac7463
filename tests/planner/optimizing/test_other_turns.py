"""The same way with other turns: proved, with the same ends, and cheaper than it may be at most."""

from itertools import pairwise

import numpy as np
import pytest

from rmp3d.geometry.rotations import angle_between
from rmp3d.planner import COSTS
from rmp3d.planner.optimizing.other_turns import OtherTurns, Sequences
from rmp3d.planner.paths.polyline import joined, total_length
from rmp3d.planner.spaces import make_space

LENGTH = COSTS["length"]()
UPRIGHT, HALF_TURN = [1.0, 0, 0, 0], [0.0, 0, 0, 1.0]


@pytest.fixture
def plate(make, make_body):
    """A square plate, and a slot that it passes upright only, a quarter turn away from flat."""
    walls = [
        make.box("low", (-0.1, -2, 0), (0.1, 2, 1)),
        make.box("high", (-0.1, -2, 2), (0.1, 2, 3)),
        make.box("left", (-0.1, -2, 1), (0.1, -0.15, 2)),
        make.box("right", (-0.1, 0.15, 1), (0.1, 2, 2)),
    ]
    scene = make.scene(*walls, bounds=((-3, -2, 0), (3, 2, 3)))
    return make_space("rigid", scene, make_body((0.6, 0.1, 0.6)))


def turned_through(space):
    """A way through the slot that is turned by a half turn before it, and back behind it."""
    rows = [(-2.0, UPRIGHT), (-1.0, HALF_TURN), (1.0, HALF_TURN), (2.0, UPRIGHT)]
    vertices = np.array([[x, 0.0, 1.5, *turn] for x, turn in rows])
    return joined(space.connect(vertices[:-1], vertices[1:]))


def test_needless_turns_are_left_out(plate):
    path = turned_through(plate)
    before = total_length(path, plate)
    search = OtherTurns(plate, LENGTH, np.random.default_rng(0))
    paths = [search.along(path, 1.5 * before) for _ in range(4)]
    for found in paths:
        assert (found[[0, -1]] == path[[0, -1]]).all()
        plate.world.confirm(found)
        assert plate.connects(found[:-1], found[1:]).all()
    best = min(paths, key=lambda found: total_length(found, plate))
    assert total_length(best, plate) < 0.8 * before
    inside = best[np.abs(best[:, 0]) < 0.4]
    assert len(inside)
    upright = np.broadcast_to(UPRIGHT, (len(inside), 4))
    assert angle_between(inside[:, 3:], upright).max() < 0.5 * np.pi


def test_what_costs_too_much_is_not_found(plate):
    path = turned_through(plate)
    search = OtherTurns(plate, LENGTH, np.random.default_rng(0))
    straight = float(plate.distance(path[0], path[-1]))
    assert search.along(path, straight) is None


def test_the_cheapest_free_sequence_is_that_of_brute_force(plate):
    rng = np.random.default_rng(3)
    near = plate.within(np.array([[-1.2, -1.0, 0.5], [0.0, 1.0, 2.5]]))
    drawn = [near.from_unit_cube(rng.random((30, 6))) for _ in range(3)]
    ends = np.array([[-2.0, 0.0, 1.5, *UPRIGHT], [-0.5, 0.0, 1.5, *UPRIGHT]])
    layers = [ends[:1], *(rows[plate.is_free(rows)][:8] for rows in drawn), ends[1:]]
    search = Sequences(plate, LENGTH, layers)
    found = layers[0][:0]
    while found is not None and len(found) == 0:
        found = search.advance(np.inf)
    total = np.zeros(1)
    for start, end in pairwise(layers):
        first, second = (grid.ravel() for grid in np.indices((len(start), len(end))))
        free = plate.connects(start[first], end[second])
        price = np.where(free, plate.distance(start[first], end[second]), np.inf)
        total = (total[:, None] + price.reshape(len(start), len(end))).min(axis=0)
    assert np.isfinite(total[0])
    assert total_length(found, plate) == pytest.approx(total[0])
