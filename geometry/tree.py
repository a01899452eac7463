"""A flat tree of boxes over triangles, built with numpy alone.

The tree is a complete binary heap: node k has children 2k + 1 and 2k + 2. A node of level l
covers an equal share of the triangles, sorted along its longest axis (median split). So the tree
needs no pointers and no compiled code to build it, and equal input gives an equal tree.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh

LEAF_SIZE = 4


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


def build_tree(mesh: TriangleMesh) -> TriangleTree:
    """Return the tree of a mesh; time grows as F log^2 F."""
    corners = mesh.triangles
    lower, upper = corners.min(axis=1), corners.max(axis=1)
    center = 0.5 * (lower + upper)
    count = len(corners)
    depth = max(0, int(np.ceil(np.log2(count / LEAF_SIZE))))
    order = np.arange(count)
    for level in range(depth):
        edges = _edges(count, level)
        node = np.repeat(np.arange(2**level), np.diff(edges))
        ordered = center[order]
        extent = np.maximum.reduceat(ordered, edges[:-1]) - np.minimum.reduceat(ordered, edges[:-1])
        axis = np.argmax(extent, axis=1)[node]
        key = ordered[np.arange(count), axis]
        order = order[np.lexsort((order, key, node))]
    boxes, ranges = [], []
    for level in range(depth + 1):
        edges = _edges(count, level)
        low = np.minimum.reduceat(lower[order], edges[:-1])
        high = np.maximum.reduceat(upper[order], edges[:-1])
        boxes.append(np.hstack([low, high]))
        ranges.append(np.stack([edges[:-1], edges[1:]], axis=1))
    return TriangleTree(
        boxes=np.ascontiguousarray(np.concatenate(boxes)),
        ranges=np.ascontiguousarray(np.concatenate(ranges)).astype(np.intp),
        triangles=np.ascontiguousarray(corners[order].reshape(count, 9)),
        order=order.astype(np.intp),
        first_leaf=2**depth - 1,
    )


def _edges(count: int, level: int) -> Index:
    """Return the (2^level + 1,) borders of the equal shares of a level."""
    return (np.arange(2**level + 1) * count) // 2**level
