"""Whole motions past a mesh: proofs hold, and few motions that keep off stay unproved."""

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.passing import keep_off, keeps_off
from rmp3d.geometry.query import STACK, MeshQuery

LOW, HIGH, FAR = 0.2, 1.4, 0.3
STEPS = np.linspace(0.0, 1.0, 401)


def motions(query: MeshQuery, rng: np.random.Generator, count: int) -> tuple[int, int]:
    """Check proofs by samples; return how many motions are proved, and how many keep off."""
    starts, ends = np.moveaxis(rng.uniform(-3.0, 3.0, (count, 2, 3)), 1, 0)
    proved = off = 0
    kept_off = keep_off(query.arrays, starts, ends, (LOW, HIGH), FAR)
    for start, end, found in zip(starts, ends, kept_off, strict=True):
        points = start + STEPS[:, None] * (end - start)
        nearest = query.nearest(points, (LOW, HIGH))[0].min()
        assert not found or nearest > FAR
        proved += bool(found)
        between = 0.5 * np.linalg.norm(end - start) / (len(STEPS) - 1)
        off += nearest > FAR + between
    return proved, off


@pytest.mark.parametrize("size", [1, 40])
def test_a_proved_motion_keeps_off_at_all_samples_and_most_that_keep_off_are_proved(
    size: int,
) -> None:
    rng = np.random.default_rng(size)
    corners = rng.uniform(-3.0, 3.0, (size, 1, 3)) + rng.uniform(-0.7, 0.7, (size, 3, 3))
    mesh = TriangleMesh(corners.reshape(-1, 3), np.arange(3 * size).reshape(-1, 3))
    proved, off = motions(MeshQuery(mesh), rng, 150)
    assert 0 < proved <= 150
    assert proved >= 0.95 * off


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_motion_along_a_wall_is_proved_just_beyond_the_distance_and_not_nearer(axis: int) -> None:
    corners = np.array([[0.0, -9, -9], [0, 9, -9], [0, 9, 9], [0, -9, 9]])
    wall = MeshQuery(TriangleMesh(np.roll(corners, axis, 1), np.array([[0, 1, 2], [0, 2, 3]])))
    stack = np.empty(STACK, np.int64)
    reach = FAR + (HIGH if axis == 2 else 0.0)  # the wall is above
    for apart, expected in ((reach + 1e-6, True), (reach - 1e-6, False)):
        start, end = np.full(3, 0.5), np.full(3, -0.5)
        start[axis] = end[axis] = -apart
        assert expected == keeps_off(*wall.arrays, tuple(start), tuple(end), LOW, HIGH, FAR, stack)


def test_motions_of_no_length_and_of_thousands_of_kilometers_are_judged_alike() -> None:
    wall = MeshQuery(
        TriangleMesh(np.array([[0.0, -1, 0], [0, 1, 0], [0, 0, 2]]), np.array([[0, 1, 2]]))
    )
    stack = np.empty(STACK, np.int64)
    far, near, other = (-1.0, 0.0, 0.0), (-0.1, 0.0, 0.0), (9e6, 0.0, 0.0)
    assert keeps_off(*wall.arrays, far, far, LOW, HIGH, FAR, stack)
    assert not keeps_off(*wall.arrays, near, near, LOW, HIGH, FAR, stack)
    assert not keeps_off(*wall.arrays, far, other, LOW, HIGH, FAR, stack)
    assert keeps_off(*wall.arrays, (1.0, 0.0, 0.0), other, LOW, HIGH, FAR, stack)
