"""Hiding, and staying where it is safe."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import Flee, FlowFieldFollowing, FlowStroke, Hide, StaySafe
from rmp3d.behaviors.steering_behavior import KnownAgent, remember
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery


def someone(count, position, velocity=(0.0, 0, 0)):
    one = np.ones((count, 1))
    return KnownAgent(
        position=one * position, velocity=one * velocity, heading=one * [1.0, 0, 0],
        up=one * [0.0, 0, 1], radius=np.full(count, 0.3), known=np.ones(count, bool),
        age=np.zeros(count),
    )  # fmt: skip


def body_points(flock):
    """Points of upright capsules: both ends, and the sides all round."""
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]) * 0.29
    low, high = flock.bodies.capsule_axis[0]
    points = [ring + np.array([0, 0, h]) for h in np.linspace(low, high, 4)]
    points += [[[0, 0, high + 0.29], [0, 0, low - 0.26]]]
    return flock.position[:, None] + np.concatenate(points)[None]


def in_sight(flock, eye, obstacles):
    points = body_points(flock).reshape(-1, 3)
    way = points - eye
    far = np.linalg.norm(way, axis=1)
    hit, _ = MeshQuery(obstacles).cast_ray(np.tile(eye, (len(points), 1)), way / far[:, None])
    return (hit >= far).any()


@pytest.mark.parametrize("grounded", [True, False])
@pytest.mark.parametrize("start", [[4.0, 3.0, 0.0], [-2.0, -3, 0], [2.5, 0, 0]])
def test_it_gets_out_of_sight_behind_a_mesh(make, moves, grounded, start):
    block = make.box([-0.5, -1.5, -2], [0.5, 1.5, 3])
    agents = make.flock([start], grounded=grounded)
    threat = np.array([-6.0, 0, 0])
    eye = threat + np.array([0, 0, agents.bodies.capsule_axis[0, 1]])
    known = {"obstacles": block, "others": {"threat": someone(1, threat)}}
    *_, now = moves(agents, Hide(), 9.0, **known)
    assert not in_sight(now, eye, block)
    assert np.linalg.norm(now.velocity) < 0.1
    assert MeshQuery(block).closest_point(now.position)[0][0] > 0.3


def test_it_goes_round_as_the_threat_does(make, moves):
    block = make.box([-1.0, -1, -2], [1, 1, 3])
    agents = make.flock([[3.0, 0, 0]], grounded=True)
    query, seen = MeshQuery(block), []

    def around(now, time):
        angle = np.pi + 0.1 * time
        threat = 9.0 * np.array([np.cos(angle), np.sin(angle), 0.0])
        known = make.surroundings(now, obstacles=query, others={"threat": someone(1, threat)})
        if time > 3.0:
            seen.append(in_sight(now, threat + np.array([0, 0, 1.4]), block))
        return known

    for now in moves(agents, Hide(), 25.0, around, dt=1 / 15):
        assert query.closest_point(now.position)[0][0] > 0.3
    assert np.mean(seen) < 0.15


def test_behind_a_sphere_it_hides_in_its_shadow(make, moves):
    agents = make.flock([[2.0, 2.5, 1]])
    threat = np.array([-6.0, 0, 0])
    one = Hide(spheres=[(0.0, 0, 0, 1.5)])
    *_, now = moves(agents, one, 12.0, others={"threat": someone(1, threat)})
    axis, offset = np.array([1.0, 0, 0]), now.position[0] - threat
    along = offset @ axis
    across = np.linalg.norm(offset - along * axis)
    shadow = along * np.tan(np.arcsin(1.5 / 6.0))
    assert along > 6.0
    assert across + 0.2 < shadow
    assert np.linalg.norm(now.position[0]) > 1.8


def test_without_anything_to_hide_behind_it_runs(make):
    agents = make.flock([[0.0, 0, 0]])
    around = make.surroundings(agents, others={"threat": someone(1, [-3.0, 0, 0])})
    force = Hide().steering_force(agents, remember(Hide(), agents, around))
    np.testing.assert_allclose(force, Flee().steering_force(agents, around))


def test_it_stays_until_the_threat_is_in_view_and_then_flees(make, moves):
    agents = make.flock([[0.0, 0, 0]])
    one = StaySafe(vision_radius=4.0)

    def around(now, time):
        threat = someone(1, [-8.0 + 1.0 * time, 0, 0], [1.0, 0, 0])
        return make.surroundings(now, others={"threat": threat})

    for k, now in enumerate(moves(agents, one, 12.0, around)):
        gap = now.position[0, 0] - (-8.0 + k / 30)
        if k / 30 < 4.0:
            np.testing.assert_allclose(now.position[0], 0.0, atol=1e-9)
        assert gap > 3.0
    assert now.position[0, 0] > 3.0


def test_it_stays_at_the_last_free_place(make, moves):
    """It flees past a wall's end into touch with it, and comes back out when all is quiet."""
    wall = MeshQuery(make.box([2.0, -1, -1], [3, 1, 1]))
    agents = make.flock([[1.0, 0, 0]])
    one = StaySafe(vision_radius=6.0)

    def around(now, time):
        threat = someone(1, [-2.5 if time < 0.9 else -9.0, 0, 0])
        return make.surroundings(now, obstacles=wall, others={"threat": threat})

    track = [now.position[0, 0] for now in moves(agents, one, 8.0, around)]
    assert max(track) > 1.7, "nothing else keeps it off the wall here"
    assert track[-1] < 1.6 + 1e-6
    assert track[-1] == pytest.approx(1.6, abs=0.05)


