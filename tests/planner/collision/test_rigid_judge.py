"""The judge of rigid motions against closed forms and dense steps."""

from itertools import pairwise

import numpy as np
import pytest

from rmp3d.geometry.mesh import join
from rmp3d.geometry.rotations import slerp
from rmp3d.geometry.work_limit import OutOfTimeError
from rmp3d.planner.collision.rigid_judge import JudgedMotion, RigidJudge
from rmp3d.scenes.build.shapes import box


def centered_box(size, center=(0, 0, 0)):
    return box(np.subtract(center, np.multiply(size, 0.5)), np.add(center, np.multiply(size, 0.5)))


@pytest.fixture
def judge():
    walls = join([centered_box([10, 1, 1], (0, side, 0)) for side in (-1.3, 1.3)])
    return RigidJudge(centered_box([1.5, 1, 1]), walls, walls, np.array([[0.75, 0.5, 0.5]]))


def at(x, y, angle=0.0):
    return np.array([x, y, 0, np.cos(0.5 * angle), 0, 0, np.sin(0.5 * angle)])


def test_turning_is_free_up_to_the_angle_where_a_corner_touches(judge):
    touching = np.arcsin(0.8 / np.hypot(0.75, 0.5)) - np.arctan2(0.5, 0.75)
    assert judge.motion_is_free(at(0, 0), at(0, 0, 0.99 * touching))
    assert not judge.motion_is_free(at(0, 0), at(0, 0, 1.01 * touching))
    # The opposite quaternion is the same rotation.
    assert judge.motion_is_free(at(0, 0), at(0, 0, 0.99 * touching) * [1, 1, 1, -1, 1, 1, -1])


def test_distance_and_straight_motion_are_exact(judge):
    assert judge.distance(at(0, 0.1)) == pytest.approx(0.2)
    assert judge.distance(at(0, 0.4)) == 0.0
    assert judge.motion_is_free(at(-3, 0.299), at(3, 0.299))
    assert not judge.motion_is_free(at(-3, 0.0), at(3, 0.61))


def test_the_first_refused_motion_is_named(judge):
    path = np.stack([at(-3, 0), at(0, 0), at(0, 0.2), at(0, 0.2, 1.5)])
    assert judge.first_refused(path[:3]) == -1
    assert judge.first_refused(path) == 3
    assert judge.counts.collision > judge.counts.distance > 0


def test_inside_a_solid_is_refused(judge):
    tiny = RigidJudge(
        centered_box([0.1, 0.1, 0.1]),
        centered_box([2, 2, 2]),
        centered_box([2, 2, 2]),
        np.array([[0.05, 0.05, 0.05]]),
    )
    assert not tiny.collides(at(0, 0))
    assert tiny.is_inside(at(0, 0))
    assert tiny.first_refused(np.stack([at(0, 0), at(0.1, 0)])) == 0


def test_proved_motions_touch_nothing_at_dense_steps(judge):
    rng = np.random.default_rng(0)
    for _ in range(40):
        a = at(rng.uniform(-1, 1), rng.uniform(-0.25, 0.25), rng.uniform(-0.2, 0.2))
        b = at(rng.uniform(-1, 1), rng.uniform(-0.25, 0.25), rng.uniform(-0.2, 0.2))
        if judge.motion_is_free(a, b):
            assert not any(judge.collides(JudgedMotion(a, b).at(s)) for s in np.linspace(0, 1, 100))


def test_configurations_that_are_not_finite_are_refused(judge):
    with pytest.raises(ValueError, match="finite"):
        judge.collides(np.array([np.nan, 0, 0, 1, 0, 0, 0]))


def test_motions_go_straight_and_turn_by_slerp():
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = rng.normal(size=(2, 7))
        a[3:] /= np.linalg.norm(a[3:])
        b[3:] /= np.linalg.norm(b[3:])
        share = rng.random()
        found = JudgedMotion(a, b).at(share)
        np.testing.assert_allclose(found[:3], (1 - share) * a[:3] + share * b[:3], atol=1e-14)
        turned = slerp(a[3:], b[3:], np.asarray(share))
        assert abs(found[3:] @ turned) == pytest.approx(1.0, abs=1e-14)


def test_a_proof_ends_with_its_deadline(judge):
    path = np.stack([at(-3, 0), at(0, 0)])
    assert judge.first_refused(path) == -1
    with pytest.raises(OutOfTimeError):
        judge.first_refused(path, deadline=0.0)


def test_a_path_is_refused_at_the_first_motion_that_is_refused_alone():
    post = RigidJudge(
        centered_box([1.5, 1, 1]), centered_box([0.2, 0.2, 9]), None, np.zeros((0, 3))
    )
    rng, found = np.random.default_rng(2), set()
    for _ in range(12):
        path = np.stack([at(*row) for row in rng.uniform((-4, -4, -2), (4, 4, 2), (12, 3))])
        path = path[[not post.collides(row) for row in path]]
        alone = [post.motion_is_free(*ends) for ends in pairwise(path)]
        expected = -1 if all(alone) else alone.index(False)
        assert post.first_refused(path) == expected
        found.add(expected)
    assert len(found) > 3


def test_a_path_of_many_short_motions_takes_few_queries(judge):
    ends = np.stack([at(-3, 0.1), at(3, -0.1, 0.1)])
    path = np.stack([JudgedMotion(*ends).at(share) for share in np.linspace(0, 1, 2001)])
    assert judge.first_refused(path) == -1
    assert judge.counts.distance < 60


def test_a_long_motion_along_a_wall_takes_one_query():
    # Half the diagonal of the body is 0.5 * sqrt(1 + 0.16) = 0.5386; 0.001 is left.
    walls = join([centered_box([12, 1, 4], (0, side, 0)) for side in (-1.0396, 1.0396)])
    judge = RigidJudge(centered_box([1, 0.4, 0.4]), walls, None, np.zeros((0, 3)))
    path = np.stack([at((-4, 4)[row % 2], 0, row * np.pi / 2) for row in range(41)])
    assert judge.first_refused(path) == -1
    assert judge.counts.collision == 1 + 40  # the start, and a box for each motion
    assert judge.counts.distance == 0


@pytest.mark.parametrize(("height", "refused"), [(0.0, 1), (0.52, -1)])
def test_what_is_smaller_than_a_body_and_lies_in_its_way_is_not_passed(height, refused):
    speck = centered_box([0.01, 0.01, 0.01], (0.3, 0.2, height))
    judge = RigidJudge(centered_box([1, 1, 1]), speck, None, np.zeros((0, 3)))
    path = np.stack([at(-6, 0), at(-2, 0), at(2, 0)])
    assert judge.first_refused(path) == refused


def test_a_path_that_stands_still_is_judged(judge):
    assert judge.first_refused(np.stack([at(0, 0)] * 3)) == -1
    assert judge.first_refused(at(0, 0)[None]) == -1
    assert judge.first_refused(np.stack([at(0, 0), at(0, 0), at(0, 0.4)])) == 2
