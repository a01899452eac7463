import json
import struct

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError, Registry
from rmp3d.scenes import read_meshes
from rmp3d.scenes.formats import MESH_FORMATS, RawFile, RawMesh
from rmp3d.scenes.formats.through_trimesh import ThroughTrimesh
from rmp3d.scenes.meshes import checked_meshes, each_file_read_once, read_mesh_file, unique_names

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def box_file(tmp_path, suffix):
    path = tmp_path / f"crate{suffix}"
    trimesh.creation.box(extents=(1, 2, 3)).export(path)
    return path


@pytest.mark.parametrize(
    "suffix", [".obj", ".stl", ".ply", ".off", ".glb", ".gltf", ".dae", ".3mf"]
)
def test_every_format_gives_the_same_closed_box(tmp_path, suffix):
    if suffix == ".gltf":
        for name, data in trimesh.exchange.gltf.export_gltf(
            trimesh.Scene(trimesh.creation.box(extents=(1, 2, 3)))
        ).items():
            (tmp_path / name).write_bytes(data)
        path = tmp_path / "model.gltf"
    else:
        path = box_file(tmp_path, suffix)
    (part,) = read_meshes(path)
    assert part.mesh.bounds == pytest.approx(np.array([[-0.5, -1, -1.5], [0.5, 1, 1.5]]))
    assert part.mesh.is_watertight
    assert len(part.mesh.faces) == 12
    assert len(part.mesh.vertices) == 8
    assert part.colors.shape == (12, 3)


def test_every_promised_suffix_is_one_that_trimesh_reads():
    suffixes = {suffix for suffix in MESH_FORMATS if MESH_FORMATS[suffix] is ThroughTrimesh}
    assert set(MESH_FORMATS) - suffixes == {".ac", ".g", ".obj", ".off", ".ply", ".stl"}
    assert {suffix[1:] for suffix in suffixes} <= trimesh.available_formats()


def test_a_format_is_added_by_registering_its_reader(tmp_path, monkeypatch):
    formats = Registry("mesh format")
    monkeypatch.setattr("rmp3d.scenes.meshes.MESH_FORMATS", formats)
    path = tmp_path / "a.TRI"
    path.write_text("any")
    with pytest.raises(InputError, match="not a known mesh format"):
        read_mesh_file(path)

    @formats.register(".tri")
    class Triangles:
        def read(self, path):
            mesh = RawMesh(path.stem, np.eye(3), np.array([[0, 1, 2]]), np.ones((1, 3)))
            return RawFile([mesh], mesh.vertices, up="y")

    file = read_mesh_file(path)
    assert (file.parts[0].name, file.up, file.vertex_count) == ("a", "y", 3)


def test_a_suffix_without_end_does_not_fill_the_message(tmp_path):
    with pytest.raises(InputError, match="not a known mesh format") as error:
        read_mesh_file(tmp_path / ("a." + "s" * 5000))
    assert len(str(error.value)) < 600


@pytest.mark.parametrize("suffix", [".glb", ".3mf"])
def test_node_transforms_are_applied_and_meshes_stay_apart(tmp_path, suffix):
    scene = trimesh.Scene()
    crate = trimesh.creation.box(extents=(1, 1, 1))
    scene.add_geometry(crate, node_name="near", geom_name="near")
    move = trimesh.transformations.translation_matrix((5, 0, 0))
    scene.add_geometry(crate.copy(), node_name="far", geom_name="far", transform=move)
    path = tmp_path / f"two{suffix}"
    scene.export(path)
    parts = read_meshes(path)
    middles = sorted(part.mesh.bounds.mean(axis=0)[0] for part in parts)
    assert middles == pytest.approx([0.0, 5.0])
    assert len({part.name for part in parts}) == 2
    assert [part.name for part in parts] == [part.name for part in read_meshes(path)]


