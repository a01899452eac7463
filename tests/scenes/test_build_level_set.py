import numpy as np
import pytest

from rmp3d.scenes.build.level_set import without_flat_vertices, zero_surface

CELL = 0.25
AXIS = np.arange(-1.5, 1.5 + CELL / 2, CELL) + 0.013
GRID = np.stack(np.meshgrid(AXIS, AXIS, AXIS, indexing="ij"), axis=-1)


def surface(value):
    return zero_surface(value, np.full(3, AXIS[0]), CELL)


def volume(mesh):
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    return np.einsum("fi,fi->", a, np.cross(b, c)) / 6.0


def test_a_ball_becomes_a_closed_surface_facing_out_near_the_sphere():
    mesh = surface(np.linalg.norm(GRID, axis=-1) - 1.0)
    assert mesh.is_watertight
    assert np.abs(np.linalg.norm(mesh.vertices, axis=1) - 1.0).max() < 0.25 * CELL
    # Corners lie inside the ball that they are the means of crossings of.
    assert 0.9 < volume(mesh) / (4.0 / 3.0 * np.pi) < 1.0


def test_solids_that_touch_in_an_edge_of_the_grid_still_make_a_closed_surface():
    value = np.ones(GRID.shape[:3])
    value[3:5, 3:5, 4:7] = value[5:7, 5:7, 4:7] = -1.0
    assert surface(value).is_watertight


def test_a_box_loses_its_flat_vertices_and_nothing_else():
    mesh = surface(np.abs(GRID).max(axis=-1) - 0.9)
    fewer = without_flat_vertices(mesh)
    assert fewer.is_watertight
    assert len(fewer.faces) < 0.8 * len(mesh.faces)
    assert volume(fewer) == pytest.approx(volume(mesh), rel=1e-12)
    assert fewer.bounds == pytest.approx(mesh.bounds)
