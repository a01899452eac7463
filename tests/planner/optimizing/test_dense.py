"""A graph that grows without end: it tends to the shortest path where that is known."""

from itertools import pairwise

import numpy as np
import pytest

from rmp3d.planner import COSTS
from rmp3d.planner.optimizing.dense import DenseGraph
from rmp3d.planner.optimizing.optimizer import PathOptimizer
from rmp3d.planner.optimizing.samples import uniform_samples
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.spaces import make_space

LENGTH = COSTS["length"]()
UPRIGHT = [1.0, 0, 0, 0]


@pytest.fixture
def wall(make):
    """A wall of no more than 2 cm, as high as the room, 4 m wide in a room of 8 m."""
    wall = make.box("wall", (-0.01, -2, -1), (0.01, 2, 3))
    return make.scene(make.floor((-4, -4), (4, 4)), wall, bounds=((-4, -4, -1), (4, 4, 3)))


def round_an_edge(radius, far=2.0, half=2.0, thick=0.01):
    """The shortest way of a disc from (-far, 0) to (far, 0), round an edge of the wall."""
    apart = np.hypot(far - thick, half)
    angle = np.arctan2(half, far - thick) + np.arcsin(radius / apart)
    return 2.0 * (np.sqrt(apart**2 - radius**2) + radius * angle + thick)


def improved(space, ends, first, nodes, seed=0):
    """Return the best cost after each turn until there are so many nodes, and the graph."""
    graph = DenseGraph(space, LENGTH, *ends, np.random.default_rng(seed))
    best, costs = first, []
    while len(graph.nodes) < nodes:
        found = graph.advance(best)
        if found is not None:
            assert space.connects(found[:-1], found[1:]).all()
            best = float(LENGTH.pieces(space, found).sum())
        costs.append(best)
    return np.array(costs), graph


def gaps(costs, least):
    """Return how far above the least costs are, relative, after a tenth of the turns and all."""
    return costs[len(costs) // 10] / least - 1.0, costs[-1] / least - 1.0


def test_on_the_ground_it_tends_to_the_shortest_way_round_a_wall(wall, walker):
    space = make_space("ground", wall, walker)
    ends = np.array([[-2.0, 0, 0], [2.0, 0, 0]])
    costs, graph = improved(space, ends, 12.0, 4000)
    assert (np.diff(costs) <= 0.0).all()
    assert len(graph.nodes) >= 4000  # more than the bounded graph has
    early, late = gaps(costs, round_an_edge(walker.radius))
    assert -1e-3 < late < 0.015
    assert late < 0.5 * early


def test_in_the_air_it_tends_to_the_shortest_way_round_a_wall(wall, flyer):
    space = make_space("translation", wall, flyer)
    ends = np.array([[-2.0, 0, 1.0], [2.0, 0, 1.0]])
    early, late = gaps(improved(space, ends, 12.0, 4000)[0], round_an_edge(flyer.radius))
    assert -1e-3 < late < 0.05
    assert late < 0.8 * early


@pytest.mark.parametrize(
    ("kind", "most"), [("ground", 1.01), ("translation", 1.01), ("rigid", 1.02)]
)
def test_with_all_rules_the_shortest_way_is_near_soon(wall, walker, flyer, make_body, kind, most):
    """No turn helps a cube: its way is that of a disc of half its width."""
    cube = make_body((0.2, 0.2, 0.2))
    body, height = {"ground": (walker, 0.0), "translation": (flyer, 1.0), "rigid": (cube, 1.0)}[
        kind
    ]
    space = make_space(kind, wall, body)
    turn = UPRIGHT if kind == "rigid" else []
    places = ([-2.0, 0.0], [-2.0, 3.2], [2.0, 3.2], [2.0, 0.0])
    corners = np.array([[*place, height, *turn] for place in places])
    path = joined(space.connect(corners[:-1], corners[1:]))
    optimizer = PathOptimizer(space, LENGTH, path, np.random.default_rng(0))
    while optimizer.spent < 30_000:
        optimizer.advance()
    least = round_an_edge(0.1 if kind == "rigid" else body.radius)
    assert 0.999 * least < optimizer.total < most * least
    assert len(optimizer._dense.nodes) > 2


def test_samples_are_uniform_where_a_path_may_be_shorter(wall, make_body):
    """Turns as far as can be afforded, and places, as often as in space drawn from its box."""
    space = make_space("rigid", wall, make_body((0.2, 0.2, 0.2)))
    ends = np.array([[-2.0, 0, 1.0, *UPRIGHT], [2.0, 0, 1.0, *UPRIGHT]])
    rng = np.random.default_rng(0)
    drawn = uniform_samples(space, LENGTH, *ends, 7.0, 60_000, rng)
    every = space.from_unit_cube(rng.random((200_000, space.dimension)))
    both = LENGTH.least(space, np.broadcast_to(ends[0], every.shape), every)
    both += LENGTH.least(space, every, np.broadcast_to(ends[1], every.shape))
    every = every[(both < 7.0)]
    every = every[space.is_free(every)]
    angle = [2.0 * np.arccos(np.abs(rows[:, 3]).clip(0.0, 1.0)) for rows in (drawn, every)]
    for one, other in [*zip(drawn[:, :3].T, every[:, :3].T, strict=True), angle]:
        shares = [np.quantile(rows, [0.1, 0.3, 0.5, 0.7, 0.9]) for rows in (one, other)]
        assert np.abs(np.subtract(*shares)).max() < 0.05 * np.ptp(other)


def test_it_drops_no_node_that_a_shorter_path_may_use(wall, walker):
    space = make_space("ground", wall, walker)
    ends = np.array([[-2.0, 0, 0], [2.0, 0, 0]])
    graph = DenseGraph(space, LENGTH, *ends, np.random.default_rng(0))
    counts = [len(graph.nodes)]
    for _ in range(60):
        graph.advance(5.0)  # nothing is as short: no node gets useless
        counts.append(len(graph.nodes))
    assert all(a <= b for a, b in pairwise(counts))
    assert counts[-1] > 3000  # more than the bounded graph has


def test_nodes_come_only_when_no_shorter_path_is_left_untried(wall, walker):
    space = make_space("ground", wall, walker)
    ends = np.array([[-2.0, 0, 0], [2.0, 0, 0]])
    graph = DenseGraph(space, LENGTH, *ends, np.random.default_rng(0))
    for _ in range(30):
        before, searched = len(graph.nodes), graph._pool.is_searched
        graph.advance(12.0)
        assert searched or len(graph.nodes) == before
