import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.compiled import calls_of
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.paths.polyline import densified, total_length
from rmp3d.planner.roadmap.building import build_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import SPACES, make_space, walks


def on_bridge_or_road(points):
    """Heights (M, 2) of the bridge and the road of the fixture, nan where there is none."""
    x, y = np.abs(points[:, 0]), np.abs(points[:, 1])
    height = np.where(x < 4, 3.0, (10.0 - x) / 2.0)
    bridge = np.where((x <= 10 + 1e-9) & (y <= 1.5 + 1e-9), height, np.nan)
    return np.column_stack([bridge, np.zeros(len(points))])


def test_an_edge_never_jumps_levels(bridge, walker):
    space = make_space("ground", bridge, walker)
    roadmap = build_roadmap(space, RoadmapSettings(nodes=600), np.random.default_rng(0))
    heights = roadmap.configurations[:, 2]
    assert (heights > 2.9).sum() > 10  # there are nodes on the deck,
    under = (heights == 0.0) & (np.abs(roadmap.configurations[:, :2]) < [4, 1.5]).all(axis=1)
    assert under.sum() > 1  # and below it
    for points in roadmap.polylines:
        dense = densified(points, 0.02)
        levels = on_bridge_or_road(dense)
        # every point is on one of the surfaces, and the height never changes faster than the ramp,
        # but for a step down from where its side is low
        assert (np.nanmin(np.abs(levels - dense[:, 2:]), axis=1) < 1e-6).all()
        run = np.linalg.norm(np.diff(dense[:, :2], axis=0), axis=1)
        assert (np.abs(np.diff(dense[:, 2])) <= 0.51 * run + space.surface.step_height).all()


def test_points_above_one_another_are_not_joined(bridge, walker):
    space = make_space("ground", bridge, walker)
    ways = space.connect(np.array([[0.0, 0, 0], [0, 0, 3]]), np.array([[1.0, 0, 3], [2, 0, 3]]))
    assert ways[0] is None
    np.testing.assert_allclose(ways[1], [[0, 0, 3], [2, 0, 3]])


def test_a_walk_up_the_ramp_bends_where_the_ramp_does(bridge, walker):
    space = make_space("ground", bridge, walker)
    (way,) = space.connect(np.array([[-9.0, 0, 0.5]]), np.array([[3.0, 1, 3]]))
    bends = np.flatnonzero(np.isclose(way[:, 0], -4.0))
    assert len(bends) == 1
    assert way[bends[0], 2] == pytest.approx(3.0)
    # length in plan is that of the straight line, in height that of the ramp
    plan = np.hypot(12.0, 1.0)
    assert total_length(way) == pytest.approx(
        np.hypot(plan * 5 / 12, 2.5) + plan * 7 / 12, abs=1e-6
    )


@pytest.mark.parametrize("count", [0, 1, 300])
def test_who_connects_is_who_gets_a_way(bridge, walker, count):
    space = make_space("ground", bridge, walker)
    points = space.from_unit_cube(np.random.default_rng(1).random((2 * count, 3)))
    start, end = points[:count], points[count:]
    ways = space.connect(start, end)
    assert [way is not None for way in ways] == space.connects(start, end).tolist()
    for way, a, b in zip(ways, start, end, strict=True):
        if way is not None:
            np.testing.assert_array_equal(way[[0, -1]], [a, b])
            assert space.connect(a[None], b[None])[0].tolist() == way.tolist()


def test_samples_are_uniform_by_area(bridge, walker):
    space = make_space("ground", bridge, walker)
    points = space.from_unit_cube(np.random.default_rng(0).random((40_000, 3)))
    ramp = 2 * 3 * np.hypot(6, 3)
    share = np.array([40 * 20, 8 * 3, ramp]) / (40 * 20 + 8 * 3 + ramp)
    road, deck = points[:, 2] == 0.0, points[:, 2] > 3.0 - 1e-9
    found = np.array([road.mean(), deck.mean(), (~road & ~deck).mean()])
    np.testing.assert_allclose(found, share, atol=4 * np.sqrt(share * (1 - share) / 40_000).max())
    assert np.abs(points[road].mean(axis=0)).max() < 0.3


def test_the_point_below_a_bridge_is_placed_below_it(bridge, walker):
    space = make_space("ground", bridge, walker)
    assert space.place(np.array([0.0, 0, 0.5]))[2] == 0.0
    assert space.place(np.array([0.0, 0, 2.4]))[2] == pytest.approx(3.0)


