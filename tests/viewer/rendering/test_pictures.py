import numpy as np
import pytest
from PIL import Image

from rmp3d.geometry import InputError
from rmp3d.viewer import Camera, named_camera, save_picture
from rmp3d.viewer.playback.bounds import member_bounds


def test_a_picture_is_saved_for_every_named_camera(opengl, playback, tmp_path):
    for name in ("iso", "top", "group", "follow:2"):
        path = tmp_path / f"{name.replace(':', '-')}.png"
        save_picture(playback, path, 5.0, name, (320, 180))
        picture = np.asarray(Image.open(path))
        assert picture.shape == (180, 320, 3)
        assert picture.std() > 5.0


def test_unknown_camera_format_and_folder_are_refused(opengl, playback, tmp_path):
    with pytest.raises(InputError, match="no camera named `side`"):
        save_picture(playback, tmp_path / "a.png", 0.0, "side")
    with pytest.raises(InputError, match="there are 9 members"):
        save_picture(playback, tmp_path / "a.png", 0.0, "follow:9")
    with pytest.raises(InputError, match=r"\.xyz"):
        save_picture(playback, tmp_path / "a.xyz", 0.0, "iso")
    with pytest.raises(InputError, match="cannot be written"):
        save_picture(playback, tmp_path / "no" / "a.png", 0.0, Camera(), (16, 16))


def test_group_camera_has_all_members_in_the_picture(playback):
    camera = named_camera("group", playback, 7.0, 16 / 9)
    box = member_bounds(playback, playback.pose(7.0))
    corners = np.array([[x, y, z] for x in box[:, 0] for y in box[:, 1] for z in box[:, 2]])
    pixel, depth = camera.project(corners, (1600, 900))
    assert (depth > 0).all()
    assert ((pixel > 0) & (pixel < [1600, 900])).all()


def test_follow_camera_looks_along_the_heading(playback):
    camera = named_camera("follow:4", playback, 10.0, 16 / 9)
    ahead = playback.pose(10.0).position[4] + [5.0, 0, 1]
    assert camera.eye[0] < playback.pose(10.0).position[4, 0]
    assert camera.project(ahead, (1600, 900))[0][0, 0] == pytest.approx(800, abs=30)
