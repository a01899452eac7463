import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from rmp3d.behaviors.vehicles import turned

number = st.just(0.0) | st.floats(1e-6, 5) | st.floats(-5, -1e-6)
vector = st.tuples(number, number, number).map(np.array)


def angle(a, b):
    return np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)


@given(vector, vector, st.floats(0.0, 4.0))
def test_a_heading_turns_by_no_more_than_allowed_and_towards_what_is_wanted(heading, wanted, most):
    assume(np.linalg.norm(heading) > 1e-3)
    assume(np.linalg.norm(wanted) > 1e-3)
    heading = heading / np.linalg.norm(heading)
    found = turned(heading[None], wanted[None], np.array([most]))[0]
    gap = angle(heading, wanted)
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-12)
    assert angle(heading, found) == pytest.approx(min(most, gap), abs=1e-7)
    assert angle(found, wanted) == pytest.approx(gap - min(most, gap), abs=1e-7)


def test_nothing_wanted_keeps_the_heading():
    heading = np.array([[0.6, 0.8, 0.0]])
    np.testing.assert_allclose(turned(heading, np.zeros((1, 3)), np.ones(1)), heading, atol=1e-15)


def test_an_opposite_one_turns_to_the_left():
    heading = np.array([[1.0, 0, 0], [0, 0, 1]])
    found = turned(heading, -2.0 * heading, np.array([0.5, 0.5]))
    np.testing.assert_allclose(found[0], [np.cos(0.5), np.sin(0.5), 0], atol=1e-12)
    np.testing.assert_allclose(found[1] @ heading[1], np.cos(0.5))
    for _ in range(10):
        heading = turned(heading, np.array([[-1.0, 0, 0], [0, 0, -1]]), np.array([0.5, 0.5]))
    np.testing.assert_allclose(heading, [[-1, 0, 0], [0, 0, -1]], atol=1e-9)


def test_it_is_the_rotation_about_the_axis_across_both():
    rng = np.random.default_rng(1)
    heading, wanted = rng.normal(size=(2, 40, 3))
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    most, share = rng.uniform(0, 2, 40), rng.uniform(0, 1, 40)
    axis = np.cross(heading, wanted)
    gap = np.arctan2(np.linalg.norm(axis, axis=1), (heading * wanted).sum(axis=1))
    axis *= (np.minimum(share * gap, most) / np.linalg.norm(axis, axis=1))[:, None]
    expected = Rotation.from_rotvec(axis).apply(heading)
    np.testing.assert_allclose(turned(heading, wanted, most, share), expected, atol=1e-12)


def test_rows_are_independent_and_none_is_fine():
    rng = np.random.default_rng(0)
    heading = rng.normal(size=(9, 3))
    heading /= np.linalg.norm(heading, axis=1, keepdims=True)
    wanted, most = rng.normal(size=(9, 3)), rng.uniform(0, 2, 9)
    wanted[3] = -heading[3]
    wanted[5] = 0.0
    together = turned(heading, wanted, most)
    for row in range(9):
        alone = turned(heading[[row]], wanted[[row]], most[[row]])
        np.testing.assert_allclose(alone[0], together[row], atol=1e-14)
    assert turned(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0)).shape == (0, 3)
