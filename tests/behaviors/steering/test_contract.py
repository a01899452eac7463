"""What holds for every registered steering behavior."""

from dataclasses import fields, replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.behaviors import STEERING_BEHAVIORS
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering_behavior import KnownAgent, SteeringOutput, blend, remember, steer
from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.checked_toml import checked

PATH = np.array([[-3.0, 0, 0], [0, 1, 0], [2, -1, 0.5], [4, 0, 1]])
FOOD = np.array([[0.0, 2, 0], [1, -1, 0.5]])
BALL = np.array([[1.5, 1.0, 0.3]])
# Boxes and grids are along the axes: turning them is another world.
ALONG_AXES = {"containment", "explore", "flow_field_following", "roam"}
# These tell up from down.
UPRIGHT = {
    "docking", "face", "forage", "hide", "look_where_you_are_going", "noise_wander", "wander",
}  # fmt: skip
ROLES = ("quarry", "threat", "leader", "ward")


def behavior(name, move=lambda points: points):
    """The behavior with parameters that give it something to do, all moved with the world."""
    given = {
        "path_following": lambda: {"points": move(PATH).tolist()},
        "forage": lambda: {"resources": move(FOOD).tolist(), "sight": 1.5},
        "hide": lambda: {"spheres": [[*move(BALL)[0].tolist(), 1.0]]},
        "sphere_avoidance": lambda: {"spheres": [[*move(BALL)[0].tolist(), 1.0]]},
        "attraction": lambda: {
            "attractors": [[*move(BALL)[0].tolist(), 3.0]],
            "repulsors": [[*move(FOOD)[0].tolist(), 3.0]],
        },
        "obstacle_avoidance": lambda: {"spheres": [[*move(BALL)[0].tolist(), 1.0]]},
        "flow_field_following": lambda: {
            "vectors": [[[[1.0, 0.5, 0.2], [0, 1, 0]]], [[[0, 0, 1], [-1, 0, 0]]]],
            "origin": move(np.zeros((1, 3)))[0].tolist(),
        },
    }
    return checked(given.get(name, dict)(), STEERING_BEHAVIORS[name])


@pytest.fixture(params=list(STEERING_BEHAVIORS))
def name(request):
    return request.param


def crowd(make, count, seed=0, **changes):
    rng = np.random.default_rng(seed)
    heading = np.column_stack([rng.normal(size=(count, 2)), np.zeros(count)])
    heading /= np.maximum(np.linalg.norm(heading, axis=1, keepdims=True), 1e-9)
    return make.flock(
        rng.uniform(-0.9, 0.9, (count, 3)), rng.normal(0, 0.7, (count, 3)), heading=heading,
        max_turn_acceleration=np.full(count, 5.0), **changes,
    )  # fmt: skip


def others(count, seed=0):
    rng = np.random.default_rng(seed)
    known = np.arange(count) % 4 != 3
    return {
        role: KnownAgent(
            position=rng.uniform(-4, 4, (count, 3)), velocity=rng.normal(0, 0.7, (count, 3)),
            heading=np.tile([0.6, 0.8, 0.0], (count, 1)), up=np.tile([0.0, 0, 1], (count, 1)),
            radius=np.full(count, 0.4), known=known, age=rng.uniform(0, 0.5, count),
        )
        for role in ROLES
    }  # fmt: skip


def around_of(make, agents, seed=0, move=lambda points: points, turn=lambda vectors: vectors):
    rng = np.random.default_rng(seed)
    shape = agents.position.shape
    wall = make.box([1.0, -2, -2], [1.2, 1, 1.7])
    wall = TriangleMesh(move(wall.vertices), wall.faces)
    bounds = move(np.array([[-1.5, -1.5, -1.5], [2, 1.8, 1.5]]))
    seen = {
        role: replace(
            other, position=move(other.position), velocity=turn(other.velocity),
            heading=turn(other.heading), up=turn(other.up),
        )
        for role, other in others(len(agents)).items()
    }  # fmt: skip
    return make.surroundings(
        agents, move(rng.uniform(-3, 3, shape)), turn(rng.normal(0, 0.5, shape)), wall,
        others=seen, subgoal_heading=turn(np.tile([0.0, -1.0, 0.0], (len(agents), 1))),
        bounds=np.sort(bounds, axis=0), time=0.7, dt=make.dt,
    )  # fmt: skip


def answer(one, agents, around, steps=2):
    """What a behavior asks for in its second step, when it has something to remember."""
    for _ in range(steps):
        around = remember(one, agents, around)
        around = replace(around, time=around.time + around.dt)
    return steer(one, agents, around)


def row_of_all(steering):
    return np.hstack([steering.force, steering.turning, steering.oriented[:, None]])


@pytest.mark.parametrize("count", [0, 1, 2, 9])
@pytest.mark.parametrize("grounded", [False, True])
def test_forces_are_finite_with_a_row_for_each_agent(make, name, count, grounded):
    agents = crowd(make, count, grounded=grounded)
    for around in (around_of(make, agents), make.surroundings(agents)):
        found = answer(behavior(name), agents, around)
        assert isinstance(found, SteeringOutput)
        assert found.force.shape == found.turning.shape == (count, 3)
        assert found.force.dtype == found.turning.dtype == np.float64
        assert found.oriented.shape == (count,)
        assert np.isfinite(row_of_all(found)).all()


def test_coincident_agents_at_rest_on_their_subgoals_get_finite_forces(make, name):
    agents = make.flock(np.zeros((4, 3)))
    met = {role: KnownAgent.row_of(agents, np.array([1, 0, 3, 2])) for role in ROLES}
    around = make.surroundings(
        agents, [0.0, 0, 0], obstacles=make.box([0, -1, -1], [1, 1, 1]), others=met,
        subgoal_heading=agents.heading, bounds=np.array([[-1.0, -1, -1], [1, 1, 1]]),
    )  # fmt: skip
    assert np.isfinite(row_of_all(answer(behavior(name), agents, around))).all()


