"""Avoidance of triangle meshes and spheres, in three dimensions."""

import numpy as np
import pytest

from rmp3d.behaviors.steering import ObstacleAvoidance, Seek
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, remember, steer
from rmp3d.behaviors.terrain.ahead import first_touch, sphere_array
from rmp3d.geometry import join
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery


def ball(center, radius, make):
    """A sphere of triangles."""
    line = np.linspace(0, 1, 49)
    mesh = make.grid(line, line, lambda x, y: 0 * x)
    angle, height = 2 * np.pi * mesh.vertices[:, 0], np.pi * mesh.vertices[:, 1]
    around = np.stack([np.cos(angle), np.sin(angle)]) * np.sin(height)
    vertices = radius * np.column_stack([*around, np.cos(height)]) + center
    return type(mesh)(vertices, mesh.faces)


def avoidance(make, position, velocity, obstacles=None, spheres=(), **changes):
    agents = make.flock(position, velocity, **changes)
    around = make.surroundings(agents, obstacles=obstacles)
    one = ObstacleAvoidance(spheres=spheres)
    return steer(one, agents, around).force / agents.bodies.mass[:, None]


def test_first_contact_with_spheres_is_the_closed_form():
    rng = np.random.default_rng(0)
    start = rng.normal(0, 4, (200, 3))
    course = rng.normal(0, 1, (200, 3)) - start
    course /= np.linalg.norm(course, axis=1, keepdims=True)
    center, radius, body = np.zeros(3), 1.2, 0.3
    far = np.linalg.norm(start, axis=1) > 1.6
    start, course = start[far], course[far]
    count = len(start)
    distance, away = first_touch(
        None, sphere_array([(*center, radius)]), start, course, np.full(count, 20.0),
        np.zeros((count, 2)), np.full(count, body),
    )  # fmt: skip
    b = np.einsum("ij,ij->i", start, course)
    root = b**2 - (np.einsum("ij,ij->i", start, start) - (radius + body) ** 2)
    exact = np.where((root > 0) & (b < 0), -b - np.sqrt(np.maximum(root, 0)), np.inf)
    # Contacts at a glancing angle are let pass.
    sine = np.sqrt(np.maximum(root, 0)) / (radius + body)
    clear = (sine > 0.2) | (root < -0.1)
    assert np.isfinite(exact[clear]).sum() > 20
    np.testing.assert_allclose(distance[clear], exact[clear], atol=0.04)
    hit = np.isfinite(exact) & clear
    touch = (start + course * exact[:, None])[hit]
    normal = touch / np.linalg.norm(touch, axis=1, keepdims=True)
    assert (np.einsum("ij,ij->i", away[hit], normal) > 0.995).all()


def test_a_mesh_and_a_sphere_of_one_shape_are_the_same_to_it(make):
    rng = np.random.default_rng(1)
    position = np.column_stack([np.full(30, -2.2), rng.uniform(-0.8, 0.8, (30, 2))])
    position = position[np.linalg.norm(position[:, 1:], axis=1) > 0.35]
    velocity = np.tile([1.8, 0, 0], (len(position), 1))
    mesh = avoidance(make, position, velocity, ball(np.zeros(3), 1.0, make))
    sphere = avoidance(make, position, velocity, None, [(0.0, 0, 0, 1.0)])
    assert np.linalg.norm(sphere, axis=1).min() > 0.2
    # The triangles' normals are up to 4 degrees off the sphere's.
    size = np.linalg.norm(sphere, axis=1)
    assert (np.linalg.norm(mesh - sphere, axis=1) < 0.16 * size).all()


def test_the_push_is_lateral_and_true_to_the_side_in_space(make):
    """Above the middle it goes up, below down: not only left and right."""
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    position = np.column_stack([np.full(12, -2.2), 0.6 * np.cos(angle), 0.6 * np.sin(angle)])
    velocity = np.tile([1.2, 0, 0], (12, 1))
    push = avoidance(make, position, velocity, None, [(0.0, 0, 0, 1.0)])
    np.testing.assert_allclose(push[:, 0], 0.0, atol=1e-9)
    direction = push[:, 1:] / np.linalg.norm(push[:, 1:], axis=1, keepdims=True)
    np.testing.assert_allclose(direction, position[:, 1:] / 0.6, atol=1e-9)


def test_it_goes_over_or_under_what_is_too_wide_to_pass(make):
    """A low wide wall, and the same as a beam overhead."""
    for bottom, top, sign in ((-9.0, 0.3, 1.0), (-0.3, 9.0, -1.0)):
        wall = make.box([2.0, -30, bottom], [2.4, 30, top])
        push = avoidance(make, [[0.0, 0, 0]], [[1.8, 0, 0]], wall)[0]
        assert sign * push[2] > 0.2
        assert abs(push[1]) < 1e-6
        walker = avoidance(make, [[0.0, 0, 0]], [[1.8, 0, 0]], wall, grounded=True)[0]
        assert walker[2] == 0.0
        assert walker[1] > 0.2, "who cannot go over turns left"


