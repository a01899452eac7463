"""What samplers promise where bodies turn; oracles are python-fcl, trimesh and SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.stats import qmc

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.sampling import SAMPLERS, draw
from rmp3d.planner.spaces import RigidBodySpace, make_space
from rmp3d.scenes.problems.rigid_problem import RigidProblem

BOUNDS = np.array([[-9.0, -5, 0], [9, 5, 2.5]])
SIDES = (0.8, 0.4, 0.2)


@pytest.fixture
def space(rooms, make_body):
    return make_space("rigid", rooms, make_body(SIDES), bounds=BOUNDS)


@pytest.fixture
def judge(rooms, make_body):
    return make_space("rigid", rooms, make_body(SIDES), bounds=BOUNDS, backend="fcl")


def bodies(space, rows):
    """Return the body's corners (M, V, 3) at configurations."""
    turns = Rotation.from_quat(rows[:, 3:], scalar_first=True).as_matrix()
    return np.einsum("mij,vj->mvi", turns, space.world.body.mesh.vertices) + rows[:, None, :3]


@pytest.mark.parametrize("name", SAMPLERS)
def test_python_fcl_finds_the_samples_free(space, judge, name):
    points, _ = draw(SAMPLERS[name](), space, 40, np.random.default_rng(0))
    assert judge.is_free(points).all()
    np.testing.assert_allclose(np.linalg.norm(points[:, 3:], axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("name", ["uniform", "gaussian", "bridge", "obstacle"])
def test_with_python_fcl_as_backend_the_samples_are_the_same(space, judge, name):
    ours = SAMPLERS[name]().attempt(space, 200, 0, np.random.default_rng(5))
    theirs = SAMPLERS[name]().attempt(judge, 200, 0, np.random.default_rng(5))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", ["halton", "sobol", "faure", "niederreiter"])
def test_sequences_do_not_depend_on_the_batches(space, name):
    rng = np.random.default_rng(0)
    whole = SAMPLERS[name]().attempt(space, 500, 0, rng)
    first, parts = 0, []
    for count in (100, 1, 256, 143):
        parts.append(SAMPLERS[name]().attempt(space, count, first, rng))
        first += count
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_rotations_of_sequences_are_those_of_shoemake(space):
    """Written out anew from Graphics Gems III, section III.6."""
    cube = qmc.Halton(6, scramble=False).random(64)
    a, b = 2 * np.pi * cube[:, 4], 2 * np.pi * cube[:, 5]
    near, far = np.sqrt(1 - cube[:, 3]), np.sqrt(cube[:, 3])
    xyzw = np.stack([near * np.sin(a), near * np.cos(a), far * np.sin(b), far * np.cos(b)], 1)
    place = BOUNDS[0] + cube[:, :3] * (BOUNDS[1] - BOUNDS[0])
    expected = np.hstack([place, xyzw[:, [3, 0, 1, 2]]])
    found = SAMPLERS["halton"]().attempt(space, 64, 0, np.random.default_rng(0))
    np.testing.assert_allclose(found, expected[space.is_free(expected)], atol=1e-12)


def test_gaussian_samples_are_as_near_to_a_contact_as_their_pair(space):
    std, count = 0.05, 3000
    found = SAMPLERS["gaussian"](std=std).attempt(space, count, 0, np.random.default_rng(2))
    rng = np.random.default_rng(2)
    rng.random((count, 6))
    shift = rng.normal(0.0, std, (count, 6))
    farthest = np.linalg.norm(shift[:, :3], axis=1) + np.linalg.norm(shift[:, 3:], axis=1)
    assert len(found) > 20
    clearance = space.world.clearance(found)
    assert (clearance < farthest.max()).all()
    # Where the body only moved a colliding configuration would often be farther away.
    assert np.median(clearance) < 2.0 * std


def test_both_ends_of_a_bridge_collide(space, judge):
    count, std = 4000, 0.6
    found = SAMPLERS["bridge"](std=std).attempt(space, count, 0, np.random.default_rng(4))
    rng = np.random.default_rng(4)
    middle = space.from_unit_cube(rng.random((count, 6)))
    half = 0.5 * rng.normal(0.0, std, (count, 6))
    assert len(found) > 3
    for row in found:
        k = int(np.flatnonzero((middle == row).all(axis=1))[0])
        for sign in (1.0, -1.0):
            end = space.shifted(middle[k, None], sign * half[k, None])
            assert not judge.is_free(end)[0]


def test_obstacle_samples_touch_within_the_precision(space):
    sampler = SAMPLERS["obstacle"](precision=0.02)
    points, _ = draw(sampler, space, 60, np.random.default_rng(0))
    assert space.world.clearance(points).max() <= 0.02 + 1e-9


def test_obstacle_samples_are_turned_out_too(space):
    """What comes out is turned otherwise than what was pushed: rotations are not those drawn."""
    rng = np.random.default_rng(0)
    points = SAMPLERS["obstacle"]().attempt(space, 300, 0, np.random.default_rng(0))
    drawn = space.from_unit_cube(rng.random((300, 6)))
    turned = np.abs(points[:, None, 3:] @ drawn[:, 3:].T).max(axis=-1)
    assert (turned < 1.0 - 1e-9).mean() > 0.9


def test_vertex_samples_are_at_the_stated_distance_of_a_vertex(make, make_body, nearest_per_face):
    cube = make.box("cube", (-1, -1, -1), (1, 1, 1))
    space = make_space("rigid", make.scene(cube), make_body(SIDES))
    rows, _ = draw(SAMPLERS["vertex"](distance=0.3), space, 40, np.random.default_rng(0))
    corners = cube.mesh.vertices
    for vertices in bodies(space, rows):
        body = TriangleMesh(vertices, space.world.body.mesh.faces)
        apart = nearest_per_face(corners, body)[0].min(axis=1)
        assert np.abs(apart - 0.3).min() < 1e-9


def test_medial_samples_are_as_far_from_two_walls(make, make_body):
    left = make.box("left", (-4, -3, -3), (-2, 3, 3))
    right = make.box("right", (2, -3, -3), (4, 3, 3))
    scene = make.scene(left, right, bounds=((-2, -1, -1), (2, 1, 1)))
    space = make_space("rigid", scene, make_body(SIDES))
    rows, _ = draw(SAMPLERS["medial"](precision=0.01), space, 40, np.random.default_rng(0))
    ends = bodies(space, rows)[:, :, 0]
    np.testing.assert_allclose(ends.min(axis=1) + 2.0, 2.0 - ends.max(axis=1), atol=0.021)


def test_lengths_of_samplers_count_in_radii_where_a_file_has_no_unit(make, make_body):
    def samples(scale):
        wall = make.box("wall", np.multiply(scale, (-1, -2, -2)), np.multiply(scale, (1, 2, 2)))
        pose = np.array([-3.0 * scale, 0, 0, 1, 0, 0, 0])
        bounds = scale * np.array([[-5.0, -4, -3], [5, 4, 3]])
        robot = make_body(np.multiply(scale, SIDES)).mesh
        asked = RigidProblem("wall", robot, wall.mesh, True, bounds, False, "rigid", pose, pose)
        space = RigidBodySpace.of_problem(asked)
        names = ("gaussian", "bridge", "obstacle", "vertex", "medial")
        return [SAMPLERS[n]().attempt(space, 64, 0, np.random.default_rng(0)) for n in names]

    for one, other in zip(samples(1.0), samples(64.0), strict=True):
        assert len(one) == len(other)
        np.testing.assert_allclose(one[:, :3] * 64.0, other[:, :3], rtol=1e-6, atol=1e-4)
