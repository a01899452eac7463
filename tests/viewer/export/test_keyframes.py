import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from rmp3d.geometry import InputError
from rmp3d.geometry.rotations import angle_between, slerp
from rmp3d.viewer.export.keyframes import orientation_keys, position_keys

frame_counts = st.integers(1, 40)


@st.composite
def walks(draw):
    """Positions (T, N, 3) that stand, go on evenly, turn and jump."""
    frames, motions = draw(frame_counts), draw(st.integers(1, 3))
    steps = draw(
        arrays(float, (frames, motions, 3), elements=st.sampled_from([0.0, 0.0, 1.0, -2.0]))
    )
    wobble = draw(arrays(float, (frames, motions, 3), elements=st.floats(-0.02, 0.02)))
    return np.cumsum(steps, axis=0) + wobble


@settings(max_examples=60, deadline=None)
@given(walks(), st.sampled_from([0.001, 0.01, 0.5]))
def test_linear_interpolation_is_within_the_tolerance_at_every_frame(position, tolerance):
    keys = position_keys(position, tolerance=tolerance)
    frames = np.arange(len(position))
    for motion in range(position.shape[1]):
        at, value = keys.of(motion)
        assert at[0] == 0
        assert at[-1] == len(position) - 1
        assert (np.diff(at) > 0).all()
        there = np.column_stack([np.interp(frames, at, axis) for axis in value.T])
        gap = np.linalg.norm(there - position[:, motion], axis=1)
        assert gap.max() <= tolerance * (1 + 1e-9) + 1e-12


@settings(max_examples=60, deadline=None)
@given(
    frame_counts.flatmap(lambda T: arrays(float, (T, 2, 3), elements=st.floats(-2.0, 2.0))),
    st.floats(0.01, 0.5),
)
def test_slerp_is_within_the_tolerance_at_every_frame(vectors, tolerance):
    turns = Rotation.from_rotvec(vectors.reshape(-1, 3)).as_quat(scalar_first=True)
    turns = turns.reshape(len(vectors), 2, 4)
    keys = orientation_keys(turns, tolerance=tolerance)
    for motion in range(2):
        at, value = keys.of(motion)
        row = np.clip(np.searchsorted(at, np.arange(len(turns)), side="right") - 1, 0, None)
        after = np.minimum(row + 1, len(at) - 1)
        share = (np.arange(len(turns)) - at[row]) / np.maximum(at[after] - at[row], 1)
        there = slerp(value[row], value[after], share)
        assert angle_between(there, turns[:, motion]).max() <= tolerance + 1e-9
        assert (np.einsum("ij,ij->i", value[1:], value[:-1]) >= 0).all()


def test_straight_motion_needs_few_keys_and_a_corner_one_more():
    frames = np.arange(400.0)
    straight = np.stack([frames, 2 * frames, 0 * frames], axis=-1)[:, None]
    assert position_keys(straight).of(0)[0].tolist() == [0, 399]
    corner = straight.copy()
    corner[150:, 0, 1] = corner[150, 0, 1]
    assert position_keys(corner).of(0)[0].tolist() == [0, 150, 399]


def test_motions_do_not_depend_on_each_other_or_on_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    position = np.cumsum(rng.normal(size=(700, 5, 3)), axis=0) * 0.02
    together = position_keys(position)
    monkeypatch.setattr("rmp3d.viewer.export.keyframes.BLOCK_ROWS", 1500)
    steps = []
    blocks = position_keys(position, progress=lambda *done: steps.append(done))
    assert steps == [(2, 5), (4, 5), (5, 5)]
    np.testing.assert_array_equal(blocks.frame, together.frame)
    for motion in range(5):
        alone = position_keys(position[:, [motion]])
        np.testing.assert_array_equal(alone.frame, together.of(motion)[0])
    assert (together.motion == np.repeat(np.arange(5), np.diff(together.start))).all()


def test_nobody_has_no_keys():
    keys = position_keys(np.empty((5, 0, 3)))
    assert len(keys.frame) == 0
    assert keys.start.tolist() == [0]
    assert len(orientation_keys(np.empty((5, 0, 4))).frame) == 0


def test_rounding_counts_and_too_coarse_rounding_is_refused():
    rng = np.random.default_rng(1)
    position = np.cumsum(rng.normal(size=(300, 1, 3)), axis=0) * 0.01
    rounded = np.round(position / 0.004) * 0.004
    keys = position_keys(position, rounded, 0.01)
    at, value = keys.of(0)
    np.testing.assert_array_equal(value, rounded[at, 0])
    there = np.column_stack([np.interp(np.arange(300), at, axis) for axis in value.T])
    assert np.linalg.norm(there - position[:, 0], axis=1).max() <= 0.01
    with pytest.raises(InputError, match="cannot store poses"):
        position_keys(position, np.round(position), 0.01)
