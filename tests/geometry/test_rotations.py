import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rmp3d.geometry.rotations import (
    WORLD_UP,
    angle_between,
    frame,
    matrix_from_quaternion,
    quaternion_from_matrix,
    rotate,
    slerp,
)
from rmp3d.geometry.vectors import length, unit

number = st.just(0.0) | st.floats(1e-9, 10) | st.floats(-10, -1e-9)
vector = st.tuples(number, number, number).map(np.array)


def random_rotations(count, seed=0):
    rotations = Rotation.random(count, random_state=seed)
    return rotations, np.roll(rotations.as_quat(), 1, axis=1)


def half_turns():
    """Rotations by pi, and by almost pi, about axes near and on the world axes: w is zero."""
    axes = np.concatenate([np.eye(3), unit(np.random.default_rng(1).normal(size=(20, 3)))])
    angles = np.pi - np.array([0.0, 1e-9, 1e-5])
    return Rotation.from_rotvec((axes[:, None] * angles[None, :, None]).reshape(-1, 3))


def test_matrices_and_quaternions_agree_with_scipy():
    rotations, quaternion = random_rotations(200)
    np.testing.assert_allclose(
        matrix_from_quaternion(quaternion), rotations.as_matrix(), atol=1e-14
    )
    found = quaternion_from_matrix(rotations.as_matrix())
    np.testing.assert_allclose(found, quaternion * np.sign(quaternion[:, :1]), atol=1e-14)


def test_half_turns_survive_the_way_to_a_quaternion_and_back():
    matrix = half_turns().as_matrix()
    quaternion = quaternion_from_matrix(matrix)
    assert (quaternion[:, 0] >= 0.0).all()
    np.testing.assert_allclose(length(quaternion), 1.0, atol=1e-14)
    np.testing.assert_allclose(matrix_from_quaternion(quaternion), matrix, atol=1e-14)


def test_rotate_agrees_with_the_matrix_and_broadcasts():
    rotations, quaternion = random_rotations(50)
    vectors = np.random.default_rng(2).normal(size=(50, 3))
    np.testing.assert_allclose(rotate(quaternion, vectors), rotations.apply(vectors), atol=1e-13)
    np.testing.assert_allclose(
        rotate(quaternion[:1], vectors), rotations[0].apply(vectors), atol=1e-13
    )


def test_rotations_are_a_group():
    first, a = random_rotations(40, 3)
    second, b = random_rotations(40, 4)
    product = matrix_from_quaternion(a) @ matrix_from_quaternion(b)
    np.testing.assert_allclose(product, (first * second).as_matrix(), atol=1e-13)
    np.testing.assert_allclose(np.linalg.det(product), 1.0, atol=1e-12)
    inverse = a * [1, -1, -1, -1]
    there_and_back = matrix_from_quaternion(a) @ matrix_from_quaternion(inverse)
    np.testing.assert_allclose(there_and_back, np.broadcast_to(np.eye(3), (40, 3, 3)), atol=1e-14)
    np.testing.assert_allclose(matrix_from_quaternion(np.array([1.0, 0, 0, 0])), np.eye(3))


@given(vector, vector)
def test_frames_are_right_handed_with_the_heading_exact(heading, up):
    assume(np.linalg.norm(heading) > 1e-6)
    found = frame(heading, up)
    np.testing.assert_allclose(found.T @ found, np.eye(3), atol=1e-6)
    assert np.linalg.det(found) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(found[:, 0], heading / np.linalg.norm(heading), atol=1e-12)


@given(vector, vector)
def test_the_up_of_a_frame_is_the_nearest_to_the_one_given(heading, up):
    assume(np.linalg.norm(heading) > 1e-3)
    assume(np.linalg.norm(np.cross(heading, up)) > 1e-3)
    across = up - (up @ heading) / (heading @ heading) * heading
    np.testing.assert_allclose(frame(heading, up)[:, 2], across / np.linalg.norm(across), atol=1e-6)


@pytest.mark.parametrize("up", [np.zeros(3), WORLD_UP, -WORLD_UP, [0, 0, 1e-12]])
@pytest.mark.parametrize("heading", [[0, 0, 1.0], [0, 0, -5.0], [1e-12, 0, 1.0]])
def test_a_vertical_heading_still_has_a_frame(heading, up):
    found = frame(np.array(heading), np.asarray(up, float))
    np.testing.assert_allclose(found.T @ found, np.eye(3), atol=1e-9)
    assert np.linalg.det(found) == pytest.approx(1.0)


def test_frames_of_a_batch_with_one_lost_row_leave_the_others_alone():
    heading = np.array([[1.0, 0, 0], [0, 0, 1], [0, 2, 0]])
    together = frame(heading, WORLD_UP)
    np.testing.assert_array_equal(together[[0, 2]], frame(heading[[0, 2]], WORLD_UP))
    np.testing.assert_allclose(together[0], np.eye(3))


def test_slerp_goes_the_short_way_at_a_steady_rate():
    first, a = random_rotations(60, 5)
    second, b = random_rotations(60, 6)
    share = np.random.default_rng(7).uniform(0, 1, 60)
    step = (second * first.inv()).as_rotvec()  # the short way, angle at most pi
    expected = Rotation.from_rotvec(step * share[:, None]) * first
    np.testing.assert_allclose(
        matrix_from_quaternion(slerp(a, b, share)), expected.as_matrix(), atol=1e-7
    )
    np.testing.assert_allclose(angle_between(slerp(a, b, np.zeros(60)), a), 0.0, atol=1e-7)
    np.testing.assert_allclose(angle_between(slerp(a, b, np.ones(60)), b), 0.0, atol=1e-7)
    np.testing.assert_allclose(slerp(a, a, share), a, atol=1e-12)


def test_slerp_between_almost_equal_rotations_is_finite():
    _, a = random_rotations(20, 8)
    for tiny in (0.0, 1e-16, 1e-12, 1e-9):
        b = unit(a + tiny)
        assert np.isfinite(slerp(a, b, np.full(20, 0.3))).all()


def test_angle_between_agrees_with_scipy_also_for_tiny_angles():
    first, a = random_rotations(200, 9)
    second, b = random_rotations(200, 10)
    expected = (second * first.inv()).magnitude()
    np.testing.assert_allclose(angle_between(a, b), expected, atol=1e-12)
    np.testing.assert_allclose(angle_between(a, -b), expected, atol=1e-12)
    for angle in (1e-12, 1e-9, 1e-6, 1e-3, 0.5, 3.0, np.pi):
        turn = np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
        found = angle_between(np.array([1.0, 0, 0, 0]), turn)
        assert found == pytest.approx(angle, rel=1e-4, abs=1e-15)
