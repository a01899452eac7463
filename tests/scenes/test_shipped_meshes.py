"""The meshes in the repository are those that the scripts build, on any CPU."""

import numpy as np
import pytest

from rmp3d.scenes import builtin_folder
from rmp3d.scenes.build.__main__ import NAMES, main
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, turned


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_mesh_is_what_the_script_builds(name, check_same, tmp_path, monkeypatch):
    monkeypatch.setattr("rmp3d.scenes.build.__main__.FOLDER", tmp_path)
    main([name])
    shipped = (builtin_folder(name) / "scene.glb").read_bytes()
    check_same((tmp_path / name / "scene.glb").read_bytes(), shipped)


def off_by_a_bit(function):
    """The function on another machine: for equal arguments equal, but for the last bit."""

    def other(*arguments, **named):
        value = np.asarray(function(*arguments, **named), np.float64)
        bits = np.array(value).view(np.uint64)
        with np.errstate(over="ignore"):
            mixed = (bits + np.uint64(2)) * np.uint64(0x9E3779B97F4A7C15)
        side = (mixed >> np.uint64(40)).astype(int) % 3 - 1
        return np.where(side == 0, value, np.nextafter(value, side * 1e300))[()]

    return other


@pytest.mark.parametrize("name", ["cave", "city", "meadow", "parking", "water_park"])
def test_last_bits_of_the_library_of_mathematics_make_no_other_mesh(
    name, check_same, tmp_path, monkeypatch
):
    monkeypatch.setattr("rmp3d.scenes.build.__main__.FOLDER", tmp_path)
    for function in ("cos", "sin", "hypot", "arctan2", "exp"):
        monkeypatch.setattr(np, function, off_by_a_bit(getattr(np, function)))
    monkeypatch.setattr(np.linalg, "norm", off_by_a_bit(np.linalg.norm))
    main([name])
    monkeypatch.undo()
    shipped = (builtin_folder(name) / "scene.glb").read_bytes()
    check_same((tmp_path / name / "scene.glb").read_bytes(), shipped)


def written(tmp_path, *shapes, color="#336699"):
    model = Model()
    model.add("ground", "#aaaaaa", box((-20.0, -20.0, -1.0), (20.0, 20.0, 0.0)))
    model.add("column", color, *shapes)
    model.write(tmp_path / "a.glb")
    return (tmp_path / "a.glb").read_bytes()


def column(shift=0.0, rolled=0):
    """A column of ten sides, its cap cut from another corner on."""
    mesh = turned([(1.0, 0.0), (0.5, 3.0)], 10, (4.0 + shift, 0.1))
    faces = mesh.faces.copy()
    cap = (faces >= 10).all(axis=1)
    faces[cap] = 10 + (faces[cap] - 10 + rolled) % 10
    return type(mesh)(mesh.vertices, faces)


@pytest.mark.parametrize("same", [column(shift=2e-7), column(rolled=3)])
def test_the_last_bit_of_a_coordinate_makes_no_other_mesh(same, check_same, tmp_path):
    shipped = written(tmp_path, column())
    changed = written(tmp_path, same)
    assert changed != shipped
    check_same(changed, shipped)


def test_another_mesh_is_another_one(check_same, tmp_path):
    shipped, mesh = written(tmp_path, column()), column()
    bent = mesh.vertices.copy()
    bent[12, 2] += 1e-4
    others = [
        written(tmp_path, column(shift=1e-5)),
        written(tmp_path, type(mesh)(bent, mesh.faces)),
        written(tmp_path, type(mesh)(mesh.vertices, mesh.faces[:-1])),
        written(tmp_path, type(mesh)(mesh.vertices, mesh.faces[:, ::-1])),
        written(tmp_path, column(), color="#336698"),
    ]
    for other in others:
        with pytest.raises(AssertionError):
            check_same(other, shipped)
