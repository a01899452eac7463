"""Boxes around what a body sweeps, against dense steps."""

import numpy as np
import pytest

from rmp3d.geometry.rotations import uniform_rotations
from rmp3d.planner.collision.rigid_judge import JudgedMotion
from rmp3d.planner.collision.swept_boxes import MotionPieces, swept_boxes

STEPS = 200


def swept(path, points, pieces, row):
    """Return where points (V, 3) are at many moments of a piece."""
    motion = JudgedMotion(*path[pieces.motion[row] : pieces.motion[row] + 2])
    found = []
    for share in np.linspace(pieces.begin[row], pieces.begin[row] + pieces.size, STEPS):
        at = motion.at(share)
        w, axis = at[3], at[4:]
        twice = 2.0 * np.cross(axis, points)
        found.append(at[:3] + points + w * twice + np.cross(axis, twice))
    return np.concatenate(found)


@pytest.mark.parametrize("kind", ["both", "straight", "turning", "still"])
@pytest.mark.parametrize("size", [1.0, 0.25])
def test_a_box_contains_all_that_is_swept_and_hardly_more(kind, size):
    rng = np.random.default_rng(4)
    points = rng.uniform(-1, 1, (12, 3))
    path = np.hstack([rng.uniform(-3, 3, (9, 3)), uniform_rotations(rng.random((9, 3)))])
    if kind in ("straight", "still"):
        path[:, 3:] = path[0, 3:]
    if kind in ("turning", "still"):
        path[:, :3] = path[0, :3]
    motion = np.arange(8)
    pieces = MotionPieces(motion, rng.integers(0, 1 / size, 8) * size, size)
    boxes = swept_boxes(path, points, pieces, 0.0)
    np.testing.assert_allclose(
        boxes.axes @ boxes.axes.transpose(0, 2, 1), [np.eye(3)] * 8, atol=1e-14
    )
    for row in motion:
        seen = (swept(path, points, pieces, row) - boxes.center[row]) @ boxes.axes[row].T
        beyond = np.abs(seen).max(axis=0) - boxes.half[row]
        assert beyond.max() < 1e-12
        # Steps end 1/400 of the turn from where a corner is outermost: 2e-4 m at most.
        assert beyond[1:].min() > -2e-4
        assert np.ptp(boxes.corners(row), axis=0) == pytest.approx(
            2.0 * np.abs(boxes.axes[row].T) @ boxes.half[row]
        )


def test_a_box_contains_points_of_its_own_only():
    path = np.array([[0, 0, 0, 1, 0, 0, 0], [5, 0, 0, 1, 0, 0, 0]], float)
    points = np.array([[-1, -1, -1], [1, 1, 1]], float)
    box = swept_boxes(path, points, MotionPieces(np.array([0]), np.zeros(1), 1.0), 0.1)
    for inside in ([6.05, 0, 0], [-1.05, 1.05, -1.05]):
        assert box.contain(0, np.array([[9, 9, 9], inside]))
    for outside in ([6.15, 0, 0], [0, 1.15, 0]):
        assert not box.contain(0, np.array([outside]))
