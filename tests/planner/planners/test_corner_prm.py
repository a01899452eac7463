import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.planner.planners import plan
from rmp3d.planner.planners.corner_prm import CornerPRM
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap import corners
from rmp3d.planner.roadmap.building import extend_roadmap
from rmp3d.planner.roadmap.corners import corner_roadmap, corners_of
from rmp3d.planner.roadmap.near_ends import batches_of_nodes
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.search import shortest_route
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.roadmap.storage import load_roadmap, save_roadmap
from rmp3d.planner.spaces import make_space


def length_to(places, place):
    return np.linalg.norm(places - place, axis=1)


def length(points):
    return np.linalg.norm(np.diff(points, axis=0), axis=1).sum()


def test_the_way_around_a_block_is_the_shortest_but_for_the_room_at_its_corners(make, walker):
    block = make.box("block", (-2, -9, 0), (2, 3, 2))
    scene = make.scene(
        make.floor((-10, -10), (10, 10)), block, bounds=((-10, -10, -1), (10, 10, 4))
    )
    space = make_space("ground", scene, walker)
    way = shortest_route(corner_roadmap(space), np.array([-6.0, 0, 0]), np.array([6.0, 0, 0]))
    # Of a body without width, and of one that passes corners with a quarter of its radius to spare.
    aside = 1.25 * walker.radius
    wide = 2 * np.hypot(4 - aside, 3 + aside) + 4 + 2 * aside
    assert 2 * np.hypot(4, 3) + 4 < length(way) <= wide


def test_corners_are_found_on_every_level(make, walker):
    deck = make.box("deck", (-5, -5, 2.8), (5, 5, 3), role="ground")
    post = make.box("post", (-1, -1, -1), (1, 1, 9))
    scene = make.scene(make.floor((-9, -9), (9, 9)), deck, post, bounds=((-9, -9, -1), (9, 9, 9)))
    places = corners_of(make_space("ground", scene, walker)).places
    for z in (0.0, 3.0):
        near = places[np.abs(places[:, 2] - z) < 1e-6, :2]
        beside = (
            np.abs(np.abs(near) - 1.0 - 1.125 * walker.radius).max(axis=1) < 0.125 * walker.radius
        )
        assert beside.sum() == 4


def test_ways_over_and_under_a_bridge_are_found(bridge, walker):
    space = make_space("ground", bridge, walker)
    for start, goal in (([-9, 0, 0.3], [9, 0, 0.3]), ([0, -6, 0], [0, 6, 0])):
        result = plan(Problem(space, np.array(start), np.array(goal)), planner="corner_prm")
        assert result.certified


def test_without_corners_the_roadmap_grows_from_samples(make, walker):
    scene = make.scene(make.floor((-5, -5), (5, 5)), bounds=((-5, -5, -1), (5, 5, 3)))
    space = make_space("ground", scene, walker)
    found = plan(
        Problem(space, np.array([-4.0, 0, 0]), np.array([4.0, 0, 0])),
        planner=CornerPRM(nodes=20),
    )
    assert found.certified
    assert len(found.roadmap.configurations) >= 4


def test_flyers_are_refused_with_the_planner_to_take(rooms, walker):
    space = make_space("translation", rooms, walker)
    with pytest.raises(InputError, match="take the planner `prm`"):
        plan(Problem(space, np.array([-8.0, 0, 2]), np.array([8.0, 0, 2])), planner="corner_prm")


