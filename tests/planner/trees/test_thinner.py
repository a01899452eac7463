"""A thinner body lies inside the body, and is as thin as it was asked to be."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.trees.thinner import inward_shift
from rmp3d.scenes.build.shapes import box, loft


def thinned(mesh, share):
    return TriangleMesh(mesh.vertices + share * inward_shift(mesh), mesh.faces)


def tube(radius, sides=12):
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([radius * np.cos(around), radius * np.sin(around), 0 * around], axis=1)
    return loft([ring + np.array([0, 0, z]) for z in np.linspace(0, 3, 7)])


def test_a_box_loses_the_same_on_all_sides():
    thin = thinned(box((0, 0, 0), (4, 2, 1)), 0.5)
    # Its least thickness is 1: half of a half goes on each side.
    np.testing.assert_allclose(thin.bounds, [[0.25, 0.25, 0.25], [3.75, 1.75, 0.75]], atol=1e-5)


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_a_tube_becomes_thinner_by_the_share(share):
    mesh = tube(0.3)
    thin = thinned(mesh, share)
    radius = np.linalg.norm(thin.vertices[:, :2], axis=1)
    # Faces of twelve sides are 3.4 % nearer to the axis than vertices, so they go less far.
    assert radius.max() < 0.3 * (1.0 - (1.0 - 0.034) * share)
    assert MeshQuery(mesh).contains(thin.vertices).all()


def test_faces_that_do_not_share_vertices_make_a_closed_body_too():
    mesh = box((0, 0, 0), (1, 1, 1))
    loose = TriangleMesh(
        mesh.triangles.reshape(-1, 3), np.arange(3 * len(mesh.faces)).reshape(-1, 3)
    )
    np.testing.assert_allclose(thinned(loose, 0.5).bounds, [[0.25] * 3, [0.75] * 3], atol=1e-5)


def test_what_is_open_or_flat_has_no_inside():
    mesh = box((0, 0, 0), (1, 1, 1))
    assert inward_shift(TriangleMesh(mesh.vertices, mesh.faces[1:])) is None
    flat = TriangleMesh(mesh.vertices * [1, 1, 0], mesh.faces)
    assert inward_shift(flat) is None


def test_a_body_turned_inside_out_becomes_thinner_as_well():
    mesh = box((0, 0, 0), (1, 1, 1))
    inside_out = TriangleMesh(mesh.vertices, mesh.faces[:, ::-1])
    np.testing.assert_allclose(thinned(inside_out, 0.5).bounds, [[0.25] * 3, [0.75] * 3], atol=1e-5)
