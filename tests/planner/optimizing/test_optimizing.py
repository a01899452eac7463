"""Paths made cheaper: certified, never dearer, repeatable by work, kept when somebody stops it."""

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner import COSTS, Optimization
from rmp3d.planner.errors import ConfirmationError
from rmp3d.planner.optimizing.classes import same_class
from rmp3d.planner.optimizing.improving import Improving, length_in
from rmp3d.planner.optimizing.local_search import LocalSearch
from rmp3d.planner.optimizing.optimizer import PathOptimizer
from rmp3d.planner.optimizing.pool import Pool
from rmp3d.planner.optimizing.samples import box_of_ellipsoid, in_ellipsoid, informed_samples
from rmp3d.planner.paths.polyline import joined, total_length
from rmp3d.planner.planners import plan
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.spaces import make_space

LENGTH = COSTS["length"]()
START, GOAL = np.array([-4.0, 0.0, 1.0]), np.array([4.0, 0.0, 1.0])


@pytest.fixture
def island(make, flyer):
    """A block in a flat box of air: there are two classes of ways round it."""
    block = make.box("block", (-1, -2, -1), (1, 1, 3))
    scene = make.scene(block, bounds=((-6, -6, 1), (6, 6, 1)))
    return make_space("translation", scene, flyer)


def around(side):
    return np.array([START, [-2.0, side, 1.0], [2.0, side, 1.0], GOAL])


def shortest_over(side, radius=0.4):
    """The way round two corners of the block at a radius: lines and arcs."""
    near = np.array([-1.0, side])
    apart = np.linalg.norm(near - START[:2])
    line = np.sqrt(apart**2 - radius**2)
    turn = np.arctan2(abs(side), 3.0) + np.arcsin(radius / apart)
    return 2.0 * line + 2.0 + 2.0 * radius * turn


def is_certified(space, vertices):
    space.world.confirm(vertices)
    return bool(space.connects(vertices[:-1], vertices[1:]).all())


def test_a_local_search_comes_near_the_shortest_path_of_its_class(island):
    search = LocalSearch(island, LENGTH, around(4.0), np.random.default_rng(0))
    totals = [search.total]
    for _ in range(150):
        search.advance()
        totals.append(search.total)
    assert (np.diff(totals) <= 0.0).all()
    assert is_certified(island, search.vertices)
    least = shortest_over(1.0)
    assert least < search.total < 1.01 * least
    assert search.total == pytest.approx(total_length(search.vertices, island))


def test_one_pool_joins_the_good_halves_of_two_paths(island):
    pool = Pool(island, LENGTH, START, GOAL)
    one = np.array([START, [-1.6, 1.6, 1], [1.6, 5.0, 1.0], GOAL])
    other = np.array([START, [-1.6, 5.0, 1], [1.6, 1.6, 1.0], GOAL])
    for path in (one, other):
        pool.add_path(path)
    best = min(total_length(path) for path in (one, other))
    found = pool.cheapest(best)
    assert found is not None
    assert total_length(found) < 0.9 * best
    assert is_certified(island, found)
    assert pool.cheapest(total_length(found)) is None


def test_a_pool_begins_with_what_trees_have_reached(island):
    """Trees that never met: their backbones are joined where a motion is proved."""
    left = np.array([[-3.0, 2.0, 1.0], [-1.6, 2.4, 1.0], [-1.62, 2.41, 1.0], [-5.9, -5.9, 1.0]])
    right = np.array([[3.0, 2.0, 1.0], [1.6, 2.4, 1.0]])
    nodes = np.concatenate([[START, GOAL], left, right])
    edges = np.array([[0, 2], [2, 3], [3, 4], [0, 5], [1, 6], [6, 7]])
    pool = Pool(island, LENGTH, START, GOAL)
    pool.add_trees(nodes, edges, 14.0)
    # Of two nodes in one cell the nearer one stays; what no path of that cost uses is left out.
    assert not (pool.nodes == left[2]).all(axis=1).any()
    assert not (pool.nodes == left[3]).all(axis=1).any()
    found = pool.cheapest(np.inf)
    assert found is not None
    assert (found == left[1]).all(axis=1).any()
    assert is_certified(island, found)


