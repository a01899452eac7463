"""Traffic rules with the safety constraint in the loop: members that meet pass each other."""

import numpy as np
import pytest

from rmp3d.behaviors import Flock, SafetyConstraint, Traffic
from rmp3d.behaviors.steering import Arrive
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.step import Wishes, step
from rmp3d.behaviors.traffic.rules import TAKE_UP
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length
from rmp3d.models import load_character

BOUNDS = np.array([[-20.0] * 3, [20.0] * 3])


@pytest.fixture
def floor(make):
    line = np.linspace(-12, 12, 5)
    return WalkableSurface(make.grid(line, line, lambda x, y: 0.0 * x))


class Arriving:
    """Members on their way to goals (N, 3); some are parked."""

    def __init__(self, make, goal, surface, parked):
        self.make, self.goal, self.surface, self.parked = make, goal, surface, parked

    def perceive(self, flock, time):
        return WorldState(flock, surface=self.surface, time=time, dt=self.make.dt)

    def desire(self, world):
        return Wishes.of(length(self.goal - world.flock.position), self.parked)

    def combine(self, world, wishes):
        around = self.make.surroundings(world.flock, self.goal)
        return SteeringOutput.of(Arrive().steering_force(world.flock, around))


def run(make, agents, goal, seconds, surface=None, parked=None):
    """Go to goals (N, 3) under the rules; return all positions (T, N, 3) and the rules."""
    safety = SafetyConstraint(None, None, surface, BOUNDS, make.dt)
    traffic = Traffic(len(agents), make.dt)
    members = Arriving(make, goal, surface, parked)
    track = [agents.position]
    for _ in range(round(seconds / make.dt)):
        agents = step(agents, members, traffic=traffic, safety=safety)
        track.append(agents.position)
    return np.array(track), traffic


def least_gap(track, radius):
    i, j = np.triu_indices(track.shape[1], 1)
    return (np.linalg.norm(track[:, i] - track[:, j], axis=2) - radius[i] - radius[j]).min()


def walkers(make, surface, position):
    position, face = surface.locate(position)
    return make.flock(position, grounded=True, face=face)


@pytest.mark.parametrize("aside", [0.0, 1e-9, 0.1, -0.1])
def test_two_walkers_head_on_pass_each_other(make, floor, aside):
    start = np.array([[-4.0, 0, 0], [4, aside, 0]])
    goal = -start
    agents = walkers(make, floor, start)
    track, _ = run(make, agents, goal, 9.0, floor)
    assert least_gap(track, agents.bodies.radius) > 0.0
    np.testing.assert_allclose(track[-1], goal, atol=0.02)
    assert np.abs(track[..., 1]).max() > 0.25, "they made way"


def test_two_flyers_head_on_pass_each_other(make):
    start = np.array([[-4.0, 0, 0], [4, 0, 0]])
    agents = make.flock(start)
    track, _ = run(make, agents, -start, 9.0)
    assert least_gap(track, agents.bodies.radius) > 0.0
    np.testing.assert_allclose(track[-1], -start, atol=0.02)


def test_two_flyers_one_above_the_other_change_places(make):
    start = np.array([[0.0, 0, -3], [0, 0, 3]])
    agents = make.flock(start)
    track, _ = run(make, agents, -start, 12.0)
    assert least_gap(track, agents.bodies.radius) > 0.0
    np.testing.assert_allclose(track[-1], -start, atol=0.05)


@pytest.mark.parametrize("count", [3, 6, 9])
def test_walkers_on_a_circle_change_sides(make, floor, count):
    angle = 2 * np.pi * np.arange(count) / count
    start = 5 * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    agents = walkers(make, floor, start)
    track, _ = run(make, agents, -start, 20.0, floor)
    assert least_gap(track, agents.bodies.radius) > 0.0
    np.testing.assert_allclose(track[-1], -start, atol=0.05)


def test_a_parked_walker_makes_way(make, floor):
    start = np.array([[-3.0, 0, 0], [0, 0, 0]])
    goal = np.array([[3.0, 0, 0], [0, 0, 0]])
    agents = walkers(make, floor, start)
    track, _ = run(make, agents, goal, 12.0, floor, parked=np.array([False, True]))
    assert least_gap(track, agents.bodies.radius) > 0.0
    np.testing.assert_allclose(track[-1, 0], goal[0], atol=0.02)


def test_the_same_start_gives_the_same_bytes(make, floor):
    rng = np.random.default_rng(0)
    plan = np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), -1).reshape(-1, 2)
    start = np.column_stack([1.2 * plan - 2, np.zeros(12)])
    goal = rng.permutation(start)
    agents = walkers(make, floor, start)
    first, one = run(make, agents, goal, 3.0, floor)
    second, other = run(make, agents, goal, 3.0, floor)
    assert first.tobytes() == second.tobytes()
    assert one.jams == other.jams


def test_alone_and_far_apart_nobody_is_told_anything(make):
    position = np.array([[0.0, 0, 0], [15, 0, 0], [0, 15, 0]])
    agents = make.flock(position)
    desire = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0]])
    traffic = Traffic(3, make.dt)
    found, weight = traffic.resolve(agents, desire, np.full(3, 9.0), np.zeros(3, bool))
    np.testing.assert_allclose(found, desire, atol=1e-12)
    np.testing.assert_array_equal(weight, 1.0)


