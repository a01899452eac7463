"""The judge by interval arithmetic, against closed forms and python-fcl."""

from itertools import pairwise

import numpy as np
import pytest
import trimesh

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion, product, rotate
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.verification.interval_judge import BLOCK, IntervalJudge, _in_blocks

UPRIGHT = [1.0, 0.0, 0.0, 0.0]


def mesh(made, at=(0.0, 0.0, 0.0)):
    made.apply_translation(at)
    return TriangleMesh(np.array(made.vertices), np.array(made.faces))


def pose(x, y, z, quaternion=UPRIGHT):
    return np.array([x, y, z, *quaternion], float)


def turned(angle, axis=(0.0, 0.0, 1.0)):
    return [np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis))]


@pytest.mark.parametrize(("gap", "free"), [(1e-9, True), (-1e-9, False), (0.0, False)])
def test_a_cube_that_slides_along_a_wall_is_free_if_there_is_a_gap(gap, free):
    wall = mesh(trimesh.creation.box((1, 9, 9)), (1.0 + gap, 0, 0))
    judge = IntervalJudge(mesh(trimesh.creation.box((1, 1, 1))), wall)
    assert judge.motion_is_free(pose(0, -3, 0), pose(0, 3, 0)) is free


@pytest.mark.parametrize(("gap", "free"), [(1e-7, True), (-1e-7, False)])
def test_the_corner_of_a_turning_cube_comes_as_far_as_its_diagonal(gap, free):
    # Turned by an eighth about z, half the diagonal of the face, sqrt(2) / 2, points along x.
    wall = mesh(trimesh.creation.box((1, 9, 9)), (0.5 + np.sqrt(0.5) + gap, 0, 0))
    judge = IntervalJudge(mesh(trimesh.creation.box((1, 1, 1))), wall)
    assert judge.motion_is_free(pose(0, 0, 0), pose(0, 0, 0, turned(np.pi / 2))) is free


@pytest.mark.parametrize("second", [turned(-0.3), [-part for part in turned(-0.3)]])
def test_a_sheet_between_two_free_poses_is_not_passed(second):
    sheet = TriangleMesh(np.array([[0, -9, -9], [0, 9, -9], [0, 0, 9.0]]), np.array([[0, 1, 2]]))
    judge = IntervalJudge(sheet, sheet)
    assert not judge.motion_is_free(pose(-2, 0, 0), pose(2, 0, 0, second))
    assert judge.motion_is_free(pose(-2, 0, 0), pose(-1e-6, 0, 0))
    assert judge.first_refused(np.array([pose(-2, 0, 0), pose(-1, 0, 0), pose(2, 0, 0)])) == 1
    assert judge.first_refused(pose(0, 0, 0)[None]) == 0
    assert judge.first_refused(pose(1, 0, 0)[None]) == -1


def test_verdicts_are_those_of_python_fcl():
    torus = mesh(trimesh.creation.torus(1.2, 0.3, major_sections=20, minor_sections=8))
    ring = mesh(trimesh.creation.annulus(0.9, 1.5, 0.4, sections=20), (2.2, 0, 0))
    ours, theirs = IntervalJudge(torus, ring), RigidJudge(torus, ring, None, np.zeros((0, 3)))
    rng, verdicts = np.random.default_rng(0), []
    for _ in range(60):
        ends = np.hstack([rng.uniform(-2, 2, (2, 3)), rng.normal(size=(2, 4))])
        ends[1] = ends[0] + 0.3 * (ends[1] - ends[0])
        ends[:, 3:] /= np.linalg.norm(ends[:, 3:], axis=1, keepdims=True)
        verdicts.append((ours.motion_is_free(*ends), theirs.motion_is_free(*ends)))
    assert {ours for ours, _ in verdicts} == {True, False}
    assert all(ours == theirs for ours, theirs in verdicts)


def test_a_long_path_is_refused_at_the_first_motion_that_is_refused_alone(monkeypatch):
    monkeypatch.setattr("rmp3d.verification.interval_judge.CHUNK", 1000)  # some batches
    cube = mesh(trimesh.creation.box((1, 1, 1)))
    judge = IntervalJudge(cube, mesh(trimesh.creation.box((1, 9, 9)), (1.15, 0, 0)))
    rng, found = np.random.default_rng(3), set()
    for _ in range(5):
        path = np.stack([
            pose(0, y, z, turned(angle, (0, 0, 1)))
            for y, z, angle in rng.uniform((-3, -3, -0.2), (3, 3, 0.2), (60, 3))
        ])  # fmt: skip
        path[rng.integers(60, size=2), 3:] = turned(0.7)
        alone = [judge.motion_is_free(*ends) for ends in pairwise(path)]
        assert False in alone
        assert judge.first_refused(path) == alone.index(False)
        assert judge.first_refused(path[: alone.index(False) + 1]) == -1
        found.add(alone.index(False))
    assert len(found) > 2


@pytest.mark.parametrize("tilt", [0.0, 0.5])
def test_long_motions_between_walls_are_proved_whole(tilt):
    # Half the diagonal of the body in plan is 0.5386; 0.0004 are left on either side.
    turn = turned(tilt, (0.6, 0.0, 0.8))
    slabs = [trimesh.creation.box((12, 1, 8)) for _ in range(2)]
    for slab, side in zip(slabs, (-1.039, 1.039), strict=True):
        slab.apply_translation((0, side, 0))
    walls = mesh(trimesh.util.concatenate(slabs))
    walls = walls.transformed(rotation=matrix_from_quaternion(np.array(turn)))
    judge = IntervalJudge(mesh(trimesh.creation.box((1, 0.4, 3))), walls)
    path = np.stack([pose((-4, 4)[k % 2], 0, 0, turned(k * np.pi / 2)) for k in range(41)])
    path[:, :3] = rotate(np.array(turn), path[:, :3])
    path[:, 3:] = product(np.tile(turn, (41, 1)), path[:, 3:])
    assert judge.first_refused(path) == -1
    assert judge.pieces == judge.pairs == 0  # no piece had to be looked at triangle by triangle
    path[20, :3] += rotate(np.array(turn), np.array([0.0, 0.01, 0.0]))
    assert judge.first_refused(path) in (19, 20)


@pytest.mark.parametrize("count", [1, BLOCK, BLOCK + 1, 3 * BLOCK + 5, 1000])
def test_blocks_are_full_but_the_last_and_have_every_triangle_once(count):
    triangles = np.random.default_rng(1).random((count, 3, 3))
    ordered, starts = _in_blocks(triangles)
    assert starts.tolist() == list(range(0, count, BLOCK))
    assert sorted(map(bytes, ordered)) == sorted(map(bytes, triangles))


def test_triangles_without_area_in_one_plane_are_told_apart():
    along, across = np.linalg.qr(np.array([[1.0, 2, 3], [3, -1, 1]]).T)[0].T
    needle = TriangleMesh(np.outer([0, 1, 1], along), np.array([[0, 1, 2]]))
    other = needle.vertices + 0.3 * along + across
    judge = IntervalJudge(needle, TriangleMesh(other, np.array([[0, 1, 2]])))
    assert judge.motion_is_free(pose(0, 0, 0), pose(*0.999 * across))
    assert not judge.motion_is_free(pose(0, 0, 0), pose(*across))
