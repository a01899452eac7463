"""What each layer draws, before any of it is on a screen."""

import itertools
from dataclasses import fields, replace

import numpy as np
import pytest

from rmp3d.geometry.arrays import frozen
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import rotate
from rmp3d.models import load_character
from rmp3d.scenes import Part, Region, Scene
from rmp3d.viewer.drawings import DRAWINGS, Seen
from rmp3d.viewer.drawings.along_path import narrow_places
from rmp3d.viewer.drawings.bodies import BodiesDrawing, capsule_edges
from rmp3d.viewer.drawings.clearance import Nearest
from rmp3d.viewer.drawings.regions import start_and_goal
from rmp3d.viewer.drawings.roadmap import component_rank, weight_colors
from rmp3d.viewer.layers import Layers, layer_rows
from rmp3d.viewer.palette import GOAL, HEAVY, LIGHT, START
from rmp3d.viewer.playback.bounds import LIFT, feet
from rmp3d.viewer.playback.details import FormationTrack, GroupDetails, PathCorridor, Sight
from rmp3d.viewer.playback.playback import Pose

NEITHER = {"wireframe", "xray", "shadows", "roofs", "hidden", "mean"}  # the renderer's own


def drawn(playback, name, time=5.0, selected=-1):
    seen = Seen(time, playback.pose(time), selected)
    return DRAWINGS[name](playback).draw(seen)


@pytest.fixture
def detailed(playback):
    """The playback with all that a recording may hold."""
    station = np.linspace(0.0, 20.0, 41)
    wide = np.where(np.abs(station - 10.0) < 3.0, 0.7, 4.0)
    half = (station > 6.0).astype(int)
    members = playback.member_count
    along = np.column_stack([station - 10.0, 0.0 * station, 0.0 * station])
    slots = np.zeros((3, members, 3))
    slots[0, ::-1, 0], slots[1, ::-1, 1] = np.arange(members), np.arange(members)
    details = GroupDetails(
        nodes=np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [5, 5, 0]]),
        edges=np.array([[0, 1], [1, 2]]),
        component=np.array([1, 1, 1, 0]),
        weight_time=np.array([0.0, 10.0]),
        weight=np.array([[1.0, 1.0], [1.0, 100.0]]),
        corridor=PathCorridor(
            station=station,
            position=along,
            left=np.tile([0.0, 1.0, 0.0], (41, 1)),
            up=np.tile([0.0, 0.0, 1.0], (41, 1)),
            room_left=wide,
            room_right=wide,
            formation=half,
            names=("line", "column"),
        ),
        track=FormationTrack(
            time=np.array([0.0, 1.0, 2.0]),
            leader=np.array([2.0, 3.0, 4.0]),
            place=slots,
        ),
        sight=Sight(6.0, np.pi / 2),
        rejected=lambda: np.array([[3.0, 3.0, 0.0]]),
    )
    force = np.zeros((playback.frame_count, 2, members, 3), np.float32)
    force[:, 0, :, 0], force[:, 1, :, 1] = 150.0, 30.0
    return replace(playback, details=(details,), force_names=("seek", "separation"), force=force)


def test_every_layer_is_drawn_or_is_the_renderers_and_has_a_key_of_its_own():
    names = {each.name for each in fields(Layers)}
    assert names == set(DRAWINGS) | NEITHER
    rows = layer_rows()
    assert {row.name for row in rows} == names
    assert len({row.key for row in rows}) == len(rows)
    assert all(row.title and row.shows for row in rows)


@pytest.mark.parametrize("name", list(DRAWINGS))
def test_every_layer_draws_what_is_there_and_says_what_is_missing(detailed, playback, name):
    rows = drawn(detailed, name, time=1.5, selected=4)
    assert len(rows.lines) + len(rows.patches) + len(rows.rings) > 0
    for array in (rows.lines, rows.patches, rows.rings):
        assert np.isfinite(array).all()
    assert DRAWINGS[name].missing(detailed) == ""
    if name in ("roadmap", "samples", "room", "formations", "slots", "forces", "cones"):
        assert DRAWINGS[name].missing(playback)
        bare = drawn(playback, name, selected=4)
        assert len(bare.lines) + len(bare.patches) + len(bare.rings) == 0


@pytest.mark.parametrize("name", list(DRAWINGS))
def test_layers_of_nobody_draw_only_the_scene(make, name):
    rows = drawn(make(members=0), name, time=1.0)
    if name not in ("grid", "regions", "path"):
        assert len(rows.lines) + len(rows.patches) + len(rows.rings) == 0


