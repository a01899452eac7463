"""Units that files state, that scenarios state in their place, and that nobody states."""

import re
import zipfile

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.models.loading import load_character
from rmp3d.scenes import Scene, SceneDescription
from rmp3d.scenes.meshes import read_mesh_file

BOX = (4.0, 2.0, 1.0)


def crate(tmp_path, suffix, unit=None):
    """Write a box of BOX units, and the unit into the file."""
    path = tmp_path / f"crate{suffix}"
    mesh = trimesh.creation.box(extents=BOX)
    if suffix != ".zae":
        mesh.export(path)
    if suffix == ".dae" and unit is not None:
        text = path.read_text()
        assert "<asset>" in text
        path.write_text(text.replace("<asset>", f"<asset>{unit}"))
    if suffix == ".zae":
        crate(tmp_path, ".dae", unit)
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(tmp_path / "crate.dae", "inner/crate.dae")
    if suffix == ".3mf":
        rewrite_unit(path, unit)
    return path


def rewrite_unit(path, unit):
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            stated = b"" if unit is None else b'unit="' + unit.encode() + b'"'
            archive.writestr(name, data.replace(b'unit="millimeter"', stated))


INCH = '<unit name="inch" meter="0.0254"/>'


@pytest.mark.parametrize(
    ("suffix", "stated", "unit"),
    [
        (".dae", INCH, 0.0254),
        (".dae", "<unit meter='0.01'  name='centimeter' />", 0.01),
        (".dae", '<unit name="meter"/>', 1.0),
        (".zae", INCH, 0.0254),
        (".3mf", "inch", 0.0254),
        (".3mf", "millimeter", 0.001),
        (".3mf", None, 0.001),
        (".glb", None, 1.0),
        (".stl", None, 1.0),
        (".obj", None, 1.0),
    ],
)
def test_a_scene_has_the_unit_of_its_file(tmp_path, suffix, stated, unit):
    path = crate(tmp_path, suffix, stated)
    extents = np.sort(np.ptp(Scene.from_mesh(path).bounds, axis=0))
    assert extents == pytest.approx(unit * np.sort(BOX), rel=1e-6)


def test_scale_replaces_the_unit_of_the_file(tmp_path):
    path = crate(tmp_path, ".dae", INCH)
    old = Scene.from_mesh(path, scale=0.0254)
    assert old.hash == Scene.from_mesh(path).hash, "scenarios that state the inch stay the same"
    assert old.notes == ()
    meters = Scene.from_mesh(path, scale=1.0)
    assert np.ptp(meters.bounds, axis=0).max() == pytest.approx(4.0)
    assert meters.notes == ("crate.dae: its unit is the inch, but `scale = 1` is used instead",)


def test_files_of_different_units_stand_beside_each_other(tmp_path):
    files = [crate(tmp_path, ".dae", INCH), crate(tmp_path, ".glb")]
    inch, meter = Scene.described(SceneDescription(mesh=[str(file) for file in files])).parts
    ratio = np.ptp(inch.mesh.bounds, axis=0).max() / np.ptp(meter.mesh.bounds, axis=0).max()
    assert ratio == pytest.approx(0.0254)


def test_a_scene_says_which_unit_its_file_has_and_how_large_it_is(tmp_path):
    (note,) = Scene.from_mesh(crate(tmp_path, ".dae", INCH), up="z").notes
    assert note == "crate.dae: its unit is the inch (0.0254 m), so it is 0.102 x 0.0508 x 0.0254 m"


@pytest.mark.parametrize(
    ("factor", "scale"), [(1000.0, "0.01"), (10_000.0, "0.001"), (0.005, "1000")]
)
def test_a_size_out_of_sense_in_a_file_without_unit_is_doubted(tmp_path, factor, scale):
    path = tmp_path / "hall.stl"
    trimesh.creation.box(extents=factor * np.array(BOX)).export(path)
    (note,) = Scene.from_mesh(path).notes
    assert "which the file does not say" in note
    assert f"`scale = {scale}`" in note
    assert Scene.from_mesh(path, scale=float(scale)).notes == ()


@pytest.mark.parametrize("size", [0.5, 4.0, 900.0, 5000.0])
def test_a_usual_size_is_not_doubted(tmp_path, size):
    path = tmp_path / "hall.obj"
    trimesh.creation.box(extents=(size, size, size / 60)).export(path)
    assert Scene.from_mesh(path).notes == ()


def test_decimal_commas_of_a_writer_are_read(tmp_path):
    path = crate(tmp_path, ".dae", '<unit meter="0.01"/>')
    path.write_text(re.sub(r"(?<=\d)\.(?=\d)", ",", path.read_text()))
    assert 'meter="0,01"' in path.read_text()
    assert np.sort(np.ptp(Scene.from_mesh(path).bounds, axis=0)) == pytest.approx(
        [0.01, 0.02, 0.04]
    )


def test_a_mesh_whose_material_is_missing_is_not_left_out(tmp_path):
    path = crate(tmp_path, ".dae")
    text = path.read_text()
    target = re.search(r'target="#?([^"]+)"', text)
    assert target, "the file has a material"
    path.write_text(text.replace(target[0], 'target="#lost"'))
    scene = Scene.from_mesh(path)
    assert sum(len(part.mesh.faces) for part in scene.parts) == 12
    assert any(f"`lost`: no such material is in the file; `{target[1]}`" in n for n in scene.notes)


@pytest.mark.parametrize("stated", ["0", "-1", "nan", "1e300", "yard", "1,2,3"])
def test_a_unit_that_is_no_length_is_refused(tmp_path, stated):
    path = crate(tmp_path, ".dae", f'<unit meter="{stated}"/>')
    with pytest.raises(InputError, match=rf'crate\.dae.*<unit meter="{stated}">.*not a length'):
        read_mesh_file(path)


def test_an_unknown_unit_of_3mf_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"its unit is `yard`; 3MF knows micron, millimeter"):
        read_mesh_file(crate(tmp_path, ".3mf", "yard"))


def test_a_character_has_the_unit_of_its_file(tmp_path):
    crate(tmp_path, ".dae", '<unit meter="0.1"/>')
    (tmp_path / "cart.toml").write_text(
        'mesh = "crate.dae"\nup = "z"\n[body]\nradius = 0.5\ncapsule_axis = [0.0, 0.0]\n'
        '[vehicle]\nkind = "flying"\nmass = 50.0\nmax_speed = 1.0\ncruise_speed = 1.0\n'
        "max_force = 100.0\nmax_turn_rate = 90.0\n"
    )
    mesh = load_character(tmp_path / "cart.toml").mesh
    assert np.ptp(mesh.bounds, axis=0) == pytest.approx([0.4, 0.2, 0.1])


def test_a_built_in_scene_of_an_older_recording_states_the_scale_that_changes_nothing():
    old = Scene.described(SceneDescription(name="parking", scale=1.0))
    assert old.hash == Scene.load("parking").hash
    with pytest.raises(InputError, match=r"`scene\.scale`: cannot be given with `name`"):
        Scene.described(SceneDescription(name="parking", scale=2.0))
