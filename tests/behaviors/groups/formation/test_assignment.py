"""Who takes which slot, against brute force and the ways' crossings."""

from itertools import combinations, permutations

import numpy as np
import pytest

from rmp3d.behaviors.formations import Arrow, Circle, Column, Line, SphereFormation
from rmp3d.behaviors.groups.formation.assignment import OUTWARD, in_files, nearest_slots


def squared_ways(station, aside, slots, order):
    place = np.column_stack([station - station.max(), aside])
    return ((place - slots[order] * [-1, 1, 1]) ** 2).sum()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [Line, Arrow, Circle, SphereFormation])
def test_the_sum_of_squared_ways_is_as_small_as_brute_force_finds_it(shape, seed):
    rng = np.random.default_rng(seed)
    station, aside = rng.uniform(-4, 0, 6), rng.uniform(-3, 3, (6, 2))
    slots = shape().slots(6, 1.0)
    found = squared_ways(station, aside, slots, nearest_slots(station, aside, slots))
    best = min(squared_ways(station, aside, slots, list(order)) for order in permutations(range(6)))
    most = OUTWARD * 5 * np.hypot(slots[:, 1], slots[:, 2]).sum()  # what breaking ties may cost
    assert found <= best + most


@pytest.mark.parametrize("seed", range(5))
def test_nobody_crosses(seed):
    """Two that walk straight to their slots in the same time are never nearer than at its ends."""
    rng = np.random.default_rng(seed)
    station, aside = rng.uniform(-6, 0, 12), rng.uniform(-5, 5, (12, 2)) * [1, 0]
    slots = Line().slots(12, 1.0)
    slot = nearest_slots(station, aside, slots)
    start = np.column_stack([station - station.max(), aside])
    end = slots[slot] * [-1, 1, 1]
    for i, j in combinations(range(12), 2):
        apart = [(start[i] - start[j]) * (1 - t) + (end[i] - end[j]) * t
                 for t in np.linspace(0, 1, 60)]  # fmt: skip
        # Ways cross at one moment where two exchange sides: the offsets turn round by over 90 deg.
        assert (start[i] - start[j]) @ (end[i] - end[j]) >= -OUTWARD * 12 * 6
        assert np.linalg.norm(apart, axis=1).min() > 1e-3


def test_the_nearest_to_the_entrance_leads_the_file():
    position = np.array([[0.0, 3, 0], [2, 0, 0], [1, -1, 0], [-4, 0, 0]])
    slots = Column(abreast=1).slots(4, 1.0)
    slot = in_files(position, position[:, 1], np.array([10.0, 0, 0]), slots)
    assert slot.tolist() == [2, 0, 1, 3]


@pytest.mark.parametrize("files", [2, 3, 5])
def test_in_files_nobody_crosses_to_the_other_side_and_the_nearest_leads_each(files):
    rng = np.random.default_rng(files)
    position = rng.uniform([-6, -5, 0], [0, 5, 0], (17, 3))
    ahead = np.array([4.0, 0, 0])
    slots = Column(abreast=files).slots(17, 1.0)
    slot = in_files(position, position[:, 1], ahead, slots)
    assert sorted(slot) == list(range(17))
    lag, left = slots[slot, 0], slots[slot, 1]
    for i, j in combinations(range(17), 2):
        if left[i] == left[j]:
            nearer = np.linalg.norm(position[i] - ahead) < np.linalg.norm(position[j] - ahead)
            assert nearer == (lag[i] < lag[j])
        else:
            assert (position[i, 1] > position[j, 1]) == (left[i] > left[j])
