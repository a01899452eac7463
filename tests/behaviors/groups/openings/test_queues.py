from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings import NarrowOpening, Queues
from rmp3d.behaviors.groups.openings.opening_queue import FARTHEST, NEAR
from rmp3d.behaviors.groups.openings.order import (
    BEFORE,
    KEEPS,
    NEARER,
    STEP_BACK,
    behind,
    make_way,
    order_of_passing,
    speeds_in_order,
)
from rmp3d.behaviors.groups.openings.passing import LOOK_EVERY
from rmp3d.behaviors.groups.openings.queues import GAP
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.query import MeshQuery

DOOR = NarrowOpening(np.zeros(3), np.array([1.0, 0.0]), 0.3, 0.4)
BACK = NarrowOpening(np.zeros(3), np.array([-1.0, 0.0]), 0.3, 0.4)
WALLS = [([-0.2, -9, 0], [0.2, -0.6, 2]), ([-0.2, 0.6, 0], [0.2, 9, 2])]
PACE = 1.5
# Two points of the routes of those who come through the door.
THROUGH = np.array([[0.3, 0.0, 0.0], [12.0, 0.0, 0.0]])


@pytest.fixture
def before(ways, make):
    """Return who is led, and how, of members at places (n, 2) before a door."""

    def led(places, queues=None, openings=(DOOR,), goals=None, group=None, space=None):
        space = ways.space(walls=WALLS) if space is None else space
        queues = queues or Queues([(space, [opening]) for opening in openings])
        flock = make.flock(np.column_stack([places, np.zeros(len(places))]), grounded=True)
        count = len(places)
        group = np.zeros(count, np.intp) if group is None else np.array(group)
        ahead = np.tile(THROUGH, (count, 1, 1))
        for row, goal in (goals or {}).items():
            ahead[row] = goal
        for _ in range(LOOK_EVERY):
            rows, wish, number = queues.lead(
                flock, group, np.full(count, PACE), np.ones(count, np.bool_), ahead
            )
        assert (number == 0).all()
        return queues, rows, wish

    return led


def test_the_nearest_goes_at_full_pace_and_the_others_stay_behind_it(before):
    places = np.array([[-1.0, 0.0], [-1.2, 0.1], [-1.4, -0.1]])
    _, rows, wish = before(places)
    np.testing.assert_array_equal(rows, [0, 1, 2])
    np.testing.assert_allclose(wish[0], [PACE, 0, 0], atol=0.1)
    np.testing.assert_allclose(wish[1:], 0.0, atol=1e-12)


def test_who_is_far_or_behind_a_wall_or_beyond_or_on_another_way_is_not_led(before):
    places = np.array([[-1.0, 0.0], [-7.0, 0.0], [1.0, 0.0], [-1.0, 1.0], [-1.5, 0.0], [0.9, 2.0]])
    elsewhere = {3: [-1.0, 9.0, 0.0], 4: [-9.0, 0.0, 0.0]}
    _, rows, _ = before(places, goals=elsewhere)
    np.testing.assert_array_equal(rows, [0])


def test_the_line_is_as_long_as_the_crowd(before):
    """Those who come from farther away line up, too, where many do: they would go round them."""
    far = [-NEAR - 3.0, 0.0]
    _, rows, _ = before(np.array([[-1.0, 0.0], far]))
    np.testing.assert_array_equal(rows, [0])
    crowd = [[-1.0 - 0.7 * k, 0.8 * side] for k in range(5) for side in (-1, 1)]
    queues, *_ = before(np.array([*crowd, far]))
    _, rows, wish = before(np.array([*crowd, far]), queues)
    np.testing.assert_array_equal(rows, np.arange(11))
    assert 0.0 <= np.hypot(*wish[10, :2]) <= PACE
    _, rows, _ = before(np.array([*crowd, [-FARTHEST - 1.0, 0.0]]), queues)
    np.testing.assert_array_equal(rows, np.arange(10))


def test_the_line_before_the_end_of_a_narrow_way_is_short(before):
    """A long one would reach back round corners, and hold up those who turn there."""
    crowd = [[-1.0 - 0.7 * k, 0.8 * side] for k in range(5) for side in (-1, 1)]
    queues, *_ = before(np.array(crowd), openings=[replace(DOOR, is_end=True)])
    _, rows, _ = before(np.array([*crowd, [-NEAR - 3.0, 0.0]]), queues)
    np.testing.assert_array_equal(rows, np.arange(10))


