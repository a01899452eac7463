"""A flat tree of boxes over triangles.

The tree is a complete binary heap: node k has children 2k + 1 and 2k + 2. A node of level l
covers an equal share of the triangles, sorted along its longest axis (median split). So the tree
needs no pointers, and equal input gives an equal tree.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.disk_cache import Arrays, check_rows, digest_of, kept
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.tree_kernels import sort_all
from rmp3d.geometry.weak_cache import weak_cache

LEAF_SIZE = 4
KEPT_FROM = 300_000
"""Triangles from which on the order is kept on disk; for fewer, sorting is as fast as reading."""


@dataclass(frozen=True, eq=False)
class TriangleTree:
    """Boxes over triangles, ready for compiled traversal.

    Attributes:
        boxes: (K, 6) node boxes: lower corner, upper corner [m].
        ranges: (K, 2) rows of ``triangles`` below a node; first and one past last.
        triangles: (F, 9) corner coordinates [m] in tree order.
        order: (F,) the face of the mesh for each row of ``triangles``.
        first_leaf: Nodes from here on are leaves.
    """

    boxes: Float
    ranges: Index
    triangles: Float
    order: Index
    first_leaf: int


@weak_cache
def build_tree(mesh: TriangleMesh) -> TriangleTree:
    """Return the tree of a mesh, built once; time grows as F log F."""
    return tree_over(mesh.triangles)


def tree_over(triangles: Float) -> TriangleTree:
    """Return the tree of triangles (F, 3, 3), at least one."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    lower, upper = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    center = 0.5 * (lower + upper)
    count = len(center)
    depth = max(0, int(np.ceil(np.log2(count / LEAF_SIZE))))
    order = _order(center, depth)
    edges = (np.arange(2**depth + 1) * count) // 2**depth  # borders of the leaves
    boxes = [_boxes(lower[order], upper[order], edges)]
    ranges = [np.stack([edges[:-1], edges[1:]], axis=1)]
    while len(boxes[0]) > 1:
        first, second = boxes[0][0::2], boxes[0][1::2]
        low = np.minimum(first[:, :3], second[:, :3])
        high = np.maximum(first[:, 3:], second[:, 3:])
        boxes.insert(0, np.hstack([low, high]))
        ranges.insert(0, np.column_stack([ranges[0][0::2, 0], ranges[0][1::2, 1]]))
    return TriangleTree(
        boxes=np.concatenate(boxes),
        ranges=np.concatenate(ranges),
        triangles=triangles.reshape(count, 9)[order],
        order=order,
        first_leaf=2**depth - 1,
    )


def _order(center: Float, depth: int) -> Index:
    """Return the order (F,) of the triangles in the tree by their middles (F, 3)."""

    def sort() -> Index:
        order = np.arange(len(center))
        sort_all(center.copy(), order, depth)
        return order

    def encode(order: Index) -> Arrays:
        return {"order": order.astype(np.int32)}

    def decode(arrays: Arrays) -> Index:
        order = arrays["order"]
        check_rows(order, len(center), (len(center),))
        if (np.bincount(order, minlength=len(center)) != 1).any():
            raise ValueError("it is no order of the triangles")
        return order.astype(np.intp)

    # Boxes are made of any order as it is, so that queries are right even if it was another one.
    if len(center) < KEPT_FROM:
        return sort()
    return kept("tree", [digest_of([center])], sort, encode, decode)


def _boxes(lower: Float, upper: Float, edges: Index) -> Float:
    """Return the boxes (L, 6) around rows ``edges[k] : edges[k + 1]`` of boxes (F, 3)."""
    return np.hstack(
        [np.minimum.reduceat(lower, edges[:-1]), np.maximum.reduceat(upper, edges[:-1])]
    )
