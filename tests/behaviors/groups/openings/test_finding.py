import numpy as np
import pytest

from rmp3d.behaviors.groups.openings import openings_of
from rmp3d.behaviors.groups.openings.finding import seen_from_behind
from rmp3d.planner.paths.path import CertifiedPath

RADIUS = 0.3


def wall(low, high, thick=0.2):
    return [-thick, low, 0], [thick, high, 2]


def door(width):
    return [wall(-9.0, -0.5 * width), wall(0.5 * width, 9.0)]


def path(*points):
    return CertifiedPath(np.array(points, float), np.ones(len(points)), grounded=True)


def test_a_door_is_found_from_jamb_to_jamb_however_slanting_the_path_crosses_it(ways):
    space = ways.space(walls=door(1.2))
    for across in (0.0, 2.5):
        way = path([-5.0, -across, 0], [0, 0, 0], [5, across, 0])
        (found,) = openings_of(space, way)
        assert found.half == pytest.approx(0.6 - RADIUS, abs=0.03)
        np.testing.assert_allclose(found.middle, 0.0, atol=0.12)
        assert found.normal @ [1.0, 0.0] > np.cos(np.radians(10.0))
        assert 0.2 < found.depth < 0.2 + RADIUS


def test_a_way_as_wide_as_a_crowd_has_no_opening(ways):
    assert len(openings_of(ways.space(walls=door(3.0)), path([-5.0, 0, 0], [5, 0, 0]))) == 1
    assert openings_of(ways.space(walls=door(4.0)), path([-5.0, 0, 0], [5, 0, 0])) == []
    assert openings_of(ways.space(), path([-5.0, 0, 0], [5, 0, 0])) == []


def test_a_corridor_has_one_where_it_begins_and_one_where_it_becomes_narrower(ways):
    walls = [([-3.0, 0.9, 0], [6, 9, 2]), ([-3.0, -9, 0], [6, -0.9, 2])]
    way = path([-8.0, 0, 0], [8, 0, 0])
    (entrance,) = openings_of(ways.space(walls=walls), way)
    assert -3.3 < entrance.middle[0] < -2.0
    within = [*walls, ([3.0, 0.6, 0], [3.4, 0.9, 2])]
    entrance, narrowed = openings_of(ways.space(walls=within), way)
    assert narrowed.half == pytest.approx(0.5 * (1.5 - 2.0 * RADIUS), abs=0.03)
    assert narrowed.middle[1] == pytest.approx(-0.15, abs=0.03)


CORRIDOR = [([-3.0, 0.9, 0], [3, 9, 2]), ([-3.0, -9, 0], [3, -0.9, 2])]


def test_the_end_of_a_corridor_is_an_opening_where_the_path_turns_there(ways):
    space, turns = ways.space(walls=CORRIDOR), path([-8.0, 0, 0], [3.2, 0.4, 0], [5, 7, 0])
    assert [each.is_end for each in openings_of(space, turns)] == [False]
    entrance, end = openings_of(space, turns, ends=True)
    assert not entrance.is_end
    assert end.is_end
    assert end.half == pytest.approx(0.9 - RADIUS, abs=0.03)
    assert 2.0 < end.middle[0] < 3.3
    assert end.normal @ [1.0, 0.0] > np.cos(np.radians(15.0))
    straight = path([-8.0, 0, 0], [8, 0, 0])
    assert len(openings_of(space, straight, ends=True)) == 1


def test_from_behind_a_corridor_is_as_wide_and_as_deep_as_from_there(ways):
    walls = [([-3.0, 0.9, 0], [0, 9, 2]), ([-3.0, -9, 0], [0, -0.9, 2])]
    space = ways.space(walls=walls)
    (entrance,) = openings_of(space, path([-8.0, 0, 0], [8, 0, 0]))
    back = seen_from_behind(space, entrance)
    assert back.half == entrance.half
    assert back.normal.tolist() == (-entrance.normal).tolist()
    assert back.depth > entrance.depth + 0.5  # the corridor is before it, seen from there
    assert back.is_as(seen_from_behind(space, back)) is False
    assert entrance.is_as(seen_from_behind(space, back))


def test_it_is_none_where_the_way_is_narrow_again_soon_or_in_a_door(ways):
    turns = path([-8.0, 0, 0], [3.2, 0.4, 0], [5, 5, 0], [5, 9, 0])
    again = [([3.0, 3.0, 0], [4.2, 9, 2]), ([5.8, 3.0, 0], [12, 9, 2])]
    found = openings_of(ways.space(walls=[*CORRIDOR, *again]), turns, ends=True)
    assert [each.is_end for each in found] == [False, False]
    behind = path([-5.0, 0, 0], [0.7, 0.1, 0], [1.5, 6, 0])
    assert len(openings_of(ways.space(walls=door(1.6)), behind, ends=True)) == 1


def test_the_way_back_goes_through_the_same_place_the_other_way(ways):
    space = ways.space(walls=door(1.2))
    (there,) = openings_of(space, path([-5.0, 0, 0], [5, 0, 0]))
    (back,) = openings_of(space, path([5.0, 0, 0], [-5, 0, 0]))
    assert not back.is_as(there)
    assert not there.is_as(back)
    assert there.is_as(there)
