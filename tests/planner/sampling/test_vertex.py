import numpy as np
import pytest
from scipy.spatial import cKDTree

from rmp3d.geometry import InputError
from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.spaces import make_space


@pytest.fixture
def cubes(make):
    boxes = [make.box(f"box {k}", (4 * k - 8, -1, 1), (4 * k - 6, 1, 3)) for k in range(4)]
    return make.scene(*boxes, bounds=((-12, -5, -3), (12, 5, 8)))


def test_every_vertex_gets_its_turn_outward_first(cubes, make):
    body = make.body(0.3, (-0.2, 0.4))
    space = make_space("translation", cubes, body)
    sampler = SAMPLERS["vertex"](distance=0.2)
    parts = [sampler.attempt(space, 16, first, np.random.default_rng(0)) for first in (0, 16)]
    points = np.concatenate(parts)
    assert len(points) == 32  # the 8 corners of each of 4 cubes, every one free
    corners = cubes.flying_obstacles[0].vertices
    capsule_axis = points[:, None] + np.linspace(-0.2, 0.4, 601)[:, None] * [0.0, 0, 1]
    distance, vertex = cKDTree(corners).query(capsule_axis.reshape(-1, 3))
    distance, vertex = distance.reshape(32, -1), vertex.reshape(32, -1)
    np.testing.assert_allclose(distance.min(axis=1), 0.3 + 0.2, atol=1e-4)
    nearest = corners[vertex[np.arange(32), distance.argmin(axis=1)]]
    assert len(np.unique(nearest, axis=0)) == 32
    np.testing.assert_allclose(space.world.clearance(points), 0.2, atol=1e-9)


def test_later_rounds_go_in_random_directions_at_the_same_distance(cubes, make):
    space = make_space("translation", cubes, make.body(0.3, (0.0, 0.0)))
    points = SAMPLERS["vertex"]().attempt(space, 320, 32, np.random.default_rng(0))
    assert 100 < len(points) < 320  # some directions lead into the cube
    distance, _ = cKDTree(cubes.flying_obstacles[0].vertices).query(points)
    np.testing.assert_allclose(distance, 0.4, atol=1e-9)
    assert len(np.unique(points, axis=0)) == len(points)


def test_on_the_ground_the_distance_is_in_plan(rooms, walker):
    space = make_space("ground", rooms, walker)
    points = SAMPLERS["vertex"](distance=0.15).attempt(space, 200, 0, np.random.default_rng(0))
    corners = rooms.walking_obstacles[0].vertices
    distance = np.linalg.norm(points[:, None, :2] - corners[:, :2], axis=2)
    np.testing.assert_allclose(np.abs(distance - (0.28 + 0.15)).min(axis=1), 0.0, atol=1e-9)
    np.testing.assert_allclose(points[:, 2], 0.0, atol=1e-12)
    assert (np.abs(points[:, 1]) < 0.6).any()  # in the door


def test_vertices_out_of_the_bodys_reach_have_no_turn(make, walker):
    lamp = make.box("lamp", (-1, -1, 3), (1, 1, 3.2))
    space = make_space("ground", make.scene(make.floor((-5, -5), (5, 5)), lamp), walker)
    assert SAMPLERS["vertex"]().attempt(space, 50, 0, np.random.default_rng(0)).shape == (0, 3)


@pytest.mark.parametrize("distance", [0.0, -1.0, np.nan])
def test_a_distance_that_is_not_positive_is_refused(distance):
    with pytest.raises(InputError, match="`distance` must be positive"):
        SAMPLERS["vertex"](distance=distance)
