"""Stalls: vehicles that stand side by side, where they could not turn."""

from itertools import combinations

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors.groups.driving.ends import ends_along
from rmp3d.behaviors.groups.driving.gaps import cores_at, gaps_between
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.goal_area.places import NoRoomError
from rmp3d.behaviors.groups.goal_area.stalls import ASIDE, IN_STALL, Stalls, in_cells
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry import TriangleMesh
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.planner.spaces.ground_heading import posed
from rmp3d.scenes import Part, Region
from rmp3d.scenes.build.shapes import box

CENTER = np.zeros(3)
TOWARD = np.array([1.0, 0.2, 0.0])


def part(name, mesh, role="obstacle"):
    return Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5))


@pytest.fixture(scope="module")
def scene():
    """A floor with a wall along its upper side."""
    corners = np.array([[-9.0, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]])
    floor = TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    wall = part("wall", box((-9, 2.2, 0), (9, 2.6, 2)))
    bounds = np.array([[-9.0, -9, -1], [9, 9, 3]])
    return rp.Scene("yard", (part("floor", floor, "ground"), wall), {}, bounds)


def stalls_of(scene, name="motorbike"):
    own = load_character(name)
    space = make_space(
        "ground_heading", scene, own.body, turn_radius=own.parameters.turn_radius, reverses=True
    )
    return Stalls(space, TOWARD)


@pytest.mark.parametrize(("name", "count"), [("motorbike", 7), ("car", 4)])
def test_vehicles_in_stalls_are_clear_of_the_scene_and_of_one_another(scene, name, count):
    stalls, region = stalls_of(scene, name), Region.box("goal", [-4, -2, -1], [4, 2, 2])
    places, angle = stalls.places(region, count, CENTER)
    assert len(places) >= count
    assert region.contains(places).all()
    space = stalls.space
    assert space.is_free(posed(places, np.full(len(places), angle))).all()
    row = space.world.body.capsules
    heading = np.tile([np.cos(angle), np.sin(angle)], (len(places), 1))
    ends = np.tile([row[:, 0].min(), row[:, 0].max()], (len(places), 1))
    cores = cores_at(places, heading, ends, space.world.body.half_width)
    gaps = gaps_between(cores, cores) + np.where(np.eye(len(places)) > 0, np.inf, 0.0)
    assert gaps.min() >= ASIDE - 1e-9


def test_a_corner_that_no_vehicle_gets_out_of_is_no_stall():
    """A car between two walls that meet ahead of it, and a third one behind it, is caught."""
    corners = np.array([[-9.0, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]])
    floor = part("floor", TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]])), "ground")
    cell = [box((-2.2, -1.0, 0), (2.2, -0.9, 2)), box((-2.2, 0.9, 0), (2.2, 1.0, 2)),
            box((-2.2, -1.0, 0), (-2.1, 1.0, 2)), box((2.1, -1.0, 0), (2.2, 1.0, 2))]  # fmt: skip
    bounds = np.array([[-9.0, -9, -1], [9, 9, 3]])
    region = Region.box("start", [-0.5, -0.5, -1], [0.5, 0.5, 2])
    for walls, free in ((cell, 0), (cell[:3], 1)):
        parts = (floor, *(part(f"wall {k}", wall) for k, wall in enumerate(walls)))
        stalls = stalls_of(rp.Scene("yard", parts, {}, bounds), "car")
        assert len(stalls.places_at(region, CENTER, 0.0)) == free


def test_stalls_hold_more_than_places_to_turn_and_say_when_they_are_full(scene):
    stalls, region = stalls_of(scene), Region.box("goal", [-2.5, -1, -1], [2.5, 1, 2])
    round_space = make_space("ground", scene, load_character("motorbike").body)
    area = GoalArea.of(round_space, region, 2, 3.0, CENTER, stalls=stalls)
    assert area.angle is None  # there is room to turn
    area = GoalArea.of(round_space, region, 4, 3.0, CENTER, stalls=stalls)
    assert area.angle is not None
    with pytest.raises(NoRoomError, match=r"room for \d members 2\.0\d m long and 0\.65 m wide"):
        GoalArea.of(round_space, region, 40, 3.0, CENTER, stalls=stalls)
    with pytest.raises(NoRoomError, match=r"of radius 1\.02 m"):
        GoalArea.of(round_space, region, 40, 3.0, CENTER)


