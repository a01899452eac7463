"""Textures as colors of faces, and what happens to those that are missing or hostile."""

import io
import json
import logging
import struct
import zlib

import numpy as np
import pytest
import trimesh
from PIL import Image

from rmp3d.scenes.formats.pictures import shrunk
from rmp3d.scenes.formats.textures import (
    MAX_PIXELS,
    NamedTextures,
    TextureError,
    Textures,
    find_texture,
)
from rmp3d.scenes.meshes import read_mesh_file

QUADS = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="im"><init_from>{file}</init_from></image></library_images>
<library_effects><effect id="fx"><profile_COMMON>
<newparam sid="su"><surface type="2D"><init_from>im</init_from></surface></newparam>
<newparam sid="sa"><sampler2D><source>su</source></sampler2D></newparam>
<technique sid="t"><lambert><diffuse><texture texture="sa" texcoord="uv"/></diffuse></lambert>
<extra><technique profile="FCOLLADA"><bump><texture texture="sa" texcoord="uv"/></bump>
</technique></extra></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="ma"><instance_effect url="#fx"/></material></library_materials>
<library_geometries><geometry id="ge"><mesh>
<source id="po"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="te"><float_array id="ta" count="12">{uv}</float_array>
<technique_common><accessor source="#ta" count="6" stride="2"><param name="S" type="float"/>
<param name="T" type="float"/></accessor></technique_common></source>
<vertices id="ve"><input semantic="POSITION" source="#po"/></vertices>
<triangles count="2" material="sy"><input semantic="VERTEX" source="#ve" offset="0"/>
<input semantic="TEXCOORD" source="#te" offset="1" set="0"/><p>0 0 1 1 2 2 0 3 2 4 3 5</p>
</triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node id="no"><instance_geometry url="#ge">
<bind_material><technique_common><instance_material symbol="sy" target="#ma">
<bind_vertex_input semantic="uv" input_semantic="TEXCOORD" input_set="0"/></instance_material>
</technique_common></bind_material></instance_geometry></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#vs"/></scene></COLLADA>"""
RED_LEFT_BLUE_RIGHT = "0.1 0.1 0.3 0.1 0.3 0.4 0.6 0.1 0.9 0.1 0.9 0.4"


def two_colors():
    """Red on the left, blue on the right."""
    texels = np.zeros((64, 64, 3), np.uint8)
    texels[:, :32, 0] = texels[:, 32:, 2] = 255
    return Image.fromarray(texels)


def document(folder, file="paint.png", uv=RED_LEFT_BLUE_RIGHT):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "quad.dae"
    path.write_text(QUADS.format(file=file, uv=uv))
    return path


def colors_of(path):
    file = read_mesh_file(path)
    return file.parts[0].colors, file.notes


def test_faces_have_the_color_of_their_place_in_the_texture(tmp_path):
    two_colors().save(tmp_path / "paint.png")
    colors, notes = colors_of(document(tmp_path))
    assert colors == pytest.approx(np.array([[1, 0, 0], [0, 0, 1]]), abs=0.01)
    assert notes == ()


@pytest.mark.parametrize("seed", range(5))
def test_a_color_is_the_mean_of_the_texels_of_a_face(seed):
    rng = np.random.default_rng(seed)
    texels = rng.uniform(0, 255, (16, 16, 3)).astype(np.uint8)
    image = Image.fromarray(texels).resize((256, 256), Image.Resampling.BICUBIC)
    places = rng.uniform(-1.0, 2.0, (3, 2))
    (found,) = Textures().mean_colors(image, places[None])
    share = np.sort(rng.uniform(size=(20_000, 2)), axis=1)  # uniform in the triangle
    share = np.column_stack([share[:, 0], share[:, 1] - share[:, 0], 1.0 - share[:, 1]])
    u, v = (share @ places).T
    pixels = np.asarray(image, float) / 255.0
    mean = pixels[np.floor(-v * 256).astype(int) % 256, np.floor(u * 256).astype(int) % 256]
    assert found == pytest.approx(mean.mean(axis=0), abs=0.04)


def test_see_through_texels_do_not_count():
    texels = np.zeros((8, 8, 4), np.uint8)
    texels[:, :2] = (0, 255, 0, 255)  # leaves; the rest is clear and black
    corners = np.array([[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]])
    (found,) = Textures().mean_colors(Image.fromarray(texels), corners)
    assert found == pytest.approx([0.0, 1.0, 0.0], abs=0.01)


