"""Flat trees of boxes for the mesh-against-mesh kernels: aligned with the axes, or oriented.

Both kinds have one hierarchy (that of `geometry.tree`) and one layout, so one compiled traversal
serves both.
"""

from dataclasses import dataclass

import numpy as np

from geometry.arrays import Float, Index
from geometry.mesh import TriangleMesh
from geometry.tree import build_tree

LEAF_SIZE = 2
# Columns of a node: center, axes (row by row; an axis is a column), half extents, radius around
# the center, and reach: the largest distance of a point of the node from the mesh's origin.
CENTER, AXES, HALF, RADIUS, REACH, COLUMNS = 0, 3, 12, 15, 16, 17
# Boxes grow by this share of their reach, more than projecting a point on axes may round.
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Boxes over triangles in one array, ready for compiled traversal.

    Attributes:
        nodes: (K, 17): center (3), axes (3, 3), half extents (3), radius, reach [m].
        ranges: (K, 2) rows of ``triangles`` below a node.
        triangles: (F, 9) corner coordinates [m] in tree order.
        order: (F,) face of the mesh that each row of ``triangles`` is.
        first_leaf: Nodes from here on are leaves; node k has children 2k + 1 and 2k + 2.
    """

    nodes: Float
    ranges: Index
    triangles: Float
    order: Index
    first_leaf: int


def build_box_tree(mesh: TriangleMesh, oriented: bool) -> BoxTree:
    """Return a tree over a mesh.

    Args:
        mesh: Its origin is the point about which it will turn.
        oriented: Turn each box with the principal axes of the triangles in it (area-weighted
            covariance; Gottschalk, Lin and Manocha 1996) where that makes it smaller.
    """
    tree = build_tree(mesh, LEAF_SIZE)
    corners = tree.triangles.reshape(-1, 3, 3)
    levels = []
    first = 0
    while first < len(tree.ranges):
        ranges = tree.ranges[first : 2 * first + 1]
        axes = np.tile(np.eye(3), (len(ranges), 1, 1))
        level = _fit(corners, ranges, axes)
        if oriented:
            turned = _fit(corners, ranges, _principal_axes(corners, ranges))
            smaller = _area(turned) < 0.95 * _area(level)
            level[smaller] = turned[smaller]
        levels.append(level)
        first = 2 * first + 1
    return BoxTree(
        np.ascontiguousarray(np.concatenate(levels)),
        tree.ranges,
        tree.triangles,
        tree.order,
        tree.first_leaf,
    )


def _fit(corners: Float, ranges: Index, axes: Float) -> Float:
    """Return nodes (L, 17) around ranges (L, 2) of triangles (F, 3, 3) with axes (L, 3, 3)."""
    starts = ranges[:, 0]
    owner = np.repeat(np.arange(len(ranges)), np.diff(ranges, axis=1)[:, 0])
    along = np.einsum("fca,fab->fcb", corners, axes[owner])
    low = np.minimum.reduceat(along.min(axis=1), starts)
    high = np.maximum.reduceat(along.max(axis=1), starts)
    center = np.einsum("lab,lb->la", axes, 0.5 * (low + high))
    radius = np.linalg.norm(corners - center[owner][:, None], axis=2).max(axis=1)
    reach = np.linalg.norm(corners, axis=2).max(axis=1)
    nodes = np.empty((len(ranges), COLUMNS))
    nodes[:, CENTER:AXES] = center
    nodes[:, AXES:HALF] = axes.reshape(-1, 9)
    nodes[:, REACH] = np.maximum.reduceat(reach, starts)
    slack = ROUNDING * (nodes[:, REACH] + np.abs(center).max(axis=1))
    nodes[:, HALF:RADIUS] = 0.5 * (high - low) + slack[:, None]
    nodes[:, RADIUS] = np.maximum.reduceat(radius, starts) + slack
    return nodes


def _principal_axes(corners: Float, ranges: Index) -> Float:
    """Return the principal axes (L, 3, 3), in columns, of the surface in each range."""
    starts = ranges[:, 0]
    area = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    # Where a range has no area at all, every triangle counts alike.
    area = area + 1e-12 * max(float(area.mean()), 1e-300)
    middle = corners.mean(axis=1)
    moment = 9.0 * np.einsum("fa,fb->fab", middle, middle)
    moment += np.einsum("fca,fcb->fab", corners, corners)
    weight = np.add.reduceat(area, starts)[:, None]
    mean = np.add.reduceat(area[:, None] * middle, starts) / weight
    spread = np.add.reduceat(area[:, None, None] / 12.0 * moment, starts) / weight[:, None]
    spread -= np.einsum("la,lb->lab", mean, mean)
    axes: Float = np.linalg.eigh(spread)[1]
    return axes


def _area(nodes: Float) -> Float:
    """Return a quarter of the surface area (L,) of boxes, by which they are compared."""
    a, b, c = nodes[:, HALF:RADIUS].T
    return 2.0 * (a * b + b * c + c * a)
