"""Ways for shepherds: how far it is round obstacles, and round a flock."""

import networkx as nx
import numpy as np
import pytest

from rmp3d.behaviors.groups.herding.grid import WalkableGrid, is_behind
from rmp3d.behaviors.groups.herding.herd import Herd, circle_allowed, largest_part
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.query import MeshQuery

WALL = ([-0.5, -10, 0], [0.5, 6, 2])
FEAR = 4.0


@pytest.fixture
def ways(ways, make):
    space = ways.space(walls=[WALL])
    flock = make.flock([[-5.0, 0, 0]], grounded=True)
    world = WorldState(
        flock, np.zeros(1, int), ("dogs",), walking=MeshQuery(space.world.scene.obstacles),
        surface=space.surface, bounds=space.world.scene.bounds,
    )  # fmt: skip
    return WalkableGrid.of(world, 0, 1.0)


def test_distances_are_those_of_the_graph(ways):
    field = ways.field(ways.ground.point[ways.nearest(np.array([6.0, 0, 0]))])
    graph = nx.DiGraph()
    for a, b, span in zip(
        ways.ground.origin[ways.free], ways.ground.link[ways.free], ways.ground.span[ways.free],
        strict=True,
    ):  # fmt: skip
        graph.add_edge(int(b), int(a), weight=span)
    far = nx.multi_source_dijkstra_path_length(
        graph, {int(v) for v in np.flatnonzero(field.far == 0.0)}
    )
    reached = np.flatnonzero(np.isfinite(field.far))
    assert len(reached) > 600
    best = np.array([far.get(int(v), np.inf) for v in reached])
    assert (field.far[reached] <= best + 1e-9).all()


def test_behind_a_wall_it_is_farther_than_straight(ways):
    field = ways.field(np.array([3.0, -4.0, 0.0]))
    far = field.at(np.array([[-3.0, -4.0, 0.0], [6.0, -4.0, 0.0]]))
    # Through the gap at (0, 6): at least over its corner.
    least = 2.0 * np.hypot(2.5, 10.0)
    assert least <= far[0] <= 1.1 * least + 3.0
    assert far[1] == pytest.approx(3.0, abs=0.3)


def test_a_route_is_free_and_ends_where_it_should(ways):
    start, goal = np.array([-6.0, -5.0, 0.0]), np.array([6.0, -5.0, 0.0])
    route = np.concatenate([start[None], ways.field(goal).route(start)])
    np.testing.assert_array_equal(route[-1], goal)
    assert ways.clear(route[:-1], route[1:]).all()


@pytest.mark.parametrize("seed", range(5))
def test_ways_behind_a_flock_lead_round_it_outside_its_fear_distance(ways, seed):
    """From in front of a flock in the open to behind it; only there it is come near to."""
    rng = np.random.default_rng(seed)
    flock = np.array([10.0, 0, 0]) + rng.uniform(-1.5, 1.5, (8, 3)) * [1, 1, 0]
    middle, course = flock.mean(axis=0), np.array([-1.0, 0, 0])
    post = middle - 4.0 * course
    start = np.array([2.0, rng.uniform(-3, 3), 0.0])
    field = ways.field(post, ways.prices(flock, FEAR, middle, course))
    route = field.route(start)
    gap = np.linalg.norm(route[:, None] - flock, axis=2).min(axis=1)
    near = gap < FEAR
    assert not near.all()
    assert is_behind(route[near], middle, course).all()


def test_behind_is_behind():
    points = np.array([[-3.0, 0, 0], [3, 0, 0], [0, 3, 0], [-3, 1, 0]])
    behind = is_behind(points, np.zeros(3), np.array([1.0, 0, 0]))
    assert behind.tolist() == [True, False, False, True]
    assert not is_behind(points, np.zeros(3), np.zeros(3)).any()


def test_strays_are_those_out_of_the_circle_round_what_is_in_the_way(ways):
    rng = np.random.default_rng(3)
    flock = np.array([5.0, -4.0, 0]) + rng.uniform(-1.5, 1.5, (10, 3)) * [1, 1, 0]
    strays = np.array([[-3.0, -4.0, 0], [14.0, 5.0, 0]])  # the first is near, behind the wall
    herd = Herd.of(ways, np.arange(12), np.concatenate([flock, strays]), 9.0)
    assert herd.strays.tolist() == [10, 11]
    assert herd.core.tolist() == list(range(10))


def test_the_largest_part_is_told_by_gaps():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [9, 0, 0], [2, 0, 0], [10, 0, 0]])
    assert largest_part(points, 1.5).tolist() == [True, True, False, True, False]
    assert largest_part(points[:1], 1.5).tolist() == [True]


def test_the_circle_has_room_for_the_flock_and_grows_with_it():
    radii = [circle_allowed(n, 0.5, np.inf) for n in (1, 5, 20, 100)]
    assert (np.diff(radii) > 0).all()
    for n, radius in zip((1, 5, 20, 100), radii, strict=True):
        assert np.pi * radius**2 > n * np.pi * 0.5**2 / 0.9
    assert circle_allowed(20, 0.5, np.inf, 7.0) == 7.0
    assert circle_allowed(60, 0.5, 1.0) > circle_allowed(60, 0.5, 20.0)