def test_paths_on_both_sides_of_a_block_are_of_two_classes(island):
    assert same_class(island, around(2.0), around(5.0))
    assert not same_class(island, around(2.0), around(-3.0))


def test_paths_on_both_sides_of_a_post_are_of_two_classes_however_far_they_lead(make, flyer):
    """Of few points of long paths, no pair looks across the post."""
    post = make.box("post", (-0.1, -0.1, -1), (0.1, 0.1, 3))
    scene = make.scene(post, bounds=((-40, -6, 1), (40, 6, 1)))
    space = make_space("translation", scene, flyer)

    def past(side, before=1.0):
        return np.array([[-35, 0, 1], [-before, side, 1], [before, side, 1], [35, 0, 1]], float)

    assert not same_class(space, past(0.6), past(-0.6))
    assert same_class(space, past(0.6), past(2.0, 8.0))


def test_alternatives_pass_a_row_of_posts_on_different_sides(make, walker):
    posts = [
        make.box(f"post {k}", (x - 0.2, -0.2, 0), (x + 0.2, 0.2, 2)) for k, x in enumerate((-5, 5))
    ]
    scene = make.scene(make.floor((-12, -4), (12, 4)), *posts, bounds=((-12, -4, -1), (12, 4, 3)))
    space = make_space("ground", scene, walker)
    ends = np.array([[-11.0, 0.0, 0.0], [11.0, 0.0, 0.0]])
    found = planned(space, *ends, alternatives=4).alternatives
    sides = set()
    for way in found:
        points = way.configurations
        assert is_certified(space, points)
        at = np.interp([-5.0, 5.0], points[:, 0], points[:, 1])
        sides.add(tuple(np.sign(at).tolist()))
    assert sides == {(1, 1), (1, -1), (-1, 1), (-1, -1)}


@pytest.fixture
def doors(make):
    """A wall across a hall 24 m x 14 m with doors 1.5 m wide in it; the start sees through each."""

    def built(count):
        middle = 14.0 * (np.arange(count) + 0.5) / count
        low, high = [0.0, *(middle + 0.75)], [*(middle - 0.75), 14.0]
        walls = [
            make.box(f"wall {k}", (11.9, a, 0.0), (12.1, b, 3.0))
            for k, (a, b) in enumerate(zip(low, high, strict=True))
        ]
        ground = make.floor((0, 0), (24, 14))
        return make.scene(ground, *walls, bounds=((0, 0, -0.5), (24, 14, 3)))

    return built


def doors_of(ways, count):
    """The number of the door that each way leads through."""
    middle = 14.0 * (np.arange(count) + 0.5) / count
    found = []
    for points in ways:
        row = np.flatnonzero((points[:-1, 0] < 12.0) & (points[1:, 0] >= 12.0))[0]
        share = (12.0 - points[row, 0]) / (points[row + 1, 0] - points[row, 0])
        at = points[row, 1] + share * (points[row + 1, 1] - points[row, 1])
        found.append(int(np.abs(middle - at).argmin()))
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "count"), [("ground", 4), ("translation", 3)])
def test_there_is_a_way_through_each_door_of_a_wall(doors, walker, flyer, kind, count):
    """Also where a short cut leads from one door to another, and the first path is straight."""
    height = 0.0 if kind == "ground" else 1.0
    space = make_space(kind, doors(count), walker if kind == "ground" else flyer)
    ends = np.array([[1.5, 7.0, height], [22.5, 7.0, height]])
    found = planned(space, *ends, alternatives=count).alternatives
    ways = [way.configurations for way in found]
    assert all(is_certified(space, way) for way in ways)
    assert doors_of(ways, count) == list(range(count))


@pytest.mark.slow
def test_a_body_is_led_through_each_door_before_one_in_another_turn(doors, make_body):
    space = make_space("rigid", doors(3), make_body((1.2, 0.5, 0.4)))
    ends = np.array([[x, 7.0, 1.0, 1.0, 0.0, 0.0, 0.0] for x in (1.5, 22.5)])
    found = planned(space, *ends, alternatives=3).alternatives
    assert doors_of([way.configurations for way in found], 3) == [0, 1, 2]