def test_a_place_on_a_long_bridge_is_joined_to_the_ends_of_the_bridge(make, walker):
    deck = make.box("deck", (-60, -2, 3.8), (60, 2, 4), role="ground")
    below = [(x, y, -1, x + 0.6, y + 0.6, 2.5) for x in range(-6, 7, 3) for y in range(-6, 7, 3)]
    above = [(x, -0.3, 3.9, x + 0.6, 0.3, 6) for x in (-58, 57)]
    posts = [make.box(f"post {k}", box[:3], box[3:]) for k, box in enumerate([*below, *above])]
    floor = make.floor((-70, -30), (70, 30))
    scene = make.scene(floor, deck, *posts, bounds=((-70, -30, -1), (70, 30, 9)))
    space = make_space("ground", scene, walker)
    roadmap = corner_roadmap(space)
    middle = np.array([0.0, 0.0, 4.0])
    on_deck = roadmap.configurations[:, 2] > 3.0
    assert 0 < on_deck.sum() < 16
    nearest = np.argsort(length_to(roadmap.configurations, middle))[:64]
    assert not on_deck[nearest].any()
    first = next(batches_of_nodes(roadmap, middle))
    assert on_deck[first].sum() == on_deck.sum()
    assert len(np.unique(first)) == len(first)
    everything = np.concatenate(list(batches_of_nodes(roadmap, middle)))
    assert len(np.unique(everything)) == len(everything) == len(roadmap.configurations)


def test_over_corners_alone_a_query_is_the_route_itself_with_points_close_together(bridge, walker):
    space = make_space("ground", bridge, walker)
    roadmap = corner_roadmap(space)
    assert roadmap.is_of_corners
    start, goal = np.array([0.0, -6, 0]), np.array([0.0, 6, 0])
    path = query(roadmap, start, goal, np.random.default_rng(0))
    assert path.length == pytest.approx(length(shortest_route(roadmap, start, goal)), rel=1e-12)
    step = np.linalg.norm(np.diff(path.points, axis=0), axis=1)
    assert (step <= walker.radius + 1e-9).all()
    assert not extend_roadmap(
        roadmap, RoadmapSettings(nodes=len(roadmap.configurations) + 5), np.random.default_rng(0)
    ).is_of_corners


def test_a_file_keeps_which_nodes_are_corners(bridge, walker, tmp_path):
    space = make_space("ground", bridge, walker)
    roadmap = corner_roadmap(space)
    save_roadmap(roadmap, tmp_path / "corners.roadmap")
    assert load_roadmap(tmp_path / "corners.roadmap", space).is_of_corners
    empty = corner_roadmap(space).first(0)
    save_roadmap(empty, tmp_path / "empty.roadmap")
    assert not load_roadmap(tmp_path / "empty.roadmap", space).is_of_corners


def test_who_stops_the_building_keeps_what_is_proved(make, walker, monkeypatch):
    monkeypatch.setattr(corners, "ROWS", 8)
    posts = [
        make.box(f"post {x} {y}", (x, y, -1), (x + 0.6, y + 0.6, 2))
        for x in range(-6, 7, 3) for y in range(-6, 7, 3)
    ]  # fmt: skip
    space = make_space("ground", make.scene(make.floor((-10, -10), (10, 10)), *posts), walker)
    whole = corner_roadmap(space)
    seen = []

    def stop(done, total):
        seen.append((done, total))
        if len(seen) == 4:
            raise KeyboardInterrupt

    problem = Problem(space, np.array([-9.0, 0, 0]), np.array([9.0, 0, 0]))
    result = plan(problem, planner="corner_prm", progress=stop)
    assert seen == [(8 * k, len(whole.configurations)) for k in (1, 2, 3, 4)]
    assert result.interrupted
    assert 0 < len(result.roadmap.edges) < len(whole.edges)
    assert not result.roadmap.is_of_corners
    both = {tuple(pair) for pair in whole.edges.tolist()}
    assert {tuple(pair) for pair in result.roadmap.edges.tolist()} <= both


def test_the_time_limit_ends_the_building(make, walker):
    wall = make.box("wall", (-1, -9, -1), (1, 10, 2))
    space = make_space("ground", make.scene(make.floor((-10, -10), (10, 10)), wall), walker)
    problem = Problem(space, np.array([-6.0, 0, 0]), np.array([6.0, 0, 0]))
    late = corner_roadmap(space, deadline=0.0)
    assert (len(late.edges), late.is_of_corners) == (0, False)
    result = plan(problem, planner="corner_prm", time_limit=1e-9)
    assert not result.solved
    assert "no path found within 1e-09 s" in str(result.error)
    assert plan(problem, planner="corner_prm").certified