@pytest.mark.parametrize(
    ("convoy", "keeps"), [([0, 0], True), ([3, 3], True), ([0, 1], False), ([-1, -1], False)]
)
def test_members_of_one_formation_start_one_behind_the_other_and_do_not_swerve(make, convoy, keeps):
    agents = make.flock(np.array([[0.0, 0, 0], [1.5, 0, 0]]))
    desire = np.array([[1.3, 0, 0], [1.1, 0, 0]])  # the one ahead is slower
    found, _ = Traffic(2, make.dt).resolve(
        agents, desire, np.array([9.0, 7.5]), np.zeros(2, bool), np.array(convoy)
    )
    np.testing.assert_array_equal(found[1], desire[1], err_msg="the way of the first is free")
    assert np.array_equal(found[0], desire[0]) == keeps


@pytest.mark.parametrize(("other", "turns"), [(-1.3, "right"), (0.3, "left")])
def test_who_comes_against_is_passed_on_the_right_wherever_it_is(make, other, turns):
    # The other is to the right, by half of the distance at which the two would touch.
    agents = make.flock(np.array([[0.0, 0, 0], [2.5, -0.5, 0]]), grounded=True)
    agents = agents.moved(velocity=np.array([[1.3, 0, 0], [other, 0, 0]]))
    desire = agents.velocity.copy()
    found, _ = Traffic(2, make.dt).resolve(agents, desire, np.full(2, 9.0), np.zeros(2, bool))
    assert found[0, 1] < -1e-9 if turns == "right" else found[0, 1] > 1e-9


@pytest.mark.parametrize(
    ("speed", "pace", "other", "passes"),
    [(0.4, 1.3, 1.0, False), (1.2, 1.3, 1.0, True), (0.4, 1.0, 1.0, True), (0.4, 1.3, -1.0, True)],
)
def test_who_is_held_up_in_a_stream_does_not_pass_those_as_fast(make, speed, pace, other, passes):
    agents = make.flock(np.array([[0.0, 0, 0], [1.0, 0, 0], [1.0, 2.0, 0]]), grounded=True)
    agents = agents.moved(velocity=np.array([[speed, 0, 0], [0.3, 0, 0], [0.3 * other, 0, 0]]))
    desire = np.array([[1.3, 0, 0], [pace, 0, 0], [1.3 * other, 0, 0]])
    found, _ = Traffic(3, make.dt).resolve(agents, desire, np.full(3, 9.0), np.zeros(3, bool))
    assert (abs(found[0, 1]) > 1e-9) == passes


def test_what_the_rules_ask_for_is_taken_up_over_some_steps(make):
    # Two that stand head-on: the rules ask for the same in every step, and get it exponentially.
    agents = make.flock([[-1.0, 0, 0], [1.0, 0, 0]])
    desire = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    rules = Traffic(2, make.dt)
    remaining, parked = np.full(2, 9.0), np.zeros(2, bool)
    turned = np.array([rules.resolve(agents, desire, remaining, parked)[0] for _ in range(6)])
    change = turned[:, 0, 1]
    ratio = np.diff(change)[1:] / np.diff(change)[:-1]
    assert (np.abs(change) > 0.0).all()
    np.testing.assert_allclose(ratio, np.exp(-make.dt / TAKE_UP), rtol=1e-9)


def test_the_input_is_left_alone_and_nobody_is_fine(make):
    agents = make.flock(np.array([[0.0, 0, 0], [1.0, 0, 0]]))
    desire = np.array([[1.0, 0, 0], [-1, 0, 0]])
    before = desire.copy()
    Traffic(2, make.dt).resolve(agents, desire, np.array([3.0, 3.0]), np.zeros(2, bool))
    np.testing.assert_array_equal(desire, before)
    empty = make.flock(np.zeros((0, 3)))
    found, weight = Traffic(0, make.dt).resolve(
        empty, empty.velocity, np.zeros(0), np.zeros(0, bool)
    )
    assert (found.shape, weight.shape) == ((0, 3), (0,))


def test_who_makes_no_progress_is_declared_jammed(make):
    agents = make.flock(np.zeros((1, 3)))
    desire = np.array([[1.5, 0, 0]])
    traffic = Traffic(1, make.dt)
    for _ in range(round(4.0 / make.dt)):
        found, _ = traffic.resolve(agents, desire, np.array([5.0]), np.zeros(1, bool))
    assert traffic.jams == 1
    assert traffic.level[0] == 1.0
    assert np.isfinite(found).all()


def test_wishes_stay_finite_for_coincident_members_at_their_goals(make):
    agents = make.flock(np.zeros((5, 3)))
    traffic = Traffic(5, make.dt)
    rng = np.random.default_rng(1)
    for _ in range(120):
        desire = rng.normal(size=(5, 3)) * (rng.uniform(size=(5, 1)) > 0.3)
        found, weight = traffic.resolve(agents, desire, np.zeros(5), rng.uniform(size=5) > 0.5)
        assert np.isfinite(found).all()
        assert np.isfinite(weight).all()


