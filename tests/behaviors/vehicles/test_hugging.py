import numpy as np
import pytest

from rmp3d.behaviors.vehicles import hug
from rmp3d.behaviors.vehicles.hugging import LEAN_TIME
from rmp3d.geometry import join
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.surface import WalkableSurface


def hills(x, y):
    return 0.5 * np.sin(0.8 * x) * np.cos(0.6 * y)


@pytest.fixture
def terrain(make):
    line = np.linspace(-6, 6, 25)
    return WalkableSurface(make.grid(line, line, hills))


@pytest.fixture
def bridge(make):
    """A road under a deck 3 m up; a ramp leads up to the deck at each end, from pads of its own."""
    profile = np.array([-14.0, -10, -4, 4, 10, 14]), np.array([0.0, 0, 3, 3, 0, 0])
    over = make.grid(profile[0], np.array([-1.5, 1.5]), lambda x, y: np.interp(x, *profile))
    road = make.grid(np.array([-3.0, 3]), np.linspace(-10, 10, 6), lambda x, y: 0.0 * x)
    return WalkableSurface(join([road, over]))


def walkers(make, surface, points, **changes):
    position, face = surface.locate(np.asarray(points, float), 2.0, 2.0)
    assert (face >= 0).all()
    return make.flock(position, grounded=True, face=face, **changes)


def test_walkers_stay_on_the_surface_with_tangent_velocities(make, terrain):
    rng = np.random.default_rng(0)
    agents = walkers(make, terrain, np.column_stack([rng.uniform(-4, 4, (30, 2)), np.zeros(30)]))
    wish = rng.normal(0, 1.0, (30, 3))
    for step in range(120):
        wish = rng.normal(0, 1.0, (30, 3)) if step % 30 == 0 else wish
        before = agents
        agents = hug(agents, wish, terrain, make.dt)
        there, _ = terrain.locate(agents.position)
        np.testing.assert_allclose(agents.position, there, atol=1e-9)
        normal = terrain.mesh.normals[agents.face]
        np.testing.assert_allclose((agents.velocity * normal).sum(axis=1), 0.0, atol=1e-9)
        np.testing.assert_array_equal(agents.velocity[:, :2], wish[:, :2])
        np.testing.assert_array_equal(agents.up, np.tile([0.0, 0, 1], (30, 1)))
        np.testing.assert_allclose(agents.heading[:, 2], 0.0, atol=1e-12)
        turn = 2 * np.arcsin(np.linalg.norm(agents.heading - before.heading, axis=1) / 2)
        assert (turn <= before.bodies.max_turn_rate * make.dt + 1e-9).all()
        inside = np.abs(agents.position[:, :2]).max(axis=1) < 6.0 - 1e-9
        moved = (agents.position - before.position)[:, :2]
        np.testing.assert_allclose(moved[inside], wish[inside, :2] * make.dt, atol=1e-9)


def test_walkers_over_and_under_a_bridge_keep_their_levels(make, bridge):
    points = [[-12.0, 0.3, 0], [0.5, -9, 0], [0.5, 0, 3]]
    agents = walkers(make, bridge, points)
    velocity = np.array([[1.5, 0, 0], [0, 1.2, 0], [0, 0, 0]])
    highest = np.zeros(3)
    for _ in range(450):
        agents = hug(agents, velocity, bridge, make.dt)
        highest = np.maximum(highest, agents.position[:, 2])
        profile = np.interp(agents.position[0, 0], [-10, -4, 4, 10], [0, 3, 3, 0])
        assert agents.position[0, 2] == pytest.approx(profile, abs=1e-9)
    np.testing.assert_allclose(highest, [3.0, 0.0, 3.0], atol=1e-9)
    np.testing.assert_allclose(agents.position[0], [10.5, 0.3, 0.0], atol=1e-9)
    np.testing.assert_allclose(agents.position[1], [0.5, 9.0, 0.0], atol=1e-9)


def test_nobody_steps_off_the_deck(make, bridge):
    agents = walkers(make, bridge, [[0.0, 0, 3]])
    for _ in range(120):
        agents = hug(agents, np.array([[0.0, 1.5, 0]]), bridge, make.dt)
    np.testing.assert_allclose(agents.position[0], [0.0, 1.5, 3.0], atol=1e-9)


def test_the_heading_stays_at_rest_and_hardly_moves_while_shuffling(make, terrain):
    agents = walkers(make, terrain, [[0.3, 0.2, 0]], heading=[[0.0, 1, 0]])
    for speed, most in ((0.0, 0.0), (0.05, np.radians(1))):
        after = hug(agents, np.array([[speed, 0, 0]]), terrain, make.dt)
        assert np.arccos(np.clip(after.heading[0] @ agents.heading[0], -1, 1)) <= most


