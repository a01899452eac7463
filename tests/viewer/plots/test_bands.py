"""Pictures of formations along a path, and how far they reach."""

import numpy as np
import pytest
from PIL import Image

from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.plots.bands import colors_of, extents, stretches
from rmp3d.viewer.plots.maps import save_map
from rmp3d.viewer.plots.profiles import save_profile

STATION = np.linspace(0.0, 20.0, 41)


@pytest.fixture
def plan():
    """Three abreast, two in file from 8 to 14 m, three abreast; along +x from the origin."""
    choice = np.where((STATION >= 8.0) & (STATION < 14.0), 1, 0)
    line = [[0, 0, 0], [0, 2, 0], [0, -1, 0]]
    file = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    axes = np.tile(np.eye(3), (len(STATION), 1, 1))
    return {
        "station": STATION,
        "position": np.stack([STATION, 0 * STATION, 0 * STATION], axis=1),
        "left": axes[:, 1],
        "up": axes[:, 2],
        "room_left": np.full(len(STATION), 2.5),
        "room_right": np.full(len(STATION), 2.5),
        "choice": choice,
        "formation": np.array(["line", "column", "arrow"], "S32"),
        "slots": np.array([line, file, line], float),
        "radius": np.array([0.3]),
    }


def test_stretches_are_runs_of_one_formation(plan):
    assert stretches(plan) == [(0, 16, "line"), (16, 28, "column"), (28, 41, "line")]
    assert list(colors_of(plan)) == ["line", "column"]


def test_the_width_in_use_is_that_of_the_slots_at_each_length(plan):
    left, right = extents(plan)
    abreast = (STATION < 8.0) | (STATION >= 14.0)
    np.testing.assert_allclose(left, np.where(abreast, 2.3, 0.3))
    np.testing.assert_allclose(right, np.where(abreast, 1.3, 0.3))


def green(picture):
    """Share of pixels in the color of the first formation."""
    pixels = np.asarray(Image.open(picture).convert("RGB"), int)
    return ((pixels[:, :, 1] - pixels[:, :, 0]) > 60).mean()


def test_map_and_profile_show_the_formation(plan, tmp_path):
    mesh = box((0, -4, -0.2), (20, 4, 0))
    floor = Part("floor", "ground", mesh, np.full((len(mesh.faces), 3), 0.6))
    scene = Scene("yard", (floor,), {}, np.array([[0, -4, 0], [20, 4, 3.0]]))
    save_map(tmp_path / "plain.png", scene)
    save_map(tmp_path / "map.png", scene, bands=[plan])
    assert green(tmp_path / "map.png") > green(tmp_path / "plain.png") + 0.1
    ones = np.ones(41)
    for name, shown in (("bare.png", None), ("profile.png", plan)):
        save_profile(tmp_path / name, STATION, ones, ones, ones, radius=0.3, most=3.0, plan=shown)
    assert green(tmp_path / "profile.png") > green(tmp_path / "bare.png") + 0.05
