"""The compiled sums of flocking against plain loops over all pairs."""

import numpy as np
import pytest

from rmp3d.behaviors.proximity.flock_sums import ViewArc, flock_sums
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.geometry.vectors import length, unit

APART = ViewArc(0.4, 180.0)


def plain(position, heading, velocity, radius, reach, personal, alignment, cohesion):
    crowding, change, middle = np.zeros((3, len(position), 3))
    for i in range(len(position)):
        offset = position - position[i]
        apart = length(offset)
        seen = (apart <= reach) & (np.arange(len(position)) != i)
        for j in np.flatnonzero(seen):
            direction = offset[j] / apart[j] if apart[j] else np.array([1.0 if i < j else -1, 0, 0])
            share = 1.0 - (apart[j] - radius[i] - radius[j]) / personal
            crowding[i] += np.clip(share, 0.0, 1.0) * direction
        for view, total, value in (
            (alignment, change, velocity - velocity[i]), (cohesion, middle, offset)
        ):  # fmt: skip
            angle = np.degrees(np.arccos(np.clip(unit(offset) @ heading[i], -1, 1)))
            counts = seen & (apart <= view.distance) & ((angle <= view.angle_deg) | (apart == 0.0))
            if counts.any():
                total[i] = value[counts].mean(axis=0)
    return crowding, change, middle


@pytest.mark.parametrize("count", [0, 1, 2, 60])
@pytest.mark.parametrize("angle", [60.0, 135.0, 180.0])
def test_the_sums_are_those_of_loops(count, angle):
    rng = np.random.default_rng(count)
    position = rng.uniform(-1, 1, (count, 3))
    position[1::10] = position[: count - 1 : 10]  # pairs in one place
    heading, velocity = unit(rng.normal(size=(count, 3))), rng.normal(size=(count, 3))
    radius = rng.uniform(0.0, 0.2, count)
    views = ViewArc(0.9, angle), ViewArc(0.7, 150.0)
    near = Neighbors.within(position, 1.0, radius)
    found = flock_sums(near, heading, velocity, velocity, ViewArc(0.5, 180.0), *views)
    expected = plain(position, heading, velocity, radius, 1.0, 0.5, *views)
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_the_seen_are_rows_of_the_crowd_the_seeing_of_their_own():
    rng = np.random.default_rng(5)
    position, velocity = rng.uniform(-1, 1, (30, 3)), rng.normal(size=(30, 3))
    heading, radius = unit(rng.normal(size=(30, 3))), np.full(30, 0.1)
    near, rows, views = (
        Neighbors.within(position, 0.9, radius),
        np.arange(4, 11),
        (ViewArc(1, 120),) * 2,
    )
    everyone = flock_sums(near, heading, velocity, velocity, APART, *views)
    part = flock_sums(near.of(rows), heading[rows], velocity[rows], velocity, APART, *views)
    for mine, theirs in zip(part, everyone, strict=True):
        np.testing.assert_allclose(mine, theirs[rows], atol=1e-14)
