import numpy as np
import pytest

from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.geometry import InputError

AHEAD = np.array([1.0, 0, 0])
ENTRY = np.array([-3.0, 0, 0])


@pytest.fixture
def area(ways):
    region = ways.Region.box("goal", [-3, -3, -1], [3, 3, 2])
    return GoalArea.of(ways.space(), region, 9, 1.2, np.zeros(3))


def test_everybody_gets_one_place_and_no_place_is_given_twice(area):
    position = np.column_stack([np.full(9, -3.0), np.arange(9) * 0.7 - 3, np.zeros(9)])
    for members in ([4], [3, 5], [3, 4, 5], [], [0, 1, 2, 6, 7, 8]):
        before = area.taken.copy()
        area.admit(np.array(members, int), position, ENTRY, AHEAD)
        assert (area.taken[members] >= 0).all()
        had = before >= 0
        np.testing.assert_array_equal(area.taken[had], before[had])
        given = area.taken[area.taken >= 0]
        assert len(set(given)) == len(given)
    assert sorted(area.taken) == list(range(9))


def test_the_first_goes_to_the_far_end(area):
    position = np.tile([-3.0, 0, 0], (9, 1))
    area.admit(np.array([2]), position, ENTRY, AHEAD)
    depth = area.places[:9, 0]
    assert depth[area.taken[2]] == depth.max()


def test_members_that_come_together_do_not_cross(area):
    position = np.column_stack([np.full(9, -3.0), np.linspace(-1.5, 1.5, 9), np.zeros(9)])
    area.admit(np.array([0, 4, 8]), position, ENTRY, AHEAD)
    across = area.places[area.taken[[0, 4, 8]], 1]
    assert (np.diff(across) > 0).all()


def test_subgoals_are_the_places_and_else_the_own_position(area):
    rng = np.random.default_rng(0)
    position = rng.uniform(-3, 3, (9, 3)) * [1, 1, 0]
    area.admit(np.array([1, 7]), position, ENTRY, AHEAD)
    subgoal = area.subgoal(position)
    has = area.taken >= 0
    np.testing.assert_array_equal(subgoal[~has], position[~has])
    np.testing.assert_array_equal(subgoal[has], area.places[area.taken[has]])


def press(area, position, member):
    moved = area.press_in(member, position[member], 1.5)
    given = area.taken[area.taken >= 0]
    assert len(set(given)) == len(given)
    return moved


def test_who_is_held_up_takes_the_nearest_place_and_each_before_it_moves_on_by_one(ways):
    region = ways.Region.box("goal", [-3, -3, -1], [3, 3, 2])
    places = np.array([[x, 0.0, 0] for x in (0.0, 1, -1, 2, -2)])
    area = GoalArea(ways.space(), region, places, np.array([2, 0, 4, -1, -1]), np.zeros(3))
    position = np.array([[-1.0, 0, 0], [0, 0, 0], [-2, 0, 0], [-2.8, 0.1, 0], [-9, 0, 0]])
    assert press(area, position, 3).tolist() == [3, 2, 0, 1]
    assert area.taken.tolist() == [0, 1, 2, 4, -1]
    assert press(area, position, 4).tolist() == []


def test_whose_own_place_is_beyond_others_changes_with_those_on_the_way(ways):
    region = ways.Region.box("goal", [-3, -3, -1], [3, 3, 2])
    places = np.array([[x, 0.0, 0] for x in (0.0, 1, -1, 2, -2)])
    area = GoalArea(ways.space(), region, places, np.array([2, 0, 4, 3]), np.zeros(3))
    position = np.array([[-1.0, 0, 0], [0, 0, 0], [-2, 0, 0], [-1.9, 0.2, 0]])
    assert press(area, position, 3).tolist() == [3, 2, 0, 1]
    assert area.taken.tolist() == [0, 1, 2, 4], "the place 3 is left for another one"


def test_a_free_place_at_hand_is_taken_instead_of_the_own_one(ways):
    region = ways.Region.box("goal", [-3, -3, -1], [3, 3, 2])
    places = np.array([[x, 0.0, 0] for x in (0.0, 1, -1, 2, -2)])
    area = GoalArea(ways.space(), region, places, np.array([2, 0, 1, 3]), np.zeros(3))
    position = np.array([[-1.0, 0, 0], [0, 0, 0], [1, 0, 0], [-1.9, 0.2, 0]])
    assert press(area, position, 3).tolist() == [3]
    assert area.taken.tolist() == [2, 0, 1, 4]


def test_filling_a_court_from_its_gate_ends_with_everyone_at_a_place(ways):
    """Whoever enters last stands at the gate: pressing in shifts the others, by one place each."""
    region = ways.Region.box("court", [-3, -3, -1], [3, 3, 2])
    space = ways.space(walls=[([-0.1, -3, 0], [0.1, 2, 2])])
    area = GoalArea.of(space, region, 16, 1.2, np.array([-2.0, -2, 0]))
    position = np.tile([-2.9, -2.9, 0], (16, 1))
    for member in range(16):
        moved = press(area, position, member)
        assert moved[0] == member
        start = position[moved]
        position[moved] = area.places[area.taken[moved]]
        near = np.linalg.norm(position[moved] - start, axis=1) < 2.0
        assert near.all()
        assert space.connects(start, position[moved]).all()
    assert (area.taken >= 0).all()


def test_the_route_to_a_place_out_of_sight_leads_over_others_and_is_free(ways):
    region = ways.Region.box("court", [-3, -3, -1], [3, 3, 2])
    space = ways.space(walls=[([-0.1, -3, 0], [0.1, 2, 2])])
    area = GoalArea.of(space, region, 16, 1.2, np.array([-2.0, -2, 0]))
    behind = int(np.argmax(area.places[:, 0] - area.places[:, 1]))
    area.taken[0] = behind
    here = np.array([-2.5, -2.5, 0])
    way = np.concatenate([here[None], area.route(0, here)])
    assert len(way) > 3
    np.testing.assert_array_equal(way[-1], area.places[behind])
    assert space.connects(way[:-1], way[1:]).all()
    area.taken[1] = 0
    np.testing.assert_array_equal(area.route(1, area.places[0] + 0.1), area.places[:1])


def test_places_are_found_round_a_wall_when_those_in_sight_are_too_few(ways):
    region = ways.Region.box("court", [-3, -3, -1], [3, 3, 2])
    walled = ways.space(walls=[([-0.1, -3, 0], [0.1, 2, 2])])
    center = np.array([-2.0, -2, 0])
    behind = GoalArea.of(walled, region, 16, 1.2, center).places[:16, 0] > 0.1
    assert behind.any()
    few = GoalArea.of(walled, region, 6, 1.2, center).places[:6, 0] > 0.1
    assert not few.any()


def test_a_region_without_room_is_refused(ways):
    region = ways.Region.box("slot", [-0.3, -0.3, -1], [0.3, 0.3, 2])
    with pytest.raises(InputError, match="region `slot` has room for"):
        GoalArea.of(ways.space(), region, 9, 1.2, np.zeros(3))
