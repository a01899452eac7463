import sys
import warnings

import numpy as np
import pytest
from PIL import Image

from rmp3d.geometry import InputError
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer import save_map


def test_map_of_scene_roadmap_and_path(playback, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    rng = np.random.default_rng(0)
    nodes = np.c_[rng.uniform([-15, -7], [15, 7], (40, 2)), np.zeros(40)]
    edges = np.array([[0, 1], [2, 3]])
    path = tmp_path / "map.png"
    save_map(
        path,
        playback.scene,
        nodes=nodes,
        edges=edges,
        component=np.arange(40) % 3,
        rejected=nodes[:5],
        paths=playback.paths,
        start=nodes[0],
        goal=nodes[1],
        title="yards",
    )
    picture = np.asarray(Image.open(path).convert("RGB"))
    assert picture.shape[1] > 1.4 * picture.shape[0]  # the scene is twice as wide as deep
    blue = (picture[:, :, 2].astype(int) - picture[:, :, 0]) > 120
    assert blue.any(axis=0).mean() > 0.4  # the path runs through the middle
    assert "matplotlib.pyplot" not in sys.modules


def test_map_of_a_scene_alone_and_without_nodes(playback, tmp_path):
    save_map(tmp_path / "a.svg", playback.scene, nodes=np.empty((0, 3)))
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


def test_wrong_arrays_and_formats_are_refused(playback, tmp_path):
    with pytest.raises(ValueError, match=r"`nodes` must have shape \(M, 3\)"):
        save_map(tmp_path / "a.png", playback.scene, nodes=np.zeros((4, 2)))
    with pytest.raises(InputError, match="cannot be written"):
        save_map(tmp_path / "no" / "a.png", playback.scene)
    with pytest.raises(InputError, match=r"its ending must be \.png, \.svg or \.pdf"):
        save_map(tmp_path / "a.xyz", playback.scene)


@pytest.mark.parametrize("role", ["obstacle", None])
def test_walls_of_the_floor_s_color_are_darker_and_outlined(tmp_path, role):
    floor, wall = box((-2, -2, -0.1), (2, 2, 0)), box((-0.5, -2, 0), (0.5, 2, 2))
    gray = [np.full((12, 3), 0.7)] * 2
    roles = ("ground", role) if role else ("obstacle", "obstacle")
    parts = tuple(
        Part(name, each, mesh, colors)
        for name, each, mesh, colors in zip("ab", roles, (floor, wall), gray, strict=True)
    )
    bounds = np.array([[-2, -2, 0], [2, 2, 2]])
    scene = Scene("bare", parts, {}, bounds, roles_stated=role is not None)
    save_map(tmp_path / "map.png", scene)
    picture = np.asarray(Image.open(tmp_path / "map.png").convert("L")).astype(int)
    row = picture[picture.shape[0] // 2]
    wide = row[row.size // 6 : -row.size // 6]  # without the axis on the left
    wall_gray, floor_gray = wide[wide.size // 2], wide[wide.size // 6]
    assert wall_gray < floor_gray - 20
    assert wide.min() < wall_gray - 20


def test_a_title_in_letters_that_the_font_lacks_is_drawn_without_a_warning(playback, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_map(tmp_path / "a.png", playback.scene, title="Größe 数")
    assert (tmp_path / "a.png").stat().st_size