def test_a_mirroring_node_keeps_the_triangles_facing_out(tmp_path):
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box(), transform=np.diag([-1.0, 1.0, 1.0, 1.0]))
    path = tmp_path / "mirror.glb"
    scene.export(path)
    (part,) = read_meshes(path)
    outward = np.einsum("fi,fi->f", part.mesh.normals, part.mesh.triangles.mean(axis=1))
    assert (outward > 0.0).all()


def test_materials_of_one_gltf_mesh_color_the_faces_of_one_part(tmp_path):
    from rmp3d.scenes.build.glb import Model
    from rmp3d.scenes.build.shapes import box

    model = Model()
    model.add("crate", "#ff0000", box((0, 0, 0), (1, 1, 1)))
    model.add("crate", "#3c78b4", box((2, 0, 0), (3, 1, 1)))
    model.add("floor", "#808080", box((0, 0, -1), (1, 1, -0.5)))
    model.write(tmp_path / "crates.glb")
    crate, floor = read_meshes(tmp_path / "crates.glb")
    assert (crate.name, floor.name) == ("crate", "floor")
    near = crate.mesh.triangles.mean(axis=1)[:, 0] < 1.5
    # glTF keeps linear light, which trimesh rounds to 8 bits.
    assert crate.colors[near] == pytest.approx(np.tile([1.0, 0.0, 0.0], (12, 1)), abs=0.01)
    blue = np.array([0x3C, 0x78, 0xB4]) / 255
    assert crate.colors[~near] == pytest.approx(np.tile(blue, (12, 1)), abs=0.02)


def test_face_and_vertex_colors_are_read(tmp_path):
    crate = trimesh.creation.box()
    crate.visual.vertex_colors = np.tile([255, 128, 0, 255], (8, 1)).astype(np.uint8)
    crate.export(tmp_path / "orange.ply")
    (part,) = read_meshes(tmp_path / "orange.ply")
    assert part.colors == pytest.approx(np.tile([1.0, 0.5, 0.0], (12, 1)), abs=0.01)


def test_collada_says_itself_which_axis_is_up(tmp_path):
    path = box_file(tmp_path, ".dae")
    text = path.read_text()
    assert "<up_axis>Y_UP</up_axis>" in text
    assert read_mesh_file(path).up == "y"
    path.write_text(text.replace("Y_UP", "Z_UP"))
    assert read_mesh_file(path).up == "z"


def test_names_are_unique_and_stable():
    assert unique_names(["a", "b", "a", "a 2", "a"]) == ["a", "b", "a 2", "a 2 2", "a 3"]


def test_triangles_without_area_are_dropped_and_counted(tmp_path):
    path = tmp_path / "flat.obj"
    path.write_text(TRIANGLE + "v 2 0 0\nf 1 2 4\nf 1 1 2\n")
    file = read_mesh_file(path)
    assert len(file.parts[0].mesh.faces) == 1
    assert file.notes == ("2 of 3 triangles have no area and were dropped",)


def test_a_triangle_that_is_there_twice_is_read_once(tmp_path):
    path = tmp_path / "twice.obj"
    path.write_text(TRIANGLE + "v 0 0 1\nf 2 3 1\nf 1 2 4\nf 3 2 1\nf 1 2 3\n")
    file = read_mesh_file(path)
    normals = file.parts[0].mesh.normals
    assert len(normals) == 3, "the other side of a triangle is no repetition"
    assert sorted(normals[:, 2]) == pytest.approx([-1.0, 0.0, 1.0])
    assert file.notes == ("2 of 5 triangles were there twice, and are there once now",)


def test_repeated_triangles_are_found_by_brute_force_too(tmp_path):
    rng = np.random.default_rng(3)
    points = rng.uniform(size=(6, 3))
    faces = np.array([rng.permutation(6)[:3] for _ in range(200)])
    raw = RawMesh("many", points, faces, rng.uniform(size=(200, 3)))
    (part,) = checked_meshes(RawFile([raw], points), "here").parts
    first = {}
    for row, face in enumerate(faces.tolist()):
        turn = face.index(min(face))
        first.setdefault(tuple(face[turn:] + face[:turn]), row)
    rows = sorted(first.values())
    assert part.mesh.triangles == pytest.approx(points[faces[rows]])
    assert part.colors == pytest.approx(raw.colors[rows])


