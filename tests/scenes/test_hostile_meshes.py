"""Mesh files that were damaged, or made to harm: each is read, or refused in plain words.

An error names the file, and the line, byte or element; it has no word of Python. No input makes a
reader take memory or time that its size does not justify.
"""

import base64
import json
import re
import struct
import zipfile

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.scenes.meshes import read_mesh_file

TOKENS = [
    b"0", b"-1", b"1e309", b"nan", b"999999999999", b"[", b"{}", b"null", b'"x"', b"\n", b"\x00",
    b"\xff\xfe", b"../../x", b"4294967295", b"<p>", b"\x1b[2J", "\u00e9".encode(),
]  # fmt: skip
PYTHON = re.compile(
    r"Error|Exception|NoneType|'\w+' object|numpy|dtype|codec|subscript|iterable|literal|reshape"
    r"|[\x00-\x1f\x7f]"
)


def damaged(rng, data):
    """Cut, repeat, insert, or change one to three places."""
    for _ in range(rng.integers(1, 4)):
        at, size = int(rng.integers(len(data) + 1)), int(rng.choice([1, 4, 30, 200]))
        kind = rng.integers(6)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + data[at + size :]
        elif kind == 2:
            data = data[:at] + data[at : at + size] * int(rng.choice([2, 50])) + data[at + size :]
        elif kind == 3:
            data = data[:at] + TOKENS[rng.integers(len(TOKENS))] + data[at:]
        elif kind == 4:
            data = data[:at] + rng.bytes(1) + data[at + 1 :]
        else:
            found = list(re.finditer(rb"-?\d+(?:\.\d+)?|[A-Za-z_]+", data))
            if found:
                word = found[rng.integers(len(found))]
                token = TOKENS[rng.integers(len(TOKENS))]
                data = data[: word.start()] + token + data[word.end() :]
    return data


AC3D = b"""AC3Db
MATERIAL "red" rgb 1 0 0  amb 1 1 1  emis 0 0 0  spec 0 0 0  shi 0  trans 0
OBJECT world
kids 1
OBJECT poly
name "a"
numvert 4
0 0 0
1 0 0
.1 .1 0
0 1 0
numsurf 1
SURF 0x0
mat 0
refs 4
0 0 0
1 0 0
2 0 0
3 0 0
kids 0
"""
FORMATS = ["a.obj", "a.stl", "t.stl", "a.ply", "t.ply", "a.off", "a.glb", "a.gltf", "a.dae",
           "a.3mf", "a.ac"]  # fmt: skip


@pytest.fixture
def valid(tmp_path):
    """Write a valid file of a format; return its path."""

    def write(name):
        box, path = trimesh.creation.box(extents=(1, 2, 3)), tmp_path / name
        if name == "a.ac":
            path.write_bytes(AC3D)
        elif name == "a.gltf":
            for key, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene(box)).items():
                (tmp_path / key.replace("model", "a")).write_bytes(data)
        elif name == "t.stl":
            box.export(path, file_type="stl_ascii")
        elif name == "t.ply":
            box.export(path, encoding="ascii")
        else:
            box.export(path)
        return path

    return write


@pytest.mark.parametrize("name", FORMATS)
def test_damage_is_read_or_refused_in_plain_words(valid, name):
    path = valid(name)
    data, rng, refused = path.read_bytes(), np.random.default_rng(0), []
    read_mesh_file(path)
    for _ in range(120):
        path.write_bytes(damaged(rng, data))
        try:
            read_mesh_file(path)
        except InputError as error:
            refused.append(str(error))
    assert len(refused) > 30
    assert all(text.startswith(str(path)) for text in refused)
    assert [text for text in refused if PYTHON.search(text.removeprefix(str(path)))] == []
    assert max(map(len, refused)) < 700


