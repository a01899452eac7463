import numpy as np
import pytest

from rmp3d.behaviors.groups.guided.waypoints import (
    LOOK_EVERY,
    LOST_AFTER,
    OWN_EVERY,
    WaypointFollower,
)
from rmp3d.behaviors.turnover import Turnover

DT = 0.1
ROUTE = np.array([[-8.0, 0, 0], [-4, 0, 0], [0, 0, 0], [4, 0, 0], [8, 0, 0]])


def pointers(ways, count, walls=(), route=ROUTE):
    return WaypointFollower(ways.space(walls=walls), route, count, 4.5, DT)


def look_round(found, position, busy=None):
    """Let everybody look once; return who is lost."""
    busy = np.zeros(len(position), bool) if busy is None else busy
    return np.sort(np.concatenate([found.look(position, busy) for _ in range(LOOK_EVERY)]))


def test_a_member_goes_on_when_its_subgoal_is_near_and_the_next_in_sight(ways):
    found = pointers(ways, 3)
    position = np.array([[-8.0, 0, 0], [-8, 4, 0], [-8, 5, 0]])
    look_round(found, position)
    np.testing.assert_array_equal(found.subgoal[:, 0], [-4, -4, -8])
    look_round(found, position)
    np.testing.assert_array_equal(found.subgoal[:, 0], [0, -4, -8])


def test_what_is_asked_for_later_counts_for_those_whose_route_is_the_same(ways):
    found = pointers(ways, 4 * LOOK_EVERY)
    position = np.tile([-8.0, 0, 0], (4 * LOOK_EVERY, 1))
    found.begin_look(position, np.zeros(len(position), bool))
    aside = ROUTE + np.array([0.0, 1.0, 0.0])
    found.give(LOOK_EVERY, aside)
    assert len(found.end_look()) == 0
    on_way = np.zeros(len(position), bool)
    on_way[[0, 2 * LOOK_EVERY, 3 * LOOK_EVERY]] = True  # of those whose turn it was
    np.testing.assert_array_equal(found.subgoal[on_way], np.tile(ROUTE[1], (3, 1)))
    np.testing.assert_array_equal(found.subgoal[LOOK_EVERY], aside[0])
    found.begin_look(position, ~on_way)
    found.turn_over(Turnover(np.arange(len(position)), len(position)))
    before = found.subgoal.copy()
    assert len(found.end_look()) + len(found.turned_back) == 0
    np.testing.assert_array_equal(found.subgoal, before)


def test_who_is_lost_is_told_when_all_have_looked(ways):
    wall = ([-6.1, -3, 0], [-5.9, 3, 2])
    found = pointers(ways, 2 * LOOK_EVERY, [wall], ROUTE[1:])
    position = np.tile([-8.0, 0, 0], (2 * LOOK_EVERY, 1))
    told = []
    for _ in range(2 * LOOK_EVERY):
        found.begin_look(position, np.zeros(len(position), bool))
        told.append(found.end_looks()[0].tolist())
    quiet = [[]] * (LOOK_EVERY - 1)
    assert told[: LOOK_EVERY - 1] == told[LOOK_EVERY:-1] == quiet
    assert sorted(told[LOOK_EVERY - 1]) == sorted(told[-1]) == list(range(2 * LOOK_EVERY))


def test_who_is_beyond_its_subgoal_goes_on_however_far_it_is(ways):
    found = pointers(ways, 2)
    position = np.array([[-3.0, 0, 0], [-8, 5, 0]])  # as far off, one beyond it
    look_round(found, position)
    np.testing.assert_array_equal(found.subgoal[:, 0], [-4, -8])


def test_nobody_goes_on_to_what_a_wall_hides(ways):
    wall = ([-6.1, -3, 0], [-5.9, 3, 2])
    found = pointers(ways, 1, [wall])
    position = np.array([[-8.0, 0, 0]])
    look_round(found, position)
    np.testing.assert_array_equal(found.subgoal, ROUTE[:1])


def test_who_is_past_its_subgoal_and_does_not_see_the_next_would_have_to_go_back(ways):
    wall = ([-2.1, -3, 0], [-1.9, 3, 2])
    found = pointers(ways, 3, [wall], ROUTE[1:])
    beyond, before, busy = [-3.0, 1, 0], [-5.0, 1, 0], [-3.0, -1, 0]
    position, works = np.array([beyond, before, busy]), np.array([False, False, True])
    turned = []
    for _ in range(LOOK_EVERY):
        found.look(position, works)
        turned += found.turned_back.tolist()
    assert turned == [0]
    np.testing.assert_array_equal(found.subgoal, np.tile(ROUTE[1], (3, 1)))


def test_the_last_subgoal_is_kept(ways):
    found = pointers(ways, 2)
    position = np.tile(ROUTE[-1], (2, 1))
    for row in ROUTE:
        look_round(found, np.tile(row, (2, 1)))
    look_round(found, position)
    assert found.at_end.all()
    np.testing.assert_array_equal(found.remaining(position), 0.0)


