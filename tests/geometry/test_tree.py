import numpy as np
import pytest

from rmp3d.geometry.tree import LEAF_SIZE, build_tree


@pytest.mark.parametrize("count", [1, 2, 4, 5, 8, 9, 33, 100, 257])
def test_every_triangle_is_in_exactly_one_leaf(make, count):
    tree = build_tree(make.soup(count, np.random.default_rng(count)))
    leaves = tree.ranges[tree.first_leaf :]
    rows = np.concatenate([np.arange(first, last) for first, last in leaves])
    np.testing.assert_array_equal(rows, np.arange(count))
    np.testing.assert_array_equal(np.sort(tree.order), np.arange(count))
    assert (np.diff(leaves, axis=1) <= LEAF_SIZE).all()


@pytest.mark.parametrize("count", [1, 7, 64, 201])
def test_children_share_their_parents_triangles_and_boxes_contain_them(make, count):
    mesh = make.soup(count, np.random.default_rng(count))
    tree = build_tree(mesh)
    np.testing.assert_array_equal(tree.triangles.reshape(-1, 3, 3), mesh.triangles[tree.order])
    for node in range(len(tree.boxes)):
        first, last = tree.ranges[node]
        corners = tree.triangles[first:last].reshape(-1, 3)
        np.testing.assert_array_equal(tree.boxes[node], [*corners.min(0), *corners.max(0)])
        if node < tree.first_leaf:
            left, right = tree.ranges[2 * node + 1], tree.ranges[2 * node + 2]
            assert (first, left[1], last) == (left[0], right[0], right[1])


def test_equal_input_gives_an_equal_tree_even_with_ties(make):
    mesh = make.from_triangles(np.repeat(make.soup(1, np.random.default_rng(0)).triangles, 50, 0))
    first, second = build_tree(mesh), build_tree(mesh)
    np.testing.assert_array_equal(first.order, second.order)
    np.testing.assert_array_equal(first.boxes, second.boxes)


def test_the_root_box_is_the_bounds_of_the_mesh(make):
    mesh = make.soup(30, np.random.default_rng(5))
    np.testing.assert_array_equal(build_tree(mesh).boxes[0].reshape(2, 3), mesh.bounds)
