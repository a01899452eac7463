"""Queries of a mesh and of further triangles, which are given anew at every moment.

The two trees hang under one root, so that every query and every compiled kernel sees both. The tree
of the mesh is made once; only what is over the further triangles is written again.
"""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.tree import LEAF_SIZE, TriangleTree, tree_over

NOWHERE = 1e30
"""Nodes without triangles are a box at this point [m], which no query comes near."""


class ChangingQuery(MeshQuery):
    """Exact queries over the triangles of a mesh, and over others that come and go.

    In answers, the faces of the mesh have their own numbers; the others follow, in the order in
    which they were put.

    Args:
        base: What stays; None if there is nothing.
    """

    def __init__(self, base: MeshQuery | None) -> None:
        self._base = None if base is None else base.mesh
        self._fixed = _nothing() if base is None else base.tree
        self._others = np.zeros((0, 3, 3))
        self._mesh: TriangleMesh | None = None
        self._used: Index = np.zeros(0, np.intp)
        self._lay_out(0)
        self.put(self._others)

    @property
    def mesh(self) -> TriangleMesh:  # type: ignore[override]
        """The mesh and the other triangles, now.

        Raises:
            MeshError: There are none.
        """
        if self._mesh is None:
            corners = self._others.reshape(-1, 3)
            faces = np.arange(len(corners)).reshape(-1, 3)
            if self._base is not None:
                faces = np.concatenate([self._base.faces, faces + len(self._base.vertices)])
                corners = np.concatenate([self._base.vertices, corners])
            self._mesh = TriangleMesh(corners, faces)
        return self._mesh

    @property
    def others(self) -> Float:
        """(K, 3, 3) the other triangles [m], now."""
        return self._others

    def put(self, triangles: Float, tree: TriangleTree | None = None) -> None:
        """Let the other triangles be these (K, 3, 3) [m] from now on; their tree may be known."""
        own = tree or (tree_over(triangles) if len(triangles) else _nothing())
        depth = _depth(own)
        if depth > self._depth or len(triangles) > self._room:
            self._lay_out(depth, len(triangles))
        first = self._fixed_count
        self._boxes[self._used] = NOWHERE
        self._ranges[self._used] = 0
        self._used = _hung(own, 1, self._depth, first, self._boxes, self._ranges)
        self._triangles[first : first + len(triangles)] = own.triangles
        below = self._boxes[1:3]
        self._boxes[0] = np.concatenate([below[:, :3].min(axis=0), below[:, 3:].max(axis=0)])
        order = np.concatenate([self._fixed.order, first + own.order])
        self.tree = TriangleTree(
            self._boxes, self._ranges, self._triangles, order, 2 ** (self._depth + 1) - 1
        )
        self._others, self._mesh = triangles, None

    @property
    def _fixed_count(self) -> int:
        return len(self._fixed.triangles)

    def _lay_out(self, depth: int, room: int = 64 * LEAF_SIZE) -> None:
        """Make room for a tree of other triangles of this depth, and hang the mesh's beside it."""
        self._depth, self._room = max(depth, _depth(self._fixed)), 2 * room
        nodes = 2 ** (self._depth + 2) - 1
        self._boxes, self._ranges = np.full((nodes, 6), NOWHERE), np.zeros((nodes, 2), np.intp)
        self._triangles = np.full((self._fixed_count + self._room, 9), NOWHERE)
        self._triangles[: self._fixed_count] = self._fixed.triangles
        _hung(self._fixed, 0, self._depth, 0, self._boxes, self._ranges)
        self._used = np.zeros(0, np.intp)


def _nothing() -> TriangleTree:
    """Return a tree without triangles."""
    none = np.zeros(0, np.intp)
    return TriangleTree(
        np.full((1, 6), NOWHERE), np.zeros((1, 2), np.intp), np.zeros((0, 9)), none, 0
    )


def _depth(tree: TriangleTree) -> int:
    return (tree.first_leaf + 1).bit_length() - 1


def _hung(
    tree: TriangleTree, side: int, depth: int, first: int, boxes: Float, ranges: Index
) -> Index:
    """Write a tree under the left (0) or right (1) side of a root; return the nodes written.

    Where it is less deep than it has to be, each leaf is the end of a chain of left children.
    """
    own, used = _depth(tree), []
    for level in range(depth + 1):
        of = min(level, own)
        node = np.arange(2**of)
        at = 2 ** (level + 1) - 1 + side * 2**level + (node << (level - of))
        boxes[at] = tree.boxes[2**of - 1 + node]
        ranges[at] = tree.ranges[2**of - 1 + node] + first
        used.append(at)
    return np.concatenate(used)
