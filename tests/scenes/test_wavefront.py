import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rmp3d.geometry import InputError
from rmp3d.scenes import meshes
from rmp3d.scenes.formats import wavefront
from rmp3d.scenes.meshes import read_mesh_file, read_meshes

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


def obj(tmp_path, text, name="m.obj"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_objects_become_parts(tmp_path):
    text = SQUARE + "o wall\nf 1 2 3\no floor\nf 1 3 4\no wall\nf 1 2 4\n"
    parts = read_meshes(obj(tmp_path, text))
    assert [(part.name, len(part.mesh.faces)) for part in parts] == [("wall", 2), ("floor", 1)]


def test_groups_become_parts_where_there_are_no_objects(tmp_path):
    text = SQUARE + "g a\nf 1 2 3\ng b\nf 1 3 4\n"
    assert [part.name for part in read_meshes(obj(tmp_path, text))] == ["a", "b"]


def test_relative_indices_count_back_from_where_they_stand(tmp_path):
    text = SQUARE + "f -4 -3 -2\nv 9 9 9\nv 8 9 9\n"
    (part,) = read_meshes(obj(tmp_path, text))
    assert part.mesh.bounds == pytest.approx(np.array([[0, 0, 0], [1, 1, 0]]))


def test_texture_and_normal_indices_are_passed_over(tmp_path):
    text = SQUARE + "vt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1\n"
    assert len(read_meshes(obj(tmp_path, text))[0].mesh.faces) == 1


def test_a_continued_line_is_one_line(tmp_path):
    assert len(read_meshes(obj(tmp_path, SQUARE + "f 1 2 \\\n3 4\n"))[0].mesh.faces) == 2


def test_a_concave_polygon_keeps_its_area(tmp_path):
    text = "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 2 0 1\nv 0 0 4\nf 1 2 3 4 5\n"
    (part,) = read_meshes(obj(tmp_path, text))
    assert part.mesh.areas.sum() == pytest.approx(10.0)
    assert np.abs(part.mesh.normals - part.mesh.normals[0]).max() < 1e-12


def test_the_mean_of_the_vertices_counts_unused_ones(tmp_path):
    file = read_mesh_file(obj(tmp_path, SQUARE + "v 8 0 0\nf 1 2 3\n"))
    assert file.vertex_count == 5
    assert file.vertex_sum == pytest.approx([10.0, 2.0, 0.0])


def test_materials_and_vertex_colors_are_read(tmp_path):
    (tmp_path / "m.mtl").write_text("newmtl red paint\nKd 0.8 0.1 0.1\n")
    text = "mtllib m.mtl\n" + SQUARE + "usemtl red paint\nf 1 2 3\nusemtl unknown\nf 1 3 4\n"
    (part,) = read_meshes(obj(tmp_path, text))
    assert part.colors == pytest.approx(np.array([[0.8, 0.1, 0.1], [0.7, 0.7, 0.7]]))
    colored = "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n"
    assert read_meshes(obj(tmp_path, colored))[0].colors == pytest.approx(np.array([[1, 0, 0]]))


def test_a_material_library_outside_the_folder_is_not_opened(tmp_path):
    (tmp_path / "out.mtl").write_text("newmtl red\nKd 1 0 0\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    path = obj(inner, "mtllib ../out.mtl\n" + SQUARE + "usemtl red\nf 1 2 3\n")
    assert read_meshes(path)[0].colors == pytest.approx(np.array([[0.7, 0.7, 0.7]]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            SQUARE + "f 1 2 9\n",
            "line 5: a face refers to vertex 9, but there are 4; is the file cut",
        ),
        (SQUARE + "f 0 1 2\n", "line 5: .*no vertex 0"),
        (SQUARE + "f -9 1 2\n", "line 5: .*no vertex -9"),
        (SQUARE + "f 1 2 3\nf 1 2", "line 6: .*three corners, got 2; is the file cut"),
        (SQUARE + "f 1 2 x\n", "line 5: "),
        ("v 0 0\nf 1 1 1\n", "line 1: .*three coordinates, got 2"),
        ("v a b c\nf 1 1 1\n", "line 1: "),
        ("solid cube\nfacet normal 0 0 1\n", "there is no vertex"),
        (SQUARE, "contains no triangles"),
        ("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
        (SQUARE + "f 1 2 99999999999999999999\n", "line 5"),
    ],
)
def test_what_cannot_be_understood_is_named(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_meshes(obj(tmp_path, text, "bad.obj"))
    assert "bad.obj" in str(error.value)


@given(
    st.lists(
        st.sampled_from(
            ["v 0 0 1", "v 1 0 0", "f 1 2 3", "f -1 -2 -3", "o", "g x", "f", "#", "v", "\\"]
        )
    )
)
def test_any_lines_give_meshes_or_an_input_error(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("obj") / "any.obj"
    path.write_text("\n".join(lines))
    try:
        parts = read_meshes(path)
    except InputError:
        return
    assert all(np.isfinite(part.mesh.vertices).all() for part in parts)


def test_polygons_of_all_sizes_keep_area_material_and_part(tmp_path):
    (tmp_path / "m.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    text = (
        "mtllib m.mtl\no a\nusemtl red\nf 1 2 3 4\nusemtl blue\nf 5 6 7\no b\nf 8 9 10 11 12\n"
        + SQUARE  # after the faces that refer to it, as some writers do
        + "v 0 0 1\nv 2 0 1\nv 0 2 1\n"
        + "v 0 0 2\nv 4 0 2\nv 4 4 2\nv 2 1 2\nv 0 4 2\n"
    )
    first, second = read_meshes(obj(tmp_path, text))
    assert first.mesh.areas.tolist() == pytest.approx([0.5, 0.5, 2.0])
    assert first.colors.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert second.mesh.areas.sum() == pytest.approx(10.0)
    assert (second.mesh.normals[:, 2] > 0).all()


@pytest.mark.slow
def test_a_concave_polygon_of_twenty_thousand_corners_is_read(tmp_path):
    angle = np.arange(20_000) * 2 * np.pi / 20_000
    radius = np.where(np.arange(20_000) % 2, 0.6, 1.0)
    lines = [f"v {r * np.cos(a)} {r * np.sin(a)} 0" for a, r in zip(angle, radius, strict=True)]
    text = "\n".join([*lines, "f " + " ".join(str(n + 1) for n in range(20_000))])
    assert len(read_meshes(obj(tmp_path, text))[0].mesh.faces) == 19_998


def test_parts_are_told_apart_in_one_pass(tmp_path):
    """Looking for the faces of each part among all took the square of their number."""
    text = SQUARE + "".join(f"g {row % 3000}\nf 1 2 {3 + row // 3000}\n" for row in range(6_000))
    parts = read_meshes(obj(tmp_path, text))
    assert [part.name for part in parts] == [str(row) for row in range(3000)]
    assert {len(part.mesh.faces) for part in parts} == {2}


def test_too_many_parts_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(meshes, "MAX_PARTS", 2)
    with pytest.raises(InputError, match="3 parts, but at most 2 are read; join some"):
        read_meshes(obj(tmp_path, SQUARE + "".join(f"g {row}\nf 1 2 3\n" for row in range(3))))


def test_a_huge_material_library_is_passed_over(tmp_path):
    with (tmp_path / "m.mtl").open("wb") as file:
        file.truncate(3 * 2**30)  # zeros that take no room on the disk
    parts = read_meshes(obj(tmp_path, "mtllib m.mtl\n" + SQUARE + "usemtl a\nf 1 2 3\n"))
    assert parts[0].colors[0] == pytest.approx((0.7, 0.7, 0.7))


def test_a_library_named_a_thousand_times_is_read_once(tmp_path, monkeypatch):
    (tmp_path / "m.mtl").write_text("newmtl a\nKd 1 0 0\n")
    opened = []
    real = wavefront.read_input
    monkeypatch.setattr(wavefront, "read_input", lambda *a: opened.append(a[0]) or real(*a))
    lines = "".join(f"mtllib {'./' * (row % 3)}m.mtl\n" for row in range(1000))
    parts = read_meshes(obj(tmp_path, lines + SQUARE + "usemtl a\nf 1 2 3\n"))
    assert parts[0].colors[0] == pytest.approx((1, 0, 0))
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("f 1 2 99999999999999999999", "there is no vertex 99999999999999999999"),
        ("f 1 2 -9", "there is no vertex -9"),
        ("f 1 2 0", "there is no vertex 0"),
        ("f 1 2 x", "`x` is not a number"),
        ("v 1 2 y", "`y` is not a number"),
        ("f 1", "a face needs three corners, got 1"),
    ],
)
def test_the_line_and_the_word_that_are_wrong_are_named(tmp_path, line, message):
    with pytest.raises(InputError, match=rf"m\.obj: line 5: cannot be read as OBJ: {message}"):
        read_meshes(obj(tmp_path, SQUARE + line + "\n"))


@pytest.mark.parametrize("count", [2, 300])
def test_edges_among_the_faces_are_passed_over(tmp_path, count):
    """Exporters write loose edges as faces of two corners."""
    file = read_mesh_file(obj(tmp_path, SQUARE + "f 1 2 3\n" + "f 1 2\n" * count + "f 1 3 4\n"))
    assert len(file.parts[0].mesh.faces) == 2
    assert file.notes == (f"{count} faces of two corners are edges and were passed over",)