def test_tiny_and_huge_units_survive(tmp_path):
    for scale in (1e-7, 1e7):
        path = tmp_path / "unit.obj"
        path.write_text(f"v 0 0 0\nv {scale} 0 0\nv 0 {scale} 0\nf 1 2 3\n")
        assert read_meshes(path)[0].mesh.areas == pytest.approx([scale**2 / 2])


def test_a_path_with_letters_of_other_alphabets_is_read(tmp_path):
    path = tmp_path / "estación 駐車場.obj"
    path.write_text(TRIANGLE)
    assert read_meshes(path)[0].name == "estación 駐車場"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.stl", None, "no such file"),
        ("empty.stl", b"", "the file is empty"),
        ("scene.blend", b"BLENDER", "not a known mesh format"),
        ("points.ply", None, "contains no triangles"),
        ("noise.glb", b"\x00\x01\x02\x03" * 40, "cannot be read as GLB"),
        ("noise.3mf", b"\x00\x01\x02\x03" * 40, "cannot be read as 3MF"),
        ("noise.dae", b"<COLLADA><library", "cannot be read as DAE"),
        ("noise.off", b"OFF\n8 12 0\n0 0 0\n", "its header says 8 vertices, but 1 lines follow"),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    if name == "points.ply":
        trimesh.PointCloud(np.eye(3)).export(path)
    with pytest.raises(InputError, match=message) as error:
        read_meshes(path)
    assert name in str(error.value)


@pytest.mark.parametrize("suffix", [".obj", ".stl", ".ply", ".off", ".glb", ".dae", ".3mf"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_file_cut_short_is_an_input_error(tmp_path, suffix, share):
    path = tmp_path / f"cut{suffix}"
    trimesh.creation.icosphere(subdivisions=1).export(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(InputError, match="cut"):
        read_meshes(path)


@pytest.mark.parametrize(("suffix", "kind"), [("stl", "stl_ascii"), ("ply", "ply"), ("off", "off")])
def test_a_text_file_cut_at_the_end_of_a_line_is_an_input_error(tmp_path, suffix, kind):
    options = {"encoding": "ascii"} if kind == "ply" else {}
    data = trimesh.creation.box().export(file_type=kind, **options)
    text = data if isinstance(data, str) else data.decode()
    lines = text.rstrip().splitlines(keepends=True)
    path = tmp_path / f"cut.{suffix}"
    for count in range(1, len(lines)):
        path.write_text("".join(lines[:count]))
        with pytest.raises(InputError, match=r"cut\."):
            read_meshes(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "bomb.ply",
            "ply\nformat ascii 1.0\nelement vertex 9000000000\nproperty float x\nend_header\n",
        ),
        ("bomb.off", "OFF\n9000000000 1 0\n0 0 0\n"),
        (
            "bomb.gltf",
            '{"accessors": [{"count": 9000000000, "componentType": 5126, "type": "VEC3"}]}',
        ),
    ],
)
def test_a_header_that_promises_too_much_is_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"9,000,000,000 (elements|vertices|rows of `\w+`),"):
        read_meshes(tmp_path / name)


