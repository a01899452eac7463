"""Pictures on faces: read with their places, kept through cleaning, flipping, placing, the disk."""

from io import BytesIO

import numpy as np
import pytest
import trimesh
from PIL import Image

from rmp3d.scenes import Scene
from rmp3d.scenes.formats import pictures
from rmp3d.scenes.meshes import read_mesh_file
from rmp3d.scenes.paint import NO_PICTURE, Paint

CORNERS = {(0, 0): [200, 0, 0], (3, 0): [0, 200, 0], (0, 3): [0, 0, 200], (3, 3): [200, 200, 0]}


def quarters():
    """Another color in each quarter: lower left red, lower right green, upper left blue."""
    texels = np.zeros((64, 64, 3), np.uint8)
    texels[32:, :32], texels[32:, 32:] = [200, 0, 0], [0, 200, 0]
    texels[:32, :32], texels[:32, 32:] = [0, 0, 200], [200, 200, 0]
    return Image.fromarray(texels)


def square(folder, suffix, picture="paint.png"):
    """A square of 3 m in the plane z = 0 (y = 0 in glTF) with the picture once over all of it."""
    folder.mkdir(exist_ok=True)
    quarters().save(folder / "paint.png")
    path = folder / f"a{suffix}"
    if suffix == ".obj":
        (folder / "a.mtl").write_text(f"newmtl m\nmap_Kd {picture}\n")
        path.write_text(
            "mtllib a.mtl\nv 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
            "usemtl m\nf 1/1 2/2 3/3 4/4\n"
        )
        return path
    if suffix == ".ac":
        path.write_text(
            'AC3Db\nMATERIAL "" rgb 1 1 1 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 0 trans 0\n'
            f'OBJECT world\nkids 1\nOBJECT poly\nname "a"\ntexture "{picture}"\nnumvert 4\n'
            "0 0 0\n3 0 0\n3 0 -3\n0 0 -3\nnumsurf 1\nSURF 0x20\nmat 0\nrefs 4\n"
            "0 0 0\n1 1 0\n2 1 1\n3 0 1\nkids 0\n"
        )
        return path
    mesh = trimesh.Trimesh([[0, 0, 0], [3, 0, 0], [3, 0, -3], [0, 0, -3]], [[0, 1, 2], [0, 2, 3]],
                           process=False)  # fmt: skip
    material = trimesh.visual.material.PBRMaterial(baseColorTexture=quarters())
    uv = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    mesh.visual = trimesh.visual.TextureVisuals(uv=uv, material=material)
    path.write_bytes(trimesh.Scene({"a": mesh}).export(file_type="glb"))
    return path


def seen(part):
    """The color of the picture at each corner of the mesh, by the corner's place in plan."""
    paint = part.paint
    found = {}
    for face, places in zip(part.mesh.triangles, paint.places, strict=True):
        with Image.open(BytesIO(paint.pictures[paint.picture[0]])) as image:
            texels = np.asarray(image.convert("RGB"))[::-1]  # v goes up
        for corner, (u, v) in zip(face, places, strict=True):
            row, column = (min(int(63.9 * max(each, 0.0)), 63) for each in (v, u))
            found[tuple(np.round(corner[:2]).astype(int).tolist())] = texels[row, column].astype(
                int
            )
    return found


@pytest.mark.parametrize("suffix", [".obj", ".ac", ".glb"])
@pytest.mark.parametrize("flip", [False, True])
def test_a_corner_shows_its_place_of_the_picture(tmp_path, suffix, flip):
    path = square(tmp_path / "a", suffix)
    for _ in range(2):  # the second time from the disk, where a format is kept
        (part,) = Scene.from_mesh(path, flip=flip).parts
        assert (part.paint.picture == 0).all()
        for place, color in seen(part).items():
            assert np.abs(color - CORNERS[place]).max() < 30, place


def test_a_missing_picture_is_said_once_and_there_is_no_paint(tmp_path):
    for suffix in (".obj", ".ac"):
        file = read_mesh_file(square(tmp_path / "a", suffix, picture="gone.png"))
        assert file.parts[0].paint is None
        assert [note for note in file.notes if "gone.png" in note] == list(file.notes)
        assert len(file.notes) == 1


def test_pictures_have_a_largest_size_and_number(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "LARGEST_SIDE", 16)
    (part,) = Scene.from_mesh(square(tmp_path / "a", ".obj")).parts
    with Image.open(BytesIO(part.paint.pictures[0])) as image:
        assert image.size == (16, 16)
    monkeypatch.setattr(pictures, "MOST_TEXELS", 100)
    scene = Scene.from_mesh(square(tmp_path / "b", ".obj"))
    assert scene.parts[0].paint is None
    assert any("1 textures are beyond" in note for note in scene.notes)


def test_a_see_through_picture_stays_see_through():
    made = pictures.Pictures()
    image = Image.new("RGBA", (4, 4), (10, 200, 30, 0))
    assert made.row(image) == made.row(image) == 0
    assert made.row(image, np.array([0.5, 0.5, 0.5])) == 1
    with Image.open(BytesIO(made.encoded[1])) as again:
        assert again.getpixel((0, 0)) == (5, 100, 15, 0)
    assert made.row(Image.new("RGB", (1, 1))) == NO_PICTURE


def test_paint_knows_its_faces():
    places = np.arange(18.0).reshape(3, 3, 2)
    paint = Paint((b"x", b"y"), [1, NO_PICTURE, 1], places)
    assert paint.used() == [1]
    assert paint.select([False, True, False]) is None
    np.testing.assert_array_equal(paint.select([2]).places, places[2:])
    np.testing.assert_array_equal(paint.flipped().flipped().places, places)
    with pytest.raises(ValueError, match="picture that is not there"):
        Paint((b"x",), [1], places[:1])
    with pytest.raises(ValueError, match="shape"):
        Paint((b"x",), [0], places)
