from dataclasses import replace

import numpy as np
import pytest

from rmp3d.scenes import Region
from rmp3d.viewer.drawings.regions import start_and_goal
from rmp3d.viewer.palette import GOAL, START
from rmp3d.viewer.playback.bounds import member_bounds, scene_bounds
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.shapes import lines

RED = np.array([1.0, 0, 0])


def test_trails_fade_and_leave_out_members_that_stand():
    recent = np.zeros((5, 2, 3))
    recent[:, 0, 0] = np.arange(5.0)
    rows = lines.trails(recent, np.array([RED, RED]))
    assert len(rows) == 4
    assert (np.diff(rows[:, 9]) > 0).all()
    assert len(lines.trails(recent[:1], np.array([RED, RED]))) == 0


@pytest.mark.parametrize(
    "region",
    [Region.box("a", [-1, -2, -3], [1, 2, 3]), Region.sphere("b", [1, 1, 1], 2.0)],
    ids=["box", "sphere"],
)
def test_region_outlines_span_the_region(region):
    rows = lines.region_outline(region, RED)
    points = np.concatenate([rows[:, 0:3], rows[:, 3:6]])
    np.testing.assert_allclose(points.min(axis=0), region.bounds[0], atol=1e-5)
    np.testing.assert_allclose(points.max(axis=0), region.bounds[1], atol=1e-5)


def test_grid_has_round_lines_inside_the_bounds():
    bounds = np.array([[-7.3, -2.2, 0], [31.0, 12.0, 1]])
    rows = lines.grid(bounds, 0.0)
    points = np.concatenate([rows[:, 0:2], rows[:, 3:5]])
    assert (points >= bounds[0, :2] - 1e-5).all()
    assert (points <= bounds[1, :2] + 1e-5).all()
    assert len(rows) == (31 + 7 + 1) + (12 + 2 + 1)


def test_arrow_heads_point_along_the_path():
    path = np.array([[0.0, 0, 0], [10, 0, 0]])
    rows = lines.arrow_heads(path, RED, every=2.0, size=0.5)
    assert len(rows) == 2 * 5
    assert (rows[:, 3] > rows[:, 0]).all()
    assert len(lines.arrow_heads(path[:1], RED, every=2.0, size=0.5)) == 0


def test_start_is_green_and_goal_red(playback):
    found = {region.name: color for region, color in start_and_goal(playback)}
    np.testing.assert_array_equal(found["start"], START)
    np.testing.assert_array_equal(found["goal"], GOAL)


def test_where_one_group_starts_and_another_goes_both_are_seen(playback):
    start, goal = playback.scene.regions["start"], playback.scene.regions["goal"]
    point = Region.sphere("goal of a", [9.0, 2.0, 0.0], 1.5)
    there = replace(
        playback,
        details=(
            GroupDetails(start=start, goal=goal),
            GroupDetails(start=goal, goal=start),
            GroupDetails(start=start, goal=point),
        ),
        group_names=("a", "b", "c"),
        paths=(),
        formation_of=np.repeat(playback.formation_of, 3, axis=1),
    )
    found = start_and_goal(there)
    green = [region.bounds.tolist() for region, color in found if color is START]
    red = [region for region, color in found if color is GOAL]
    assert green == [start.bounds.tolist(), goal.bounds.tolist()]
    assert len(red) == 3
    for outer, inner in ((goal, red[0]), (start, red[1])):
        assert (inner.bounds[0] > outer.bounds[0]).all()
        assert (inner.bounds[1] < outer.bounds[1]).all()
    assert red[2].kind == "sphere"
    np.testing.assert_allclose(red[2].center, point.center)


def test_bounds_hold_scene_and_members(playback):
    low, high = scene_bounds(playback)
    assert (low <= [-16, -8, -0.2]).all()
    assert (high >= [16, 8, 2.5]).all()
    low, high = member_bounds(playback, playback.pose(0.0))
    assert low[2] == pytest.approx(0.0)
    assert high[2] == pytest.approx(1.75)


def test_arrows_end_where_their_vector_does_and_short_ones_are_left_out():
    vector = np.array([[3.0, 0, 4], [0, 0, 2], [1e-3, 0, 0]])
    rows = lines.arrows(np.ones((3, 3)), vector, RED, 2.0, least=0.01)
    assert len(rows) == 2 * 3
    tips = rows[:, 3:6].reshape(3, 2, 3)
    np.testing.assert_allclose(tips, np.tile(1.0 + vector[:2], (3, 1, 1)))
    backwards = rows[2:, 0:3].reshape(2, 2, 3) - tips[0]
    assert (np.einsum("wac,ac->wa", backwards, vector[:2]) < 0.0).all()