@pytest.mark.parametrize("first", [True, False])
def test_it_is_as_long_as_the_crowd_where_the_narrow_way_of_another_group_begins(ways, first):
    space = ways.space(walls=WALLS)
    there = [replace(DOOR, is_end=is_end) for is_end in (first, not first)]
    (queue,) = Queues([(space, [opening]) for opening in there])._queues
    assert not queue.opening.is_end


def test_who_stands_beside_the_door_turns_into_its_lane_before_it(before):
    _, _, wish = before(np.array([[-0.6, 2.0]]))
    assert wish[0, 1] < -0.9 * PACE
    _, _, wish = before(np.array([[-2.5, 2.0]]))
    assert wish[0, 0] > 0.0 > wish[0, 1]


def test_an_opening_is_one_for_each_direction_and_none_without_walkers(ways):
    space = ways.space(walls=WALLS)
    assert len(Queues([(space, [DOOR]), (space, [BACK, DOOR])])) == 2
    assert len(Queues([(space, []), None])) == 0
    assert len(Queues([])) == 0


def test_bodies_of_several_sizes_have_one_queue_at_an_opening(ways, make):
    """As the largest cross it, and each sees it with its own body."""
    large, small = (ways.space(walls=WALLS, radius=radius) for radius in (0.3, 0.15))
    wider = replace(DOOR, half=0.45, middle=np.array([0.05, 0, 0]))
    queues = Queues([(small, [wider]), (large, [DOOR])])
    (queue,) = queues._queues
    assert (queue.opening.half, queue.radius) == (DOOR.half, 0.3)
    places = np.array([[-1.0, 0.0, 0], [-1.8, 0.1, 0], [-2.6, -0.1, 0]])
    flock = make.flock(places, grounded=True)
    rows, _, number = lead(queues, flock, np.array([0, 1, 0]))
    np.testing.assert_array_equal(rows, [0, 1, 2])
    assert (number == 0).all()


def lead(queues, flock, group):
    """Return who is led, of members that come through the door, after all have looked."""
    count = len(flock)
    ahead = np.tile(THROUGH, (count, 1, 1))
    for _ in range(LOOK_EVERY):
        found = queues.lead(flock, group, np.full(count, PACE), np.ones(count, np.bool_), ahead)
    return found


@pytest.mark.parametrize(("x", "queues_up"), [(0.3, False), (-0.4, False), (-3.0, True), (2, True)])
def test_one_without_a_route_stops_a_queue_only_in_the_opening(ways, make, x, queues_up):
    space = ways.space(walls=WALLS)
    queues = Queues([(space, [DOOR]), None])
    assert len(queues) == 1
    flock = make.flock(np.array([[-1.2, 0.0, 0], [-2.0, 0.1, 0], [x, 0.2, 0]]), grounded=True)
    rows, *_ = lead(queues, flock, np.array([0, 0, 1]))
    assert rows.tolist() == ([0, 1] if queues_up else [])


def next_doors(ways, make, places, near=2.0):
    """Return the queue of each of members at places (n, 2), of two doors in a row, -1 for none."""
    second = NarrowOpening(np.array([near, 0, 0]), DOOR.normal, 0.3, 0.4)
    space = ways.space()
    queues = Queues([(space, [second, DOOR])])
    flock = make.flock(np.column_stack([places, np.zeros(len(places))]), grounded=True)
    count, found = len(places), np.full(len(places), -1)
    for _ in range(LOOK_EVERY):
        rows, _, number = queues.lead(
            flock, np.zeros(count, np.intp), np.full(count, PACE), np.ones(count, np.bool_),
            np.tile([[12.0, 0.0, 0.0]], (count, 1, 1)),
        )  # fmt: skip
        found[rows] = number
    return found.tolist()


def test_who_sees_two_openings_lines_up_before_the_one_that_comes_next(ways, make):
    """The other one is first in the list of queues, and near enough to line up there, too."""
    places = np.array([[-1.0, 0.0], [-2.5, 0.0], [1.0, 0.0], [1.7, 0.2]])
    assert next_doors(ways, make, places) == [1, 1, 0, 0]