def test_the_deepest_stalls_come_first_and_stay_those_of_their_vehicles(scene):
    stalls, region = stalls_of(scene), Region.box("goal", [-4, -2, -1], [4, 2, 2])
    round_space = make_space("ground", scene, load_character("motorbike").body)
    area = GoalArea.of(round_space, region, 8, 3.0, CENTER, stalls=stalls)
    depth = area.places @ (TOWARD / np.linalg.norm(TOWARD))
    assert depth[:2].min() > depth[-2:].max()
    area.admit(np.array([0, 1]), np.zeros((8, 3)), CENTER, TOWARD)
    held = area.places[area.taken[:2]]
    np.testing.assert_array_equal(np.isnan(area.course), np.arange(8) > 1)
    assert area.near(np.full(8, 0.5)).max() == IN_STALL
    area.turn_over(Turnover(np.append(np.arange(8), -1), 8))
    np.testing.assert_array_equal(area.places[area.taken[:2]], held)
    assert len(area.places) >= 9


def test_a_vehicle_does_not_stop_aslant_right_before_its_stall():
    course = 0.5
    for far in (0.8, 1.4, 3.0, 7.0):
        ends, price = ends_along(np.array([[0.0, 0, 0], [far, 0, 0]]), 0.0, 3.5, True, course)
        left = far - ends[:, 0]
        assert (left[np.abs(np.sin(ends[:, 2] - course)) > 1e-9] >= 1.0).all()
        assert left[int(np.argmin(price))] == pytest.approx(0.0)


def test_who_comes_another_way_than_the_path_takes_the_stall_farthest_from_there(scene):
    stalls, region = stalls_of(scene), Region.box("goal", [-4, -2, -1], [4, 2, 2])
    space = make_space("ground", scene, load_character("motorbike").body)
    area = GoalArea.of(space, region, 8, 3.0, CENTER, stalls=stalls)
    for side in (-1.0, 1.0):
        entry = side * np.array([4.0, 0.0, 0.0])
        area.taken[:] = -1
        area.admit(np.zeros(1, np.intp), np.tile(entry, (8, 1)), entry, area.inward(entry, TOWARD))
        assert side * area.places[area.taken[0], 0] == (side * area.places[:8, 0]).min()
    np.testing.assert_array_equal(area.inward(area.places.mean(axis=0), TOWARD), TOWARD)


def test_the_stall_farthest_from_the_entrance_is_given_first_and_ways_do_not_cross(scene):
    stalls, region = stalls_of(scene), Region.box("goal", [-4, -2, -1], [4, 2, 2])
    space = make_space("ground", scene, load_character("motorbike").body)
    area = GoalArea.of(space, region, 4, 3.0, CENTER, stalls=stalls)
    entry = np.array([-4.0, 0.0, 0.0])
    position = np.array([[-4.0, 0.8, 0], [-4.0, -0.8, 0], [-5.5, 0.4, 0], [-5.5, -0.4, 0]])
    far = np.linalg.norm(area.places[:4] - entry, axis=1)
    area.admit_abreast(np.array([0]), position, entry)
    assert far[area.taken[0]] == pytest.approx(far.max())
    area.admit_abreast(np.array([1, 2, 3]), position, entry)
    assert sorted(area.taken) == [0, 1, 2, 3]
    place = area.places[area.taken]
    for a, b in combinations(range(4), 2):  # no two of them would rather exchange places
        own = ((place[[a, b]] - position[[a, b]]) ** 2).sum()
        assert own <= ((place[[b, a]] - position[[a, b]]) ** 2).sum() + 1e-9


def test_a_vehicle_that_stands_in_its_stall_keeps_it(scene):
    stalls, region = stalls_of(scene), Region.box("goal", [-4, -2, -1], [4, 2, 2])
    space = make_space("ground", scene, load_character("motorbike").body)
    area = GoalArea.of(space, region, 4, 3.0, CENTER, stalls=stalls)
    position = np.tile([-4.0, 0.0, 0.0], (4, 1))
    area.admit_abreast(np.array([0]), position, position[0])
    kept = area.taken[0]
    position[0] = area.places[kept]
    area.admit_abreast(np.array([1, 2]), position, position[1])
    assert len(set(area.taken[:3])) == 3
    assert area.taken[0] == kept