def test_a_gltf_file_has_its_textures_and_factors(tmp_path):
    crate = trimesh.creation.box()
    uv = np.tile([0.2, 0.5], (len(crate.vertices), 1))
    material = trimesh.visual.material.PBRMaterial(
        baseColorTexture=two_colors(), baseColorFactor=[1.0, 1.0, 1.0, 1.0]
    )
    crate.visual = trimesh.visual.TextureVisuals(uv=uv, material=material)
    crate.export(tmp_path / "crate.glb")
    colors, _ = colors_of(tmp_path / "crate.glb")
    assert colors == pytest.approx(np.tile([1.0, 0.0, 0.0], (12, 1)), abs=0.01)


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("paint.png", "C:\\Users\\me\\textures\\paint.png"),
        ("textures/paint.png", "paint.png"),
        ("PAINT.PNG", "paint.png"),
        ("../materials/textures/paint.png", "paint.png"),
        ("../materials/textures/Paint.png", "file:///textures/paint.png"),
        ("../materials/textures/paint.png", "../materials/textures/paint.png"),
        ("wall paint.png", "wall%20paint.png"),
    ],
)
def test_textures_are_found_in_the_usual_places(tmp_path, place, named):
    folder = tmp_path / "model" / "meshes"
    path = document(folder, named)
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    two_colors().save(folder / place)
    colors, notes = colors_of(path)
    assert notes == ()
    assert colors == pytest.approx(np.array([[1, 0, 0], [0, 0, 1]]), abs=0.01)


def test_a_texture_far_away_is_not_opened(tmp_path):
    folder = tmp_path / "model" / "meshes"
    document(folder)
    two_colors().save(tmp_path / "paint.png")
    (folder / "link.png").symlink_to(tmp_path / "paint.png")
    for name in ("../../paint.png", str(tmp_path / "paint.png"), "link.png", "paint\0.png", ""):
        with pytest.raises(TextureError, match="is not found"):
            find_texture(folder, name)


def test_a_missing_texture_is_one_line_that_names_it(tmp_path, capfd):
    logging.getLogger("trimesh").setLevel(logging.WARNING)
    colors, notes = colors_of(document(tmp_path, "gone.jpg"))
    assert notes == ("the texture `gone.jpg` is not found; its faces are drawn without it",)
    assert colors == pytest.approx(np.full((2, 3), 0.7), abs=0.01)
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


