"""Trees of boxes: every box holds its triangles, every triangle is one leaf."""

import numpy as np
import pytest

from rmp3d.geometry.boxtree import build_box_trees

ALIGNED = np.eye(3)


def meshes(make):
    rng = np.random.default_rng(0)
    same = make.from_triangles(np.tile(rng.normal(size=(1, 3, 3)), (9, 1, 1)))
    one = make.from_triangles(rng.normal(size=(1, 3, 3)))
    far = make.soup(20, rng).transformed(None, np.full(3, 1e6))
    return [make.soup(300, rng, size=0.2), make.degenerate(rng), make.sphere(), same, one, far]


def rows_below(tree, node):
    child = tree.children[node]
    if child < 0:
        return [-1 - child]
    return rows_below(tree, child) + rows_below(tree, child + 1)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("oriented", [False, True])
def test_boxes_hold_what_is_below_them(make, number, oriented):
    mesh = meshes(make)[number]
    tree = build_box_trees(mesh)[oriented]
    np.testing.assert_array_equal(np.sort(tree.order), np.arange(len(mesh.faces)))
    np.testing.assert_array_equal(tree.triangles, mesh.triangles[tree.order].reshape(-1, 9))
    assert sorted(rows_below(tree, 0)) == list(range(len(mesh.faces)))
    for at, node in enumerate(tree.nodes):
        points = tree.triangles[rows_below(tree, at)].reshape(-1, 3)
        axes = node[8:].reshape(3, 3) if oriented else ALIGNED
        np.testing.assert_allclose(axes.T @ axes, ALIGNED, atol=1e-12)
        away = points - node[:3]
        rounding = 1e-15 * np.abs(points).max()
        assert (np.abs(away @ axes) <= node[3:6] + 4.0 * rounding).all()
        assert (np.linalg.norm(away, axis=1) <= node[6] + 4.0 * rounding).all()
        assert (np.linalg.norm(points, axis=1) <= node[7] * (1.0 + 1e-15)).all()
        # Nor are they larger than need be.
        np.testing.assert_allclose(np.abs(away @ axes).max(axis=0), node[3:6], atol=1e-6)


def test_oriented_boxes_of_slanted_plates_are_flat(make):
    plate = make.box((0, 0, 0), (4, 2, 0.01))
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    aligned, oriented = build_box_trees(plate.transformed(turn))
    assert np.sort(oriented.nodes[0, 3:6])[0] < 0.02
    assert oriented.area < 0.5 * aligned.area


def test_trees_repeat(make):
    mesh = meshes(make)[0]
    for one, other in zip(build_box_trees(mesh), build_box_trees(mesh), strict=True):
        np.testing.assert_array_equal(one.nodes, other.nodes)
        np.testing.assert_array_equal(one.children, other.children)