def test_what_is_passed_or_left_asks_for_nothing(make):
    wall = make.box([-20.0, 0.35, -5], [20, 0.6, 5])
    along, off = [[1.5, 0, 0]], [[1.5, -0.3, 0]]
    for velocity in (along, off):
        np.testing.assert_array_equal(avoidance(make, [[0.0, 0, 0]], velocity, wall), 0.0)
    far = make.box([5.0, -5, -5], [6, 5, 5])
    np.testing.assert_array_equal(avoidance(make, [[0.0, 0, 0]], [[1.5, 0, 0]], far), 0.0)
    np.testing.assert_array_equal(avoidance(make, [[0.0, 0, 0]], [[0.0, 0, 0]], far), 0.0)


def test_the_nearest_threat_counts(make):
    near, behind = (1.8, 0.5, 0.0, 0.6), (3.0, -0.5, 0.0, 0.6)
    both = avoidance(make, [[0.0, 0, 0]], [[2.0, 0, 0]], None, [behind, near])
    one = avoidance(make, [[0.0, 0, 0]], [[2.0, 0, 0]], None, [near])
    np.testing.assert_array_equal(both, one)
    assert one[0, 1] < 0.0


def test_within_the_margin_of_a_wall_it_asks_the_less_the_more_one_goes_along(make):
    wall = make.box([-9.0, 0.4, -3], [9.0, 1.0, 3])  # 0.1 m from the body, within the margin
    angle = np.radians([4.0, 8.0, 15.0, 30.0, 60.0])
    motion = 1.2 * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    asked = avoidance(make, np.zeros((5, 3)), motion, wall)
    along = np.einsum("ij,ij->i", asked, motion) / 1.2
    np.testing.assert_allclose(along, -1.2 * np.sin(angle) / RESPONSE_TIME, rtol=1e-3)
    across = np.linalg.norm(asked - along[:, None] * motion / 1.2, axis=1)
    np.testing.assert_allclose(across, 4.0 * np.minimum(np.sin(angle) / 0.3, 1.0), rtol=1e-3)


def test_bad_spheres_are_refused():
    with pytest.raises(InputError, match="`spheres` must be a list"):
        ObstacleAvoidance(spheres=[(0.0, 0, 0, -1.0)])


def flown(make, moves, boxes, start, goal, seconds):
    """Smallest clearance on the way to a goal by seeking and avoiding, and the last gap to it."""
    mesh = join(boxes)
    query = MeshQuery(mesh)
    agents = make.flock(start)
    avoid, seek = ObstacleAvoidance(), Seek()

    class Both:
        def steering_force(self, flock, around):
            away = avoid.steering_force(flock, around)
            none = ~away.any(axis=1, keepdims=True)
            return away + none * seek.steering_force(flock, around)

    least, gap = np.inf, np.full(len(agents), np.inf)
    for now in moves(agents, Both(), seconds, obstacles=mesh, subgoal=goal, reach=0.1):
        least = min(least, query.closest_point(now.position)[0].min() - 0.3)
        gap = np.minimum(gap, np.linalg.norm(now.position - goal, axis=1))
    return least, gap


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_flyer_gets_through_a_field_of_boxes_without_touching_one(make, moves, seed):
    rng = np.random.default_rng(seed)
    center = rng.uniform([-6, -6, -6], [6, 6, 6], (60, 3))
    size = rng.uniform(0.3, 0.8, (60, 3))
    boxes = [make.box(c - s, c + s) for c, s in zip(center, size, strict=True)]
    start = np.column_stack([np.full(8, -10.0), rng.uniform(-4, 4, (8, 2))])
    goal = start * [-1, 1, 1]
    least, gap = flown(make, moves, boxes, start, goal, 20.0)
    assert least > -0.02
    assert (gap < 0.6).sum() >= 7


def test_forces_do_not_depend_on_who_else_is_there(make):
    rng = np.random.default_rng(3)
    position = rng.uniform(-3, 3, (12, 3))
    velocity = rng.normal(0, 1.5, (12, 3))
    wall = make.box([1.0, -1, -1], [1.5, 1, 1])
    together = avoidance(make, position, velocity, wall)
    for row in range(12):
        alone = avoidance(make, position[[row]], velocity[[row]], wall)
        np.testing.assert_allclose(alone[0], together[row], atol=1e-12)


def test_stateless_behaviors_have_nothing_to_remember(make):
    agents = make.flock(np.zeros((2, 3)))
    around = make.surroundings(agents)
    assert remember(ObstacleAvoidance(), agents, around) is around
