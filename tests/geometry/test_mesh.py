import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from rmp3d.geometry import MeshError, TriangleMesh, join
from rmp3d.geometry.mesh import CHUNK
from rmp3d.geometry.vectors import length, unit

TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (np.zeros((3, 2)), [[0, 1, 2]], r"vertices must have shape \(V, 3\), got \(3, 2\)"),
        (np.zeros(3), [[0, 1, 2]], r"vertices must have shape \(V, 3\), got \(3,\)"),
        (TRIANGLE, np.zeros((0, 3)), r"at least one triangle, got faces \(0, 3\)"),
        (TRIANGLE, [[0, 1, 2, 0]], r"at least one triangle, got faces \(1, 4\)"),
        (TRIANGLE, [0, 1, 2], r"got faces \(3,\)"),
        (TRIANGLE, [[0, 1, 3]], "refers to vertex 3, but there are 3 vertices"),
        (TRIANGLE, [[0, -1, 5]], "refers to vertex -1, but there are 3 vertices"),
        (np.zeros((0, 3)), [[0, 0, 0]], "refers to vertex 0, but there are 0 vertices"),
    ],
)
def test_a_wrong_mesh_is_refused_in_the_users_words(vertices, faces, message):
    with pytest.raises(MeshError, match=message):
        TriangleMesh(vertices, np.asarray(faces))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_the_first_broken_vertex_is_named(value):
    vertices = np.zeros((5, 3))
    vertices[[2, 4], 1] = value
    with pytest.raises(MeshError, match=r"2 of 5 vertices are not finite; the first is vertex 2: "):
        TriangleMesh(vertices, [[0, 1, 2]])


def test_a_mesh_is_a_read_only_copy():
    vertices, faces = TRIANGLE.copy(), np.array([[0, 1, 2]])
    mesh = TriangleMesh(vertices, faces)
    vertices[:] = 7.0
    faces[:] = 0
    np.testing.assert_array_equal(mesh.vertices, TRIANGLE)
    for array in (mesh.vertices, mesh.faces, mesh.triangles, mesh.normals, mesh.areas, mesh.bounds):
        assert not array.flags.writeable


def test_normals_areas_and_bounds_agree_with_trimesh(make):
    mesh = make.soup(60, np.random.default_rng(0))
    other = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    np.testing.assert_allclose(mesh.normals, other.face_normals, atol=1e-12)
    np.testing.assert_allclose(mesh.areas, other.area_faces, rtol=1e-12)
    np.testing.assert_array_equal(mesh.bounds, other.bounds)


def test_bounds_ignore_vertices_that_no_face_uses():
    mesh = TriangleMesh(np.vstack([TRIANGLE, [[99, 99, 99]]]), [[0, 1, 2]])
    np.testing.assert_array_equal(mesh.bounds, [[0, 0, 0], [1, 1, 0]])


def test_a_triangle_without_area_has_a_zero_normal():
    mesh = TriangleMesh([[0.0, 0, 0], [1, 1, 1], [2, 2, 2]], [[0, 1, 2], [0, 0, 0]])
    np.testing.assert_array_equal(mesh.normals, 0.0)
    np.testing.assert_array_equal(mesh.areas, 0.0)


def test_closed_solids_are_watertight(make):
    for mesh in (make.box([0, 0, 0], [1, 2, 3]), make.sphere(), make.l_solid()):
        assert mesh.is_watertight
        flat_shaded = make.from_triangles(mesh.triangles)
        assert flat_shaded.is_watertight, "vertices in one place count as one"


def test_negative_zero_is_zero_to_the_seam(make):
    mesh = make.from_triangles(make.box([0, 0, 0], [1, 1, 1]).triangles)
    vertices = mesh.vertices.copy()
    vertices[::2] = np.where(vertices[::2] == 0.0, -0.0, vertices[::2])
    assert TriangleMesh(vertices, mesh.faces).is_watertight


def test_degenerate_faces_do_not_open_a_solid(make):
    mesh = make.box([0, 0, 0], [1, 1, 1])
    assert TriangleMesh(mesh.vertices, np.vstack([mesh.faces, [[0, 0, 1]]])).is_watertight


def test_open_flipped_doubled_and_degenerate_meshes_are_not_watertight(make):
    mesh = make.box([0, 0, 0], [1, 1, 1])
    assert not mesh.select(np.arange(1, 12)).is_watertight, "a hole"
    flipped = mesh.faces.copy()
    flipped[3] = flipped[3, ::-1]
    assert not TriangleMesh(mesh.vertices, flipped).is_watertight, "one face turned"
    assert not join([mesh, mesh]).is_watertight, "every edge twice"
    assert not TriangleMesh(TRIANGLE, [[0, 0, 1]]).is_watertight, "nothing but a segment"


def test_transformed_turns_then_moves(make):
    mesh = make.soup(5, np.random.default_rng(1))
    rotation = Rotation.from_rotvec([0.3, -0.2, 1.0])
    moved = mesh.transformed(rotation.as_matrix(), np.array([1.0, 2, 3]))
    turned = rotation.apply(mesh.vertices.copy())
    np.testing.assert_allclose(moved.vertices, turned + np.array([1.0, 2, 3]))
    np.testing.assert_allclose(moved.normals, rotation.apply(mesh.normals.copy()), atol=1e-12)
    np.testing.assert_array_equal(mesh.transformed().vertices, mesh.vertices)


def test_select_takes_masks_and_rows(make):
    mesh = make.soup(6, np.random.default_rng(2))
    mask = np.array([True, False, True, False, False, True])
    np.testing.assert_array_equal(mesh.select(mask).triangles, mesh.triangles[[0, 2, 5]])
    np.testing.assert_array_equal(mesh.select([5, 0]).triangles, mesh.triangles[[5, 0]])
    with pytest.raises(MeshError, match="at least one triangle"):
        mesh.select(np.zeros(6, bool))


def test_join_keeps_the_order_of_triangles(make):
    rng = np.random.default_rng(3)
    meshes = [make.soup(n, rng) for n in (3, 1, 4)]
    np.testing.assert_array_equal(
        join(meshes).triangles, np.concatenate([mesh.triangles for mesh in meshes])
    )
    np.testing.assert_array_equal(join(meshes[:1]).faces, meshes[0].faces)
    with pytest.raises(MeshError, match="no mesh to join"):
        join([])


def test_what_a_mesh_makes_of_its_arrays_is_read_only_and_its_own(make):
    vertices, faces = np.random.default_rng(0).random((9, 3)), np.arange(9).reshape(3, 3)
    mesh = TriangleMesh(vertices, faces)
    vertices[:], faces[:] = 0.0, 0
    parts = [mesh, mesh.select(np.array([0, 2])), mesh.select(np.array([True, False, True]))]
    for each in [*parts, join(parts), mesh.transformed(translation=np.ones(3))]:
        assert each.triangles.any()
        for name in ("vertices", "faces", "triangles", "normals", "areas", "bounds"):
            assert not getattr(each, name).flags.writeable


def test_normals_and_areas_are_those_of_cross_products_to_the_bit():
    rng = np.random.default_rng(1)
    count = CHUNK + 5  # more than one piece
    vertices = rng.normal(size=(3 * count, 3)) * 10.0 ** rng.integers(-8, 8, (3 * count, 1))
    mesh = TriangleMesh(vertices, np.arange(3 * count).reshape(-1, 3))
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    cross = np.cross(b - a, c - a)
    assert np.array_equal(mesh.normals, unit(cross))
    assert np.array_equal(mesh.areas, 0.5 * length(cross))