def test_a_path_that_stays_in_its_class_keeps_its_door(doors, walker):
    space = make_space("ground", doors(3), walker)
    over = [[1.5, 7.0, 0.0], [11.0, 2.33, 0.0], [13.0, 2.33, 0.0], [22.5, 7.0, 0.0]]
    for in_class, door in ((True, 0), (False, 1)):
        rng = np.random.default_rng(0)
        search = LocalSearch(space, LENGTH, np.array(over), rng, in_class)
        before = search.total
        for _ in range(60):
            search.advance()
        assert search.total < before
        assert doors_of([search.vertices], 3) == [door]


def test_an_empty_room_has_one_way(make, walker):
    scene = make.scene(make.floor((0, 0), (12, 8)), bounds=((0, 0, -1), (12, 8, 3)))
    space = make_space("ground", scene, walker)
    ends = np.array([[1.0, 4.0, 0.0], [11.0, 4.0, 0.0]])
    found = planned(space, *ends, work=20_000, alternatives=4).alternatives
    assert len(found) == 1


def test_short_ways_round_a_block_in_the_air_are_of_one_class(make, flyer):
    """They move onto each other over its edges, though none sees the other through them."""
    block = make.box("block", (-0.5, -0.5, 2.0), (0.5, 0.5, 3.0))
    scene = make.scene(block, bounds=((-6, -4, 0), (6, 4, 5)))
    space = make_space("translation", scene, flyer)

    def past(y, z):
        return np.array([[-5.0, 0.0, 2.5], [-0.5, y, z], [0.5, y, z], [5.0, 0.0, 2.5]])

    ways = [past(0.0, 3.45), past(0.0, 1.55), past(0.95, 2.5), past(-0.95, 2.5)]
    assert all(is_certified(space, way) for way in ways)
    assert not same_class(space, ways[0], ways[2])
    for way in ways[2:]:
        assert same_class(space, ways[0], way, thorough=True)
        assert same_class(space, way, ways[1], thorough=True)


def test_ways_on_two_sides_of_a_wall_to_the_ceiling_are_of_two_classes(island):
    assert not same_class(island, around(2.0), around(-3.0), thorough=True)


def test_samples_are_where_a_shorter_path_may_lead(island, rooms, make_body):
    rng = np.random.default_rng(1)
    free = informed_samples(island, LENGTH, around(2.0), 9.0, 200, rng)
    over = np.linalg.norm(free - START, axis=1) + np.linalg.norm(free - GOAL, axis=1)
    assert len(free) > 30
    assert (over < 9.0).all()
    assert (free[:, 2] == 1.0).all()
    space = make_space("rigid", rooms, make_body((0.6, 0.2, 0.1)))
    path = np.array([[-3.0, 0, 2, 1, 0, 0, 0], [3.0, 0, 2, 0, 0, 0, 1]])
    best = 1.2 * float(space.distance(path[0], path[1]))
    turned = informed_samples(space, LENGTH, path, best, 100, rng)
    over = space.distance(path[0], turned) + space.distance(turned, path[1])
    assert len(turned) > 10
    assert (over < best).all()


def test_points_of_an_ellipsoid_fill_it_and_lie_in_its_box():
    start, goal = np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 4.0])
    points = in_ellipsoid(start, goal, 4.0, 4000, np.random.default_rng(0))
    way = np.linalg.norm(points - start, axis=1) + np.linalg.norm(points - goal, axis=1)
    assert way.max() <= 4.0 * (1.0 + 1e-9)
    low, high = box_of_ellipsoid(start, goal, 4.0)
    assert (points >= low).all()
    assert (points <= high).all()
    assert np.allclose(points.max(axis=0), high, atol=0.15)
    straight = in_ellipsoid(start, start, 2.0, 100, np.random.default_rng(0))
    assert np.linalg.norm(straight - start, axis=1).max() <= 1.0 + 1e-9


def test_the_optimizer_finds_the_other_side_where_it_is_shorter(island):
    optimizer = PathOptimizer(island, LENGTH, around(-3.0), np.random.default_rng(0))
    while optimizer.spent < 12_000:
        optimizer.advance()
    assert optimizer.total < 1.02 * shortest_over(1.0)
    assert is_certified(island, optimizer.vertices)
    kept = [total for total, _ in optimizer.known]
    assert kept == sorted(kept)


