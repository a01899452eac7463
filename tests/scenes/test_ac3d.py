import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmp3d.geometry import InputError, TriangleMesh
from rmp3d.scenes import SceneDescription, load_scene, polygons, read_meshes
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.formats import ac3d
from rmp3d.scenes.formats.ac3d_document import (
    CLOSED_LINE,
    OPEN_LINE,
    POLYGON,
    STRIP,
    Ac3dDocument,
    Ac3dObject,
    Surfaces,
    write_document,
)
from rmp3d.scenes.formats.ac3d_parser import read_document
from rmp3d.scenes.meshes import read_mesh_file
from rmp3d.scenes.named_mesh import NamedMesh

RED = 'MATERIAL "red" rgb 1 0 0  amb 0.2 0.2 0.2  emis 0 0 0  spec 0.5 0.5 0.5  shi 10  trans 0\n'
BLUE = 'MATERIAL "sky blue" rgb 0 0.5 1  amb 0 0 0  emis 0 0 0  spec 0 0 0  shi 0  trans 0\n'
SQUARE = "numvert 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
FACE = "numsurf 1\nSURF 0x20\nmat 0\nrefs 4\n0 0 0\n1 1 0\n2 1 1\n3 0 1\n"
WALL = f'OBJECT poly\nname "wall"\n{SQUARE}{FACE}kids 0\n'