def test_of_two_in_each_others_way_the_one_in_front_takes_the_stall_farther_on(scene):
    stalls, region = stalls_of(scene), Region.box("goal", [-4, -2, -1], [4, 2, 2])
    space = make_space("ground", scene, load_character("motorbike").body)
    area = GoalArea.of(space, region, 4, 3.0, CENTER, stalls=stalls)
    along = area.places[:4] @ [1.0, 0.0, 0.0]
    far, near = int(np.argmax(along)), int(np.argmin(along))
    others = np.setdiff1d(np.arange(4), [far, near])
    area.taken[:] = [near, far, *others]
    position = area.places[area.taken].copy()
    position[0] += [0.3, 0.1, 0.0]  # a little past its stall, and the second waits behind it
    position[1] = position[0] - [2.5, 0.0, 0.0]
    assert area.exchange(np.array([0, 2]), position).tolist() == []  # the second is not held up
    assert area.exchange(np.array([0, 1]), position).tolist() == [0, 1]
    assert area.taken.tolist() == [far, near, *others]
    assert len(area.exchange(np.array([0, 1]), position)) == 0


def test_who_is_pressed_in_moves_those_before_it_on_row_by_row(scene):
    stalls, region = stalls_of(scene, "car"), Region.box("goal", [-5, -2, -1], [5, 2, 2])
    space = make_space("ground", scene, load_character("car").body)
    area = GoalArea.of(space, region, 6, 3.0, CENTER, stalls=stalls)
    assert area.angle is not None
    row, lane = np.rint(in_cells(area.places, area.angle)).astype(int).T
    assert sorted(row - row.min()) == [0, 0, 1, 1, 2, 2]
    (free,) = np.flatnonzero((row == row.min()) & (lane == 0))
    area.taken = np.append(np.setdiff1d(np.arange(6), free), -1)
    moved = area.press_in(5, area.places[row.argmax()] + [0.6, 0.0, 0.0], 2.0)
    assert moved[0] == 5
    assert row[area.taken[moved]].tolist() == [row.max(), row.max() - 1, row.min()]


def test_a_vehicle_that_is_held_up_takes_the_deepest_free_place_that_nobody_is_in_the_way_to(scene):
    region = Region.box("goal", [-2, -8, -1], [8, 1, 2])
    space = make_space("ground", scene, load_character("car").body)
    area = GoalArea.of(
        space, region, 5, 3.2, np.array([3.0, -4, 0]), stalls=stalls_of(scene, "car")
    )
    assert area.angle is None
    ahead = int(np.argmin(np.linalg.norm(area.places - [3.0, -4.0, 0.0], axis=1)))
    area.taken[:] = [ahead, -1, -1, -1, -1]
    here = area.places[ahead] - [6.0, -3.0, 0.0]
    assert area.press_in(1, here, 12.0).tolist() == [1]
    share = np.linspace(0.0, 1.0, 400)[:, None, None]
    way = here + share * (area.places - here)  # (400, K, 3)
    apart = np.linalg.norm(way - area.places[ahead], axis=2).min(axis=0)
    passes = apart > 2.0 * area.space.world.body.radius
    assert 1 < passes.sum() < len(area.places) - 1
    assert area.taken[1] == np.flatnonzero(passes)[0], "the deepest comes first"


@pytest.mark.parametrize("heading", [np.nan, 1.2])  # nan: it is led along a path
def test_a_vehicle_with_a_stall_ends_along_it_either_way_round(heading):
    points = np.array([[0.0, 0, 0], [4, 0, 0]])
    ends, _ = ends_along(points, 0.0, 2.5, True, 0.3, heading)
    last = ends[np.allclose(ends[:, :2], [4.0, 0.0], atol=1e-9, rtol=0) | (ends[:, 0] == 4.0)]
    np.testing.assert_allclose(last[:, 2], [0.3, 0.3 + np.pi])
    assert len(ends_along(points, 0.0, 2.5, True)[0]) > len(ends)
