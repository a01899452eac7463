"""The ground's graph: links as long as they are, none through a wall or between levels."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from rmp3d.behaviors.terrain.ground import (
    arrival,
    cells_within,
    free_links,
    ground_of,
    soonest_near,
)
from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes.build.shapes import box, floor

CELL = 0.5


def room(half=4.0, height=0.0):
    line = np.linspace(-half, half, 9)
    return floor(line, line, np.ones((8, 8), bool), height)


@pytest.fixture
def walled():
    """A square of 8 m with a wall that leaves a passage at one end."""
    return WalkableSurface(room()), MeshQuery(box([-0.1, -5, -1], [0.1, 2.5, 3]))


def test_arrival_is_the_shortest_way_that_another_algorithm_finds(walled):
    surface, wall = walled
    ground = ground_of(surface, CELL)
    free = free_links(surface, CELL, wall, 0.3, 0.3, 1.4)
    seed = np.full(len(ground.point), np.inf)
    seed[[3, 40]] = [0.7, 0.0]
    time, previous = arrival(ground, free, 2.0, seed)
    count = len(ground.point)
    ways = csr_matrix((ground.span[free], (ground.origin[free], ground.link[free])), (count,) * 2)
    oracle = (np.array([[0.7], [0.0]]) + dijkstra(ways, indices=[3, 40]) / 2.0).min(axis=0)
    np.testing.assert_allclose(time, oracle, rtol=1e-12)
    later = previous >= 0
    assert (time[later] > time[previous[later]]).all()


def test_ways_in_the_open_are_hardly_longer_than_straight():
    ground = ground_of(WalkableSurface(room()), CELL)
    seed = np.full(len(ground.point), np.inf)
    seed[0] = 0.0
    time, _ = arrival(ground, np.ones(len(ground.link), bool), 1.0, seed)
    straight = np.linalg.norm(ground.point - ground.point[0], axis=1)
    assert (time >= straight - 1e-9).all()
    assert (time <= 1.03 * straight + 1e-9).all()


def test_no_free_way_touches_the_wall(walled):
    surface, wall = walled
    ground = ground_of(surface, CELL)
    free = free_links(surface, CELL, wall, 0.3, 0.3, 1.4)
    share = np.linspace(0.0, 1.0, 12)[:, None, None]
    start, end = ground.point[ground.origin[free]], ground.point[ground.link[free]]
    on_the_way = (start + share * (end - start)).reshape(-1, 3)
    gap, _ = wall.capsule_clearance(on_the_way, (0.3, 1.4), 0.3, 1.0)
    assert gap.min() >= 0.0
    assert free.any()
    assert not free.all()


def test_levels_above_one_another_are_not_linked():
    ground = ground_of(WalkableSurface(join([room(), room(height=3.0)])), CELL)
    height = ground.point[:, 2]
    assert (np.unique(height) == [0.0, 3.0]).all()
    np.testing.assert_array_equal(height[ground.origin], height[ground.link])


def test_cells_are_entered_in_time_or_not_at_all():
    ground = ground_of(WalkableSurface(room()), CELL)
    seed = np.full(len(ground.point), np.inf)
    seed[0] = 0.0
    before = np.where(ground.point[:, 0] < 0.0, 20.0, 1.0)
    time, _ = arrival(ground, np.ones(len(ground.link), bool), 1.0, seed, before)
    assert np.isfinite(time[ground.point[:, 0] < 0.0]).all()
    assert np.isinf(time[ground.point[:, 0] > 0.0]).all()


def test_the_soonest_nearby_is_that_of_brute_force():
    surface = WalkableSurface(room())
    point = ground_of(surface, CELL).point
    time = np.random.default_rng(0).uniform(0, 9, len(point))
    start, near = cells_within(surface, CELL, 1.6)
    found = soonest_near(point, start, near, 1.2, time)
    apart = np.linalg.norm(point[:, None] - point[None], axis=2)
    np.testing.assert_array_equal(found, np.where(apart <= 1.2, time, np.inf).min(axis=1))
