"""Frames that are read when they are looked at: the same numbers as an array, nearest first."""

import time

import numpy as np
import pytest

from rmp3d.viewer.playback.stored_frames import FrameLoader, StoredFrames

WHOLE = np.random.default_rng(0).normal(size=(23, 7, 3))


def stored(kept=3, read=None):
    """Return `WHOLE` in blocks of 4 frames, and the list of blocks that are read."""
    blocks = []

    def reading(start, stop):
        blocks.append(start // 4)
        return WHOLE[start:stop].copy()

    return StoredFrames(WHOLE.shape, read or reading, block=4, kept=kept), blocks


@pytest.mark.parametrize(
    "rows",
    [
        0, -1, (5, 2), (5, np.array([1, 3])), (5, slice(2, 4)),
        slice(None), slice(3, 3), slice(2, 17, 3), (slice(1, 9), 4), (slice(1, 9), slice(None), 2),
        np.array([22, 0, 5, 5]), np.zeros(0, int), (np.arange(23), 6), (np.array([9, 1]), slice(2)),
        (np.array([20, 2, 3]), np.array([0, 6, 1])), (np.array([3, 2]), np.array([1, 1]), 0),
    ],
)  # fmt: skip
def test_rows_are_those_of_the_array(rows):
    frames, _ = stored()
    np.testing.assert_array_equal(frames[rows], WHOLE[rows])
    assert frames.shape == WHOLE.shape
    assert len(frames) == len(WHOLE)
    np.testing.assert_array_equal(np.asarray(frames), WHOLE)


def test_a_block_is_read_once_and_the_furthest_ones_are_let_go():
    frames, blocks = stored(kept=2)
    for frame in (0, 3, 1, 4, 7, 2):
        frames[frame]
    assert blocks == [0, 1]
    frames[20]
    frames[18]
    assert frames.read_blocks == {4, 5}


def test_what_is_near_is_read_first_and_no_more_than_is_kept():
    frames, blocks = stored(kept=4)
    loader = FrameLoader([frames], group=2)  # a key frame begins blocks 0, 2, 4
    loader._wish = 13 // 4
    while (block := loader.next_block()) is not None:
        loader.load(block)
    assert blocks == [2, 3, 4, 5]
    assert loader.known(13) == (8, 23)


def test_until_a_frame_is_read_the_nearest_one_is_shown():
    frames, _ = stored(kept=6)
    frames[9]
    loader = FrameLoader([frames], group=1)
    loader._begin = lambda: None  # nothing is read meanwhile
    assert [loader.ready(frame) for frame in (0, 8, 11, 12, 22)] == [8, 8, 11, 11, 11]


def test_the_thread_reads_what_is_wished_for():
    frames, _ = stored(kept=6)
    loader = FrameLoader([frames], group=1)
    for frame in (21, 2):
        end = time.monotonic() + 60.0
        loader.ready(frame)
        while (first := loader.known(frame)[0]) and frames.read_blocks < {*range(6)}:
            assert time.monotonic() < end
            time.sleep(0.001)
    assert first == 0
    assert loader.ready(2) == 2
    loader.close()
    assert not loader._thread.is_alive()


def test_who_wishes_for_frames_of_a_damaged_file_is_told():
    def damaged(start, stop):
        raise OSError("cut off")

    frames, _ = stored(read=damaged)
    loader = FrameLoader([frames], group=1)
    loader.ready(0)
    loader._thread.join()
    with pytest.raises(OSError, match="cut off"):
        loader.ready(0)
