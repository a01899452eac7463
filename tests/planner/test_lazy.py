import numpy as np
import pytest

from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.polyline import densified, total_length
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.search import is_joined, join_ends, settled, shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import make_space

START, GOAL = np.array([-8.0, 4.0, 0]), np.array([8.0, 4.0, 0])


def build(space, seed=0, nodes=200, **settings):
    rules = RoadmapSettings(nodes=nodes, **settings)
    return build_roadmap(space, rules, np.random.default_rng(seed))


@pytest.mark.parametrize("local_planner", ["linear", "potential_field"])
@pytest.mark.parametrize("wanted", [0.0, 0.8])
def test_the_way_is_as_short_as_that_of_the_eager_roadmap(rooms, walker, local_planner, wanted):
    space = make_space("ground", rooms, walker)
    lazy, eager = (build(space, lazy=lazy, local_planner=local_planner) for lazy in (True, False))
    np.testing.assert_array_equal(lazy.configurations, eager.configurations)
    assert len(lazy.edges) == 0
    ways = [shortest_route(roadmap, START, GOAL, wanted) for roadmap in (lazy, eager)]
    if wanted == 0.0:
        assert total_length(ways[0]) == pytest.approx(total_length(ways[1]), abs=1e-9)
    assert space.world.polylines_are_free(ways).all()


def test_it_proves_a_fraction_of_the_motions(make, walker):
    pillars = [make.box(f"p{x}", (x, -0.3, 0), (x + 0.4, 0.3, 2)) for x in (-6, -2, 2, 6)]
    scene = make.scene(make.floor((-10, -5), (10, 5)), *pillars, bounds=((-10, -5, -1), (10, 5, 3)))
    start, goal = np.array([-9.0, 0, 0]), np.array([9.0, 0, 0])
    plans = {}
    for lazy in (True, False):
        rules = PRM(nodes=300, lazy=lazy)
        space = make_space("ground", scene, walker)
        plans[lazy] = plan(Problem(space, start, goal), planner=rules, rng=np.random.default_rng(0))
    lazy, eager = (plans[kind].roadmap.statistics for kind in (True, False))
    assert lazy.collision_queries < 0.5 * eager.collision_queries
    assert lazy.distance_queries < 0.5 * eager.distance_queries
    fcl = make_space("ground", scene, walker, backend="fcl").world
    for found in plans.values():
        assert fcl.is_free(densified(found.path.points, 0.02)).all()


def test_settling_moves_pairs_from_untried_to_edges_or_drops_them(rooms, walker):
    space = make_space("ground", rooms, walker)
    lazy, eager = build(space, lazy=True), build(space)
    ends = join_ends(lazy, START, GOAL)
    done = settled(lazy, ends)
    assert is_joined(done, ends)
    assert 0 < len(done.edges) <= len(lazy.untried) - len(done.untried)
    true = {tuple(pair) for pair in eager.edges.tolist()}
    assert {tuple(pair) for pair in done.edges.tolist()} <= true
    assert true <= {tuple(p) for p in [*done.edges.tolist(), *done.untried.tolist()]}
    assert done.counts.collision > lazy.counts.collision
    # and a second time there is nothing to do
    assert settled(done, ends).edges.tolist() == done.edges.tolist()
    assert lazy.statistics.edges == 0
    assert lazy.statistics.untried == len(lazy.untried)


def test_a_query_settles_for_itself(rooms, walker):
    lazy = build(make_space("ground", rooms, walker), lazy=True)
    assert query(lazy, START, GOAL, np.random.default_rng(0)).length < 19
    assert len(lazy.edges) == 0


def test_no_way_is_found_out(make, walker):
    scene = make.scene(
        make.floor((-10, -5), (10, 5)),
        make.box("wall", (-0.1, -6, 0), (0.1, 6, 2)),
        bounds=((-10, -5, -1), (10, 5, 3)),
    )
    lazy = build(make_space("ground", scene, walker), nodes=100, lazy=True)
    left = int((lazy.configurations[:, 0] < 0).sum())
    with pytest.raises(NoPathError) as caught:
        shortest_route(lazy, np.array([-5.0, 0, 0]), np.array([5.0, 0, 0]))
    assert (caught.value.start_component, caught.value.goal_component) == (left, 100 - left)
    assert caught.value.components == 2


def test_components_are_joined_only_where_no_untried_pair_may(bridge, walker):
    space = make_space("ground", bridge, walker)
    lazy = build(space, nodes=150, neighbors=0, radius=1.5, lazy=True, seed=2)
    joined = join_components(lazy, LOCAL_PLANNERS["linear"]())
    label = lazy.possible_component
    assert len(joined.edges) > 0
    assert (label[joined.edges[:, 0]] != label[joined.edges[:, 1]]).all()
    assert joined.untried.tolist() == lazy.untried.tolist()
