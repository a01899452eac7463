"""How much work queries of a mesh are: at how many triangles each has to look."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import released
from rmp3d.geometry.primitives import upright_box_squared
from rmp3d.geometry.query import STACK, MeshQuery

SAMPLE = 64
"""Points that are tried."""
TOUCH = 1e-6
"""A ray looks at what is no farther from it than this [m]."""


def mean_looks(
    query: MeshQuery, points: Float, capsule_axis: tuple[float, float], cap: float
) -> tuple[float, float]:
    """Return at how many triangles `MeshQuery.nearest` looks for one of points (M, 3), about.

    A few of the points, evenly taken, are tried; what is counted does not depend on the machine.

    Args:
        query: Of the mesh.
        points: (M, 3) reference points [m].
        capsule_axis: Heights of the ends of the upright segments over them [m].
        cap: What is farther away is not looked for [m].

    Returns:
        The number of triangles, and the share of points that are no farther than half of ``cap``.
    """
    if len(points) == 0:
        return 0.0, 0.0
    some = np.linspace(0, len(points) - 1, min(SAMPLE, len(points))).astype(np.intp)
    tried = np.ascontiguousarray(points[some], dtype=np.float64)
    distance = query.nearest(tried, capsule_axis, cap)[0]
    tree = query.tree
    looks = _looks(tree.boxes, tree.ranges, tree.first_leaf, tried, *capsule_axis, distance)
    return looks / len(tried), float((distance <= 0.5 * cap).mean())


def mean_looks_up(query: MeshQuery, points: Float) -> float:
    """Return at how many triangles a ray straight up from one of points (M, 3) looks, about."""
    low, high = query.tree.boxes[0, 2], query.tree.boxes[0, 5]
    return mean_looks(query, points, (0.0, float(high - low)), TOUCH)[0]


@released
def _looks(boxes, ranges, first_leaf, points, low, high, distance):
    """Return how many triangles are in leaves that are no farther than the nearest triangle."""
    stack = np.empty(STACK, np.int64)
    count = 0
    for i in range(points.shape[0]):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = stack[top]
            far = upright_box_squared(x, y, z + low, z + high, boxes[node])
            if far > distance[i] * distance[i]:
                continue
            if node >= first_leaf:
                count += ranges[node, 1] - ranges[node, 0]
                continue
            stack[top], stack[top + 1] = 2 * node + 1, 2 * node + 2
            top += 2
    return count