HEADER = """ply
format {} 1.0
element vertex 3
property float x
property float y
property float z
element face {}
property list uchar int vertex_indices
end_header
"""
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4")
TEXT = {
    "no.off": ("8 12 0\n", "it does not begin with `OFF`"),
    "cut.off": ("OFF\n4 1 0\n0 0 0\n1 0 0\n", "its header says 4 vertices, but 2 lines follow"),
    "word.off": ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", "line 5: `x` is not a number"),
    "few.off": ("OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "line 4: needs 3 numbers, got 2"),
    "index.off": (
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -7\n",
        "face 1 refers to vertex -7, but there are 3, counted from 0",
    ),
    "list.off": ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", "line 6: has fewer numbers"),
    "counts.off": ("OFF x y\n", "line 1: the numbers of vertices and faces should follow"),
    "word.ply": (HEADER.format("ascii", 1) + "0 0 0\n1 0 0\n0 q 0\n3 0 1 2\n", "line 12: `q` is"),
    "index.ply": (
        HEADER.format("ascii", 1) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 99999999999999999999\n",
        "face 1 refers to vertex -1",
    ),
    "type.ply": (
        HEADER.format("ascii", 1).replace("float z", "real z"),
        "line 6: cannot be read as PLY: should be",
    ),
    "line.ply": (
        HEADER.format("ascii", 1).replace("element face", "elephant"),
        "line 7: .*`elephant 1`",
    ),
    "end.ply": ("ply\nformat ascii 1.0\n", "there is no line `end_header`"),
    "order.ply": ("ply\nelement vertex 3\nend_header\n", "there is no line `format`"),
    "x.ply": (
        HEADER.replace("float x", "float a").format("ascii", 1) + "0 0 0\n" * 3 + "3 0 1 2\n",
        "its vertices have no `x`",
    ),
    "word.stl": ("solid a\nfacet\nvertex 0 0 q\n", "line 3: .*`vertex` needs three numbers"),
    "two.stl": ("solid a\nfacet\nvertex 0 0 0\nvertex 0 0 1\nendfacet\n", "facet of 2 vertices"),
    "cut.stl": ("solid a\n" + "facet\n" + "vertex 0 0 0\n" * 3 + "endfacet\n", "before `endsolid`"),
    "line.stl": ("solid a\nfacets\n", "line 2: .*expected .*, not `facets`"),
}


@pytest.mark.parametrize("name", TEXT)
def test_the_place_and_the_cause_are_named(tmp_path, name):
    text, message = TEXT[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message) as error:
        read_mesh_file(tmp_path / name)
    assert str(error.value).startswith(str(tmp_path / name))


def test_a_binary_stl_that_is_cut_short_says_how_much_is_missing(valid):
    path = valid("a.stl")
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(InputError, match="says 12 triangles, which take 684 bytes, but it has 681"):
        read_mesh_file(path)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        (b"\x03\0\0\0\0\x01\0\0\0", "ends before them"),
        (b"", "says 1 rows of `face`, but the file ends before them"),
        (b"\xff" * 13, "a list of 255 numbers in element `face`"),
        (b"\x03\0\0\0\0\x01\0\0\0\x07\0\0\0", "face 1 refers to vertex 7"),
    ],
)
def test_a_binary_ply_with_bad_lists_is_refused(tmp_path, faces, message):
    header = HEADER.format("binary_little_endian", 1).encode()
    (tmp_path / "a.ply").write_bytes(header + CORNERS.tobytes() + faces)
    with pytest.raises(InputError, match=message):
        read_mesh_file(tmp_path / "a.ply")


@pytest.mark.parametrize("order", ["binary_little_endian", "binary_big_endian", "ascii"])
def test_triangles_and_polygons_together_are_read_from_a_ply(tmp_path, order):
    """trimesh takes all lists of a binary file to be as long as the first one."""
    points = [(0, 0, 0), (4, 0, 0), (4, 0, 4), (2, 0, 1), (0, 0, 4), (2, 0, -1)]
    faces = [(0, 1, 5), (0, 1, 2, 3, 4)]
    header = HEADER.replace("vertex 3", "vertex 6").format(order, 2).encode()
    sign = ">" if "big" in order else "<"
    if order == "ascii":
        rows = [*points, *((len(face), *face) for face in faces)]
        body = "\n".join(" ".join(map(str, row)) for row in rows).encode()
    else:
        body = np.array(points, f"{sign}f4").tobytes()
        body += b"".join(struct.pack(f"{sign}B{len(face)}i", len(face), *face) for face in faces)
    (tmp_path / "a.ply").write_bytes(header + body)
    (part,) = read_mesh_file(tmp_path / "a.ply").parts
    assert part.mesh.areas.sum() == pytest.approx(2.0 + 10.0)