def test_a_brisk_walker_comes_to_look_where_it_goes(make, terrain):
    agents = walkers(make, terrain, [[-3.0, 0.2, 0]], heading=[[-0.6, 0.8, 0]])
    for _ in range(150):
        agents = hug(agents, np.array([[0.8, 0, 0]]), terrain, make.dt)
    np.testing.assert_allclose(agents.heading[0], [1.0, 0, 0], atol=1e-3)


def test_a_walker_that_sways_aside_hardly_turns_to_it_but_does_to_a_bend(make, terrain):
    turns = []
    for swing in np.radians([8.0, 60.0]):
        agents = walkers(make, terrain, [[-3.0, 0.2, 0]], heading=[[1.0, 0, 0]])
        seen = []
        for angle in swing * np.sin(2.0 * np.pi * make.dt * np.arange(120)):
            velocity = 1.2 * np.array([[np.cos(angle), np.sin(angle), 0.0]])
            agents = hug(agents, velocity, terrain, make.dt)
            seen.append(np.arctan2(agents.heading[0, 1], agents.heading[0, 0]))
        turns.append(np.ptp(seen[60:]) / (2.0 * swing))
    assert turns[0] < 0.35
    assert turns[1] > 1.5 * turns[0]


def test_who_leans_comes_a_share_of_the_way_to_the_normal_in_each_step(make, terrain):
    rng = np.random.default_rng(3)
    points = np.column_stack([rng.uniform(-4, 4, (20, 2)), np.zeros(20)])
    lean = np.repeat([0.0, 0.5, 1.0, 1.0], 5)
    agents = walkers(make, terrain, points, lean=lean, max_roll=1.5)
    share = 1.0 - np.exp(-make.dt / LEAN_TIME)
    for _ in range(10):
        before, velocity = agents.up, rng.normal(size=(20, 3)) * [1, 1, 0]
        agents = hug(agents, velocity, terrain, make.dt)
        normal, lean = terrain.mesh.normals[agents.face], agents.bodies.lean[:, None]
        wanted = (1.0 - lean) * [0, 0, 1] + lean * normal
        up = frame(agents.heading, (1.0 - share) * before + share * wanted)[:, :, 2]
        np.testing.assert_allclose(agents.up, np.where(lean > 0, up, [0, 0, 1]), atol=1e-12)


def test_a_leaning_vehicle_heads_exactly_where_it_moves_in_plan_and_turns_no_faster(make, terrain):
    agents = walkers(
        make, terrain, [[-4.0, -3, 0]], lean=np.ones(1), turn_radius=np.ones(1),
        max_turn_rate=np.array([0.8]),
    )  # fmt: skip
    pitches = []
    for step in range(150):
        before = agents
        angle = 0.6 * step * make.dt
        agents = hug(agents, 1.5 * np.array([[np.cos(angle), np.sin(angle), 0]]), terrain, make.dt)
        way = (agents.position - before.position)[0]
        np.testing.assert_allclose(np.cross(agents.heading[0], way)[2], 0.0, atol=1e-12)
        assert agents.heading[0, :2] @ way[:2] > 0.0
        turn = 2 * np.arcsin(np.linalg.norm(agents.heading - before.heading) / 2)
        assert turn <= 0.8 * make.dt + 1e-9
        pitches.append(np.arcsin(agents.heading[0, 2]))
    assert np.ptp(pitches) > 0.1


@pytest.mark.parametrize(
    ("radius", "lean", "turns"), [(0.0, 0.0, True), (1.0, 0.0, False), (0.0, 1.0, True)]
)
def test_people_and_animals_look_where_they_are_about_to_go_vehicles_where_they_go(
    make, radius, lean, turns
):
    level = WalkableSurface(make.grid([-3.0, 3.0], [-3.0, 3.0], lambda x, y: 0.0 * x))
    east, aside = np.array([[1.0, 0, 0]]), np.array([[-0.5, 1.2, 0]])
    agents = walkers(
        make, level, [[0.0, 0, 0]], heading=east, velocity=east, turn_radius=radius,
        lean=np.full(1, lean),
    )  # fmt: skip
    velocity = np.array([[0.9, 0.3, 0]])
    looks = hug(agents, velocity, level, make.dt, wanted=aside)
    goes = hug(agents, velocity, level, make.dt)
    assert (looks.heading[0, 1] > 3.0 * goes.heading[0, 1]) == turns
    np.testing.assert_array_equal(looks.position, goes.position)


def test_one_who_comes_to_go_where_it_wants_comes_to_look_there(make, terrain):
    agents = walkers(make, terrain, [[-3.0, 0.2, 0]], heading=[[-0.6, 0.8, 0]])
    east = np.array([[0.8, 0, 0]])
    for _ in range(180):
        agents = hug(agents, east, terrain, make.dt, wanted=east)
    np.testing.assert_allclose(agents.heading[0], [1.0, 0, 0], atol=1e-3)