def test_the_way_left_is_that_along_the_route(ways):
    found = pointers(ways, 4)
    position = np.array([[-8.0, 3, 0], [-8, 0, 0], [5, 0, 0], [-8, -4, 0]])
    np.testing.assert_allclose(found.remaining(position), [19.0, 16.0, 29.0, 20.0])


def test_who_sees_its_subgoal_no_more_is_lost_after_a_while_and_the_busy_never(ways):
    wall = ([-6.1, -9.5, 0], [-5.9, 9.5, 2])
    found = pointers(ways, 3, [wall], ROUTE[1:])
    position = np.array([[-8.0, 0, 0], [-4, 1, 0], [-8, 2, 0]])
    busy = np.array([False, False, True])
    look_round(found, np.tile([-5.0, 0, 0], (3, 1)), busy)
    for _ in range(int(LOST_AFTER / (LOOK_EVERY * DT))):
        assert look_round(found, position, busy).size == 0
    later = [look_round(found, position, busy).tolist() for _ in range(OWN_EVERY)]
    assert later[-1] == [0]
    assert {member for lost in later for member in lost} == {0}


def test_who_never_saw_its_route_is_lost_at_the_first_look(ways):
    found = pointers(ways, 2, [([-6.1, -9.5, 0], [-5.9, 9.5, 2])], ROUTE[1:])
    position = np.array([[-8.0, 0, 0], [-4, 1, 0]])
    assert look_round(found, position).tolist() == [0]


def test_lost_members_rejoin_where_the_way_left_is_shortest(ways):
    wall = ([1.0, -9.5, 0], [1.2, 9.5, 2])
    found = pointers(ways, 3, [wall])
    position = np.array([[-3.0, 2, 0], [3, 2, 0], [-19.5, 9.5, 0]])
    np.testing.assert_array_equal(found.rejoin(np.array([0, 1]), position), [True, True])
    np.testing.assert_array_equal(found.subgoal[:, 0], [0, 8, -8])
    assert found.rejoin(np.zeros(0, int), position).size == 0


def test_who_sees_nothing_of_its_route_does_not_rejoin(ways):
    walls = [([-12.2, -9.9, 0], [-12.0, 9.9, 2])]
    found = pointers(ways, 1, walls)
    assert not found.rejoin(np.array([0]), np.array([[-15.0, 0, 0]]))[0]
    np.testing.assert_array_equal(found.subgoal, ROUTE[:1])


def test_who_has_lost_sight_of_its_subgoal_can_go_back_to_where_it_saw_it(ways):
    walls = [([-6, 1, 0], [-5, 9, 2]), ([-9, 3.9, 0], [-7.5, 4.1, 2])]
    found = pointers(ways, 4, walls=walls, route=np.array([[-4.0, 0, 0], [8, 0, 0]]))
    seen = np.tile([-9.0, 0.5, 0], (4, 1))
    for _ in range(OWN_EVERY):
        look_round(found, seen)
    aside = np.array([[-8.0, 3, 0], [-8, 8, 0], [-9, 0.5, 0], [-8, 3, 0]])
    for _ in range(OWN_EVERY):
        look_round(found, aside)
    found.give(3, ROUTE)  # it has not seen that one yet
    first, hidden, still, new = found.ways_back(np.arange(4), aside)
    np.testing.assert_allclose(first, [seen[0], [-4, 0, 0], [8, 0, 0]])
    np.testing.assert_allclose(still, [seen[0], [-4, 0, 0], [8, 0, 0]])
    assert hidden is None  # a wall hides the place
    assert new is None
    assert found.ways_back(np.zeros(0, np.intp), aside) == []


@pytest.mark.parametrize("size", [1, 3, 9])
def test_a_member_can_be_given_a_route_of_its_own(ways, size):
    found = pointers(ways, 2)
    own = np.column_stack([np.linspace(0, 5, size), np.full(size, 5.0), np.zeros(size)])
    found.give(1, own)
    position = np.array([[-8.0, 0, 0], own[0]])
    np.testing.assert_array_equal(found.subgoal[1], own[0])
    np.testing.assert_allclose(found.remaining(position), [16.0, 5.0 if size > 1 else 0.0])
    for _ in range(size):
        look_round(found, position)
    np.testing.assert_array_equal(found.subgoal[1], own[-1])


def test_all_look_equally_often_and_hardly_ever_at_once(ways):
    found = pointers(ways, 7)
    position = np.tile(ROUTE[0], (7, 1))
    gone = []
    for _ in range(LOOK_EVERY):
        before = found.subgoal[:, 0]
        found.look(position, np.zeros(7, bool))
        gone.append(int((found.subgoal[:, 0] != before).sum()))
    assert sum(gone) == 7
    assert max(gone) == 2
