import numpy as np
import pytest

from rmp3d.geometry import InputError, TriangleMesh
from rmp3d.scenes.formats import byu
from rmp3d.scenes.meshes import read_mesh_file

PYRAMID = """# a square pyramid, its base one polygon
1 5 5 16
1 5
0 0 0   2 0 0
2 2 0   0 2 0
1 1 3
4 3 2 -1
1 2 -5
2 3 -5
3 4 -5
4 1 -5
"""


@pytest.fixture
def pyramid(tmp_path):
    path = tmp_path / "pyramid.g"
    path.write_text(PYRAMID)
    return path


def test_polygons_become_triangles_and_numbers_may_stand_on_any_line(pyramid):
    (part,) = read_mesh_file(pyramid).parts
    assert part.name == "pyramid"
    assert part.mesh.is_watertight
    assert len(part.mesh.faces) == 6
    volume = np.einsum("fi,fi->f", part.mesh.triangles[:, 0], part.mesh.normals)
    assert (volume * part.mesh.areas).sum() / 3.0 == pytest.approx(4.0)  # outward: positive


def test_all_listed_vertices_count_for_the_mean(tmp_path):
    path = tmp_path / "spare.g"
    path.write_text("1 4 1 3\n1 1\n0 0 0\n1 0 0\n0 1 0\n7 7 8\n1 2 -3\n")
    file = read_mesh_file(path)
    assert file.vertex_sum / file.vertex_count == pytest.approx([2.0, 2.0, 2.0])


def test_what_is_written_is_read_back_bit_for_bit(tmp_path):
    rng = np.random.default_rng(0)
    mesh = TriangleMesh(rng.normal(size=(30, 3)) * 1e3, rng.permutation(30).reshape(10, 3))
    byu.write(tmp_path / "mesh.g", mesh)
    (raw,) = byu.Byu().read(tmp_path / "mesh.g").meshes
    assert np.array_equal(raw.vertices, mesh.vertices)
    assert np.array_equal(raw.faces, mesh.faces)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1 5 5 16", "1 5 6 16", "but only 33 numbers follow"),
        ("1 5 5 16", "1 900 5 16", "header says 1 parts, 900 vertices"),
        ("1 5 5 16", "1 5 five 16", "line 2: the number of faces should be a whole number"),
        ("1 5 5 16", "1 5 5000000000000 16", "line 2: the number of faces is 5000000000000"),
        ("2 3 -5", "2 9 -5", "line 9: a corner of face 3 is 9"),
        ("2 3 -5", "2 0 -5", "line 9: face 3 refers to vertex 0"),
        ("2 3 -5", "2 -3 -5", "line 9: face 3 has 2 corners"),
        ("1 1 3", "1 nan 3", "line 6: a coordinate should be a number, not `nan`"),
    ],
)
def test_errors_name_the_line(pyramid, old, new, message):
    pyramid.write_text(PYRAMID.replace(old, new))
    with pytest.raises(InputError, match=f"pyramid.g: .*{message}"):
        byu.Byu().read(pyramid)


def test_a_face_without_end_is_refused(tmp_path):
    path = tmp_path / "endless.g"
    path.write_text("1 3 1 3\n1 1\n0 0 0 1 0 0 0 1 0\n" + "1 2 3 " * 10_000)
    with pytest.raises(InputError, match="face 1 does not end"):
        byu.Byu().read(path)


def test_a_folder_that_is_not_there_cannot_be_written_to(tmp_path):
    mesh = TriangleMesh(np.eye(3), [[0, 1, 2]])
    with pytest.raises(InputError, match="cannot be written"):
        byu.write(tmp_path / "nowhere" / "mesh.g", mesh)


def test_a_number_of_three_hundred_digits_is_not_echoed_whole(tmp_path):
    file = tmp_path / "a.g"
    file.write_text(f"1 4 4 12\n1 {'1' * 300}\n" + "0 " * 24)
    with pytest.raises(InputError, match=r"the range of part 1 is 111.*must be in") as caught:
        read_mesh_file(file)
    assert len(str(caught.value)) < 300 + len(str(file))
