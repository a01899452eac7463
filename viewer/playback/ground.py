"""The ground under the feet of drawn walkers."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.tree import build_tree
from rmp3d.geometry.walking import locate_rows
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes import Scene

REACH = 0.45
"""How far [m] above or below a walker's feet the ground is looked for."""


class GroundHeights:
    """The walkable ground of a scene, as heights; sorted when it is first asked for.

    Walkers that are far away in a picture are drawn without their feet, so the first picture of a
    large scene needs none of it.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def under(self, points: Float) -> Float:
        """Return points (M, 3) on the ground nearest above or below; themselves where none is."""
        found = np.ascontiguousarray(points, np.float64).copy()
        if len(found) == 0:
            return found
        walkable = self._scene.walkable
        arrays = None if walkable is None else _tree(walkable)
        if arrays is not None:
            face = np.empty(len(found), np.intp)
            locate_rows(*arrays, found.copy(), REACH, REACH, found, face)
        return found


@weak_cache
def _tree(mesh: TriangleMesh) -> tuple[Float, Index, Float, Index, int] | None:
    """Return the tree over the triangles that face up, for the kernel."""
    upward = mesh.normals[:, 2] > 1e-6
    if not upward.any():
        return None
    tree = build_tree(mesh if upward.all() else mesh.select(upward))
    return tree.boxes, tree.ranges, tree.triangles, tree.order, tree.first_leaf