def test_markers_ring_the_feet_and_show_the_heading(playback):
    pose = playback.pose(5.0)
    rows = drawn(playback, "markers").rings
    np.testing.assert_allclose(rows[:, :3], feet(playback, pose), atol=1e-5)
    np.testing.assert_allclose(rows[:, 3], playback.radius, rtol=1e-6)
    heading = rotate(pose.orientation_wxyz, np.array([[1.0, 0, 0]]))
    np.testing.assert_allclose(rows[:, 4:6], heading[:, :2], atol=1e-6)


def test_room_is_as_wide_as_the_bodies_may_go_and_its_narrowest_place_is_named(detailed):
    rows = drawn(detailed, "room")
    points = rows.patches[:, :3]
    radius = detailed.radius[0]
    middle = points[np.abs(points[:, 0]) < 2.0]
    np.testing.assert_allclose(np.abs(middle[:, 1]), 0.7 + radius, atol=1e-5)
    ends = points[np.abs(points[:, 0]) > 5.0]
    np.testing.assert_allclose(np.abs(ends[:, 1]), 4.0 + radius, atol=1e-5)
    assert rows.patches[np.abs(points[:, 0]) < 2.0, 3].min() > rows.patches[:, 3].min()  # redder
    texts = [label.text for label in rows.labels]
    assert texts
    assert set(texts) == {f"{2 * (0.7 + radius):.1f} m"}


def test_the_narrowest_place_of_each_narrow_stretch_is_found():
    station = np.linspace(0.0, 30.0, 301)
    width = 5.0 + np.cos(2.0 * np.pi * station / 10.0)
    np.testing.assert_allclose(station[narrow_places(width, 5.0)], [5.0, 15.0, 25.0], atol=0.1)
    assert narrow_places(width, 3.9) == []
    assert narrow_places(np.array([3.0, 1.0, 1.0, 1.0, 3.0]), 2.0) == [2]
    assert len(narrow_places(width, 9.0)) == 1


def test_formations_are_named_where_they_begin(detailed):
    rows = drawn(detailed, "formations")
    assert [label.text for label in rows.labels] == ["line", "column"]
    assert rows.labels[0].at[0] < rows.labels[1].at[0]
    change = rows.labels[1].at[0]
    assert -4.5 < change < -1.0  # the path starts at x = -10, the column at arc length 6


def test_the_roadmap_takes_the_weights_noted_last(detailed):
    layer = DRAWINGS["roadmap"](detailed)
    before, after = (layer.draw(Seen(t, detailed.pose(t))).lines for t in (9.0, 11.0))
    middle = (LIGHT + HEAVY) / 2.0
    np.testing.assert_allclose(before[:2, 6:9], [middle, middle], rtol=1e-6)
    np.testing.assert_allclose(after[:2, 6:9], [middle, HEAVY], rtol=1e-6)
    (legend,) = layer.draw(Seen(11.0, detailed.pose(11.0))).legends
    assert (legend.low, legend.high) == ("1/100", "100")
    assert layer.version(9.0) == layer.version(0.0) != layer.version(11.0)
    dots = after[2:]
    np.testing.assert_allclose(dots[:, 0:3], dots[:, 3:6])
    assert len(dots) == 4
    assert (dots[3, 6:9] != dots[0, 6:9]).any()  # the lonely node is another component


def test_components_are_ranked_by_size_and_weights_by_their_logarithm():
    assert component_rank(np.array([0, 1, 1, 2, 1, 2])).tolist() == [2, 0, 0, 1, 0, 1]
    shades = weight_colors(np.array([0.01, 1.0, 100.0]))
    np.testing.assert_allclose(shades, [LIGHT, (LIGHT + HEAVY) / 2.0, HEAVY])


def test_each_half_of_an_edge_shows_the_weight_of_the_direction_that_leaves_there(detailed):
    first = detailed.details[0]
    count = len(first.edges)
    heavy = replace(first, weight=np.tile([100.0, 0.01], (2, count, 1)))
    rows = drawn(replace(detailed, details=(heavy,)), "roadmap").lines
    np.testing.assert_allclose(rows[:count, 6:9], np.tile(HEAVY, (count, 1)), atol=1e-6)
    np.testing.assert_allclose(rows[count : 2 * count, 6:9], np.tile(LIGHT, (count, 1)), atol=1e-6)
    np.testing.assert_allclose(rows[:count, 3:6], rows[count : 2 * count, 3:6])
    assert (rows[:count, 14] > rows[count : 2 * count, 14]).all()