def swirl(points):
    return np.column_stack([-0.5 * points[:, 1], 0.5 * points[:, 0], 0.2 * points[:, 2]])


def test_a_linear_field_is_interpolated_exactly(make):
    axis = np.arange(5) - 2.0
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1)
    vectors = swirl(grid.reshape(-1, 3)).reshape(grid.shape)
    field = FlowFieldFollowing(vectors.tolist(), (-2.0, -2.0, -2.0), 1.0)
    points = np.random.default_rng(0).uniform(-2, 2, (100, 3))
    np.testing.assert_allclose(field.velocity_at(points), swirl(points), atol=1e-12)
    np.testing.assert_allclose(
        field.velocity_at(3.0 * points), swirl(np.clip(3.0 * points, -2, 2)), atol=1e-12
    )


def test_an_agent_takes_over_the_flow(make, moves):
    vectors = [[[[0.5, 0.2, 0.0]]]]
    agents = make.flock([[0.0, 0, 0]])
    *_, now = moves(agents, FlowFieldFollowing(vectors), 4.0)
    np.testing.assert_allclose(now.velocity[0], [0.5, 0.2, 0], atol=1e-3)


def test_it_goes_round_with_a_swirl(make, moves):
    axis = np.linspace(-4, 4, 9)
    grid = np.stack(np.meshgrid(axis, axis, [0.0], indexing="ij"), axis=-1)
    field = FlowFieldFollowing(swirl(grid.reshape(-1, 3)).reshape(grid.shape), (-4.0, -4.0, 0.0))
    agents = make.flock([[2.0, 0, 0]], [[0.0, 1.0, 0]])
    radius = [np.linalg.norm(now.position[0]) for now in moves(agents, field, 12.5)]
    # Once round: looking ahead by the response time leaves less than 5 % of drift outwards.
    assert 1.9 < min(radius)
    assert max(radius) < 2.15


def test_a_ragged_field_is_refused():
    with pytest.raises(InputError, match="full grid"):
        FlowFieldFollowing([[[[0.0, 0, 0]], [[0.0, 0, 0], [1, 0, 0]]]])
    with pytest.raises(InputError, match="must be \\[x\\]\\[y\\]\\[z\\]"):
        FlowFieldFollowing([[[0.0, 0, 0]]])


