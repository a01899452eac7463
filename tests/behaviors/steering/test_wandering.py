"""Behaviors with chance, and those that look for something."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.noise import smooth, uniform
from rmp3d.behaviors.steering import Explore, Forage, NoiseWander, Roam, Wander
from rmp3d.behaviors.steering_behavior import remember
from rmp3d.geometry import TriangleMesh, join
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface

BOX = np.array([[-8.0, -6, -2], [8, 6, 2]])


def test_uniform_numbers_are_uniform_and_independent():
    numbers = np.stack([uniform(3, np.arange(4000), 7, count) for count in range(5)])
    assert numbers.min() >= 0.0
    assert numbers.max() < 1.0
    assert abs(numbers.mean() - 0.5) < 0.01
    histogram, _ = np.histogram(numbers, 20, (0, 1))
    assert ((histogram - 1000) ** 2 / 1000).sum() < 43.8  # chi squared, 19 degrees, p = 0.001
    correlation = np.corrcoef(numbers)
    assert np.abs(correlation[np.triu_indices(5, 1)]).max() < 0.06
    neighbors = np.corrcoef(numbers[0, :-1], numbers[0, 1:])[0, 1]
    assert abs(neighbors) < 0.06
    other = np.corrcoef(uniform(4, np.arange(4000), 7, 0), numbers[0])[0, 1]
    assert abs(other) < 0.06


def test_numbers_do_not_depend_on_who_else_asks():
    many = uniform(1, np.arange(50), 2, 9)
    np.testing.assert_array_equal(uniform(1, np.array([30, 7]), 2, 9), many[[30, 7]])


def test_any_whole_number_is_a_seed():
    member = np.arange(3)
    found = [uniform(seed, member, 0, 0) for seed in (0, -1, 2**63, 2**64 - 2, 2**200 + 5)]
    assert len(np.unique(np.concatenate(found))) == 15


def test_noise_is_smooth_bounded_and_of_mean_zero():
    member, time = np.arange(300), np.linspace(5, 45, 4001)
    values = np.stack([smooth(0, member, 3, t) for t in time])
    assert np.abs(values).max() <= 1.0
    assert np.abs(values).max() > 0.8
    assert abs(values.mean()) < 0.02
    step = time[1] - time[0]
    slope = np.diff(values, axis=0) / step
    assert np.abs(slope).max() < 8.0
    assert np.abs(np.diff(slope, axis=0) / step).max() < 60.0
    apart = np.corrcoef(values[0], values[400])[0, 1]
    assert abs(apart) < 0.2


@pytest.mark.parametrize("one", [Wander(), NoiseWander()])
def test_wanderers_keep_going_turn_gently_and_go_nowhere_in_particular(make, moves, one):
    agents = make.flock(np.zeros((100, 3)), heading=np.tile([1.0, 0, 0], (100, 1)))
    headings, now = [], agents
    for now in moves(agents, one, 30.0, dt=1 / 15, reach=1e-6):
        headings.append(
            now.velocity / np.maximum(np.linalg.norm(now.velocity, axis=1), 1e-9)[:, None]
        )
    speed = np.linalg.norm(now.velocity, axis=1)
    assert abs(np.median(speed) - 1.5) < 0.2
    headings = np.array(headings)[30:]
    turn = np.arccos(np.clip((headings[1:] * headings[:-1]).sum(axis=2), -1, 1)) * 15
    assert np.quantile(turn, 0.99) < 3.0
    assert turn.mean() > 0.1
    assert np.linalg.norm(headings[-1].mean(axis=0)) < 0.7
    climb = np.abs(headings[..., 2])
    assert 0.02 < climb.mean() < 0.5


@pytest.mark.parametrize("one", [Wander(), NoiseWander()])
def test_a_walk_hardly_depends_on_the_time_step(make, moves, one):
    agents = make.flock(np.zeros((20, 3)), np.tile([1.5, 0, 0], (20, 1)))
    ends = []
    for rate in (30, 60, 120):
        *_, now = moves(agents, one, 3.0, dt=1.0 / rate, reach=1e-6)
        ends.append(now.position)
    error = [np.linalg.norm(end - ends[2], axis=1).mean() for end in ends[:2]]
    # Of the 4.5 m walked: 4 %, and a third of that at 60 Hz.
    assert error[0] < 0.18
    assert error[1] < 0.45 * error[0]


def test_walkers_wander_on_a_circle(make):
    agents = make.flock(np.zeros((50, 3)), grounded=True)
    around = make.surroundings(agents, reach=1e-6)
    one = Wander()
    for step in range(60):
        around = remember(one, agents, replace(around, time=step * make.dt))
        np.testing.assert_array_equal(around.memory[:, 2], 0.0)
        np.testing.assert_allclose(np.linalg.norm(around.memory, axis=1), 1.0)
    assert around.memory[:, 0].min() < 0.7


def test_a_wander_sphere_must_be_ahead():
    with pytest.raises(InputError, match="`radius` must be positive and less than `offset`"):
        Wander(offset=1.0, radius=1.0)


def test_roamers_go_from_place_to_place_in_the_open(make, moves):
    block = make.box([-1.0, -2, -3], [1, 2, 3])
    agents = make.flock([[-5.0, 0, 0], [5, 3, 0], [4, -4, 1]])
    query, one = MeshQuery(block), Roam()
    around = make.surroundings(agents, obstacles=block, bounds=BOX)
    places = []
    memory = None
    for step in range(40):
        known = replace(around, time=3.0 * step).remembering(memory)
        memory = one.remembered(agents, known)
        places.append(memory[:, :3])
        agents = agents.moved(position=memory[:, :3])
    places = np.concatenate(places)
    assert (places >= BOX[0]).all()
    assert (places <= BOX[1]).all()
    assert query.closest_point(places)[0].min() >= 0.3
    assert places[:, 0].std() > 3.0
    np.testing.assert_array_equal(memory[:, 4], 40)
    *_, now = moves(make.flock([[-5.0, 0, 0]]), one, 20.0, bounds=BOX)
    assert np.linalg.norm(now.position[0] - [-5, 0, 0]) > 0.5


def test_roamers_do_not_want_to_go_through_bars_that_they_see_through(make):
    bars = join([make.box([x, -0.05, -3], [x + 0.05, 0.05, 3]) for x in np.arange(-9, 9, 0.4)])
    agents = make.flock(np.column_stack([np.linspace(-7, 7, 30), np.full((30, 2), [-3.0, 0])]))
    place = Roam().remembered(agents, make.surroundings(agents, obstacles=bars, bounds=BOX))
    assert (place[:, 1] < 0.0).all()
    assert (np.linalg.norm(place[:, :3] - agents.position, axis=1) > 0.0).mean() > 0.9


def test_walkers_do_not_want_to_roam_across_a_gap_in_the_ground(make):
    line = np.linspace(-8, 8, 17)
    ground = make.grid(line, line, lambda x, y: 0.0 * x)
    middle = ground.triangles.mean(axis=1)
    banks = TriangleMesh(ground.vertices, ground.faces[np.abs(middle[:, 0]) > 1.0])
    surface = WalkableSurface(banks)
    beside = np.column_stack([np.full(15, -4.0), line[:15] + 0.5, np.zeros(15)])
    start, face = surface.locate(beside, 1.0, 1.0)
    agents = make.flock(start, grounded=True, face=face)
    place = Roam().remembered(agents, make.surroundings(agents, bounds=BOX, surface=surface))
    assert (place[:, 0] < 0.0).all()


def test_roamers_lose_patience(make):
    agents = make.flock([[0.0, 0, 0]])
    one = Roam(patience=5.0)
    around = make.surroundings(agents, bounds=BOX)
    first = one.remembered(agents, around)
    same = one.remembered(agents, replace(around, time=4.9).remembering(first))
    np.testing.assert_array_equal(first, same)
    other = one.remembered(agents, replace(around, time=5.1).remembering(first))
    assert not np.array_equal(first[:, :3], other[:, :3])


def test_walkers_roam_on_the_ground(make):
    line = np.linspace(-8, 8, 17)
    ground = WalkableSurface(make.grid(line, line, lambda x, y: 0.1 * x))
    agents = make.flock(np.zeros((30, 3)), grounded=True)
    place = Roam().remembered(agents, make.surroundings(agents, bounds=BOX, surface=ground))
    np.testing.assert_allclose(place[:, 2], 0.1 * place[:, 0], atol=1e-9)


@pytest.mark.parametrize(("count", "seconds"), [(1, 70.0), (4, 30.0)])
def test_explorers_see_all_of_the_region(make, moves, count, seconds):
    """Sweeping 16 x 12 m with a sight of 2.5 m takes at least 38 m of way, 26 s."""
    agents = make.flock(np.column_stack([np.full(count, -7.0), np.arange(count), np.zeros(count)]),
                        grounded=True)  # fmt: skip
    one = Explore(cell=1.0, sight=2.5)
    seen, memory = [], None
    around = make.surroundings(agents, bounds=BOX)
    time = 0.0
    for now in moves(agents, one, seconds, bounds=BOX, dt=0.1):
        time += 0.1
        memory = one.remembered(now, replace(around, time=time).remembering(memory))
        seen.append(np.isfinite(memory[:, 3]).mean())
    assert len(memory) == 16 * 12
    assert seen[-1] == 1.0
    assert (np.diff(seen) >= 0.0).all()


def test_several_explorers_share_the_region_out(make):
    agents = make.flock([[-0.6, 0, 0], [0.6, 0, 0]], grounded=True)
    around = make.surroundings(agents, bounds=BOX)
    force = Explore(sight=1.0).steering_force(agents, around)
    position = agents.position[:, 0] + force[:, 0]
    assert position[0] < 0.0 < position[1]


def test_cells_inside_obstacles_are_left_out(make):
    agents = make.flock([[-6.0, 0, 0]])
    block = make.box([-1.0, -1, -3], [1, 1, 3])
    around = make.surroundings(agents, bounds=BOX, obstacles=block)
    cells = Explore(cell=1.0).remembered(agents, around)
    everything = Explore(cell=1.0).remembered(agents, replace(around, obstacles=None))
    assert 0 < len(cells) < len(everything)
    assert (np.abs(cells[:, :2]).max(axis=1) > 1.3).all()


def test_too_many_cells_are_refused(make):
    agents = make.flock([[0.0, 0, 0]])
    with pytest.raises(InputError, match=r"`cell` 0\.1 m cuts the region into"):
        Explore(cell=0.1).remembered(agents, make.surroundings(agents, bounds=BOX))


def test_foragers_eat_up_what_they_find(make, moves):
    food = [(5.0, 1.0, 0.0), (4.0, -2.0, 0.0)]
    one = Forage(food, sight=7.0, amount=3.0)
    agents = make.flock([[0.0, 0, 0]])
    memory, visits = None, set()
    around = make.surroundings(agents)
    for step, now in enumerate(moves(agents, one, 25.0)):
        known = replace(around, time=step * make.dt, dt=make.dt).remembering(memory)
        memory = one.remembered(now, known)
        for k, place in enumerate(food):
            if np.linalg.norm(now.position[0] - place) < 0.8:
                visits.add(k)
    np.testing.assert_array_equal(memory, 0.0)
    assert visits == {0, 1}


def test_food_is_shared_by_those_who_eat(make):
    one = Forage([(0.0, 0, 0)], amount=3.0)
    agents = make.flock([[0.2, 0, 0], [-0.3, 0.1, 0], [5, 0, 0]])
    around = replace(make.surroundings(agents), dt=0.1)
    left = one.remembered(agents, around)
    np.testing.assert_allclose(left, 3.0 - 2 * 0.1)
    np.testing.assert_allclose(one.remembered(agents, around.remembering(left * 0)), 0.0)


def test_without_food_in_sight_a_forager_wanders(make):
    agents = make.flock([[0.0, 0, 0]], [[1.0, 0, 0]])
    around = make.surroundings(agents)
    found = Forage([(50.0, 0, 0)]).steering_force(agents, around)
    np.testing.assert_array_equal(found, NoiseWander().steering_force(agents, around))