def planned(space, start, goal, seed=0, **asked):
    better = asked.pop("better", None)
    return plan(
        Problem(space, start, goal), seed=seed, optimization=Optimization(**asked), better=better
    )


def test_the_same_work_gives_the_same_path_and_a_history_that_falls(island):
    first, again = (planned(island, START, GOAL, work=3000) for _ in range(2))
    assert first.configurations.tobytes() == again.configurations.tobytes()
    costs = [each.cost for each in first.improvements]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(first.path.length)
    assert costs[-1] < 1.05 * shortest_over(1.0)
    assert first.improvements[0].work == 0
    assert is_certified(island, first.path.points)


def test_a_rigid_body_and_a_vehicle_get_shorter_paths_too(rooms, make_body, vehicle):
    rigid = make_space("rigid", rooms, make_body((0.6, 0.2, 0.1)))
    drives = make_space("ground_heading", rooms, vehicle, turn_radius=1.0)
    for space, height in ((rigid, 1.0), (drives, 0.0)):
        over = [[-6, 3], [-4, -3], [-2, 0], [2, 0], [4, 3], [6, -3]]
        rows = np.array([[x, y, height, 1, 0, 0, 0] for x, y in over], float)
        motions = space.connect(rows[:-1], rows[1:])
        path = joined(motions)
        optimizer = PathOptimizer(space, LENGTH, path, np.random.default_rng(0))
        before = optimizer.total
        while optimizer.spent < 1000:
            optimizer.advance()
        assert optimizer.total < 0.93 * before
        assert (optimizer.vertices[[0, -1]] == path[[0, -1]]).all()
        space.world.confirm(optimizer.vertices)


def test_alternatives_are_of_different_classes_the_cheapest_first(island):
    result = planned(island, START, GOAL, alternatives=2)
    near, far = result.alternatives
    assert near.cost < far.cost
    assert not same_class(island, near.configurations, far.configurations)
    assert near.length == pytest.approx(result.path.length)
    assert far.length < 1.1 * shortest_over(-2.0)
    assert is_certified(island, far.configurations)


def test_whoever_stops_it_keeps_the_best_path_so_far(island):
    seen = []

    def better(found):
        seen.append(found)
        if len(seen) == 2:
            raise KeyboardInterrupt

    result = planned(island, START, GOAL, seed=1, work=50_000, better=better)
    assert result.improved.stopped
    assert result.solved
    assert result.reason == ""
    assert result.path.length == pytest.approx(seen[-1].length)


def test_whoever_stops_it_among_the_alternatives_keeps_those_confirmed(island, monkeypatch):
    paths = [(around(4.0), None), (around(5.0), None)]
    settings = Optimization(work=10, alternatives=3)
    rng = np.random.default_rng(0)
    improving = Improving(island, LENGTH, paths, settings, rng, length_in(island, False))
    for leg in improving.legs:
        monkeypatch.setattr(leg.optimizer, "others", lambda _: [(9.0, around(6.0))])

    def stop(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(improving.legs[1], "is_confirmed", stop)
    assert len(improving.alternatives()) == 2
    assert improving.stopped


def test_whoever_stops_it_before_the_first_improvement_keeps_the_path(island, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Improving, "__init__", stop)
    result = planned(island, START, GOAL, work=10)
    assert result.improved.stopped
    assert result.certified


def test_a_path_that_the_judge_refuses_is_not_taken(island, monkeypatch):
    def refuse(points):
        raise ConfirmationError("no", 0)

    monkeypatch.setattr(island.world, "confirm", refuse)
    improving = Improving(
        island, LENGTH, [(around(4.0), None)], Optimization(work=2000), np.random.default_rng(0),
        length_in(island, False),
    )  # fmt: skip
    improving.run(0.0)
    assert (improving.legs[0].vertices == around(4.0)).all()
    assert len(improving.improvements) == 1


def test_settings_out_of_range_are_refused():
    for key, value in (("seconds", -1.0), ("seconds", np.nan), ("work", -1), ("alternatives", 0)):
        with pytest.raises(InputError, match=str(value)):
            Optimization(**{key: value})
    with pytest.raises(InputError, match="rules"):
        Optimization(rules=("none",))
    assert not Optimization().is_asked