def huge_png(side):
    """A PNG whose header says that it is a square of so many pixels a side."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (huge_png(9000), r"has 9000 x 9000 pixels, more than 67,108,864"),
        (huge_png(60_000), r"cannot be read"),
        (b"no picture", r"cannot be read"),
        (b"", r"cannot be read"),
    ],
)
def test_hostile_pictures_are_not_opened(tmp_path, data, reason):
    (tmp_path / "paint.png").write_bytes(data)
    colors, (note,) = colors_of(document(tmp_path))
    assert reason in note
    assert "`paint.png`" in note
    assert np.isfinite(colors).all()


def test_a_damaged_picture_inside_a_file_is_a_note(tmp_path):
    file = io.BytesIO()
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    Image.fromarray(noise).save(file, "PNG")
    (tmp_path / "paint.png").write_bytes(file.getvalue()[:2000])
    _, (note,) = colors_of(document(tmp_path))
    assert note == "a texture of `ge` is damaged; it is drawn without it"


def test_many_large_pictures_are_not_all_decoded(monkeypatch):
    monkeypatch.setattr("rmp3d.scenes.formats.textures.MAX_PIXELS_OF_ALL", 10_000)
    textures, corners = Textures(), np.array([[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]])
    textures.mean_colors(two_colors(), corners)
    textures.mean_colors(two_colors(), corners)
    with pytest.raises(TextureError, match=r"beyond the 10,000 pixels"):
        textures.mean_colors(two_colors(), corners)
    assert MAX_PIXELS == 2**26


def test_coordinates_that_are_no_numbers_do_no_harm():
    corners = np.array([[[np.nan, 0.0], [1e300, 0.0], [-np.inf, 1.0]]])
    assert np.isfinite(Textures().mean_colors(two_colors(), corners)).all()


def test_json_is_not_needed_for_an_embedded_picture(tmp_path):
    """A glTF file with a data URI that is no picture is read, without its texture."""
    crate = trimesh.creation.box()
    crate.visual = trimesh.visual.TextureVisuals(
        uv=np.zeros((8, 2)),
        material=trimesh.visual.material.PBRMaterial(baseColorTexture=two_colors()),
    )
    for name, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene(crate)).items():
        (tmp_path / name).write_bytes(data)
    table = json.loads((tmp_path / "model.gltf").read_text())
    table["images"] = [{"uri": "data:image/png;base64,AAAA"}]
    (tmp_path / "model.gltf").write_text(json.dumps(table))
    assert len(read_mesh_file(tmp_path / "model.gltf").parts[0].mesh.faces) == 12


QUAD_OBJ = """mtllib paint.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0.1 0.1
vt 0.4 0.1
vt 0.4 0.4
vt 0.1 0.4
vt 0.6 0.1
vt 0.9 0.1
vt 0.9 0.4
usemtl wall
f 1/1 2/2 3/3 4/4
usemtl plain
f 1 3 2
usemtl wall
f 2/-3 3/-2/7 4/-1
f 1//1 2//1 4//1
"""


def test_an_obj_file_has_the_textures_of_its_materials(tmp_path):
    (tmp_path / "textures").mkdir()
    two_colors().save(tmp_path / "textures" / "two tones.png")
    (tmp_path / "paint.mtl").write_text(
        "newmtl wall\nKd 0 0 0\nmap_Kd -s 1 1 1 -clamp on C:\\art\\two tones.png\n"
        "newmtl plain\nKd 0 1 0\n"
    )
    (tmp_path / "quad.obj").write_text(QUAD_OBJ)
    colors, notes = colors_of(tmp_path / "quad.obj")
    red, green, blue = np.eye(3)
    assert colors == pytest.approx(np.array([red, red, green, blue, 0 * red]), abs=0.01)
    assert notes == ()
    (tmp_path / "textures" / "two tones.png").unlink()
    colors, notes = colors_of(tmp_path / "quad.obj")
    assert notes == (
        "the texture `C:\\art\\two tones.png` is not found; its faces are drawn without it",
    )


def test_textures_follow_the_corners_of_cut_polygons(tmp_path):
    """A concave polygon on a texture that is the plane itself: each face has its own place."""
    rng = np.random.default_rng(1)
    texels = rng.uniform(0, 255, (4, 4, 3)).astype(np.uint8)
    image = Image.fromarray(texels).resize((64, 64), Image.Resampling.BILINEAR)
    image.save(tmp_path / "map.png")
    angle = np.linspace(0, 2 * np.pi, 11)[:-1]
    star = 0.5 + np.column_stack([np.cos(angle), np.sin(angle)]) * np.where(
        np.arange(10) % 2, 0.2, 0.5
    ).reshape(-1, 1)
    lines = ["mtllib map.mtl", "usemtl m"]
    lines += [f"v {x} {y} 0\nvt {x} {y}" for x, y in star]
    lines += ["f " + " ".join(f"{i}/{i}" for i in range(1, 11))]
    (tmp_path / "map.mtl").write_text("newmtl m\nmap_Kd map.png\n")
    (tmp_path / "star.obj").write_text("\n".join(lines))
    part = read_mesh_file(tmp_path / "star.obj").parts[0]
    places = part.mesh.triangles[:, :, :2]
    expected = Textures().mean_colors(image, places)
    assert part.colors == pytest.approx(expected, abs=0.02)
    assert len(part.colors) == 8


def test_many_missing_textures_are_one_line(tmp_path):
    count = 9
    (tmp_path / "many.mtl").write_text(
        "".join(f"newmtl m{row}\nmap_Kd gone{row}.png\n" for row in range(count))
    )
    lines = "".join(f"usemtl m{row}\nf 1/1 2/1 {3 + row}/1\n" for row in range(count))
    points = "".join(f"v {row} {row * row} 0\n" for row in range(count + 2))
    (tmp_path / "many.obj").write_text(f"mtllib many.mtl\nvt 0 0\n{points}{lines}")
    _, notes = colors_of(tmp_path / "many.obj")
    assert notes == (
        "each of 9 textures is not found (`gone0.png`, `gone1.png`, `gone2.png`, ...); their "
        "faces are drawn without",
    )


AC3D = """AC3Db
MATERIAL "" rgb 0 1 0 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 0 trans 0
OBJECT world
kids 2
OBJECT poly
name "quad"
texture "paint.png"
texture "dirt.png"
texrep 0.5 1
texoff 0.05 0
numvert 4
0 0 0
1 0 0
1 1 0
0 1 0
numsurf 2
SURF 0x20
mat 0
refs 4
0 0.1 0.1
1 0.6 0.1
2 0.6 0.4
3 0.1 0.4
SURF 0x24
mat 0
refs 3
0 1.3 0.1
1 1.6 0.1
3 1.6 0.4
kids 0
OBJECT poly
name "plain"
numvert 3
0 0 2
1 0 2
1 1 2
numsurf 1
SURF 0x20
mat 0
refs 3
0 0 0
1 0 0
2 0 0
kids 0
"""


def test_an_ac3d_object_has_its_first_texture(tmp_path):
    two_colors().save(tmp_path / "paint.png")
    (tmp_path / "quad.ac").write_text(AC3D)
    quad, plain = read_mesh_file(tmp_path / "quad.ac").parts
    red, green, blue = np.eye(3)
    assert quad.colors == pytest.approx(np.array([red, red, blue]), abs=0.01)
    assert plain.colors == pytest.approx(green[None])
    (tmp_path / "paint.png").unlink()
    file = read_mesh_file(tmp_path / "quad.ac")
    assert file.notes == ("the texture `paint.png` is not found; its faces are drawn without it",)
    assert file.parts[0].colors == pytest.approx(np.tile(green, (3, 1)))


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "P", "RGB with a color that is no color"])
def test_a_large_picture_gets_its_opacity_when_it_is_small(mode, monkeypatch):
    noise = np.random.default_rng(1).integers(0, 256, (96, 64, 3), np.uint8)
    image = Image.fromarray(noise, "RGB").convert(mode.split()[0])
    if mode.startswith("RGB with"):
        image.info["transparency"] = tuple(noise[0, 0].tolist())
    wanted = image.convert("RGBA").resize((32, 16), Image.Resampling.BOX)
    copied, usual = [], Image.Image.convert

    def convert(self, *words):
        copied.append((self.size, words[0]))
        return usual(self, *words)

    monkeypatch.setattr(Image.Image, "convert", convert)
    assert shrunk(image, (32, 16)).tobytes() == wanted.tobytes()
    assert (((64, 96), "RGBA") in copied) == (mode not in ("RGB", "L", "RGBA"))


def test_of_several_large_textures_one_at_a_time_is_decoded(tmp_path):
    textures = NamedTextures(tmp_path)
    colors, places = np.ones((1, 3)), np.array([[[0.1, 0.1], [0.3, 0.1], [0.3, 0.4]]])
    for name in ("one.png", "two.png"):
        two_colors().save(tmp_path / name)
    for row, name in enumerate(("one.png", "two.png", "one.png")):
        assert textures.painted(colors, places, name) == pytest.approx(np.array([[1.0, 0.0, 0.0]]))
        assert textures.rows(places, name).tolist() == [row % 2]
        with pytest.raises(ValueError, match="closed image"):
            textures._images[name].getpixel((0, 0))
    assert len(textures.pictures.encoded) == 2


def test_of_the_pictures_of_a_gltf_file_one_at_a_time_is_decoded(tmp_path, monkeypatch):
    scene, uv = trimesh.Scene(), np.array([[0.1, 0.1], [0.3, 0.1], [0.3, 0.4]])
    for k, side in enumerate((64, 65, 66, 67)):
        picture = Image.new("RGB", (side, side), (255, 0, 0))
        material = trimesh.visual.material.PBRMaterial(baseColorTexture=picture)
        visual = trimesh.visual.TextureVisuals(uv=uv, material=material)
        corners = np.array([[0, 0, k], [1, 0, k], [0, 1, k]], float)
        scene.add_geometry(trimesh.Trimesh(corners, [[0, 1, 2]], visual=visual, process=False))
    (tmp_path / "many.glb").write_bytes(scene.export(file_type="glb"))
    open_at_once, kept = [], Textures._of

    def counted(self, image):
        found = kept(self, image)
        open_at_once.append(len(self._small))
        return found

    monkeypatch.setattr(Textures, "_of", counted)
    read_mesh_file(tmp_path / "many.glb")
    assert open_at_once == [1, 1, 1, 1]