def test_who_waits_in_a_queue_that_moves_is_not_jammed(make):
    place = np.array([[0.0, 0, 0], [-0.8, 0, 0], [-1.6, 0, 0], [-2.4, 0, 0]])
    agents = make.flock(place)
    desire = np.tile([1.5, 0, 0], (4, 1))
    moving, stuck = Traffic(4, make.dt), Traffic(4, make.dt)
    way = np.array([5.0, 5.8, 6.6, 7.4])
    for k in range(round(8.0 / make.dt)):
        # The first one comes nearer and the others wait; or nobody comes nearer.
        advance = np.array([0.1 * k * make.dt, 0, 0, 0])
        moving.resolve(agents, desire, way - advance, np.zeros(4, bool))
        stuck.resolve(agents, desire, way, np.zeros(4, bool))
    assert moving.jams == 0
    assert stuck.jams >= 4


@pytest.mark.parametrize("offset", [[0.0, 3.0, 0], [0.8, 0, 0]])
def test_one_beside_or_behind_who_moves_on_does_not_make_a_queue(make, offset):
    agents = make.flock(np.array([[0.0, 0, 0], offset]))
    desire = np.tile([1.5, 0, 0], (2, 1))
    traffic = Traffic(2, make.dt)
    for k in range(round(4.0 / make.dt)):
        way = np.array([5.0 - 0.1 * k * make.dt, 9.0])
        traffic.resolve(agents, desire, way, np.zeros(2, bool))
    assert traffic.level.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("course", "pace", "backs_off"), [(1.0, 1.5, False), (-1.0, 1.5, True), (1.0, 0.0, True)]
)
def test_who_moves_on_the_same_way_does_not_back_off_from_a_blocked_one(
    make, course, pace, backs_off
):
    """A stream would stop at each one that is held up for a moment."""
    agents = make.flock(np.array([[0.0, 0, 0], [0, 1, 0]]))
    beside = agents.moved(position=agents.position * [1.0, 2.2 * agents.bodies.radius[0], 1.0])
    desire = np.array([[1.5, 0, 0], [1.5 * course, 0, 0]])
    traffic = Traffic(2, make.dt)
    for k in range(round(1.5 / make.dt)):
        way = np.array([5.0, 9.0 - pace * k * make.dt])  # only the second one comes nearer
        found, _ = traffic.resolve(beside, desire, way, np.zeros(2, bool))
    assert (found[1, 1] > 0.1) == backs_off
    assert backs_off or abs(found[1, 1]) < 1e-9


def test_a_jam_that_dissolves_is_none_any_more(make):
    agents = make.flock(np.zeros((1, 3)))
    traffic = Traffic(1, make.dt)
    for k in range(round(8.0 / make.dt)):
        way = np.array([5.0 - max(0.0, k * make.dt - 3.0)])
        traffic.resolve(agents, np.array([[1.5, 0, 0]]), way, np.zeros(1, bool))
    assert traffic.jams == 1
    assert traffic.level[0] == 0.0


@pytest.mark.slow
def test_a_walker_comes_out_of_a_parked_crowd_with_gaps_much_narrower_than_a_body(make, floor):
    radius = make.flock(np.zeros((1, 3))).bodies.radius[0]
    line = 2.5 * radius * (np.arange(7) - 3.0)
    place = np.stack(np.meshgrid(line, line, [0.0], indexing="ij"), -1).reshape(-1, 3)
    middle = len(place) // 2
    goal = place.copy()
    goal[middle] = [line[-1] + 3.0, 0.2, 0]
    agents = walkers(make, floor, place)
    parked = np.arange(len(place)) != middle
    track, _ = run(make, agents, goal, 40.0, floor, parked=parked)
    assert least_gap(track, agents.bodies.radius) > 0.0
    np.testing.assert_allclose(track[-1], goal, atol=0.1)


@pytest.mark.parametrize(
    ("aside", "turn", "makes_way"),
    [(2.3, 0.0, False), (1.4, 0.0, True), (2.3, 0.5 * np.pi, True)],
)
def test_long_bodies_pass_as_near_as_they_are_wide(aside, turn, makes_way):
    """Two cars, 1.51 m wide and 3.1 m long: the second comes on, or stands across."""
    car = load_character("car")
    way, across = np.array([2.0, 0.0, 0.0]), np.array([np.cos(turn), np.sin(turn), 0.0])
    start = Flock.at_rest([car, car], [[0.0, 0.0, 0.0], [6.0, aside, 0.0]])
    velocity = np.stack([way, -way if turn == 0.0 else 0.0 * way])
    heading = np.stack([way / 2.0, -across])
    start = start.moved(velocity=velocity, heading=heading)
    traffic = Traffic(2, 1.0 / 30.0)
    for _ in range(60):
        wish, _ = traffic.resolve(start, velocity, np.full(2, 50.0), np.zeros(2, bool))
    assert (abs(wish[0, 1]) > 1e-3) == makes_way
