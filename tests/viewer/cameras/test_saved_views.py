"""Views beside a file: written, read, and refused in words."""

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.rig import is_near
from rmp3d.viewer.cameras.saved_views import SUFFIX, SavedViews
from rmp3d.viewer.player.controls import Controls

CAMERA = Camera(target=np.array([1.5, -2.0, 0.25]), azimuth=2.0, elevation=0.3, distance=17.0)


def test_a_view_is_kept_beside_the_file_and_found_again(tmp_path, playback):
    recording = tmp_path / "a.rmp3d"
    SavedViews.beside(recording).keep("7", CAMERA)
    assert (tmp_path / ("a.rmp3d" + SUFFIX)).is_file()
    found = SavedViews.beside(recording)
    assert is_near(found.cameras["7"], CAMERA, 1e-6)
    assert found.cameras["7"].field_of_view == pytest.approx(CAMERA.field_of_view)
    controls = Controls(playback, (800, 400))
    controls.views.load(recording)
    controls.key("7")
    for _ in range(90):
        controls.tick(1 / 30)
    assert is_near(controls.camera, CAMERA, 1e-2)
    controls.key("9")
    assert "no view 9" in controls.message
    controls.key("9", shift=True)
    assert set(SavedViews.beside(recording).cameras) == {"7", "9"}


def test_views_without_a_file_go_to_the_first_one_that_is_saved(tmp_path, playback):
    controls = Controls(playback, (800, 400))
    controls.key("6", shift=True)
    controls.views.load(tmp_path / "b.toml")
    assert list(controls.views.saved.cameras) == ["6"]
    controls.key("8", shift=True)
    assert set(SavedViews.beside(tmp_path / "b.toml").cameras) == {"6", "8"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[6]\ntarget = [0, 0, 0]\n", "azimuth"),
        ("[6]\ntarget = [0, 0]\nazimuth = 1\nelevation = 2\ndistance = 3\n", "target"),
        ("[6]\ntarget = [0, 0, 0]\nazimuth = 1\nelevation = 2\ndistance = -3\n", "distance"),
        ("[1]\ntarget = [0, 0, 0]\n", "`1`"),
        ("6 = 3\n", "table"),
        ("[6\n", "a.rmp3d.views.toml"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_its_key(tmp_path, playback, text, said):
    path = tmp_path / ("a.rmp3d" + SUFFIX)
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        SavedViews.beside(tmp_path / "a.rmp3d")
    assert said in str(caught.value)
    assert path.name in str(caught.value)
    controls = Controls(playback, (800, 400))
    controls.views.load(tmp_path / "a.rmp3d")
    assert path.name in controls.message
    controls.key("6", shift=True)
    assert path.read_text() == text, "what cannot be read is not replaced"
