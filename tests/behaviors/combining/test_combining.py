"""The combining schemes by their definitions, agent by agent."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from rmp3d.behaviors.combining import (
    COMBININGS,
    OnePerStep,
    PrioritizedAllocation,
    PrioritizedDithering,
    Priority,
    SteeringRequest,
    WeightedSum,
)
from rmp3d.geometry.errors import InputError

COUNT = 7
MOST = 8.0  # N, of an agent of 2 kg and 4 m/s^2


@dataclass(frozen=True, eq=False)
class Push:
    """A behavior that asks for the same at all times, and notes when it is asked."""

    force: np.ndarray
    asked: list

    def steering_force(self, flock, around):
        self.asked.append(around.time)
        return self.force


@dataclass(frozen=True, eq=False)
class Turn(Push):
    """The same that orients some agents too."""

    turning: np.ndarray
    oriented: np.ndarray

    def steering_turn(self, flock, around):
        return self.turning, self.oriented


@pytest.fixture
def agents(make):
    return make.flock(
        np.arange(3.0 * COUNT).reshape(-1, 3), max_turn_acceleration=np.full(COUNT, 5.0)
    )


@pytest.fixture
def around(make, agents):
    return replace(make.surroundings(agents), chance=np.arange(COUNT), dt=0.1)


def pushes(agents, around, forces, weights=None, probabilities=None):
    """Requests for forces (K, 3) or (K, n, 3) [N]."""
    ones = np.ones(len(forces))
    return [
        SteeringRequest(
            Push(np.broadcast_to(np.asarray(force, float), (COUNT, 3)), []),
            agents, around, float(weight), float(chance),
        )
        for force, weight, chance in zip(
            forces, ones if weights is None else weights,
            ones if probabilities is None else probabilities, strict=True,
        )
    ]  # fmt: skip


def random_forces(seed, scale=6.0):
    """Forces (4, n, 3) of which every third is zero."""
    rng = np.random.default_rng(seed)
    forces = scale * rng.normal(size=(4, COUNT, 3))
    forces[rng.random((4, COUNT)) < 0.33] = 0.0
    return forces


@pytest.mark.parametrize("name", list(COMBININGS))
@pytest.mark.parametrize("seed", range(5))
def test_no_scheme_asks_for_more_than_the_largest_force(agents, around, name, seed):
    requests = pushes(agents, around, random_forces(seed, 20.0), probabilities=[0.6] * 4)
    found = COMBININGS[name]().combine(requests, agents, replace(around, seed=seed))
    size = np.linalg.norm(found.force, axis=1)
    assert (size <= MOST * (1 + 1e-12)).all()
    assert size.max() > 0.9 * MOST


@pytest.mark.parametrize("name", list(COMBININGS))
def test_of_nothing_comes_nothing(agents, around, name):
    for requests in ([], pushes(agents, around, [[0.0, 0, 0]])):
        found = COMBININGS[name]().combine(requests, agents, around)
        assert not found.force.any()
        assert not found.turning.any()
        assert not found.oriented.any()


@pytest.mark.parametrize("name", list(COMBININGS))
def test_one_request_alone_is_granted_cut_to_the_largest_force(agents, around, name):
    found = COMBININGS[name]().combine(
        pushes(agents, around, [[3.0, 0, 4.0]], weights=[2.0]), agents, around
    )
    np.testing.assert_allclose(found.force, np.tile([4.8, 0, 6.4], (COUNT, 1)))


def test_a_weighted_sum_is_the_sum_of_the_weighted_forces(agents, around):
    forces, weights = random_forces(3, 1.0), np.array([0.5, 2.0, 1.0, 0.0])
    found = WeightedSum().combine(pushes(agents, around, forces, weights), agents, around)
    np.testing.assert_allclose(found.force, np.einsum("k,kni->ni", weights, forces), atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_priority_takes_each_agents_first_request_that_is_not_zero(agents, around, seed):
    forces = random_forces(seed, 1.0)
    found = Priority().combine(pushes(agents, around, forces), agents, around).force
    for agent in range(COUNT):
        asking = [force[agent] for force in forces if force[agent].any()]
        np.testing.assert_array_equal(found[agent], asking[0] if asking else np.zeros(3))


def test_priority_does_not_work_out_what_nobody_needs(agents, around):
    requests = pushes(agents, around, [[1.0, 0, 0], [0, 1.0, 0]])
    turner = Turn(np.zeros((COUNT, 3)), [], np.ones((COUNT, 3)), np.ones(COUNT, bool))
    Priority().combine([SteeringRequest(turner, agents, around), *requests], agents, around)
    assert len(turner.asked) == len(requests[0].behavior.asked) == 1
    assert requests[1].behavior.asked == []


def test_dithering_considers_each_behavior_as_often_as_its_probability_says(agents, around):
    chances = [0.2, 0.5, 0.8]
    requests = pushes(agents, around, np.eye(3), probabilities=chances)
    scheme, slots = PrioritizedDithering(0.1), 3000
    counts = np.zeros(4)
    for slot in range(slots):
        now = replace(around, time=0.1 * slot, seed=11)
        force = scheme.combine(requests, agents, now).force
        counts[:3] += force.sum(axis=0)
        counts[3] += (~force.any(axis=1)).sum()
    expected = np.array([0.2, 0.8 * 0.5, 0.8 * 0.5 * 0.8, 0.8 * 0.5 * 0.2])
    draws = slots * COUNT
    spread = np.sqrt(expected * (1 - expected) / draws)
    assert (np.abs(counts / draws - expected) < 4.0 * spread).all()


def test_dithering_falls_through_to_the_next_where_the_first_asks_for_nothing(agents, around):
    requests = pushes(agents, around, [np.zeros(3), [0, 1.0, 0]], probabilities=[1.0, 1.0])
    found = PrioritizedDithering().combine(requests, agents, around)
    np.testing.assert_array_equal(found.force, np.tile([0, 1.0, 0], (COUNT, 1)))


def test_a_draw_holds_for_its_slot_whatever_the_time_step_and_differs_by_agent_and_seed(
    agents, around
):
    requests = pushes(agents, around, [[1.0, 0, 0]], probabilities=[0.5])

    def drawn(time, seed=0):
        now = replace(around, time=time, seed=seed)
        return PrioritizedDithering(0.5).combine(requests, agents, now).force[:, 0].tolist()

    assert drawn(1.0) == drawn(1.2) == drawn(1.4999)
    slots = {tuple(drawn(0.5 * slot)) for slot in range(20)}
    assert len(slots) > 10
    assert {tuple(drawn(0.5 * slot, 1)) for slot in range(20)} != slots


@pytest.mark.parametrize("seed", range(5))
def test_allocation_spends_its_budget_in_order_of_priority(agents, around, seed):
    forces = random_forces(seed, 4.0)
    found = PrioritizedAllocation().combine(pushes(agents, around, forces), agents, around).force
    for agent in range(COUNT):
        left, total = MOST, np.zeros(3)
        for force in forces[:, agent]:
            size = np.linalg.norm(force)
            granted = force if size <= left else force * (left / size)
            total += granted
            left = max(left - np.linalg.norm(granted), 0.0)
        np.testing.assert_allclose(found[agent], total, atol=1e-12)


def test_what_is_first_is_fully_met_before_the_second_gets_the_rest(agents, around):
    requests = pushes(agents, around, [[6.0, 0, 0], [0, 6.0, 0], [0, 0, 6.0]])
    found = PrioritizedAllocation().combine(requests, agents, around)
    np.testing.assert_allclose(found.force, np.tile([6.0, 2.0, 0], (COUNT, 1)))


def test_the_mean_of_a_round_of_one_per_step_is_the_weighted_sum(agents, around):
    forces, weights = random_forces(2, 0.3), [1.0, 0.5, 2.0, 1.5]
    total = np.zeros((COUNT, 3))
    requests = pushes(agents, around, forces, weights)
    for step in range(8):
        now = replace(around, time=step * around.dt)
        total += OnePerStep().combine(requests, agents, now).force
    summed = WeightedSum().combine(requests, agents, around).force
    np.testing.assert_allclose(total / 8, summed, atol=1e-12)


def test_one_per_step_works_out_one_behavior_a_step(agents, around):
    for step in range(6):
        now = replace(around, time=step * around.dt)
        requests = pushes(agents, now, np.eye(3))
        OnePerStep().combine(requests, agents, now)
        assert [len(request.behavior.asked) for request in requests] == [
            int(step % 3 == row) for row in range(3)
        ]


def test_a_slot_of_one_per_step_does_not_depend_on_the_time_step(agents, around):
    requests = pushes(agents, around, np.eye(3))
    for dt in (0.1, 0.05, 0.01):
        now = replace(around, time=0.35, dt=dt)
        force = OnePerStep(0.3).combine(requests, agents, now).force
        np.testing.assert_array_equal(force[0], [0, 3.0, 0])


@pytest.mark.parametrize("name", list(COMBININGS))
def test_linear_and_angular_parts_come_side_by_side(agents, around, name):
    some = np.arange(COUNT) % 2 == 0
    turner = Turn(
        np.zeros((COUNT, 3)), [], np.where(some[:, None], [0.0, 0, 2.0], 0.0), some
    )  # fmt: skip
    requests = [
        *pushes(agents, around, [[1.0, 0, 0]]),
        SteeringRequest(turner, agents, around, 1.5),
    ]
    found = COMBININGS[name]().combine(requests, agents, around)
    assert found.force[:, 0].min() > 0.0
    np.testing.assert_array_equal(found.oriented, some)
    np.testing.assert_allclose(found.turning, np.where(some[:, None], [0.0, 0, 3.0], 0.0))


def test_turning_has_a_budget_of_its_own_in_allocation(agents, around):
    def turner(axis):
        return Turn(np.zeros((COUNT, 3)), [], np.tile(axis, (COUNT, 1)), np.ones(COUNT, bool))

    axes = ([0.0, 0, 3.0], [0.0, 4.0, 0], [1.0, 0, 0])
    requests = [SteeringRequest(turner(np.array(axis)), agents, around) for axis in axes]
    found = PrioritizedAllocation().combine(requests, agents, around)
    np.testing.assert_allclose(found.turning, np.tile([0, 2.0, 3.0], (COUNT, 1)))


def test_agents_that_are_not_able_are_asked_for_nothing(agents, around):
    able = np.arange(COUNT) < 3
    push = Push(np.ones((COUNT, 3)), [])
    asked = SteeringRequest(push, agents, around, able=able).steering
    np.testing.assert_array_equal(asked.force.any(axis=1), able)


@pytest.mark.parametrize("make_it", [lambda: PrioritizedDithering(0.0), lambda: OnePerStep(-1.0)])
def test_impossible_slots_are_refused(make_it):
    with pytest.raises(InputError, match="`slot`"):
        make_it()
