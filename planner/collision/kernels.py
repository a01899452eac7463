"""Collision by the compiled mesh queries: exact for capsules, batched; the default."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.solids import Solids


class KernelBackend:
    """An upright capsule against triangles by `rmp3d.geometry.query.MeshQuery`.

    Args:
        mesh: The obstacles' triangles.
        solids: Closed meshes whose inside is forbidden.
        capsule_axis: Heights [m] of the ends of the capsule's segment over its reference point.
        radius: [m].
        tolerance: What comes as near as this [m] counts as touching.
        counts: Where the work is counted.

    Attributes:
        query: Of the triangles.
        solids: The closed meshes.
    """

    def __init__(
        self,
        mesh: TriangleMesh,
        solids: Sequence[TriangleMesh],
        capsule_axis: tuple[float, float],
        radius: float,
        tolerance: float,
        counts: QueryCounts,
    ) -> None:
        self.query = MeshQuery(mesh)
        self.solids = Solids(solids, [MeshQuery(solid).contains for solid in solids])
        self.capsule_axis = capsule_axis
        self.radius = radius
        self.tolerance = tolerance
        self.counts = counts

    def touched(self, configurations: Float) -> Index:
        """Return the face (M,) nearer than the tolerance, -1 where the body touches none."""
        self.counts.collision += len(configurations)
        clearance, face = self.query.capsule_clearance(
            configurations, self.capsule_axis, self.radius, cap=2.0 * self.tolerance
        )
        return np.where(clearance > self.tolerance, -1, face)

    def clearance(self, configurations: Float, cap: float) -> Float:
        """Return the distance (M,) [m] to the triangles, negative on contact, at most ``cap``."""
        self.counts.distance += len(configurations)
        return self.query.capsule_clearance(configurations, self.capsule_axis, self.radius, cap)[0]

    def sweep(self, start: Float, end: Float) -> Index:
        """Return the face (M,) that refuses a straight motion, -1 where it is proved free."""
        self.counts.collision += len(start)
        _, face = self.query.sweep_capsule(
            start, end, self.capsule_axis, self.radius, self.tolerance, first=False
        )
        return face

    def inside(self, points: Float) -> Index:
        """Return the solid (M,) that contains each point, -1 for none."""
        return self.solids.around(points)