def test_slots_go_with_the_leader_in_the_order_of_the_members(detailed):
    details, count = detailed.details[0], detailed.member_count
    behind = details.slots_at(0.5)  # the leader is at arc length 2.5, which is x = -7.5
    np.testing.assert_allclose(behind[:, 0], -7.5 - np.arange(count)[::-1])
    np.testing.assert_allclose(behind[:, 1:], 0.0)
    beside = details.slots_at(1.25)
    np.testing.assert_allclose(beside[:, 0], -6.75)
    np.testing.assert_allclose(beside[:, 1], np.arange(count)[::-1])
    np.testing.assert_allclose(details.slots_at(2.5), np.tile([-6.0, 0.0, 0.0], (count, 1)))
    assert len(drawn(detailed, "slots", time=1.25).rings) == count


def test_forces_of_others_are_summed_and_those_of_the_selected_named(detailed):
    everyone = drawn(detailed, "forces").lines
    assert len(everyone) == 3 * detailed.member_count
    first = everyone[0, 3:6] - everyone[0, 0:3]
    np.testing.assert_allclose(first[1] / first[0], 30.0 / 150.0, rtol=1e-5)
    chosen = drawn(detailed, "forces", selected=2)
    assert [label.text for label in chosen.labels] == ["seek", "separation"]
    assert len(chosen.lines) == len(everyone) + 2 * 3


def test_a_view_cone_is_as_far_and_as_wide_as_the_perception(detailed):
    rows = drawn(detailed, "cones", selected=3).patches
    pose = detailed.pose(5.0)
    offset = rows[:, :2] - rows[0, :2]
    far = np.linalg.norm(offset, axis=1)
    assert far.max() == pytest.approx(6.0, rel=1e-5)
    heading = rotate(pose.orientation_wxyz[3], np.array([1.0, 0, 0]))[:2]
    seen = far > 0.1
    angle = np.arccos(np.clip(offset[seen] @ heading / far[seen], -1.0, 1.0))
    assert angle.max() == pytest.approx(np.pi / 4, abs=1e-3)


def test_a_view_cone_ends_at_walls(detailed):
    row, wall = 3, -3.0  # both walls begin there, one meter aside of the corridor's middle
    position, ways = detailed.position.copy(), detailed.orientation_wxyz.copy()
    position[:, row], ways[:, row] = [-5.0, 2.5, 0.0], [1.0, 0.0, 0.0, 0.0]
    looking = replace(detailed, position=position, orientation_wxyz=ways)
    rows = drawn(looking, "cones", selected=row).patches
    behind = rows[:, 0] > wall + 1e-3
    assert behind.any(), "into the corridor"
    assert (np.abs(rows[behind, 1]) < 1.0 + 1e-3).all()
    at_wall = (rows[:, 0] < wall + 1e-3) & (np.abs(rows[:, 1] - 2.5) < 1.0)
    assert rows[at_wall, 0].max() == pytest.approx(wall, abs=1e-4)


def test_a_view_cone_lies_on_the_ground_up_and_down(detailed):
    line = np.array([-20.0, -3.0, 2.0, 20.0])
    height = np.array([5.1, 0.0, 0.0, -5.4])  # up to the west, down to the east
    corners = np.array([[x, y, z] for x, z in zip(line, height, strict=True) for y in (-20, 20)])
    faces = [[[2 * k, 2 * k + 2, 2 * k + 1], [2 * k + 1, 2 * k + 2, 2 * k + 3]] for k in range(3)]
    mesh = TriangleMesh(corners, np.concatenate(faces))
    hill = Part("hill", "ground", mesh, np.full((6, 3), 0.5))
    scene = Scene("hill", (hill,), {}, mesh.bounds)
    ways = detailed.orientation_wxyz.copy()
    for way in ([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]):
        ways[:, 3] = way
        position = np.zeros_like(detailed.position)
        there = replace(detailed, scene=scene, position=position, orientation_wxyz=ways)
        rows = drawn(there, "cones", selected=3).patches
        level = np.interp(rows[:, 0], line, height)
        np.testing.assert_allclose(rows[:, 2] - level, LIFT, atol=0.06)
        assert np.ptp(rows[:, 2]) > 0.8