def ac(tmp_path, text, name="m.ac"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def world(*objects):
    return f"AC3Db\n{RED}{BLUE}OBJECT world\nkids {len(objects)}\n" + "".join(objects)


def surface(flags, *corners, mat=0):
    refs = "".join(f"{corner} 0 0\n" for corner in corners)
    return f"SURF {flags:#04x}\nmat {mat}\nrefs {len(corners)}\n{refs}"


def poly(*surfaces, vertices=SQUARE, name="wall", extra=""):
    count = f"numsurf {len(surfaces)}\n" if surfaces else ""
    return f'OBJECT poly\nname "{name}"\n{extra}{vertices}{count}{"".join(surfaces)}kids 0\n'


def test_objects_become_named_parts_with_the_colors_of_their_materials(tmp_path):
    second = poly(surface(0, 0, 1, 2, mat=1), surface(0, 0, 2, 3), name="big window")
    wall, window = read_meshes(ac(tmp_path, world(WALL, second)))
    assert (wall.name, window.name) == ("wall", "big window")
    assert wall.mesh.areas.sum() == pytest.approx(1.0)
    assert wall.colors.tolist() == [[1, 0, 0]] * 2
    assert window.colors.tolist() == [[0, 0.5, 1], [1, 0, 0]]


def test_a_group_can_have_surfaces_of_its_own_and_a_nameless_object_is_named_by_its_kind(tmp_path):
    inner = WALL.replace('name "wall"\n', "")
    text = f"AC3Db\n{RED}OBJECT group\n{SQUARE}{FACE}kids 2\n{inner}{inner}"
    assert [p.name for p in read_meshes(ac(tmp_path, text))] == ["group", "poly", "poly 2"]


def test_y_is_up_unless_the_description_says_otherwise(tmp_path):
    ac(tmp_path, world(WALL))
    scene = load_scene(SceneDescription(mesh="m.ac"), tmp_path)
    assert scene.parts[0].mesh.bounds.tolist() == [[0, 0, 0], [1, 0, 1]]
    scene = load_scene(SceneDescription(mesh="m.ac", up="z"), tmp_path)
    assert scene.parts[0].mesh.bounds.tolist() == [[0, 0, 0], [1, 1, 0]]


def test_transforms_compose_down_the_tree_on_rows(tmp_path):
    turned = "rot 0 1 0 -1 0 0 0 0 1\n"  # as rows: x goes to y, y to -x
    group = f"OBJECT group\n{turned}loc 10 0 0\nkids 1\n"
    child = poly(surface(0, 0, 1, 2), extra="loc 0 5 0\nrot 2 0 0 0 1 0 0 0 1\n")
    (part,) = read_meshes(ac(tmp_path, world(group + child)))
    # (1, 1) -> (2, 1) -> (2, 6) -> (-6, 2) -> (4, 2)
    expected = {(5.0, 0.0, 0.0), (5.0, 2.0, 0.0), (4.0, 2.0, 0.0)}
    assert {tuple(point) for point in part.mesh.vertices.tolist()} == expected


def test_a_mirroring_transform_keeps_triangles_facing_out(tmp_path):
    path = tmp_path / "box.ac"
    crate = box((0, 0, 0), (1, 2, 3))
    ac3d.write(path, [NamedMesh("crate", crate, np.ones((len(crate.faces), 3)))])
    text = path.read_text().replace('name "crate"\n', 'name "crate"\nrot -1 0 0 0 1 0 0 0 1\n')
    (part,) = read_meshes(ac(tmp_path, text))
    volume = np.linalg.det(part.mesh.triangles).sum() / 6
    assert volume == pytest.approx(6.0)


def test_concave_polygons_keep_their_area_whichever_way_they_face(tmp_path):
    outline = [(0, 0), (1, 0), (1, 2), (2, 2), (2, 0), (3, 0), (3, 3), (0, 3)]
    vertices = f"numvert {len(outline)}\n" + "".join(f"{x} {y} 7\n" for x, y in outline)
    there = range(len(outline))
    text = world(
        poly(surface(0, *there), vertices=vertices, name="front"),
        poly(surface(0, *reversed(there)), vertices=vertices, name="back"),
    )
    front, back = read_meshes(ac(tmp_path, text))
    for part, facing in ((front, 1.0), (back, -1.0)):
        assert part.mesh.areas.sum() == pytest.approx(7.0)
        assert part.mesh.normals == pytest.approx(np.tile([0, 0, facing], (6, 1)))


def test_a_strip_is_taken_apart_with_all_triangles_facing_one_way(tmp_path):
    vertices = "numvert 5\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n0 2 0\n"
    text = world(poly(surface(0x20 | STRIP, 0, 2, 1, 3, 4), vertices=vertices))
    (part,) = read_meshes(ac(tmp_path, text))
    assert part.mesh.areas.sum() == pytest.approx(1.5)
    assert (part.mesh.normals[:, 2] == part.mesh.normals[0, 2]).all()


def test_lines_and_polygons_of_two_corners_are_passed_over(tmp_path):
    rows = [surface(CLOSED_LINE, 0, 1, 2), surface(OPEN_LINE, 0, 1, 2, 3), surface(0, 0, 1)]
    (part,) = read_meshes(ac(tmp_path, world(poly(*rows, surface(POLYGON, 0, 1, 2, mat=1)))))
    assert len(part.mesh.faces) == 1
    assert part.colors.tolist() == [[0, 0.5, 1]]


def test_what_changes_no_shape_is_passed_over(tmp_path):
    extra = (
        'texture "a b.png" base\ntexrep 2 2\ntexoff 0.5 0\nsubdiv 1\ncrease 30.0\n'
        "url http://example.org\nhidden\nlocked\nfolded\ndata 19\nkids 7\nOBJECT world\ndata 0\n"
    )
    path = ac(tmp_path, world(poly(surface(0, 0, 1, 2), extra=extra)))
    assert [part.name for part in read_meshes(path)] == ["wall"]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").replace(b"data 19", b"data 20"))
    assert [part.name for part in read_meshes(path)] == ["wall"]


def test_material_blocks_of_ac3dc_are_read(tmp_path):
    block = 'MAT "red"\nrgb 1 0 0\namb 0 0 0\nshi 3\ndata 3\nrgb\nENDMAT\n'
    (part,) = read_meshes(ac(tmp_path, f"AC3Dc\n{block}{WALL}"))
    assert part.colors.tolist() == [[1, 0, 0]] * 2


def test_a_file_without_materials_has_the_default_color(tmp_path):
    (part,) = read_meshes(ac(tmp_path, f"AC3Db\n{WALL}"))
    assert part.colors == pytest.approx(np.full((2, 3), 0.7))


def test_unused_vertices_count_for_the_center(tmp_path):
    file = read_mesh_file(ac(tmp_path, world(poly(), WALL)))
    assert file.vertex_count == 8
    assert file.up == "y"


def test_names_may_hold_blanks_quotes_and_letters_of_other_alphabets(tmp_path):
    for name in ("a  b", 'say "hi"', "駐車場", "kids 3"):
        (part,) = read_meshes(ac(tmp_path, world(poly(surface(0, 0, 1, 2), name=name))))
        assert part.name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("solid cube\n", "line 1: .*must begin with `AC3Db`, not `solid cube`"),
        ("\n\n", "line 2: .*must begin with `AC3Db`"),
        ("AC3Db\n", "contains no triangles"),
        (world(poly()), "contains no triangles"),
        ("AC3Db\nMATERIAL red\n", "line 2: .*needs `rgb`"),
        ("AC3Db\nMATERIAL red rgb 1 0\n", "line 2: .*needs 3 numbers, got 2"),
        ("AC3Db\nnumvert 3\n", "line 2: .*expected `MATERIAL` or `OBJECT`, not `numvert 3`"),
        (world("OBJECT poly\nnumvret 3\n"), "line 7: .*did you mean `numvert`"),
        (world("OBJECT poly\nnumvert 2\n0 0 0\n"), "line 8: .*ends in the middle of an object"),
        (world("OBJECT poly\nnumvert 1\n0 0\n"), "line 8: .*needs 3 numbers, got 2"),
        (world("OBJECT poly\nnumvert 1\n0 0 x\n"), "line 8: .*`x` is not a number"),
        (world("OBJECT poly\nnumvert 1\n0 0 nan\n"), "line 8: .*not finite"),
        (world("OBJECT poly\nloc 1e999 0 0\n"), "line 7: .*not finite"),
        (world("OBJECT poly\nrot 1 0 0\n"), "line 7: .*needs 9 numbers, got 3"),
        (world("OBJECT poly\nnumvert -1\n"), "line 7: .*`numvert` needs a number, 0 or more"),
        (world("OBJECT poly\nnumvert\n"), "line 7: .*`numvert` needs a number"),
        (world("OBJECT poly\ndata 1000000000\nabc\n"), "line 8: .*in the middle of `data`"),
        (world(poly(surface(0, 0, 1, 4))), "line 19: .*refers to vertex 4, but the object has 4"),
        (world(poly(surface(0, 0, 1, -1))), "line 19: .*refers to vertex -1"),
        (world(poly(surface(0, 0, 1, 2, mat=2))), "line 15: .*no material 2, only 2"),
        (world(poly(surface(3, 0, 1, 2))), "line 14: .*`SURF` needs flags"),
        (world(poly("SURF 0\nmat 0\n")), "line 16: .*expected `SURF`, `mat` or `refs`"),
        (world(WALL)[:-7], "line 20: .*ends in the middle"),
        (world(WALL).replace("kids 1", "kids 2"), "line 21: .*1 of the kids of object `world`"),
        (world(WALL) + "kids 0\n", "line 22: .*expected `MATERIAL` or `OBJECT`"),
        ("AC3Db" + " " * 70_000, "line 1: .*longer than"),
    ],
)
def test_what_cannot_be_understood_is_named(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_meshes(ac(tmp_path, text, "bad.ac"))
    assert "bad.ac" in str(error.value)


@pytest.mark.parametrize("word", ["numvert", "numsurf"])
def test_a_count_of_a_billion_is_refused_at_once(tmp_path, word):
    text = world(f"OBJECT poly\n{word} 1000000000\n")
    with pytest.raises(InputError, match=r"line 7: .*1,000,000,000 .*at most 60,000,000"):
        read_meshes(ac(tmp_path, text))


def test_a_polygon_that_takes_too_long_is_refused_with_its_object(tmp_path, monkeypatch):
    monkeypatch.setattr(polygons, "BUDGET", 10)
    points = "numvert 4\n0 0 0\n2 0 0\n.1 .1 0\n0 2 0\n"
    text = (
        f'OBJECT poly\nname "lawn"\n{points}numsurf 1\nrefs 4\n0 0 0\n1 0 0\n2 0 0\n3 0 0\nkids 0\n'
    )
    with pytest.raises(InputError, match=r"m\.ac: object `lawn`: .* export it as triangles"):
        read_meshes(ac(tmp_path, world(text)))


def test_numbers_that_overflow_down_the_tree_are_refused(tmp_path):
    group = "OBJECT group\nrot 1e200 0 0 0 1e200 0 0 0 1e200\nkids 1\n"
    with pytest.raises(InputError, match="not finite"):
        read_meshes(ac(tmp_path, world(group + group + WALL)))


def test_a_tree_far_deeper_than_the_stack_is_read(tmp_path):
    depth = 5 * sys.getrecursionlimit()
    text = "AC3Db\n" + "OBJECT group\nloc 0 0 1\nkids 1\n" * depth + WALL
    (part,) = read_meshes(ac(tmp_path, text))
    assert part.mesh.bounds[:, 2].tolist() == [depth, depth]


def test_too_many_objects_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("rmp3d.scenes.formats.ac3d_parser.MAX_OBJECTS", 2)
    with pytest.raises(InputError, match=r"line \d+: .*more than 2 objects"):
        read_meshes(ac(tmp_path, world(WALL, WALL)))


def test_many_parts_of_one_name_are_numbered_in_time(tmp_path):
    parts = read_meshes(ac(tmp_path, world(*[WALL] * 1000)))
    assert parts[-1].name == "wall 1000"


def test_a_cut_anywhere_is_an_input_error(tmp_path):
    text = world(WALL, poly(surface(STRIP, 0, 1, 2, 3), name="fan"))
    for end in range(0, len(text) - 1, 3):  # without its last line break it is still whole
        with pytest.raises(InputError, match=r"cut\.ac"):
            read_meshes(ac(tmp_path, text[:end], "cut.ac"))


def test_a_file_with_some_bytes_changed_is_read_or_refused(tmp_path, capfd):
    hidden = poly(surface(0, 0, 1, 2), extra="data 5\nhello\nloc 1 2 3\nrot 0 1 0 1 0 0 0 0 1\n")
    original = world(WALL, hidden, poly(surface(STRIP, 3, 2, 1, 0), name="strip")).encode()
    words = [b"kids", b"numvert", b"data 9", b"-1", b"1e308", b"0x2f", b"\n", b'"', b"\xff\x00"]
    rng = np.random.default_rng(0)
    path = tmp_path / "changed.ac"
    for _ in range(300):
        data = bytearray(original)
        for at in rng.integers(0, len(data) - 8, size=rng.integers(1, 4)):
            change = rng.integers(4)
            if change == 0:
                data[at : at + 1] = bytes([rng.integers(256)])
            elif change == 1:
                del data[at : at + int(rng.integers(1, 30))]
            elif change == 2:
                data[at:at] = words[rng.integers(len(words))]
            else:
                data[at:at] = data[: int(rng.integers(len(data)))]
        path.write_bytes(data)
        try:
            parts = read_meshes(path)
        except InputError:
            continue
        assert all(np.isfinite(part.mesh.vertices).all() for part in parts)
    assert capfd.readouterr() == ("", "")


number = st.floats(-1e6, 1e6)
name = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters='"'), max_size=8)


