"""A rigid body and obstacles: batched queries for collision, distance, motions and contacts."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.boxtree import BoxTree, build_box_trees
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.overlap import touching_rows
from rmp3d.geometry.pair_kernels import (
    contacts_one,
    gap_one,
    make_scratch,
    place,
)
from rmp3d.geometry.rigid_motion import FREE, certify_rows

CONTACTS = 24  # contact rows that are looked for, at most
TOLERANCE = 1e-5  # gap that a proof leaves, times the body's reach
WORTH = 0.87  # area of oriented boxes over that of aligned ones below which they are used
RESOLUTION = 1e-3  # motion below which a proof gives up, times the body's reach


class MeshPair:
    """Exact queries between a body and obstacles, both triangle meshes (surfaces).

    Configurations are (M, 7): position [m] and unit quaternion, scalar first, of the body about
    its own origin, the reference point.

    Args:
        body: The mesh that moves.
        obstacles: The mesh that does not move.
        oriented: Whether to use oriented boxes; None: if they are enough smaller.

    Attributes:
        reach: Largest distance [m] of a point of the body from its reference point.
        oriented: Whether the boxes are oriented.
        trees: The arrays for compiled code (`rmp3d.geometry.pair_kernels`).
        work: (2,) pairs of boxes and of triangles that `certify` has tested so far.
    """

    def __init__(
        self, body: TriangleMesh, obstacles: TriangleMesh, oriented: bool | None = None
    ) -> None:
        self.body = body
        self.obstacles = obstacles
        around, moving = build_box_trees(obstacles), build_box_trees(body)
        if oriented is None:
            saved = around[1].area * moving[1].area / max(around[0].area * moving[0].area, 1e-300)
            oriented = saved < WORTH
        self.oriented = oriented
        self.trees = _arrays(around[oriented], moving[oriented], oriented)
        self.work = np.zeros(2, np.int64)
        self.reach = float(self.trees[3][0, 7])
        self.tolerance = TOLERANCE * self.reach
        self.resolution = RESOLUTION * self.reach

    def collide(self, configurations: Float) -> Bool:
        """Return in which configurations (M, 7) a triangle of the body touches an obstacle."""
        rows = checked(configurations)
        touching = np.empty(len(rows), dtype=np.bool_)
        touching_rows(self.trees, rows, touching)
        return touching

    def distance(self, configurations: Float, cap: float = np.inf) -> Float:
        """Return the distance (M,) [m] to the obstacles, zero on contact, at most ``cap``."""
        rows = checked(configurations)
        distance = np.empty(len(rows))
        limit = min(cap, 1e150)
        _gap_rows(self.trees, rows, np.full(len(rows), limit), 0.0, True, distance)
        return np.minimum(distance, cap)

    def keeps_clear(self, configurations: Float, travel: Float, spin: float = 0.0) -> Bool:
        """Return in which rows (M,) each point of the body may move ``travel + spin * its reach``.

        Args:
            configurations: (M, 7).
            travel: (M,) how far the reference point may move [m].
            spin: How far the body may turn [rad].
        """
        rows = checked(configurations)
        gap = np.empty(len(rows))
        travel = np.ascontiguousarray(np.broadcast_to(travel, len(rows)), dtype=np.float64)
        _gap_rows(self.trees, rows, travel, spin, False, gap)
        clear: Bool = gap < 0.0
        return clear

    def certify(self, start: Float, end: Float) -> tuple[Index, int]:
        """Prove or refuse motions start[i] -> end[i], (M, 7) each.

        Returns:
            Verdict (M,): 0 proved free with a gap of more than ``tolerance``, 1 collides
            somewhere, 2 neither within ``resolution`` (not to be used); and the number of
            queries made: one a motion.
        """
        start, end = checked(start), checked(end)
        verdict = np.empty(len(start), np.intp)
        counts = np.zeros(4, np.int64)
        certify_rows(self.trees, start, end, self.tolerance, self.resolution, verdict, counts)
        self.work += counts[2:]
        return verdict, int(counts[0])

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which motions start[i] -> end[i] are proved free."""
        free: Bool = self.certify(start, end)[0] == FREE
        return free

    def contacts(self, configuration: Float, reach: float) -> tuple[Float, Float, Float]:
        """Return the nearest contacts of one configuration (7,) closer than ``reach`` [m].

        Returns:
            Points of the body (C, 3) [m], world; unit normals (C, 3) from obstacle to body; gaps
            (C,) [m]. At most 24; overlapping triangles give none.
        """
        row = checked(configuration)[0]
        rows = np.empty((CONTACTS, 10))
        count = _contacts_of(self.trees, row, reach, self.reach, rows)
        rows = rows[:count]
        return rows[:, 7:] + row[:3], rows[:, :3].copy(), rows[:, 6].copy()


def checked(configurations: Float) -> Float:
    """Return configurations as contiguous rows (M, 7).

    Raises:
        ValueError: Not finite, or a quaternion that is not of length one.
    """
    rows = np.ascontiguousarray(configurations, dtype=np.float64).reshape(-1, 7)
    size = np.einsum("ij,ij->i", rows[:, 3:], rows[:, 3:])
    if not (np.isfinite(rows).all() and (np.abs(size - 1.0) < 1e-9).all()):
        bad = rows[~(np.isfinite(rows).all(axis=1) & (np.abs(size - 1.0) < 1e-9))][0]
        raise ValueError(
            f"a configuration is finite x y z and a unit quaternion wxyz, got {bad.tolist()}"
        )
    return rows


def _arrays(around: BoxTree, moving: BoxTree, oriented: bool) -> tuple:
    """Return the arrays for compiled code."""
    return (
        around.nodes, around.children, around.triangles,
        moving.nodes, moving.children, moving.triangles, not oriented,
    )  # fmt: skip


@compiled
def _gap_rows(trees, rows, base, spin, nearest, gap):
    scratch = make_scratch()
    rotation = scratch[6]
    for i in range(rows.shape[0]):
        place(rows[i], rotation)
        gap[i] = gap_one(trees, rotation, rows[i], base[i], spin, nearest, scratch)


@compiled
def _contacts_of(trees, row, reach, lever, rows):
    scratch = make_scratch()
    place(row, scratch[6])
    return contacts_one(trees, scratch[6], row, reach, lever, rows, scratch)