URI = "data:application/octet-stream;base64," + base64.b64encode(CORNERS.tobytes()).decode()


def gltf(**changes):
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": URI, "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "count": 3, "componentType": 5126, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
    }
    return json.dumps({**document, **changes})


PRIMITIVE = {"attributes": {"POSITION": 0}}
GLTF = {
    "an index beyond a list": (
        gltf(bufferViews=[{"buffer": 7, "byteLength": 36}]),
        r"bufferViews\[0\].buffer refers to none of the 1 buffers",
    ),
    "a view beyond its buffer": (
        gltf(bufferViews=[{"buffer": 0, "byteOffset": 8, "byteLength": 36}]),
        r"bufferViews\[0\] ends at byte 44 of a buffer of 36",
    ),
    "an accessor beyond its view": (
        gltf(accessors=[{"bufferView": 0, "count": 4, "componentType": 5126, "type": "VEC3"}]),
        r"accessors\[0\] has 4 elements that end at byte 48 of a view of 36",
    ),
    "elements without data": (
        gltf(accessors=[{"count": 2**40, "componentType": 5126, "type": "VEC3"}]),
        r"accessors\[0\] has 1,099,511,627,776 elements, but no data",
    ),
    "a negative count": (
        gltf(accessors=[{"bufferView": 0, "count": -1, "componentType": 5126, "type": "VEC3"}]),
        r"accessors\[0\].count should be a whole number, 0 or more",
    ),
    "an unknown mesh": (gltf(nodes=[{"mesh": "x"}]), r"nodes\[0\].mesh refers to none of the 1"),
    "a circle": (gltf(nodes=[{"mesh": 0}, {"children": [1]}]), "children of one another"),
    "two parents": (gltf(nodes=[{"children": [2]}, {"children": [2]}, {}]), "has two parents"),
    "a chain": (
        gltf(nodes=[{"children": [row + 1]} for row in range(999)] + [{}]),
        "nested more than 256 deep",
    ),
    "a mesh a million times": (
        gltf(
            meshes=[{"primitives": [PRIMITIVE] * 2000}],
            nodes=[{"mesh": 0}] * 2000,
            scenes=[{"nodes": list(range(2000))}],
        ),
        "repeat 1 triangles to 4,000,000; at most 1,000,000 more",
    ),
    "a list that is a number": (gltf(meshes=3), "meshes should be a list"),
    "compressed": (gltf(extensionsRequired=["KHR_draco_mesh_compression"]), "are compressed"),
    "no table": ("[]", "its JSON is not a table"),
    "version 1": (gltf(asset={"version": "1.0"}), "glTF of version 1.0; version 2 is read"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "cut": (gltf()[:-9], r"not valid JSON: .* \(line 1, column"),
    "a buffer elsewhere": (
        gltf(buffers=[{"uri": "../../etc/passwd", "byteLength": 36}]),
        "it refers to `../../etc/passwd`, which is outside its folder",
    ),
    "a buffer that is missing": (
        gltf(buffers=[{"uri": "a\x1b.bin", "byteLength": 36}]),
        r"it refers to `a\\x1b.bin`, which is not in",
    ),
}


@pytest.mark.parametrize("kind", GLTF)
def test_the_element_of_a_gltf_file_that_is_wrong_is_named(tmp_path, kind):
    text, message = GLTF[kind]
    (tmp_path / "a.gltf").write_text(text)
    with pytest.raises(InputError, match=message):
        read_mesh_file(tmp_path / "a.gltf")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (struct.pack("<4sII", b"glTF", 2, 20), "only 12 bytes"),
        (struct.pack("<4sIII4s", b"glTF", 1, 20, 0, b"JSON"), "glTF of version 1"),
        (struct.pack("<4sIII4s", b"glTF", 2, 2**32 - 1, 0, b"JSON"), "header says 4,294,967,295"),
        (struct.pack("<4sIII4s", b"glTF", 2, 20, 2**31, b"JSON"), "not JSON of 2,147,483,648"),
        (struct.pack("<4sIII4s", b"glTF", 2, 20, 0, b"BIN\0"), "first chunk is not JSON"),
    ],
)
def test_the_lengths_in_a_glb_file_are_not_trusted(tmp_path, head, message):
    (tmp_path / "a.glb").write_bytes(head)
    with pytest.raises(InputError, match=message):
        read_mesh_file(tmp_path / "a.glb")


