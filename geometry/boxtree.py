"""Flat bounding-box trees for the mesh-against-mesh kernels: axis-aligned or oriented boxes.

Both kinds have the same hierarchy and the same layout, so one compiled traversal serves both. The
surface-area heuristic chooses the splits: scenes have long thin triangles beside small ones, and
splits at the median would put a wall into many boxes.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.box_kernels import AXES, COLUMNS, HALF, RADIUS, fit_all, split_all
from rmp3d.geometry.mesh import TriangleMesh


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Boxes over triangles in one array, ready for compiled traversal.

    Attributes:
        nodes: (K, 8) center (3), half extents (3), radius, reach [m]; (K, 17) of oriented boxes,
            with axes (3, 3).
        children: (K,) number of the first of two children in a row; of a leaf, -1 minus the row
            of its triangle.
        triangles: (F, 9) corner coordinates [m] in tree order.
        order: (F,) the face of the mesh for each row of ``triangles``.
    """

    nodes: Float
    children: Index
    triangles: Float
    order: Index

    @property
    def area(self) -> float:
        """An eighth of the surface [m^2] of all boxes; queries cost in proportion to it."""
        a, b, c = self.nodes[:, HALF:RADIUS].T
        return float((a * b + b * c + c * a).sum())


def build_box_trees(mesh: TriangleMesh) -> tuple[BoxTree, BoxTree]:
    """Return a tree of axis-aligned boxes and a tree of oriented boxes, with one triangle a leaf.

    The mesh will turn about its origin.
    """
    corners = np.ascontiguousarray(mesh.triangles.reshape(-1, 9))
    order, count = np.arange(len(corners)), 2 * len(corners) - 1
    ranges, children = np.empty((count, 2), np.intp), np.empty(count, np.intp)
    split_all(corners, order, ranges, children)
    triangles = corners[order]
    aligned, oriented = np.empty((count, AXES)), np.empty((count, COLUMNS))
    fit_all(triangles, ranges, children, aligned, oriented)
    return (
        BoxTree(aligned, children, triangles, order),
        BoxTree(oriented, children, triangles, order),
    )