@pytest.mark.parametrize("max_step", [0.2, 0.02])
def test_a_view_cone_goes_over_the_steps_that_a_walker_takes(detailed, max_step):
    treads = [(-20.0, 0.0), *((1.0 + 0.28 * k, 0.17 * (k + 1)) for k in range(12)), (20.0, 0.0)]
    sheets = []
    for (x, z), (end, _) in itertools.pairwise(treads):
        tread = [[x, -9, z], [end, -9, z], [end, 9, z], [x, 9, z]]
        sheets.append(TriangleMesh(np.array(tread), np.array([[0, 1, 2], [0, 2, 3]])))
        if z > 0.0:
            riser = [[x, -9, z - 0.17], [x, 9, z - 0.17], [x, 9, z], [x, -9, z]]
            sheets.append(TriangleMesh(np.array(riser), np.array([[0, 1, 2], [0, 2, 3]])))
    mesh = join(sheets)
    part = Part("stairs", "ground", mesh, np.full((len(mesh.faces), 3), 0.5))
    kinds = tuple(
        replace(kind, parameters=replace(kind.parameters, max_step=max_step))
        for kind in detailed.characters
    )
    ways = detailed.orientation_wxyz.copy()
    ways[:, 3] = [1.0, 0.0, 0.0, 0.0]
    looking = replace(
        detailed, scene=Scene("stairs", (part,), {}, mesh.bounds), characters=kinds,
        position=np.zeros_like(detailed.position), orientation_wxyz=ways,
    )  # fmt: skip
    rows = drawn(looking, "cones", selected=3).patches
    riser = 1.0 + 0.28 * np.floor(detailed.capsule_axis[3].mean() / 0.17)  # in the eye's height
    assert 1.0 < riser < 6.0
    assert rows[:, 0].max() == pytest.approx(6.0 if max_step == 0.2 else riser, abs=1e-4)


def test_capsules_are_drawn_on_their_surface():
    points = capsule_edges((0.3, 1.4), 0.25).reshape(-1, 3)
    axis = np.column_stack([np.zeros((len(points), 2)), np.clip(points[:, 2], 0.3, 1.4)])
    np.testing.assert_allclose(np.linalg.norm(points - axis, axis=1), 0.25, atol=1e-9)


def test_clearance_is_the_distance_to_the_wall_and_its_line_joins_both(playback):
    # 0.45 m west of a wall, a body of radius 0.3 m
    pose = Pose(np.array([[-3.45, 3.0, 0.0]]), np.array([[1.0, 0.0, 0.0, 0.0]]))
    clearance, start, end = Nearest(playback).to(0, pose)
    assert clearance == pytest.approx(0.15)
    assert np.linalg.norm(end - start) == pytest.approx(0.15)
    assert end[0] == pytest.approx(-3.0)
    text = drawn(playback, "clearance", selected=4).labels[0].text
    assert text.endswith(" m")


def test_a_car_is_clear_of_a_wall_beside_it_and_its_capsules_are_drawn_along_it(playback):
    """The round body about it would reach into the wall at x = -3."""
    car = load_character("car")
    cars = replace(playback, characters=(car,), character_of=0 * playback.character_of)
    wide = car.body.capsules[:, 1].max()
    quarter = np.array([[np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]])
    pose = Pose(np.array([[-3.15 - wide, 3.0, 0.0]]), quarter)
    assert Nearest(cars).to(0, pose)[0] == pytest.approx(0.15, abs=1e-6)
    ends = BodiesDrawing(cars)._capsules[0].reshape(-1, 3)
    assert np.ptp(ends[:, 0]) > 3.0
    np.testing.assert_allclose(np.abs(ends[:, 1]).max(), wide, atol=1e-9)


def test_samples_are_free_dots_and_rejected_crosses(detailed):
    rows = drawn(detailed, "samples").lines
    assert len(rows) == 4 + 2
    np.testing.assert_allclose(frozen(rows[4:, 0:2] + rows[4:, 3:5]) / 2.0, [[3.0, 3.0]] * 2)


def test_regions_are_the_start_and_goal_that_the_scenario_says(make):
    west = Region.box("west", (-9, -3, 0), (-6, 3, 2))
    east = Region.box("east", (6, -3, 0), (9, 3, 2))
    point = Region.sphere("point", (0.0, 2.0, 0.0), 0.8)  # a goal that is a point, inside no region
    shown = make(members=4, seconds=1.0)
    told = [GroupDetails(start=west, goal=east), GroupDetails(start=east, goal=point)]
    shown = replace(
        shown, group_of=[0, 0, 1, 1], group_names=("one", "back"), paths=(), events=(),
        formation_of=np.full((shown.frame_count, 2), -1), details=tuple(told),
    )  # fmt: skip
    drawn = [(region, tuple(color)) for region, color in start_and_goal(shown)]
    assert [region.name for region, color in drawn if color == tuple(START)] == ["west", "east"]
    goals = [region for region, color in drawn if color == tuple(GOAL)]
    assert goals[1] is point
    assert (goals[0].bounds[0] > east.bounds[0]).all(), "inside the start of the other group"
    assert (goals[0].bounds[1] < east.bounds[1]).all()