def test_a_good_gltf_file_is_read(tmp_path):
    (tmp_path / "a.gltf").write_text(gltf())
    assert len(read_mesh_file(tmp_path / "a.gltf").parts[0].mesh.faces) == 1


def repeating(levels, last):
    """Return nodes of COLLADA, each ten times the next one."""
    nodes = "".join(
        f'<node id="n{row}">' + f'<instance_node url="#n{row + 1}"/>' * 10 + "</node>"
        for row in range(levels)
    )
    return nodes + f'<node id="n{levels}">{last}</node>'


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (repeating(12, '<instance_geometry url="#g"/>'), "make [0-9,]{17} instances"),
        (repeating(3, '<instance_node url="#n0"/>'), "repeat one another in a circle"),
        ("<node>" * 300 + "</node>" * 300, "nested more than 200 deep|not well-formed"),
    ],
)
def test_nodes_of_collada_cannot_be_repeated_without_end(tmp_path, nodes, message):
    text = (
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        f"<library_nodes>{nodes}</library_nodes><library_visual_scenes><visual_scene>"
        f'<node><instance_node url="#n0"/></node>{nodes}</visual_scene></library_visual_scenes>'
        "</COLLADA>"
    )
    (tmp_path / "a.dae").write_text(text)
    with zipfile.ZipFile(tmp_path / "a.zae", "w") as archive:
        archive.writestr("a.dae", text)
    for name in ("a.dae", "a.zae"):
        with pytest.raises(InputError, match=message):
            read_mesh_file(tmp_path / name)


def test_an_entity_bomb_is_refused(tmp_path):
    rows = "".join(f'<!ENTITY l{n} "' + f"&l{n - 1};" * 10 + '">' for n in range(1, 12))
    text = f'<!DOCTYPE a [<!ENTITY l0 "lol">{rows}]><COLLADA>&l11;</COLLADA>'
    (tmp_path / "a.dae").write_text(text)
    with pytest.raises(InputError, match=r"a\.dae: cannot be read as DAE: "):
        read_mesh_file(tmp_path / "a.dae")


OBJECT = (
    '<object id="1"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>'
    '<vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles>'
    "</mesh></object>"
)
TEN = "".join(
    f'<object id="{n}"><components>'
    + f"<component objectid='{n - 1}'/>" * 10
    + "</components></object>"
    for n in range(2, 14)
)


@pytest.mark.parametrize(
    ("objects", "build", "message"),
    [
        (OBJECT + TEN, '<item objectid="13"/>', "make 2,222,222,222,223 instances"),
        (OBJECT, '<item objectid="1"/>' * 60_000, "make 120,001 instances; at most 50,000"),
        (TEN.replace("objectid='1'", "objectid='13'"), '<item objectid="13"/>', "in a circle"),
        (OBJECT + " " * 40_000_000, '<item objectid="1"/>', "unpack to 38.1 MiB; at most 16 MiB"),
    ],
)
def test_objects_of_3mf_cannot_be_repeated_without_end(tmp_path, objects, build, message):
    model = (
        '<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
        f"<resources>{objects}</resources><build>{build}</build></model>"
    )
    with zipfile.ZipFile(tmp_path / "a.3mf", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("3D/3dmodel.model", model)
    with pytest.raises(InputError, match=message):
        read_mesh_file(tmp_path / "a.3mf")


def test_an_archive_of_very_many_files_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.3mf", "w") as archive:
        for row in range(10_001):
            archive.writestr(f"../../{row}", "")
    with pytest.raises(InputError, match="an archive of 10,001 files; at most 10,000 are read"):
        read_mesh_file(tmp_path / "a.3mf")


@pytest.mark.parametrize(
    "name", ["a\0b.obj", "a\x1b[2J.obj", "a\n\0", "\udcff.ply", "x" * 999 + ".stl"]
)
def test_a_hostile_name_is_shown_on_one_short_line(tmp_path, name):
    with pytest.raises(InputError) as error:
        read_mesh_file(tmp_path / name)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 700