def bent(width=2.0, speed=1.2):
    return FlowStroke([(-6.0, 0, 0), (0.0, 0, 0), (4.0, 4.0, 0)], width, speed)


def test_members_in_a_painted_flow_move_along_it_and_those_beside_it_do_not(make, moves):
    beside = [[-5.5, 1.01, 0.0], [-3.0, 0.0, 2.01]]
    agents = make.flock([[-5.5, 0.0, 0.0], [-5.5, 0.4, 0.0], *beside])
    *_, now = moves(agents, FlowFieldFollowing(strokes=[bent()]), 3.0)
    np.testing.assert_allclose(now.velocity[0], [1.2, 0, 0], atol=0.02)
    assert now.velocity[1, 0] > 0.3
    assert abs(now.velocity[1, 1]) < 1e-9
    np.testing.assert_array_equal(now.position[2:], beside)


def test_a_painted_flow_fades_with_the_distance_from_its_stroke():
    rng = np.random.default_rng(1)
    for _ in range(20):
        start, end = rng.uniform(-5, 5, (2, 2))
        width, speed = rng.uniform(0.5, 4.0), rng.uniform(0.2, 2.0)
        field = FlowFieldFollowing(strokes=[FlowStroke([(*start, 0.0), (*end, 0.0)], width, speed)])
        along = (end - start) / np.linalg.norm(end - start)
        away = np.linspace(0.0, width, 41)
        sideways = 0.5 * (start + end) + away[:, None] * np.array([-along[1], along[0]])
        flow = field.velocity_at(np.column_stack([sideways, np.zeros(41)]))
        size = np.linalg.norm(flow, axis=1)
        assert size[0] == pytest.approx(speed)
        assert (np.diff(size) <= 1e-12).all()
        assert (size[away > 0.5 * width + 1e-9] == 0.0).all()
        np.testing.assert_allclose(flow[:, :2], size[:, None] * along, atol=1e-12)


def test_later_strokes_cover_the_grid_and_those_before():
    back = FlowStroke([(0.0, 0, 0), (-6.0, 0, 0)], 4.0, 0.5)
    field = FlowFieldFollowing([[[[0.0, 0.7, 0.0]]]], strokes=[bent(), back])
    places = np.array([[-3.0, 0, 0], [2.0, 2.0, 0], [50.0, 0, 0]])
    flow = field.velocity_at(places)
    np.testing.assert_allclose(flow[0], [-0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(flow[1], 1.2 * np.array([1, 1, 0]) / np.sqrt(2), atol=1e-12)
    np.testing.assert_allclose(flow[2], [0, 0.7, 0], atol=1e-12)


def test_outside_its_strokes_a_field_leaves_the_motion_as_it_is(make):
    agents = make.flock([[0.0, 5.0, 0]], [[9.0, 0.0, 0]])
    force = FlowFieldFollowing(strokes=[bent()]).steering_force(agents, make.surroundings(agents))
    np.testing.assert_array_equal(force, 0.0)


@pytest.mark.parametrize(
    ("stroke", "key"),
    [
        (FlowStroke([(0, 0, 0), (1, 0, 0)], width=0.0), "width"),
        (FlowStroke([(0, 0, 0), (1, 0, 0)], speed=np.nan), "speed"),
        (FlowStroke([(0, 0, 0)]), "points"),
        (FlowStroke([]), "points"),
        (FlowStroke([(1, 0, 0), (1, 0, 0)]), "points"),
        (FlowStroke([(1, 0, 0), (np.inf, 0, 0)]), "points"),
    ],
)
def test_a_stroke_that_is_none_is_refused_with_its_key(stroke, key):
    with pytest.raises(InputError, match=rf"`strokes\[1\]\.{key}`"):
        FlowFieldFollowing(strokes=[bent(), stroke])
