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


@pytest.mark.parametrize("kind", ["soup", "on a grid", "in one place"])
@pytest.mark.parametrize("count", [1, 4, 5, 63, 64, 65, 300])
def test_the_order_is_that_of_sorting_level_by_level(make, count, kind):
    rng = np.random.default_rng(count)
    corners = {
        "soup": rng.normal(size=(count, 3, 3)),
        "on a grid": rng.integers(0, 3, (count, 3, 3)).astype(float),
        "in one place": np.repeat(rng.normal(size=(1, 3, 3)), count, axis=0),
    }[kind]
    tree = build_tree(make.from_triangles(corners))
    np.testing.assert_array_equal(tree.order, sorted_by_levels(corners))


def sorted_by_levels(corners):
    """Return the faces sorted by `numpy.lexsort`, all nodes of a level at once."""
    count = len(corners)
    center = 0.5 * (corners.min(axis=1) + corners.max(axis=1))
    order = np.arange(count)
    for level in range(max(0, int(np.ceil(np.log2(count / LEAF_SIZE))))):
        edges = (np.arange(2**level + 1) * count) // 2**level
        node = np.repeat(np.arange(2**level), np.diff(edges))
        ordered = center[order]
        extent = np.maximum.reduceat(ordered, edges[:-1]) - np.minimum.reduceat(ordered, edges[:-1])
        key = ordered[np.arange(count), np.argmax(extent, axis=1)[node]]
        order = order[np.lexsort((order, key, node))]
    return order


def test_equal_input_gives_an_equal_tree_even_with_ties(make):
    triangles = np.repeat(make.soup(1, np.random.default_rng(0)).triangles, 50, 0)
    first, second = (build_tree(make.from_triangles(triangles)) for _ in range(2))
    np.testing.assert_array_equal(first.order, second.order)
    np.testing.assert_array_equal(first.boxes, second.boxes)


def test_a_tree_is_built_once(make):
    mesh = make.soup(9, np.random.default_rng(2))
    assert build_tree(mesh) is build_tree(mesh)


def test_the_root_box_is_the_bounds_of_the_mesh(make):
    mesh = make.soup(30, np.random.default_rng(5))
    np.testing.assert_array_equal(build_tree(mesh).boxes[0].reshape(2, 3), mesh.bounds)