def test_the_input_is_left_alone(make, name):
    agents = crowd(make, 6)
    one = behavior(name)
    around = remember(one, agents, around_of(make, agents))
    held = [agents, agents.bodies, around, around.neighbors, *around.others.values()]
    watched = [value for thing in held for value in vars(thing).values()]
    arrays = [value for value in watched if isinstance(value, np.ndarray)]
    before = [array.copy() for array in arrays]
    answer(one, agents, around)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_permuting_the_agents_permutes_the_forces(make, name):
    agents = crowd(make, 9)
    around = around_of(make, agents)
    order = np.random.default_rng(3).permutation(9)
    swapped = agents.select(order)
    seen = {
        role: KnownAgent(
            **{field.name: getattr(other, field.name)[order] for field in fields(KnownAgent)}
        )
        for role, other in around.others.items()
    }
    other = replace(
        around, crowd=swapped, chance=order, others=seen,
        neighbors=Neighbors.within(swapped.position, 3.0, swapped.bodies.radius),
        subgoal=around.subgoal[order], subgoal_velocity=around.subgoal_velocity[order],
    )  # fmt: skip
    np.testing.assert_allclose(
        row_of_all(answer(behavior(name), swapped, other)),
        row_of_all(answer(behavior(name), agents, around))[order],
        atol=1e-12,
    )


@pytest.mark.parametrize("angles", [[0.0, 0, 0], [0.7, 0, 0], [np.pi, 0, 0], [0.4, 0.8, -0.3]])
@pytest.mark.parametrize("grounded", [False, True])
def test_moving_the_world_moves_the_forces(make, name, angles, grounded):
    if name in ALONG_AXES and any(angles):
        pytest.skip("its region is a box along the axes")
    if (name in UPRIGHT or grounded) and any(angles[1:]):
        pytest.skip("it tells up from down")
    rotation = Rotation.from_euler("zyx", angles).as_matrix()

    def turn(vectors):
        return vectors @ rotation.T

    def move(points):
        return turn(points) + np.array([30.0, -20, 5])

    agents = crowd(make, 7, grounded=grounded)
    moved = agents.moved(
        position=move(agents.position), velocity=turn(agents.velocity),
        heading=turn(agents.heading), up=turn(agents.up),
    )  # fmt: skip
    here = answer(behavior(name), agents, around_of(make, agents))
    there = answer(behavior(name, move), moved, around_of(make, moved, 0, move, turn))
    assert np.abs(row_of_all(here)).max() > 0.1
    np.testing.assert_allclose(there.force, turn(here.force), atol=1e-9)
    np.testing.assert_allclose(there.turning, turn(here.turning), atol=1e-9)
    np.testing.assert_array_equal(there.oriented, here.oriented)


def test_the_same_seed_gives_the_same_bytes(make, name):
    agents = crowd(make, 8)
    first = row_of_all(answer(behavior(name), agents, around_of(make, agents)))
    second = row_of_all(answer(behavior(name), agents, around_of(make, agents)))
    assert first.tobytes() == second.tobytes()


def test_another_seed_matters_to_chance_only(make, name):
    agents = crowd(make, 8)
    around = around_of(make, agents)
    same = np.array_equal(
        row_of_all(answer(behavior(name), agents, around)),
        row_of_all(answer(behavior(name), agents, replace(around, seed=5))),
    )
    assert same == (name not in {"wander", "noise_wander", "roam", "forage"})


def test_who_is_not_known_asks_for_nothing(make, name):
    needs = getattr(STEERING_BEHAVIORS[name], "needs", ())
    agents = crowd(make, 5)
    around = replace(around_of(make, agents), others={})
    if not set(needs) & set(ROLES):
        pytest.skip("it needs no one in particular")
    np.testing.assert_array_equal(row_of_all(answer(behavior(name), agents, around)), 0.0)


def test_what_it_needs_is_something_that_there_is(name):
    known = {*ROLES, "subgoal", "subgoal_heading", "neighbors", "obstacles", "bounds", "surface"}
    assert set(getattr(STEERING_BEHAVIORS[name], "needs", ())) <= known


def test_its_parameters_are_written_down(name):
    cls = STEERING_BEHAVIORS[name]
    for field in fields(cls):
        assert f"{field.name}:" in cls.__doc__


def test_walkers_are_not_lifted(make, name):
    if name in {"seek", "arrive", "path_following", "separation"}:
        pytest.skip("older ones leave the vertical part to the ground")
    agents = crowd(make, 6, grounded=True)
    agents = agents.moved(velocity=agents.velocity * [1.0, 1.0, 0.0])
    around = around_of(make, agents)
    flat = {
        role: replace(other, velocity=other.velocity * [1.0, 1.0, 0.0])
        for role, other in around.others.items()
    }
    found = answer(behavior(name), agents, replace(around, others=flat))
    np.testing.assert_allclose(found.force[:, 2], 0.0, atol=1e-12)


def test_a_blend_is_the_weighted_sum_cut_to_what_each_can_do(make):
    agents = crowd(make, 7)
    around = around_of(make, agents)
    parts = [(0.3, behavior("seek")), (2.0, behavior("separation"))]
    total = sum(weight * part.steering_force(agents, around) for weight, part in parts)
    found = blend(parts, agents, around)
    size = np.linalg.norm(total, axis=1, keepdims=True)
    limit = agents.bodies.max_force[:, None]
    np.testing.assert_allclose(found, total * np.minimum(1.0, limit / size), atol=1e-12)
    np.testing.assert_array_equal(blend([], agents, around), 0.0)
