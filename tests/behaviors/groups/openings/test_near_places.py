"""Who is near which place, against brute force."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings.near_places import NearPlaces


@pytest.mark.parametrize("places", [0, 1, 40])
@pytest.mark.parametrize("wide", [0.0, 5.0, 3000.0])
def test_rows_near_places_are_those_of_brute_force(places, wide):
    rng = np.random.default_rng(places)
    middle = rng.uniform(-wide, wide, (places, 3))
    reach = rng.uniform(0.5, 6.0, places)
    position = rng.uniform(-wide - 8.0, wide + 8.0, (3000, 3))
    # Some are just in reach and just out of it, along the axes.
    at = rng.integers(max(1, places), size=400)
    if places:
        side = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])[rng.integers(4, size=400)]
        off = reach[at] * (1.0 + rng.choice([-1e-15, 0.0, 1e-15, -1e-3], 400))
        position[:400, :2] = middle[at, :2] + off[:, None] * side
    free = rng.random(3000) < 0.8
    found = NearPlaces(middle, reach).rows(position, free)
    assert len(found) == places
    for own, where, far in zip(found, middle, reach, strict=True):
        x, y = (position - where)[:, :2].T
        np.testing.assert_array_equal(own, np.flatnonzero(free & (x * x + y * y < far * far)))
