"""What holds for every registered steering behavior."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from behaviors import STEERING
from behaviors.behavior import blend
from behaviors.neighbors import Neighbors
from behaviors.steering import PathFollowing
from geometry import TriangleMesh

PATH = np.array([[-3.0, 0, 0], [0, 1, 0], [2, -1, 0.5], [4, 0, 1]])


def behavior(name, move=lambda points: points):
    return PathFollowing(move(PATH)) if name == "path_following" else STEERING[name]()


@pytest.fixture(params=list(STEERING))
def name(request):
    return request.param


def crowd(make, count, seed=0):
    rng = np.random.default_rng(seed)
    return make.flock(rng.uniform(-0.9, 0.9, (count, 3)), rng.normal(0, 0.7, (count, 3)))


def around_of(make, agents, seed=0, move=lambda points: points, turn=lambda vectors: vectors):
    rng = np.random.default_rng(seed)
    shape = agents.position.shape
    wall = make.box([1.0, -2, -2], [1.2, 1, 1.7])
    wall = TriangleMesh(move(wall.vertices), wall.faces)
    return make.surroundings(
        agents, move(rng.uniform(-3, 3, shape)), turn(rng.normal(0, 0.5, shape)),
        wall,
    )  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_forces_are_finite_with_a_row_for_each_agent(make, name, count):
    agents = crowd(make, count)
    for around in (around_of(make, agents), make.surroundings(agents)):
        force = behavior(name).steering_force(agents, around)
        assert force.shape == (count, 3)
        assert force.dtype == np.float64
        assert np.isfinite(force).all()


def test_coincident_agents_at_rest_on_their_subgoals_get_finite_forces(make, name):
    agents = make.flock(np.zeros((4, 3)))
    around = make.surroundings(agents, [0.0, 0, 0], obstacles=make.box([0, -1, -1], [1, 1, 1]))
    force = behavior(name).steering_force(agents, around)
    assert np.isfinite(force).all()


def test_the_input_is_left_alone(make, name):
    agents = crowd(make, 6)
    around = around_of(make, agents)
    watched = [*around.__dict__.values(), *around.neighbors.__dict__.values()]
    arrays = [value for value in watched if isinstance(value, np.ndarray)]
    before = [array.copy() for array in arrays]
    behavior(name).steering_force(agents, around)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_permuting_the_agents_permutes_the_forces(make, name):
    agents = crowd(make, 9)
    around = around_of(make, agents)
    order = np.random.default_rng(3).permutation(9)
    swapped = agents.select(order)
    other = replace(
        around, crowd=swapped, member=order,
        neighbors=Neighbors.within(swapped.position, 3.0, swapped.radius),
        subgoal=around.subgoal[order], subgoal_velocity=around.subgoal_velocity[order],
    )  # fmt: skip
    np.testing.assert_allclose(
        behavior(name).steering_force(swapped, other),
        behavior(name).steering_force(agents, around)[order],
        atol=1e-12,
    )


@pytest.mark.parametrize("shift", [[0.0, 0, 0], [30.0, -20, 5]])
@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi])
def test_moving_the_world_moves_the_forces(make, name, shift, angle):
    rotation = Rotation.from_euler("z", angle).as_matrix()

    def turn(vectors):
        return vectors @ rotation.T

    def move(points):
        return turn(points) + shift

    agents = crowd(make, 7)
    moved = agents.moved(
        position=move(agents.position), velocity=turn(agents.velocity),
        heading=turn(agents.heading), up=turn(agents.up),
    )  # fmt: skip
    force = behavior(name).steering_force(agents, around_of(make, agents))
    other = behavior(name, move).steering_force(moved, around_of(make, moved, 0, move, turn))
    assert np.abs(force).max() > 0.1
    np.testing.assert_allclose(other, turn(force), atol=1e-9)


def test_the_same_seed_gives_the_same_bytes(make, name):
    agents = crowd(make, 8)
    first = behavior(name).steering_force(agents, around_of(make, agents))
    second = behavior(name).steering_force(agents, around_of(make, agents))
    assert first.tobytes() == second.tobytes()


def test_a_blend_is_the_weighted_sum_cut_to_what_each_can_do(make):
    agents = crowd(make, 7)
    around = around_of(make, agents)
    parts = [(0.3, behavior("seek")), (2.0, behavior("separation"))]
    total = sum(weight * part.steering_force(agents, around) for weight, part in parts)
    found = blend(parts, agents, around)
    size = np.linalg.norm(total, axis=1, keepdims=True)
    limit = agents.max_force[:, None]
    np.testing.assert_allclose(found, total * np.minimum(1.0, limit / size), atol=1e-12)
    np.testing.assert_array_equal(blend([], agents, around), 0.0)
