"""Rooms, doors and columns laid at random: doors are in their walls, places are free."""

import numpy as np
import pytest

from benchmarks.layouts import DOORS, THICK, blocks, outside, places, rooms

HALF = 10.0


@pytest.mark.parametrize("seed", range(5))
def test_each_wall_between_two_rooms_has_one_door(seed):
    walls = rooms(np.random.default_rng(seed), (3, 2), HALF)
    assert len(walls) == 2 * (2 * 2 + 3)  # two parts of each wall
    for first, second in zip(walls[::2], walls[1::2], strict=True):
        (low, high), (near, far) = np.array([first, second])[:, :, :2]
        gap = near - high
        along = int(np.argmax(gap))
        assert DOORS[0] <= gap[along] <= DOORS[1]
        assert (far - low)[1 - along] == pytest.approx(THICK)
        assert low[1 - along] == near[1 - along]


def test_places_are_apart_and_off_walls():
    rng = np.random.default_rng(1)
    walls = [*rooms(rng, (2, 2), HALF), *blocks(rng, 5, HALF), *outside(HALF)]
    found = places(rng, 40, HALF, walls, apart=0.9, off=0.7)
    between = np.linalg.norm(found[:, None] - found, axis=2)[np.triu_indices(40, 1)]
    assert between.min() > 0.9
    for low, high in np.array(walls)[:, :, :2]:
        beside = np.maximum(np.maximum(low - found, found - high), 0.0)
        assert np.linalg.norm(beside, axis=1).min() >= 0.7
    with pytest.raises(ValueError, match="no room for 400"):
        places(rng, 400, HALF, walls, apart=2.0, off=0.7)
