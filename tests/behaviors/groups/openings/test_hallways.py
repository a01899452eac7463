"""Hallways: who comes in from which end, in lanes or in turns."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings import NarrowOpening, openings_of
from rmp3d.behaviors.groups.openings.finding import LONG, seen_from_behind
from rmp3d.behaviors.groups.openings.hallways import Hallway, with_hallways
from rmp3d.behaviors.groups.openings.opening_queue import OpeningQueue, pairs_of
from rmp3d.behaviors.groups.openings.turns import COMES_ON, LASTS
from rmp3d.behaviors.groups.openings.two_ways import Side
from rmp3d.behaviors.turnover import Turnover
from rmp3d.planner.paths.path import CertifiedPath

WEST = NarrowOpening(np.array([-4.0, 0, 0]), np.array([1.0, 0]), 0.5, 0.4)
EAST = NarrowOpening(np.array([4.0, 0, 0]), np.array([-1.0, 0]), 0.5, 0.4)
COURSE = np.column_stack([np.linspace(-4.0, 4.0, 17), np.zeros((17, 2))])
EASTWARD, WESTWARD = [[9.0, 0.0]], [[-9.0, 0.0]]


def hallway(dt=0.1, most=0.0):
    return Hallway((WEST, EAST), COURSE, dt, 0.3, most)


def look(hall, places, routes):
    """Let the hallway see members at places (n, 2), each with one or two points to go to."""
    count = len(places)
    position, ahead = np.zeros((count, 3)), np.zeros((count, 2, 3))
    position[:, :2] = places
    for row, route in enumerate(routes):
        ahead[row, :, :2] = [route[0], route[-1]]
    return hall.look(position, ahead, np.arange(count))


def admitted(hall, far=1.0):
    """Return whether those that are so far before the line may enter: eastward, and westward."""
    return [bool(hall.admits(way, np.array([far]))[0]) for way in (1, -1)]


def test_nobody_enters_against_those_within_and_the_other_side_goes_when_they_are_out():
    hall, both = hallway(dt=COMES_ON), (EASTWARD, WESTWARD)
    look(hall, [[-4.5, 0.0], [5.0, 0.0]], both)
    assert admitted(hall) == [True, False]  # who is nearer goes first
    for x in (-2.0, 2.0, 4.7):
        look(hall, [[x, 0.0], [5.0, 0.0]], both)
        assert not admitted(hall)[1]
    look(hall, [[5.2, 0.0], [5.0, 0.3]], both)
    assert admitted(hall) == [False, True]


def test_a_turn_ends_when_it_has_lasted_while_others_wait_and_only_then():
    hall, places = hallway(dt=LASTS), [[-4.9, 0.0], [-5.5, 0.0], [5.0, 0.0]]
    goals = (EASTWARD, EASTWARD, WESTWARD)
    for _ in range(8):  # nobody waits
        look(hall, places[:2], goals[:2])
        assert admitted(hall) == [True, False]
    look(hall, places, goals)
    assert admitted(hall) == [False, True]  # it had lasted long ago
    look(hall, places, goals)
    assert admitted(hall) == [False, True]
    for _ in range(2):
        look(hall, places, goals)
    assert admitted(hall) == [True, False]


def test_who_is_about_to_enter_when_the_turn_ends_still_does():
    hall, goals = hallway(dt=LASTS), (EASTWARD, EASTWARD, WESTWARD)
    look(hall, [[-4.3, 0.0], [-5.5, 0.0], [5.0, 0.0]], goals)
    for _ in range(4):
        look(hall, [[-4.3, 0.0], [-5.5, 0.0], [5.0, 0.0]], goals)
    assert admitted(hall, far=0.3) == [True, False]
    assert admitted(hall, far=1.5) == [False, False]


@pytest.mark.parametrize("goal", [EASTWARD, WESTWARD])
def test_one_that_stands_within_does_not_keep_the_others_out_for_ever(goal):
    hall, entered = hallway(dt=1.0), set()
    for _ in range(120):
        look(hall, [[0.0, 0.0], [-5.0, 0.0], [5.0, 0.0]], (goal, EASTWARD, WESTWARD))
        entered.update(np.flatnonzero(admitted(hall)).tolist())
    assert entered == {0, 1}


def test_who_was_pushed_past_a_point_of_its_route_goes_on_if_the_route_leads_through():
    hall, there_and_through = hallway(), [[-4.6, 0.0], [9.0, 0.0]]
    look(hall, [[-4.5, 0.0]], [EASTWARD])
    look(hall, [[-3.5, 0.2]], [EASTWARD])
    rows, course = look(hall, [[-3.2, 0.2]], [there_and_through])
    assert rows.tolist() == [0]
    assert course[0] @ [1.0, 0.0] > 0.9
    assert admitted(hall) == [True, False]
    hall.turn_over(Turnover(np.array([-1, 0]), 1))  # another one comes before it
    rows, _ = look(hall, [[-9.0, 3.0], [-3.2, 0.2]], [EASTWARD, there_and_through])
    assert rows.tolist() == [1]
    rows, _ = look(hall, [[-9.0, 3.0], [-3.2, 0.2]], [EASTWARD, WESTWARD])
    assert len(rows) == 0  # it has another goal now


def test_two_streams_keep_to_the_right_until_they_come_out():
    hall = hallway(most=np.inf)
    places = [[-1.0, 0.1], [1.0, -0.1], [3.8, -0.3], [6.0, 0.0]]
    rows, course = look(hall, places, (EASTWARD, WESTWARD, EASTWARD, WESTWARD))
    assert rows.tolist() == [0, 1]  # the third one is led by the queue where it comes out
    assert course[0, 0] > 0.5
    assert course[0, 1] < -0.1
    assert course[1, 0] < -0.5
    assert course[1, 1] > 0.1
    assert not hall.in_turns
    rows, _ = look(hall, places[::2], (EASTWARD, EASTWARD))
    assert len(rows) == 0  # nobody comes the other way


def test_when_many_come_from_both_ends_they_go_in_turns_until_none_come_from_one():
    hall, goals = hallway(most=2), 3 * (EASTWARD, WESTWARD)
    places = [[side * (5.0 + k), 0.0] for k in range(3) for side in (-1, 1)]
    look(hall, places[:4], goals[:4])
    assert not hall.in_turns
    look(hall, places, goals)
    assert hall.in_turns
    look(hall, places[:2], goals[:2])
    assert hall.in_turns
    look(hall, places[:1], goals[:1])
    assert not hall.in_turns


def openings_both_ways(space):
    """Return the openings of a corridor, as those who come from each end enter and leave it."""
    found = []
    for points in ([[-8.0, 0, 0], [8, 0, 0]], [[8.0, 0, 0], [-8, 0, 0]]):
        path = CertifiedPath(np.array(points, float), np.zeros(2), grounded=True)
        found += openings_of(space, path)
    return found + [seen_from_behind(space, each) for each in found]


@pytest.mark.parametrize(
    ("width", "long", "kind"),
    [(1.1, 6.0, "turns"), (1.6, 6.0, "both"), (2.4, 6.0, "lanes"), (1.1, 0.3, None)],
)
def test_both_ends_of_a_narrow_way_are_one_hallway(ways, width, long, kind):
    gap, half = 0.5 * width, 0.5 * long
    walls = [([-half, gap, 0], [half, 9, 2]), ([-half, -9, 0], [half, -gap, 2])]
    space = ways.space(walls=walls)
    queues = [
        OpeningQueue(opening, space.world.body.radius, np.zeros(0, np.intp), Side())
        for opening in openings_both_ways(space)
    ]
    pairs, hallways = with_hallways(queues, pairs_of(queues, 0.04, 0.1), 0.04, 0.1)
    if kind is None:
        assert not hallways
        assert all(len(queue.opening.course) == 0 for queue in queues)
        return
    assert len(pairs) == len(hallways) == 2
    (hall,) = set(hallways.values())
    ends = sorted(end.middle[0] for end in hall.ends)
    assert ends == pytest.approx([-half, half], abs=0.7)
    assert all(float(end.normal @ -end.middle[:2]) > LONG / 2 for end in hall.ends)
    most = {"turns": 0, "both": 10, "lanes": np.inf}[kind]
    assert (hall._most == most) if kind != "both" else (most <= hall._most < np.inf)