def test_placing_says_what_is_wrong(rooms, walker):
    space = make_space("ground", rooms, walker)
    with pytest.raises(PlacementError, match="in collision with `left wall`"):
        space.place(np.array([0.0, -3, 0]))
    with pytest.raises(PlacementError, match="not on walkable ground"):
        space.place(np.array([20.0, 0, 0]))
    with pytest.raises(PlacementError, match=r"not on walkable ground \(none within 2 m"):
        space.place(np.array([5.0, 0, 3.5]))


def test_placing_out_of_bounds(make, walker):
    scene = make.scene(make.floor((-10, -10), (10, 10)), bounds=((-5, -5, -1), (5, 5, 3)))
    with pytest.raises(PlacementError, match="out of bounds"):
        make_space("ground", scene, walker).place(np.array([7.0, 0, 0]))


def test_walks_are_cut_into_calls_between_which_an_interrupt_is_seen(bridge, walker, monkeypatch):
    space = make_space("ground", bridge, walker)
    plan = np.random.default_rng(0).uniform(-10, 10, (300, 3))
    points, _ = space.surface.locate(plan, above=9.0, below=9.0)
    start, end = points[:200], points[100:]
    whole = walks.straight_walks(space.surface, start, end)
    cut = []
    monkeypatch.setattr(walks, "calls_of", lambda block: cut.append(block) or calls_of(block, 30))
    parts = walks.straight_walks(space.surface, start, end)
    assert cut == [slice(0, 200)]
    np.testing.assert_array_equal(whole.points, parts.points)
    np.testing.assert_array_equal(whole.first, parts.first)
    assert 0 < whole.arrived.sum() < 200
    assert len(walks.straight_walks(space.surface, start[:0], end[:0]).first) == 1


def test_walks_stop_at_the_border_of_the_ground(rooms, walker):
    space = make_space("ground", rooms, walker)
    moved, arrived = space.move(np.array([[8.0, 0, 0]]), np.array([[5.0, 0, 0]]))
    assert moved[0, 0] == pytest.approx(10.0)
    assert not arrived[0]


def test_what_is_out_of_bounds_may_come_back_but_not_go_farther_out(make, walker):
    scene = make.scene(make.floor((-10, -10), (10, 10)), bounds=((-5, -5, -1), (5, 5, 3)))
    space = make_space("ground", scene, walker)
    out = np.tile([6.0, 2.0, 0.0], (3, 1))
    steps = np.array([[-0.5, 0, 0], [0.5, 0, 0], [0, 0.5, 0]])
    _, arrived = space.move(out, steps)
    assert arrived.tolist() == [True, False, True]


def test_edges_stay_in_bounds(make, walker):
    """A bridge over the top of the box: its ends are inside, its middle is not."""
    vertices = np.array([[x, y, z] for x, z in ((-4, 0), (0, 2), (4, 0)) for y in (-1, 1.0)])
    faces = np.array([[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]])
    flat = make.floor((-4, -1), (4, 1), name="hill")
    hill = type(flat)("hill", "ground", type(flat.mesh)(vertices, faces), np.full((4, 3), 0.5))
    for top, expected in ((1.0, False), (3.0, True)):
        scene = make.scene(hill, bounds=((-5, -5, -1), (5, 5, top)))
        space = make_space("ground", scene, walker)
        (way,) = space.connect(np.array([[-3.9, 0, 0.05]]), np.array([[3.9, 0, 0.05]]))
        assert (way is not None) == expected


def test_a_scene_without_ground_is_refused(make, walker):
    scene = make.scene(make.box("b", (0, 0, 0), (1, 1, 1)))
    with pytest.raises(InputError, match="no walkable ground"):
        make_space("ground", scene, walker)


def test_unknown_spaces_are_refused(rooms, walker):
    assert list(SPACES) == ["ground", "ground_heading", "rigid", "translation"]
    with pytest.raises(InputError, match="no space named `grund`; did you mean `ground`"):
        make_space("grund", rooms, walker)


def test_a_walk_keeps_each_bend_also_beside_a_piece_of_no_length_to_speak_of():
    """Past a corner of triangles a walk may cross two edges within 1e-15 m: paths then floated."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        station = np.array([-3.0, -2.0, 0.0, rng.choice([1e-15, 1e-12]), 2.0, 2.5])
        before, after = rng.uniform(-0.3, 0.3, 2)
        rise = np.where(station < 0.0, before, after) * station
        points = np.stack([station, 0.1 * station, rise], axis=1)
        left = points.copy()
        count = walks.straighten(left, len(points))
        found = np.interp(station, left[:count, 0], left[:count, 2])
        np.testing.assert_allclose(found, rise, atol=1e-9)
        assert count in (3, 4)
