import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.geometry import disk_cache
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.viewer.shapes import surfaces
from rmp3d.viewer.shapes.surfaces import corner_normals, dyed_share, instance_rows, surface_rows


def sphere(rings=24, sectors=48):
    """A closed unit sphere of thin quads, its vertices not shared between faces."""
    polar, turn = np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, sectors + 1)

    def at(i, j):
        p, t = polar[i], turn[j]
        return [np.sin(p) * np.cos(t), np.sin(p) * np.sin(t), np.cos(p)]

    triangles = []
    for i in range(rings):
        for j in range(sectors):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [[a, b, c]] if i < rings - 1 else []
            triangles += [[a, c, d]] if i > 0 else []
    corners = np.array(triangles).reshape(-1, 3)
    return TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3))


def test_normals_of_a_sphere_are_nearly_radial():
    mesh = sphere()
    normals = corner_normals(mesh)
    cosine = np.einsum("fci,fci->fc", normals, mesh.triangles)
    assert cosine.min() > np.cos(np.radians(5.0))  # flat faces would be off by up to 7 degrees
    np.testing.assert_allclose(np.linalg.norm(normals, axis=2), 1.0)


def test_a_box_keeps_its_edges(playback):
    mesh = playback.scene.part("wall north").mesh
    np.testing.assert_allclose(corner_normals(mesh), np.repeat(mesh.normals[:, None], 3, axis=1))


def test_a_triangle_without_area_gets_no_nan():
    mesh = TriangleMesh([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 1, 3]])
    assert np.isfinite(corner_normals(mesh)).all()


def test_corners_share_a_row_where_they_look_alike():
    mesh = sphere()
    rows, faces = surface_rows(mesh, np.full((len(mesh.faces), 3), 0.5))
    corners = np.concatenate([mesh.triangles, corner_normals(mesh)], axis=2).reshape(-1, 6)
    np.testing.assert_allclose(rows[faces].reshape(-1, 10)[:, :6], corners, atol=1e-5)
    assert len(rows) < 0.3 * len(corners)
    assert (np.diff(np.unique(faces, return_index=True)[1]) > 0).all()  # in the order of use


def test_the_hub_of_a_fan_is_shaded_flat():
    turn = np.linspace(0.0, 2.0 * np.pi, 401)
    rim = np.column_stack([np.cos(turn), np.sin(turn), 0.1 * np.sin(40.0 * turn)])
    faces = np.column_stack([np.zeros(400, int), np.arange(1, 401), np.arange(2, 402)])
    mesh = TriangleMesh(np.concatenate([np.zeros((1, 3)), rim]), faces)
    np.testing.assert_allclose(corner_normals(mesh)[:, 0], mesh.normals)
    rows, corners = surface_rows(mesh, np.full((400, 3), 0.5))
    np.testing.assert_allclose(rows[corners][:, 0, 3:6], mesh.normals, atol=1e-5)


def test_rows_carry_position_normal_color_and_share(playback):
    part = playback.scene.parts[0]
    rows, faces = surface_rows(part.mesh, part.colors, 0.5)
    np.testing.assert_allclose(rows[faces][:, :, :3], part.mesh.triangles, atol=1e-5)
    np.testing.assert_allclose(rows[faces][:, :, 3:6].mean(axis=1), part.mesh.normals, atol=1e-5)
    assert len(np.unique(rows, axis=0)) == len(rows)
    assert (rows[:, 6:9] < 0.55).all()  # linear light is darker than sRGB
    assert (rows[:, 9] == 0.5).all()


def test_only_vivid_faces_are_dyed_unless_there_are_none():
    skin, shirt, hair = [0.85, 0.63, 0.48], [0.85, 0.2, 0.2], [0.2, 0.15, 0.12]
    assert dyed_share(np.array([skin, shirt, hair])).tolist() == [0.0, 1.0, 0.0]
    assert (dyed_share(np.array([skin, hair])) > 0.3).all()


def test_instances_turn_as_scipy_turns():
    turns = Rotation.random(5, rng=np.random.default_rng(0))
    rows = instance_rows(np.ones((5, 3)), turns.as_quat(scalar_first=True), np.ones((5, 3)), 1.0)
    axis, scalar, vector = rows[:, 3:6], rows[:, 6:7], np.array([[1.0, 2.0, 3.0]])
    turned = vector + 2 * np.cross(axis, np.cross(axis, vector) + scalar * vector)  # as the shader
    np.testing.assert_allclose(turned, turns.apply(vector), atol=1e-6)


def test_rows_of_a_large_mesh_are_kept(tmp_path, monkeypatch):
    mesh = sphere()
    red, green = (np.tile(color, (len(mesh.faces), 1)) for color in ([1.0, 0, 0], [0, 1.0, 0]))
    expected = surface_rows(mesh, red)
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path))
    monkeypatch.setattr(surfaces, "KEPT_FROM", 1)
    surface_rows(mesh, red)
    made = surfaces._surface_rows
    monkeypatch.setattr(surfaces, "_surface_rows", None)
    for found, array in zip(surface_rows(mesh, red), expected, strict=True):
        np.testing.assert_array_equal(found, array)
        assert found.dtype == array.dtype
    with pytest.raises(TypeError):
        surface_rows(mesh, green)  # other colors are other rows
    monkeypatch.setattr(surfaces, "_surface_rows", made)
    (path,) = tmp_path.glob("*.cache")
    kept = dict(disk_cache._read(path))
    disk_cache._write(path, {**kept, "faces": kept["faces"] + np.uint32(len(kept["rows"]))})
    np.testing.assert_array_equal(surface_rows(mesh, red)[1], expected[1])