@st.composite
def surfaces(draw, vertex_count, material_count):
    corner = st.integers(0, vertex_count - 1)
    rings = draw(st.lists(st.lists(corner, max_size=6), max_size=4)) if vertex_count else []
    flag = st.sampled_from([POLYGON, CLOSED_LINE, OPEN_LINE, STRIP]).map(lambda kind: kind | 0x20)
    material = st.integers(-1, material_count - 1)
    return Surfaces(
        np.array([draw(flag) for _ in rings], np.intp),
        np.array([draw(material) for _ in rings], np.intp),
        np.array([len(ring) for ring in rings], np.intp),
        np.array([corner for ring in rings for corner in ring], np.intp),
    )


@st.composite
def documents(draw):
    colors = draw(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), max_size=3))
    objects, ancestors = [], [-1]
    for row in range(draw(st.integers(0, 6))):
        del ancestors[draw(st.integers(1, len(ancestors))) :]
        points = draw(st.lists(st.tuples(number, number, number), max_size=6))
        rotation = draw(st.lists(st.floats(-2, 2), min_size=9, max_size=9))
        objects.append(
            Ac3dObject(
                kind=draw(st.sampled_from(["world", "group", "poly", "light"])),
                name=draw(name),
                parent=ancestors[-1],
                location=np.array(draw(st.tuples(number, number, number))),
                rotation=np.reshape(rotation, (3, 3)),
                vertices=np.array(points).reshape(-1, 3),
                surfaces=draw(surfaces(len(points), len(colors))),
            )
        )
        ancestors.append(row)
    names = tuple(draw(name) for _ in colors)
    return Ac3dDocument(names, np.array(colors).reshape(-1, 3), tuple(objects))