@pytest.mark.parametrize("suffix", [".obj", ".stl", ".ply", ".off", ".glb"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vertices_that_are_not_finite_are_refused(tmp_path, suffix, value):
    mesh = trimesh.creation.box()
    mesh.vertices = np.where(np.arange(8)[:, None] == 5, value, mesh.vertices)
    path = tmp_path / f"nan{suffix}"
    with np.errstate(all="ignore"):
        mesh.export(path)
    with pytest.raises(InputError, match=r"not finite|cannot be read"):
        read_meshes(path)


@pytest.mark.parametrize("corners", ["1e200 0 0", "1e308 1e308 -1e308"])
def test_coordinates_whose_products_overflow_are_refused(tmp_path, corners):
    path = tmp_path / "far.obj"
    path.write_text(f"v 0 0 0\nv {corners}\nv 0 1 0\nv 1 1 0\nf 1 2 3 4\n")
    with pytest.raises(InputError, match=r"far\.obj: has a coordinate of 1e\+\d+, but at most"):
        read_meshes(path)


@pytest.mark.parametrize("index", [8, 2_000_000_000, -1])
def test_an_index_out_of_range_is_refused(tmp_path, index):
    lines = ["ply", "format ascii 1.0", "element vertex 3"]
    lines += [f"property float {axis}" for axis in "xyz"]
    lines += ["element face 1", "property list uchar int vertex_indices", "end_header"]
    path = tmp_path / "index.ply"
    path.write_text("\n".join([*lines, "0 0 0", "1 0 0", "0 1 0", f"3 0 1 {index}", ""]))
    with pytest.raises(InputError, match=r"index\.ply"):
        read_meshes(path)


def test_a_gltf_buffer_outside_the_folder_is_not_opened(tmp_path):
    secret = tmp_path / "secret.bin"
    secret.write_bytes(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
    gltf = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "../secret.bin"}],
    }
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "escape.gltf").write_text(json.dumps(gltf))
    with pytest.raises(InputError, match="outside its folder"):
        read_meshes(inner / "escape.gltf")
    gltf["buffers"][0]["uri"] = "secret.bin"
    (tmp_path / "fine.gltf").write_text(json.dumps(gltf))
    assert len(read_meshes(tmp_path / "fine.gltf")[0].mesh.faces) == 1


def test_too_many_triangles_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("rmp3d.scenes.meshes.MAX_TRIANGLES", 11)
    with pytest.raises(InputError, match="12 triangles, but at most 11"):
        read_meshes(box_file(tmp_path, ".stl"))


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    path = box_file(tmp_path, ".3mf")
    monkeypatch.setattr("rmp3d.scenes.formats.archives.SMALL", 100)
    monkeypatch.setattr("rmp3d.scenes.formats.archives.MAX_RATIO", 1)
    with pytest.raises(InputError, match=r"KiB unpack to .* KiB; at most"):
        read_meshes(path)


def exported(kind):
    ball = trimesh.creation.icosphere(subdivisions=1)
    ball.visual.vertex_colors = np.tile([9, 200, 30, 255], (len(ball.vertices), 1)).astype(np.uint8)
    if kind == "gltf":
        return trimesh.exchange.gltf.export_gltf(trimesh.Scene(ball))["model.gltf"]
    data = ball.export(file_type=kind)
    return data.encode() if isinstance(data, str) else data


@pytest.mark.parametrize(
    "kind", ["obj", "stl", "stl_ascii", "ply", "off", "glb", "gltf", "dae", "3mf"]
)
def test_a_file_with_some_bytes_changed_is_read_or_refused(tmp_path, kind, capfd):
    original, rng = exported(kind), np.random.default_rng(0)
    path = tmp_path / f"changed.{kind.removesuffix('_ascii')}"
    for _ in range(60):
        data = bytearray(original)
        for at in rng.integers(0, len(data) - 8, size=3):
            if rng.uniform() < 0.5:
                data[at] = int(rng.integers(256))
            else:
                del data[at : at + int(rng.integers(1, 8))]
        path.write_bytes(data)
        try:
            parts = read_meshes(path)
        except InputError:
            continue
        assert all(np.isfinite(part.mesh.vertices).all() for part in parts)
    assert capfd.readouterr() == ("", "")


def test_inside_a_file_is_read_once_and_outside_anew(tmp_path):
    path = tmp_path / "floor.obj"
    path.write_text(TRIANGLE)
    with each_file_read_once():
        first = read_mesh_file(path)
        assert read_mesh_file(path) is first
    path.write_text(TRIANGLE.replace("v 1 0 0", "v 3 0 0"))
    assert read_mesh_file(path).parts[0].mesh.bounds[1, 0] == 3.0
    assert first.parts[0].mesh.bounds[1, 0] == 1.0
