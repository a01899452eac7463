import sys
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from rmp3d.geometry import InputError
from rmp3d.viewer import Offscreen, export_playback, named_camera
from rmp3d.viewer.export.film import Film

SMALL = {"size": (192, 108), "fps": 4.0, "start": 2.0, "end": 5.0}


@pytest.fixture
def av():
    return pytest.importorskip("av", reason="PyAV is not installed")


def test_moments_are_even_and_within_the_playback(playback):
    film = Film(fps=10.0, speed=2.0, start=1.0, end=4.0)
    np.testing.assert_allclose(film.times(playback), np.arange(1.0, 4.01, 0.2))
    assert Film(end=1000.0).times(playback)[-1] <= playback.duration
    np.testing.assert_allclose(Film(start=2.0, end=2.0).times(playback), [2.0])
    with pytest.raises(InputError, match=r"`start` is 100 s, after the end at 19\.97 s"):
        Film(start=100.0).times(playback)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("fps", 0.0, "`fps` must be from"),
        ("fps", np.nan, "`fps` must be from"),
        ("speed", -1.0, "`speed` must be from"),
        ("size", (8, 900), "`size` must be from"),
        ("size", (9000, 900), "`size` must be from"),
        ("start", -1.0, "`start` must not be negative"),
        ("end", -1.0, "`end` must not be before"),
    ],
)
def test_values_out_of_range_are_refused(option, value, message):
    with pytest.raises(InputError, match=message):
        Film(**{option: value})


def test_odd_sizes_of_videos_are_refused(playback, tmp_path, av):
    with pytest.raises(InputError, match="must be even, got 641x360"):
        export_playback(playback, tmp_path / "a.mp4", options={"size": (641, 360)})


def test_without_pyav_a_video_is_refused_and_says_what_helps(playback, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(InputError, match=r"needs PyAV.*pip install 'rmp3d\[video\]'"):
        export_playback(playback, tmp_path / "a.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_video_has_the_pictures_in_a_form_that_plays_everywhere(opengl, playback, tmp_path, av):
    steps = []
    export_playback(playback, tmp_path / "a.mp4", lambda *done: steps.append(done), options=SMALL)
    assert steps == [(k, 13) for k in range(1, 14)]
    with av.open(str(tmp_path / "a.mp4")) as video:
        (stream,) = video.streams
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.average_rate == 4
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert len(frames) == 13
    assert frames[0].shape == (108, 192, 3)
    data = (tmp_path / "a.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")  # starts before all of it is there
    camera = named_camera("iso", playback, 2.0, 192 / 108)
    with Offscreen(playback, (192, 108)) as offscreen:
        for time, frame in ((2.0, frames[0]), (5.0, frames[-1])):
            off = frame.astype(int) - offscreen.picture(time, camera)
            assert np.abs(off.mean(axis=(0, 1))).max() < 2.0  # no tint
            assert np.abs(off).mean() < 6.0


@pytest.mark.slow
def test_an_animation_lasts_as_long_and_does_not_flicker(opengl, playback, tmp_path):
    options = {**SMALL, "fps": 6.0, "camera": "top"}
    export_playback(playback, tmp_path / "a.gif", options=options)
    with Image.open(tmp_path / "a.gif") as animation:
        assert animation.size == (192, 108)
        assert animation.info["loop"] == 0
        shown, lasted = [], 0
        for row in range(animation.n_frames):
            animation.seek(row)
            lasted += animation.info["duration"]
            shown.append(np.asarray(animation.convert("RGB"), int))
    assert lasted == pytest.approx(19 / 6.0 * 1000, abs=10)
    assert all((a[:10] == b[:10]).all() for a, b in pairwise(shown))
    assert (shown[0] != shown[-1]).any()


@pytest.mark.slow
def test_an_interrupted_video_leaves_the_older_one(opengl, playback, tmp_path, av):
    (tmp_path / "a.mp4").write_text("older")

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_playback(playback, tmp_path / "a.mp4", stop, options=SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]
    assert (tmp_path / "a.mp4").read_text() == "older"