def test_members_of_several_groups_pass_in_one_order(before, ways):
    space = ways.space(walls=WALLS)
    queues = Queues([(space, [DOOR]), (space, [DOOR])])
    assert len(queues) == 1
    _, rows, wish = before(np.array([[-1.0, 0.0], [-1.2, 0.1]]), queues, group=[0, 1])
    np.testing.assert_array_equal(rows, [0, 1])
    assert wish[0, 0] > wish[1, 0] == 0.0


def test_a_place_in_the_order_is_kept_when_others_leave_the_scene(before):
    places = np.array([[-1.0, 0.0], [-1.5, 0.0], [-2.5, 0.0]])
    queues, *_ = before(places)
    queues.turn_over(Turnover(np.array([1, 2]), 3))
    _, rows, wish = before(places[1:], queues)
    np.testing.assert_array_equal(rows, [0, 1])
    np.testing.assert_allclose(wish[0], [PACE, 0, 0], atol=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_who_passes_in_order_at_the_asked_distances_touches_nobody_in_the_line(seed):
    """Against brute force: places along the way at which the front is in the line."""
    rng = np.random.default_rng(seed)
    crossing, radius = rng.uniform(-0.7, 0.7, 30), rng.uniform(0.2, 0.4, 30)
    distance = rng.uniform(0.0, 4.0, 30)
    order = order_of_passing(distance, crossing, radius, np.full(30, -1), GAP)
    assert sorted(order) == list(range(30))
    crossing, radius = crossing[order], radius[order]
    along = np.zeros(30)
    for i in range(30):
        gaps = [along[j] + behind(i, j, crossing, radius, GAP) for j in range(i)]
        along[i] = max([0.0, *gaps])
    apart = np.hypot(along[:, None] - along, crossing[:, None] - crossing)
    apart[np.arange(30), np.arange(30)] = np.inf
    assert (apart > radius[:, None] + radius + GAP - 1e-9).all()


def test_a_file_at_its_distances_goes_on_at_the_pace_of_its_front():
    radius, crossing = np.full(4, 0.3), np.zeros(4)
    distance = 0.2 + np.arange(4) * (0.6 + GAP)
    closing, pace = np.full(4, 1.0), np.full(4, 1.3)
    speed = speeds_in_order(distance, crossing, radius, closing, pace, GAP)
    np.testing.assert_allclose(speed, [1.3, 1.0, 1.0, 1.0])
    beside = speeds_in_order(distance * 0.1, np.arange(4) * 0.7, radius, closing, pace, GAP)
    np.testing.assert_allclose(beside, 1.3)


@pytest.mark.parametrize("seed", range(4))
def test_the_next_is_the_one_that_could_pass_first(seed):
    """Against brute force over all that are not in the order yet."""
    rng = np.random.default_rng(seed)
    count = 40
    distance, radius = rng.uniform(-0.5, 15.0, count).round(seed % 2 + 1), np.full(count, 0.28)
    crossing = rng.choice([-0.3, 0.0, 0.3], count)
    had = np.where(rng.random(count) < 0.5, rng.permutation(count), -1)
    order = order_of_passing(distance, crossing, radius, had, GAP).tolist()
    own = distance - KEEPS * (had >= 0)

    def passes(i, place):
        ahead = order[:place][-BEFORE:]
        after = {j: behind(i, j, crossing, radius, GAP) for j in ahead}
        first = max([own[i], *(distance[j] + far for j, far in after.items() if far >= 0.0)])
        return first + NEARER * own[i] + 1e-3 * (had[i] if had[i] >= 0 else count)

    for place in range(count):
        assert order[place] == min(order[place:], key=lambda i: (passes(i, place), i))


def test_who_has_a_place_keeps_it_before_one_that_is_a_little_nearer():
    same = np.zeros(2), np.full(2, 0.3)
    assert order_of_passing(np.array([1.1, 1.0]), *same, np.array([0, -1]), GAP).tolist() == [0, 1]
    assert order_of_passing(np.array([1.4, 1.0]), *same, np.array([0, -1]), GAP).tolist() == [1, 0]


def test_who_touches_one_before_it_and_is_in_its_way_steps_back_and_so_does_who_is_behind():
    position = np.array([[0.0, 0.0], [0.6, 0.0], [1.2, 0.0], [-0.6, 0.0], [0.0, 2.0]])
    velocity = np.zeros((5, 2))
    velocity[0] = 1.0, 0.1
    make_way(position, np.full(5, 0.3), velocity)
    np.testing.assert_allclose(velocity[1:3], [[STEP_BACK, 0.0]] * 2, atol=1e-9)
    np.testing.assert_array_equal(velocity[[0, 3, 4]], [[1.0, 0.1], [0, 0], [0, 0]])


def passed(ways, make, places, pace, gap, seconds):
    """Return how many of walkers at places (n, 2) are through the door after so long."""
    space = ways.space(walls=WALLS)
    position, face = space.surface.locate(np.column_stack([places, np.zeros(len(places))]))
    flock = make.flock(position, grounded=True, face=face, max_speed=2.0, force_time=0.0)
    safety = SafetyConstraint(
        MeshQuery(space.world.scene.obstacles), None, space.surface, None, make.dt
    )
    queues, all_ = Queues([(space, [DOOR])], gap), np.ones(len(places), np.bool_)
    ahead, group = np.tile(THROUGH, (len(places), 1, 1)), np.zeros(len(places), np.intp)
    for _ in range(round(seconds / make.dt)):
        rows, wish, number = queues.lead(flock, group, pace * all_, all_, ahead)
        desire, queue = np.zeros_like(flock.position), np.full(len(places), -1)
        desire[:, 0] = pace
        desire[rows], queue[rows] = wish, number
        velocity = safety.velocity(flock, desire, desire, None, queue)
        moved, face, _ = space.surface.walk(flock.position, flock.face, velocity[:, :2] * make.dt)
        flock = flock.moved(position=moved, velocity=velocity, face=face)
    assert safety.report.smallest_gap > -1e-9
    return int((flock.position[:, 0] > 0.3).sum())


def test_two_that_touch_and_the_corner_of_a_jamb_do_not_hold_each_other(ways, make):
    """The second one waits behind a third, and would hold the first at the jamb for ever."""
    jamb = np.array([-0.2, -0.6])
    first = jamb - 0.30102 * np.array([0.968, -0.251])
    places = np.array([first, [-0.85, 0.45], first + 0.600003 * np.array([-0.9126, 0.4089])])
    assert passed(ways, make, places, 1.5, 0.01, 4.0) == 3


@pytest.mark.parametrize(("pace", "gap"), [(1.0, 0.005), (1.8, 0.005), (1.8, 0.05), (1.4, 0.02)])
def test_a_crowd_at_a_door_comes_through_at_any_pace_and_gap(ways, make, pace, gap):
    x, y = np.meshgrid(np.linspace(-0.7, -2.9, 4), np.linspace(-1.0, 1.0, 4))
    places = np.column_stack([x.ravel(), y.ravel()])
    assert passed(ways, make, places, pace, gap, 14.0) == 16


@pytest.mark.parametrize(("half", "keeps_right"), [(0.7, True), (0.3, False)])
def test_who_is_expected_from_the_other_end_of_a_hallway_finds_its_half_free(
    ways, make, half, keeps_right
):
    """Each end has an opening of its own; the second of a file went to the left of the first."""
    mouth = NarrowOpening(np.zeros(3), np.array([1.0, 0.0]), half, 0.4)
    space = ways.space(walls=[([0.0, -9, 0], [12.0, -1, 2]), ([0.0, 1, 0], [12.0, 9, 2])])
    flock = make.flock([[-3.0, 0, 0], [15.0, 0, 0]], grounded=True)
    ahead = np.array([[[14.0, 0, 0]], [[-8.0, 0, 0]]])
    for others, right in (([1], keeps_right), ([], False)):
        queues = Queues([(space, [mouth])])
        rows = np.array([0, *others])
        for _ in range(2 * LOOK_EVERY):
            found, wish, _ = queues.lead(
                flock.select(rows), np.zeros(len(rows), np.intp), np.full(len(rows), PACE),
                np.ones(len(rows), np.bool_), ahead[rows],
            )  # fmt: skip
        assert len(found) == 1
        assert bool((wish[:, 1] < -0.1).any()) == right