def arrays(each):
    rows = each.surfaces
    shape = [each.location, each.rotation, each.vertices]
    return [*shape, rows.flags, rows.material, rows.count, rows.corners]


@given(document=documents())
@settings(max_examples=60, deadline=None)
def test_a_document_comes_back_as_it_was_written(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("ac") / "tree.ac"
    write_document(path, document)
    back = read_document(path)
    assert back.material_names == document.material_names
    assert back.colors.tolist() == document.colors.tolist()
    assert [(each.kind, each.name, each.parent) for each in back.objects] == [
        (each.kind, each.name, each.parent) for each in document.objects
    ]
    for one, other in zip(back.objects, document.objects, strict=True):
        for mine, theirs in zip(arrays(one), arrays(other), strict=True):
            assert np.array_equal(mine, theirs)


@given(document=documents())
@settings(max_examples=30, deadline=None)
def test_vertices_are_where_the_product_of_all_ancestors_puts_them(tmp_path_factory, document):
    path = tmp_path_factory.mktemp("ac") / "tree.ac"
    write_document(path, document)
    expected = [np.empty((0, 3))]
    for each in document.objects:
        points, ancestor = each.vertices, each
        while True:
            points = points @ ancestor.rotation + ancestor.location
            if ancestor.parent < 0:
                break
            ancestor = document.objects[ancestor.parent]
        expected.append(points)
    assert ac3d.Ac3d().read(path).vertices == pytest.approx(
        np.concatenate(expected), rel=1e-9, abs=1e-6
    )


def test_written_meshes_come_back_with_names_and_colors(tmp_path):
    path = tmp_path / "two.ac"
    crate, shelf = box((0, 0, 0), (1, 2, 3)), box((4, 0, 0), (5, 1, 0.1))
    colors = np.tile([0.25, 0.5, 1 / 3], (len(crate.faces), 1))
    colors[3] = (1.0, 0.0, 0.0)
    meshes = [NamedMesh("crate", crate, colors), NamedMesh('the "shelf"', shelf, colors)]
    ac3d.write(path, meshes)
    back = read_meshes(path)
    assert [part.name for part in back] == ["crate", "the 'shelf'"]
    for part, mesh in zip(back, meshes, strict=True):
        assert np.array_equal(part.mesh.triangles, mesh.mesh.triangles)
        assert np.array_equal(part.colors, mesh.colors)
        assert part.mesh.is_watertight


def test_no_meshes_make_an_empty_world(tmp_path):
    ac3d.write(tmp_path / "none.ac", [])
    assert [each.kind for each in read_document(tmp_path / "none.ac").objects] == ["world"]


def test_objects_out_of_order_are_not_written(tmp_path):
    ac3d.write(tmp_path / "w.ac", [NamedMesh("t", TriangleMesh(np.eye(3), [[0, 1, 2]]), [[0] * 3])])
    document = read_document(tmp_path / "w.ac")
    document = Ac3dDocument((), np.empty((0, 3)), document.objects[::-1])
    with pytest.raises(ValueError, match="does not follow its parent"):
        write_document(tmp_path / "w.ac", document)
